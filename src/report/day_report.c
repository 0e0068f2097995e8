/* A working day in tables, one picture and a page. */
#include "config.h"

#include "report/day.h"
#include "report/b64.h"
#include "report/html.h"
#include "report/meta.h"
#include "report/plot.h"
#include "report/summary.h"
#include "report/tables.h"
#include "base/embed.h"
#include "base/file.h"
#include "base/log.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 100
#define SERIES_MAX 1440
#define PICTURE_TIMEOUT_S 120
#define PICTURE_MAX ((size_t)(16 * MIB))
#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct plot picture = {"day", "what the server did", 1500, 0};

/* ---- tables ---- */

struct column {
  const char *name, *head[2];
  size_t offset;
  double factor;
  int decimals;
  int shown; /* in the summary */
};

#define R(name, h0, h1, field, factor, decimals, shown) {name, {h0, h1}, offsetof(struct day_row, field), factor, decimals, shown}
static const struct column columns[] = {
  R("sampled_s", "sampled", "s", sampled_s, 1, 0, 1),
  R("read_mb_s", "read", "MB/s", read_mb_s, 1, 2, 1),
  R("read_mb_s_p95", "p95", "MB/s", read_mb_s_p95, 1, 2, 1),
  R("read_mb_s_max", "max", "MB/s", read_mb_s_max, 1, 2, 1),
  R("reads_s", "reads", "/s", reads_s, 1, 1, 0),
  R("read_ms", "read", "ms", read_ms, 1, 3, 1),
  R("write_mb_s", "write", "MB/s", write_mb_s, 1, 2, 0),
  R("log_write_mb_s", "log", "MB/s", log_mb_s, 1, 2, 0),
  R("batches_s", "", "batches/s", batches_s, 1, 1, 1),
  R("batches_s_max", "max", "batches/s", batches_s_max, 1, 1, 0),
  R("hit_percent", "hit", "%", hit_ratio, 100, 2, 1),
  R("page_life_s", "page", "life s", page_life_s, 1, 0, 1),
  R("page_life_min_s", "least", "life s", page_life_min_s, 1, 0, 1),
  R("cache_gb", "cache", "GB", cache_gb, 1, 3, 1),
  R("total_memory_gb", "total", "GB", total_gb, 1, 3, 0),
  R("target_memory_gb", "target", "GB", target_gb, 1, 3, 0),
  R("server_cpu_percent", "CPU", "%", cpu, 100, 1, 1),
};
#undef R

static double value(const struct day_row *r, const struct column *c) {
  double v;
  memcpy(&v, (const char *)r + c->offset, sizeof v);
  return v * c->factor;
}

static void row_tsv(struct text *t, const struct day_told *w, const char *from, const struct day_row *r) {
  text_addf(t, "%s", from);
  for (size_t i = 0; i < COUNT(columns); i++) {
    text_add(t, "\t");
    if (r->sampled_s > 0)
      tsv_number(t, value(r, &columns[i]), columns[i].decimals + 2);
  }
  text_add(t, "\t");
  text_visible(t, w->label ? w->label : "");
  text_add(t, "\n");
}

static void columns_tsv(struct text *t) {
  for (size_t i = 0; i < COUNT(columns); i++)
    text_addf(t, "\t%s", columns[i].name);
  text_add(t, "\tlabel\n");
}

static void hours_tsv(struct text *t, const struct day_told *w) {
  char from[32];
  text_add(t, "from");
  columns_tsv(t);
  for (size_t i = 0; i < w->day.npart; i++)
    row_tsv(t, w, day_clock(&w->day, w->day.part[i].from_s, from, sizeof from), &w->day.part[i]);
  row_tsv(t, w, "whole", &w->day.whole);
}

/* For the picture: at most SERIES_MAX stretches of whole seconds, those without a sample too, so that a gap breaks the line. */
static void series_tsv(struct text *t, const struct day_told *w) {
  const struct day *d = &w->day;
  text_add(t, "second\tclock_s");
  columns_tsv(t);
  double width = d->n ? fmax(1, ceil((d->last_s - d->first_s) / SERIES_MAX)) : 1;
  for (double from = d->n ? floor(d->first_s) : 0; d->n && from < d->last_s; from += width) {
    struct day_row r;
    char at[64];
    day_sum(&r, d, from, from + width);
    snprintf(at, sizeof at, "%.1f\t%.1f", from + width / 2, d->clock0_s + from + width / 2);
    row_tsv(t, w, at, &r);
  }
}

