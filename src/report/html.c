#include "config.h"

#include "report/html.h"
#include "report/b64.h"
#include "report/meta.h"
#include "report/plot.h"
#include "report/summary.h"
#include "base/file.h"
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

#define PICTURE_MAX ((size_t)(16 * MIB))

/* The length of the UTF-8 character at s, 0 when it is none (overlong forms and surrogates included). */
static size_t utf8_length(const unsigned char *s) {
  static const struct {
    unsigned char mask, lead;
    size_t n;
    uint32_t least;
  } form[] = {{0x80, 0, 1, 0}, {0xe0, 0xc0, 2, 0x80}, {0xf0, 0xe0, 3, 0x800}, {0xf8, 0xf0, 4, 0x10000}};
  for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
    if ((s[0] & form[i].mask) != form[i].lead)
      continue;
    uint32_t v = s[0] & (unsigned char)~form[i].mask;
    for (size_t k = 1; k < form[i].n; k++) {
      if ((s[k] & 0xc0) != 0x80)
        return 0;
      v = v << 6 | (s[k] & 0x3f);
    }
    return v < form[i].least || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff) ? 0 : form[i].n;
  }
  return 0;
}

void html_text(struct text *t, const char *s) {
  while (*s) {
    size_t n = utf8_length((const unsigned char *)s);
    switch (n == 1 ? *s : 'x') {
    case '&': text_add(t, "&amp;"); break;
    case '<': text_add(t, "&lt;"); break;
    case '>': text_add(t, "&gt;"); break;
    case '"': text_add(t, "&quot;"); break;
    case '\'': text_add(t, "&#39;"); break;
    default:
      if (n == 0)
        text_add(t, "\xef\xbf\xbd");
      else if (n == 1 && ((unsigned char)*s < 0x20 || *s == 0x7f))
        text_add(t, " ");
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
  "tr.apart td{color:#555}td.left{text-align:left}\n"
  "dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.5rem 0}dt{color:#555}dd{margin:0}\n"
  "figure{margin:1.5rem 0}img{max-width:100%;height:auto;border:1px solid #ddd}figcaption{color:#555}\n"
  ".warning{border-left:4px solid #b35900;padding:.2rem .8rem;margin:.5rem 0}\n"
  "@media print{body{max-width:none;margin:0}figure{break-inside:avoid}}\n";

static void head(struct text *t, const struct account *f) {
  const char *server = meta_text(f->run->meta, "server.name");
  text_add(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta http-equiv=\"Content-Security-Policy\" "
              "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n");
  element(t, "<title>Memory sweep of ", server ? server : "a server", "</title>\n");
  text_addf(t, "<style>\n%s</style>\n</head>\n<body>\n", style);
  element(t, "<h1>Memory sweep of ", server ? server : "a server", "</h1>\n");
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
    text_add(t, "<h2>Steps</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th></th>");
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

static void pictures_html(struct text *t, const char *folder) {
  int any = 0;
  for (const struct plot *p = plots; p->name; p++) {
    char *path = xprintf("%s/plots/%s.png", folder, p->name), *data;
    size_t size;
    if (file_read(path, PICTURE_MAX, &data, &size, NULL) == 0) {
      if (!any++)
        text_add(t, "<h2>Pictures</h2>\n");
      text_add(t, "<figure><img alt=\"");
      html_text(t, p->what);
      text_add(t, "\" src=\"data:image/png;base64,");
      b64_add(t, data, size);
      free(data);
      text_addf(t, "\"><figcaption>%s: plots/%s.gp draws it again with gnuplot.</figcaption></figure>\n", p->what, p->name);
    }
    free(path);
  }
}

void html_page(struct text *t, const struct account *f, const char *folder) {
  head(t, f);
  account_html(t, f);
  table_html(t, f);
  pictures_html(t, folder);
  text_add(t, "<p>Figures for every step: steps.tsv; for every second: samples.tsv; latency by transaction type: latency.tsv; "
              "the verdict for programs: verdict.json. GB are 2<sup>30</sup> bytes, MB/s 10<sup>6</sup> bytes a second.</p>\n"
              "</body>\n</html>\n");
}
