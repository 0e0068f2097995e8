#include "config.h"

#include "report/html.h"
#include "report/b64.h"
#include "report/plot.h"
#include "report/summary.h"
#include "report/words.h"
#include "base/file.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PICTURE_MAX ((size_t)(16 * MIB))

void html_text(struct text *t, const char *s) {
  while (*s) {
    uint32_t code = 0;
    size_t n = text_utf8(s, &code);
    switch (n == 1 ? *s : 'x') {
    case '&': text_add(t, "&amp;"); break;
    case '<': text_add(t, "&lt;"); break;
    case '>': text_add(t, "&gt;"); break;
    case '"': text_add(t, "&quot;"); break;
    case '\'': text_add(t, "&#39;"); break;
    default:
      if (n == 0)
        text_add(t, "\xef\xbf\xbd");
      else if (code < 0x20 || (code >= 0x7f && code < 0xa0))
        text_addf(t, "\\x%02x", code);
      else
        text_addn(t, s, n);
    }
    s += n ? n : 1;
  }
}

/* <open>escaped text<close> */
static void element(struct text *t, const char *open, const char *s, const char *close) {
  text_add(t, open);
  html_text(t, s);
  text_add(t, close);
}

static const char style[] =
  "body{font:16px/1.5 system-ui,sans-serif;color:#1c1c1c;background:#fff;max-width:72rem;margin:2rem auto;padding:0 1rem}\n"
  "h1{font-size:1.6rem;margin:0 0 .3rem}h2{font-size:1.2rem;margin:2rem 0 .5rem}\n"
  ".label{border:2px solid #b35900;padding:.4rem .8rem;font-weight:600}\n"
  ".scroll{overflow-x:auto}\n"
  "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
  "th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #ddd;white-space:nowrap}\n"
  "th{border-bottom:2px solid #888;vertical-align:bottom}\n"
  "td.much{font-weight:700}tr.apart td{color:#555}td.left{text-align:left}\n"
  "dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.5rem 0}dt{color:#555}dd{margin:0}\n"
  "figure{margin:1.5rem 0}img{max-width:100%;height:auto;border:1px solid #ddd}figcaption{color:#555}\n"
  ".warning{border-left:4px solid #b35900;padding:.2rem .8rem;margin:.5rem 0}\n"
  "@media print{body{max-width:none;margin:0}figure{break-inside:avoid}}\n";

static void head(struct text *t, const struct account *f) {
  text_add(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta http-equiv=\"Content-Security-Policy\" "
              "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n");
  element(t, "<title>", f->subject.title, "</title>\n");
  text_addf(t, "<style>\n%s</style>\n</head>\n<body>\n", style);
  element(t, "<h1>", f->subject.title, "</h1>\n");
  if (f->label)
    element(t, "<p class=\"label\">", f->label, "</p>\n");
  text_add(t, "<dl>\n");
  for (size_t i = 0; i < f->facts.n; i++) {
    element(t, "<dt>", f->facts.item[i].text, "</dt>");
    element(t, "<dd>", f->facts.item[i].remedy, "</dd>\n");
  }
  text_add(t, "</dl>\n");
}

static void account_html(struct text *t, const struct account *f) {
  text_add(t, "<h2>Verdict</h2>\n<ul>\n");
  for (size_t i = 0; i < f->verdicts.n; i++)
    element(t, "<li>", f->verdicts.item[i].text, "</li>\n");
  text_add(t, "</ul>\n");
  for (size_t i = 0; i < f->warnings.n; i++) {
    element(t, "<p class=\"warning\"><strong>Warning:</strong> ", f->warnings.item[i].text, "");
    if (f->warnings.item[i].remedy)
      element(t, "; ", f->warnings.item[i].remedy, "");
    text_add(t, ".</p>\n");
  }
  if (f->noted.n > 0)
    text_add(t, "<h2>What fell into the measurements</h2>\n<ul>\n");
  for (size_t i = 0; i < f->noted.n; i++)
    element(t, "<li>", f->noted.item[i].text, "</li>\n");
  if (f->noted.n > 0)
    text_add(t, "</ul>\n");
}