/* Cells of the summary's table: decimals such that the smallest value keeps two digits. */
static char *cell(const struct day_row *r, const struct column *c, int decimals) {
  double v = value(r, c);
  char buf[48];
  if (!isfinite(v) || !(r->sampled_s > 0))
    return xstrdup("-");
  if (decimals == 0 && fabs(v) < 1e15)
    return xstrdup(count_text(llround(v), buf, sizeof buf));
  return xprintf("%.*f", decimals, v);
}

static int decimals_of(const struct day *d, const struct column *c) {
  double most = 0;
  for (size_t i = 0; i < d->npart; i++)
    if (isfinite(value(&d->part[i], c)))
      most = fmax(most, fabs(value(&d->part[i], c)));
  return most >= 100 || c->decimals == 0 ? 0 : most >= 10 ? 1 : c->decimals < 2 ? c->decimals : 2;
}

/* All cells, the whole day last; a column that nothing is known of is left out. */
struct cells {
  size_t ncol, nrow;
  const struct column *col[COUNT(columns)];
  char **from, **cell; /* nrow; nrow x ncol */
};

static void cells_make(struct cells *x, const struct day_told *w) {
  const struct day *d = &w->day;
  char from[32];
  *x = (struct cells){.nrow = d->npart + 1};
  for (size_t i = 0; i < COUNT(columns); i++)
    if (columns[i].shown && isfinite(value(&d->whole, &columns[i])))
      x->col[x->ncol++] = &columns[i];
  x->from = xcalloc(x->nrow, sizeof *x->from);
  x->cell = xcalloc(x->nrow * (x->ncol + 1), sizeof *x->cell);
  for (size_t i = 0; i < x->nrow; i++) {
    const struct day_row *r = i < d->npart ? &d->part[i] : &d->whole;
    x->from[i] = xstrdup(i < d->npart ? day_clock(d, r->from_s, from, sizeof from) : "all");
    for (size_t c = 0; c < x->ncol; c++)
      x->cell[i * x->ncol + c] = cell(r, x->col[c], decimals_of(d, x->col[c]));
  }
}

static void cells_free(struct cells *x) {
  for (size_t i = 0; i < x->nrow; i++)
    free(x->from[i]);
  for (size_t i = 0; i < x->nrow * x->ncol; i++)
    free(x->cell[i]);
  free(x->from);
  free(x->cell);
}

static void cells_text(struct text *t, const struct cells *x) {
  size_t width[COUNT(columns)] = {0}, first = 4;
  for (size_t i = 0; i < x->nrow; i++)
    first = strlen(x->from[i]) > first ? strlen(x->from[i]) : first;
  for (size_t c = 0; c < x->ncol; c++) {
    for (int h = 0; h < 2; h++)
      width[c] = strlen(x->col[c]->head[h]) > width[c] ? strlen(x->col[c]->head[h]) : width[c];
    for (size_t i = 0; i < x->nrow; i++) {
      size_t n = strlen(x->cell[i * x->ncol + c]);
      width[c] = n > width[c] ? n : width[c];
    }
  }
  for (int h = 0; h < 2; h++) {
    text_addf(t, " %*s", (int)first, h ? "from" : "");
    for (size_t c = 0; c < x->ncol; c++)
      text_addf(t, "  %*s", (int)width[c], x->col[c]->head[h]);
    text_add(t, "\n");
  }
  for (size_t i = 0; i < x->nrow; i++) {
    text_addf(t, " %*s", (int)first, x->from[i]);
    for (size_t c = 0; c < x->ncol; c++)
      text_addf(t, "  %*s", (int)width[c], x->cell[i * x->ncol + c]);
    text_add(t, "\n");
  }
}

/* ---- summary ---- */

static void summary(struct text *t, const struct day_told *w, const char *files) {
  if (w->label)
    text_wrap(t, w->label, "", "", WIDTH);
  for (size_t i = 0; i < w->facts.n; i++) {
    char first[16];
    snprintf(first, sizeof first, "%-8s", w->facts.item[i].text);
    text_wrap(t, w->facts.item[i].remedy, first, "        ", WIDTH);
  }
  struct cells x;
  cells_make(&x, w);
  text_add(t, "\n");
  if (w->day.n > 0)
    cells_text(t, &x);
  cells_free(&x);
  text_add(t, "\n");
  for (size_t i = 0; i < w->findings.n; i++)
    text_wrap(t, w->findings.item[i].text, "- ", "  ", WIDTH);
  if (w->warnings.n > 0)
    text_add(t, "\n");
  for (size_t i = 0; i < w->warnings.n; i++) {
    const struct sentence *s = &w->warnings.item[i];
    char *line = xprintf("%s%s%s.", s->text, s->remedy ? "; " : "", s->remedy ? s->remedy : "");
    text_wrap(t, line, "warning: ", "  ", WIDTH);
    free(line);
  }
  if (files) {
    text_add(t, "\n");
    text_wrap(t, files, "", "  ", WIDTH);
  }
}

/* ---- picture ---- */

struct slot {
  const char *name;
  char *value;
};

/* Fill <<NAME>> of a template, and <<FILE.gp>> by that template. */
static int fill(struct text *t, const char *template, const struct slot *slot, size_t n, int depth, struct cause *c) {
  char path[80], key[40];
  snprintf(path, sizeof path, "plots/%s", template);
  const struct embed *e = embed_find(path);
  if (!e || depth > 3)
    return cause_set(c, STATUS_SETUP, "the template %s is not in the program", path);
  const char *p = (const char *)e->data, *open;
  for (; (open = strstr(p, "<<")); ) {
    const char *close = strstr(open, ">>");
    size_t len = close ? (size_t)(close - open - 2) : sizeof key, i = 0;
    if (len >= sizeof key)
      return cause_set(c, STATUS_SETUP, "the template %s has a << without its >>", path);
    text_addn(t, p, (size_t)(open - p));
    snprintf(key, sizeof key, "%.*s", (int)len, open + 2);
    p = close + 2;
    if (len > 3 && strcmp(key + len - 3, ".gp") == 0) {
      if (fill(t, key, slot, n, depth + 1, c) != 0)
        return -1;
      continue;
    }
    while (i < n && strcmp(slot[i].name, key) != 0)
      i++;
    if (i == n)
      return cause_set(c, STATUS_SETUP, "the template %s asks for '%s', which is not known", path, key);
    text_add(t, slot[i].value);
  }
  text_add(t, p);
  return 0;
}

/* The top of an axis from 0 for a column of series.tsv; 1 and *have 0 when nothing is known of it. */
static char *top_of(const struct day *d, size_t offset, double factor, int *have) {
  double most = 0;
  *have = 0;
  for (size_t i = 0; i < d->n; i++) {
    double v;
    memcpy(&v, (const char *)&d->second[i] + offset, sizeof v);
    if (isfinite(v)) {
      most = fmax(most, factor > 0 ? v * factor : v / d->second[i].span_s);
      *have = 1;
    }
  }
  return xprintf("%.6g", most > 0 ? most * 1.1 : 1);
}

static char *quoted(const char *s) {
  struct text t = {0};
  plot_quote(&t, s);
  return t.s;
}