static void table_html(struct text *t, const struct account *f) {
  struct table tab;
  table_make(&tab, f);
  if (tab.nrow > 0) {
    text_addf(t, "<h2>%s</h2>\n", f->subject.outside ? "Points" : "Steps");
    text_add(t, "\n<div class=\"scroll\"><table>\n<thead><tr><th></th>");
    for (size_t c = 0; c < tab.ncol; c++) {
      element(t, "<th>", tab.head[c][0], *tab.head[c][0] ? "<br>" : "");
      element(t, "", tab.head[c][1], "</th>");
    }
    text_add(t, "</tr></thead>\n<tbody>\n");
  }
  for (size_t i = 0; i < tab.nrow; i++) {
    static const char *const open[ROW_KINDS] = {"<tr><td></td>", "<tr class=\"apart\"><td class=\"left\">first step again</td>",
                                                "<tr class=\"apart\"><td class=\"left\">not judged</td>"};
    text_add(t, open[f->rows.row[i].kind]);
    for (size_t c = 0; c < tab.ncol; c++)
      element(t, "<td>", tab.cell[i * TABLE_COLUMNS + c], "</td>");
    text_add(t, "</tr>\n");
  }
  if (tab.nrow > 0)
    text_add(t, "</tbody></table></div>\n");
  for (size_t i = 0; i < tab.legend.n; i++) {
    element(t, i ? "<br>" : "<p>", tab.legend.item[i].text, ": ");
    element(t, "", tab.legend.item[i].remedy, i + 1 == tab.legend.n ? "</p>\n" : "");
  }
  table_free(&tab);
}

/* To hundredths at most, so that the cells can be compared; element() writes the sign in HTML. */
static char *wait_text(double ms, char *buf, size_t size) {
  if (isfinite(ms) && ms < 0.0995)
    snprintf(buf, size, ms > 0 && ms < 0.005 ? "<0.01" : "%.2f", ms);
  else
    figure_text(ms, buf, size);
  return buf;
}

/* What a transaction waits for at each step, where the server told it. */
static void pressure_html(struct text *t, const struct account *f) {
  static const char *const head[PRESSURES] = {"reads", "memory<br>grants", "processor", "log", "locks", "latches", "worker<br>threads", "client"};
  int any = 0;
  char b[32];
  for (size_t i = 0; i < f->rows.n; i++)
    for (int k = 0; k < PRESSURES; k++)
      any |= isfinite(f->rows.row[i].wait_ms_per_tx[k]);
  if (!any)
    return;
  text_add(t, "<h2>What transactions wait for</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th>memory</th><th>mean<br>ms</th>");
  for (int k = 0; k < PRESSURES; k++)
    text_addf(t, "<th>%s</th>", head[k]);
  text_add(t, "<th>server's<br>processors %</th></tr></thead>\n<tbody>\n");
  for (size_t i = 0; i < f->rows.n; i++) {
    const struct figures *r = &f->rows.row[i];
    unsigned kinds = words_pressures(r);
    element(t, r->kind == ROW_STEP ? "<tr><td>" : "<tr class=\"apart\"><td>", r->memory, "</td>");
    element(t, "<td>", figure_text(r->ms[MS_MEAN].value, b, sizeof b), "</td>");
    for (int k = 0; k < PRESSURES; k++)
      element(t, kinds >> k & 1 ? "<td class=\"much\">" : "<td>", wait_text(r->wait_ms_per_tx[k], b, sizeof b), "</td>");
    element(t, "<td>", figure_text(100 * r->cpu, b, sizeof b), "</td></tr>\n");
  }
  text_add(t, "</tbody></table></div>\n<p>Milliseconds a transaction, by the server's waits and counters; bold: a fifth of the mean latency "
              "or more, queries that waited for memory, or busy processors.</p>\n");
}

static void pictures_html(struct text *t, const struct account *f, const char *folder) {
  int any = 0;
  for (const struct plot *p = plots; p->name; p++) {
    char *path = xprintf("%s/plots/%s.png", folder, p->name), *data;
    size_t size;
    if (file_read(path, PICTURE_MAX, &data, &size, NULL) == 0) {
      if (!any++)
        text_add(t, "<h2>Pictures</h2>\n");
      text_add(t, "<figure><img alt=\"");
      html_text(t, plot_what(f, p));
      text_add(t, "\" src=\"data:image/png;base64,");
      b64_add(t, data, size);
      free(data);
      text_addf(t, "\"><figcaption>%s: plots/%s.gp draws it again with gnuplot.</figcaption></figure>\n", plot_what(f, p), p->name);
    }
    free(path);
  }
}

void html_page(struct text *t, const struct account *f, const char *folder) {
  head(t, f);
  account_html(t, f);
  table_html(t, f);
  pressure_html(t, f);
  pictures_html(t, f, folder);
  if (f->subject.outside)
    text_add(t, "<p>Figures for every point: steps.tsv; the verdict for programs: verdict.json.</p>\n");
  else
    text_add(t, "<p>Figures for every step: steps.tsv; for every second: samples.tsv; latency by transaction type: latency.tsv, and for "
                "plotters of HdrHistogram: hdr/; the verdict for programs: verdict.json. GB are 2<sup>30</sup> bytes, MB/s "
                "10<sup>6</sup> bytes a second.</p>\n");
  text_add(t, "</body>\n</html>\n");
}