static int script(struct text *t, const struct day_told *w, struct cause *c) {
  const struct day *d = &w->day;
  const char *server = meta_text(w->run->meta, "server.name");
  int have_memory, have_total, have_batches, have_life, have_reads;
  char *memory = top_of(d, offsetof(struct day_second, cache_gb), 1, &have_memory);
  char *total = top_of(d, offsetof(struct day_second, total_gb), 1, &have_total);
  char took[40];
  const int scaled = meta_number(w->run->meta, "server.scale") > 1;
  char *label = xprintf("%s%s", w->label ? w->label : "", w->label && scaled ? "; GB scaled, MB/s real" : "");
  double span_s = d->n ? d->last_s - d->first_s : 0;
  char *title = xprintf("What the server did in %s%s%.60s", duration_text(llround(span_s) * NS_PER_S, took, sizeof took), server ? ": " : "",
                        server ? server : "");
  struct slot slot[] = {
    {"name", xstrdup(picture.name)},
    {"what", xstrdup(picture.what)},
    {"height", xprintf("%d", picture.height)},
    {"title", quoted(title)},
    {"label", quoted(label)},
    {"pointscale", xstrdup("1")},
    {"memory_top", have_total ? total : memory},
    {"batches_top", top_of(d, offsetof(struct day_second, batches), 0, &have_batches)},
    {"life_top", top_of(d, offsetof(struct day_second, page_life_s), 1, &have_life)},
    {"reads_top", top_of(d, offsetof(struct day_second, read_mb), 0, &have_reads)},
    {"have_memory", NULL},
    {"have_batches", NULL},
    {"have_life", NULL},
    {"have_reads", NULL},
    {"from", xprintf("%.1f", d->n ? d->clock0_s + d->first_s : 0)},
    {"to", xprintf("%.1f", d->n ? d->clock0_s + d->last_s : 60)},
    {"clock", xstrdup(d->last_s - d->first_s > 26 * 3600 ? "%a %H:%M" : d->last_s - d->first_s > 1200 ? "%H:%M" : "%H:%M:%S")},
    {"command", xstrdup("ramknee report")},
  };
  free(have_total ? memory : total);
  free(title);
  free(label);
  slot[10].value = xprintf("%d", have_memory || have_total);
  slot[11].value = xprintf("%d", have_batches);
  slot[12].value = xprintf("%d", have_life);
  slot[13].value = xprintf("%d", have_reads);
  int rc = fill(t, "day.gp", slot, COUNT(slot), 0, c);
  for (size_t i = 0; i < COUNT(slot); i++)
    free(slot[i].value);
  return rc;
}

/* ---- page ---- */

static void element(struct text *t, const char *open, const char *s, const char *close) {
  text_add(t, open);
  html_text(t, s);
  text_add(t, close);
}

static const char style[] =
  "body{font:16px/1.5 system-ui,sans-serif;color:#1c1c1c;background:#fff;max-width:72rem;margin:2rem auto;padding:0 1rem}\n"
  ".label{border:2px solid #b35900;padding:.4rem .8rem;font-weight:600}.scroll{overflow-x:auto}\n"
  "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
  "th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #ddd;white-space:nowrap}\n"
  "dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}dt{color:#555}dd{margin:0}\n"
  "img{max-width:100%;height:auto;border:1px solid #ddd}figure{margin:1.5rem 0}\n"
  ".warning{border-left:4px solid #b35900;padding:.2rem .8rem;margin:.5rem 0}\n";

static void table_html(struct text *t, const struct day_told *w) {
  struct cells x;
  cells_make(&x, w);
  text_add(t, "<div class=\"scroll\"><table>\n<thead><tr><th>from</th>");
  for (size_t c = 0; c < x.ncol; c++)
    text_addf(t, "<th>%s<br>%s</th>", x.col[c]->head[0], x.col[c]->head[1]);
  text_add(t, "</tr></thead>\n<tbody>\n");
  for (size_t i = 0; i < x.nrow; i++) {
    element(t, "<tr><td>", x.from[i], "</td>");
    for (size_t c = 0; c < x.ncol; c++)
      element(t, "<td>", x.cell[i * x.ncol + c], "</td>");
    text_add(t, "</tr>\n");
  }
  text_add(t, "</tbody></table></div>\n");
  cells_free(&x);
}

static void page(struct text *t, const struct day_told *w, const char *folder) {
  const char *server = meta_text(w->run->meta, "server.name");
  text_add(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta http-equiv=\"Content-Security-Policy\" "
              "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n");
  element(t, "<title>A working day of ", server ? server : "a server", "</title>\n");
  text_addf(t, "<style>\n%s</style>\n</head>\n<body>\n", style);
  element(t, "<h1>A working day of ", server ? server : "a server", "</h1>\n");
  if (w->label)
    element(t, "<p class=\"label\">", w->label, "</p>\n");
  text_add(t, "<dl>\n");
  for (size_t i = 0; i < w->facts.n; i++) {
    element(t, "<dt>", w->facts.item[i].text, "</dt>");
    element(t, "<dd>", w->facts.item[i].remedy, "</dd>\n");
  }
  text_add(t, "</dl>\n<ul>\n");
  for (size_t i = 0; i < w->findings.n; i++)
    element(t, "<li>", w->findings.item[i].text, "</li>\n");
  text_add(t, "</ul>\n");
  for (size_t i = 0; i < w->warnings.n; i++) {
    element(t, "<p class=\"warning\"><strong>Warning:</strong> ", w->warnings.item[i].text, "");
    element(t, w->warnings.item[i].remedy ? "; " : "", w->warnings.item[i].remedy ? w->warnings.item[i].remedy : "", ".</p>\n");
  }
  table_html(t, w);
  char *path = xprintf("%s/plots/%s.png", folder, picture.name), *data;
  size_t size;
  if (file_read(path, PICTURE_MAX, &data, &size, NULL) == 0) {
    text_addf(t, "<figure><img alt=\"%s\" src=\"data:image/png;base64,", picture.what);
    b64_add(t, data, size);
    free(data);
    text_addf(t, "\"><figcaption>plots/%s.gp draws it again with gnuplot.</figcaption></figure>\n", picture.name);
  }
  free(path);
  text_add(t, "<p>Figures: hours.tsv, series.tsv, samples.tsv. GB are 2<sup>30</sup> bytes, MB 10<sup>6</sup>.</p>\n</body>\n</html>\n");
}

/* ---- all ---- */

static int put(const char *folder, const char *name, struct text *t, struct cause *c) {
  char *path = xprintf("%s/%s", folder, name);
  int rc = file_write(path, t->s ? t->s : "", t->len, 0666, c);
  free(path);
  text_clear(t);
  return rc;
}

static int write_picture(const struct day_told *w, const char *folder, const struct report_options *o, struct cause *c) {
  struct text t = {0};
  char *made = xprintf("%s/plots", folder);
  struct cause why;
  int rc = folder_make(made, c) != 0 || script(&t, w, c) != 0 || put(folder, "plots/day.gp", &t, c) != 0 ? -1 : 0;
  if (rc == 0 && o->pictures && w->day.n > 0 && plot_draw(folder, &picture, PICTURE_TIMEOUT_S, &why) != 0)
    warn_cause(&why);
  free(made);
  text_free(&t);
  return rc;
}

static int write_files(const struct day_told *w, const char *folder, const struct report_options *o, struct cause *c) {
  struct text t = {0};
  hours_tsv(&t, w);
  int rc = put(folder, "hours.tsv", &t, c);
  series_tsv(&t, w);
  rc = rc != 0 ? rc : put(folder, "series.tsv", &t, c);
  text_clear(&t);
  table_samples(&t, w->run, w->label);
  rc = rc != 0 ? rc : put(folder, "samples.tsv", &t, c);
  text_clear(&t);
  summary(&t, w, NULL);
  rc = rc != 0 ? rc : put(folder, "summary.txt", &t, c);
  text_clear(&t);
  rc = rc != 0 ? rc : write_picture(w, folder, o, c);
  page(&t, w, folder);
  rc = rc != 0 ? rc : put(folder, "report.html", &t, c);
  text_free(&t);
  return rc;
}

int day_report(const struct run_data *run, const char *folder, const struct report_options *o, FILE *out, struct cause *c) {
  struct day_told w = {.run = run, .label = meta_text(run->meta, "label")};
  struct text t = {0};
  day_make(&w.day, run);
  day_words(&w);
  int rc = write_files(&w, folder, o, c);
  if (rc != 0 && !c->remedy[0])
    cause_remedy(c, "copy the run folder to where it can be written, and report on the copy");
  char *files = xprintf("Files in %s: report.html has everything in one page; plots/day.gp draws the picture; figures in hours.tsv, series.tsv and "
                        "samples.tsv.", folder);
  summary(&t, &w, rc == 0 ? files : NULL);
  fwrite(t.s, 1, t.len, out);
  fflush(out);
  free(files);
  text_free(&t);
  sentences_free(&w.facts);
  sentences_free(&w.findings);
  sentences_free(&w.warnings);
  day_free(&w.day);
  return rc != 0 ? -1 : w.incomplete ? STATUS_INCOMPLETE : STATUS_DONE;
}
