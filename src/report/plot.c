#include "config.h"

#include "report/plot.h"
#include "report/axes.h"
#include "report/meta.h"
#include "report/places.h"
#include "report/tables.h"
#include "base/embed.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEEDS_LATENCY = 1, NEEDS_READS = 2, NEEDS_THROUGHPUT = 4, NEEDS_TIME = 8 };

const struct plot plots[] = {
    {"headline", "latency and storage reads against memory", 1300, NEEDS_LATENCY | NEEDS_READS},
    {"latency", "latency against memory", 900, NEEDS_LATENCY},
    {"reads", "storage reads against memory", 900, NEEDS_READS},
    {"throughput", "throughput against memory", 900, NEEDS_THROUGHPUT},
    {"timeline", "the whole sweep, second by second", 1500, NEEDS_TIME},
    {NULL, NULL, 0, 0},
};

void plot_quote(struct text *t, const char *s) {
  struct text shown = {0};
  text_visible(&shown, s);
  text_add(t, "'");
  for (const char *p = shown.s; *p; p++) {
    if (*p == '\'')
      text_add(t, "'"); /* a quote within single quotes is doubled */
    text_addn(t, p, 1);
  }
  text_add(t, "'");
  text_free(&shown);
}

/* ---- which pictures there are ---- */

static int have_reads(const struct account *f) {
  int any = 0;
  for (size_t i = 0; i < f->rows.nstep; i++)
    any |= isfinite(f->rows.row[i].read_mb_s.value);
  return any;
}

static int have_latency(const struct account *f) {
  int any = 0;
  for (size_t i = 0; i < f->rows.nstep; i++)
    any |= f->subject.main >= 0 && isfinite(f->rows.row[i].ms[f->subject.main].value);
  return any;
}

static int have_throughput(const struct account *f) {
  int any = 0;
  for (size_t i = 0; i < f->rows.nstep; i++)
    any |= isfinite(f->rows.row[i].tx_s.value);
  return any;
}

int plot_wanted(const struct account *f, const struct plot *p) {
  return ((p->needs & NEEDS_LATENCY) == 0 || have_latency(f)) && ((p->needs & NEEDS_READS) == 0 || have_reads(f)) &&
         ((p->needs & NEEDS_THROUGHPUT) == 0 || have_throughput(f)) && ((p->needs & NEEDS_TIME) == 0 || !f->subject.outside);
}

/* ---- what the templates can ask for ---- */

struct slot {
  char name[32];
  char *value;
};
struct slots {
  size_t n;
  struct slot slot[80]; /* a name that finds no room is an error of the first template that asks for it */
};

static void slot_take(struct slots *s, const char *name, char *value) {
  if (s->n == sizeof s->slot / sizeof *s->slot) {
    free(value);
    return;
  }
  snprintf(s->slot[s->n].name, sizeof s->slot[s->n].name, "%s", name);
  s->slot[s->n++].value = value;
}

static void slot_text(struct slots *s, const char *name, struct text *t) {
  slot_take(s, name, xstrdup(t->s ? t->s : ""));
  text_clear(t);
}

static void slot_quoted(struct slots *s, const char *name, const char *value) {
  struct text t = {0};
  plot_quote(&t, value);
  slot_take(s, name, t.s);
}

static void bracket_slots(struct slots *s, const struct account *f, const struct bracket *b, int is_knee) {
  char lo[40], hi[40];
  struct text t = {0};
  double at = 0.5;
  if (b->found) {
    text_addf(&t, "%s %s %s to %s", f->subject.brief, is_knee ? "knee" : "plateau edge", account_memory(f, b->a_mib, lo, sizeof lo),
              account_memory(f, b->b_mib, hi, sizeof hi));
    if (isfinite(b->confidence))
      text_addf(&t, " (%.0f %%)", 100 * b->confidence);
    at = axes_memory_at(f, sqrt(b->a_mib * b->b_mib) / 1024);
    /* The text is centred on the bracket, but stays within the picture. */
    double half = 0.0045 * (double)t.len + 0.01;
    at = half < 0.5 ? fmin(fmax(at, half), 1 - half) : 0.5;
  }
  slot_quoted(s, is_knee ? "knee_text" : "edge_text", t.s ? t.s : "");
  text_free(&t);
  slot_take(s, is_knee ? "knee_a" : "edge_a", xprintf("%.9g", b->found ? axes_memory(f, b->a_mib / 1024) : 0));
  slot_take(s, is_knee ? "knee_b" : "edge_b", xprintf("%.9g", b->found ? axes_memory(f, b->b_mib / 1024) : 0));
  slot_take(s, is_knee ? "knee_at" : "edge_at", xprintf("%.4f", at));
}

/* At most n bytes, cut between characters. */
static char *cut(const char *s, size_t n) {
  size_t len = strlen(s);
  if (len <= n)
    return xstrdup(s);
  while (n > 0 && ((unsigned char)s[n] & 0xc0) == 0x80)
    n--;
  return xprintf("%.*s...", (int)n, s);
}

/* A bracket that most of the resamples do not find is not worth a mark. */
static int is_sure(const struct bracket *b) {
  return b->found && b->confidence >= 0.5;
}

/* What a plateau that has no edge to be shown is, of what is judged: throughput may look otherwise. */
static void remark_slot(struct slots *s, const struct account *f) {
  const struct verdict *v = &f->verdict[JUDGED_MAIN];
  struct text t = {0};
  if (v->ok)
    switch (v->plateau) {
    case PLATEAU_FLAT:
      text_addf(&t, "%s flat: every step within %.3g %% of the largest, or within noise", f->subject.brief,
                100 * f->options.tolerance);
      break;
    case PLATEAU_NOT_REACHED: text_addf(&t, "%s: plateau not reached, more memory would help", f->subject.brief); break;
    case PLATEAU_UNSURE: text_addf(&t, "%s: plateau unsure", f->subject.brief); break;
    case PLATEAU_EDGE:
      if (!is_sure(&v->edge))
        text_addf(&t, "%s: plateau edge too uncertain to show", f->subject.brief);
      break;
    }
  slot_quoted(s, "remark", t.s ? t.s : "");
  text_free(&t);
}

const char *plot_what(const struct account *f, const struct plot *p) {
  if (!(p->needs & NEEDS_TIME) || !meta_text(f->run->meta, "kind"))
    return p->what;
  return meta_is_joined(f->run->meta) ? "the joined points one behind another, second by second" : "the whole measurement, second by second";
}

static void title_slots(struct slots *s, const struct account *f, const struct plot *p) {
  char *what = xstrdup(plot_what(f, p)), *title;
  if (*what >= 'a' && *what <= 'z')
    *what = (char)(*what - 'a' + 'A');
  title = xprintf("%s%s%s", what, *f->subject.source ? ": " : "", f->subject.source);
  char *shown = cut(title, 72);
  slot_quoted(s, "title", shown);
  free(shown);
  free(title);
  free(what);
  struct text t = {0};
  if (f->label)
    text_add(&t, f->label);
  for (size_t i = 0; i < f->facts.n; i++)
    if (strcmp(f->facts.item[i].text, f->subject.outside ? "Judged" : "Demand") == 0)
      text_addf(&t, "%s%s", t.len ? "; " : "", f->facts.item[i].remedy);
  if (meta_number(f->run->meta, "server.scale") > 1)
    text_addf(&t, "%sGB scaled, MB/s real", t.len ? "; " : "");
  if (f->incomplete)
    text_addf(&t, "%sincomplete", t.len ? "; " : "");
  char *label = cut(t.s ? t.s : "", 122);
  slot_quoted(s, "label", label);
  free(label);
  text_free(&t);
}

/* ---- what is drawn against memory ---- */

static const char *stat_title(const struct account *f, int stat) {
  if (stat == MS_MEAN && f->subject.outside)
    return "latency"; /* of what kind, its heading need not tell */
  return stat == MS_P999 ? "p99.9" : stat == MS_MAX ? "largest" : latency_stat_name[stat];
}

static char *stat_column(const struct account *f, int stat) {
  return xprintf("%s%s", latency_stat_name[stat], table_latency_suffix(f));
}

/* main, upper and lower: the column, its name in the key, and whether any step has it. */
static void series_slots(struct slots *s, const struct account *f) {
  const struct {
    const char *name;
    int stat;
  } series[] = {{"main", f->subject.main}, {"upper", f->subject.upper}, {"lower", f->subject.lower}};
  for (size_t k = 0; k < sizeof series / sizeof *series; k++) {
    int stat = series[k].stat, have = 0;
    for (size_t i = 0; stat >= 0 && i < f->rows.nstep; i++)
      have |= isfinite(f->rows.row[i].ms[stat].value);
    stat = stat < 0 ? MS_P95 : stat;
    char name[3][24];
    snprintf(name[0], sizeof name[0], "%s_column", series[k].name);
    snprintf(name[1], sizeof name[1], "%s_title", series[k].name);
    snprintf(name[2], sizeof name[2], "have_%s", series[k].name);
    slot_take(s, name[0], stat_column(f, stat));
    slot_quoted(s, name[1], stat_title(f, stat));
    slot_take(s, name[2], xprintf("%d", have));
  }
}

/* What stands in the plot of latency. */
static void add_drawn(struct places *p, const struct account *f) {
  const int drawn[] = {f->subject.main, f->subject.upper, f->subject.lower};
  for (size_t k = 0; k < sizeof drawn / sizeof *drawn; k++)
    for (size_t i = 0; i < f->rows.n && drawn[k] >= 0; i++) {
      const struct figures *r = &f->rows.row[i], *before = i > 0 && r->kind == ROW_STEP ? r - 1 : NULL;
      const struct estimate *e = &r->ms[drawn[k]];
      double x = axes_memory_at(f, r->memory_gb), y = axes_latency_at(f, e->value);
      if (r->kind == ROW_BROKEN || (r->kind != ROW_STEP && k > 0))
        continue;
      places_add(p, x, y);
      if (before)
        places_add_line(p, x, y, axes_memory_at(f, before->memory_gb), axes_latency_at(f, before->ms[drawn[k]].value));
      for (size_t v = 0; k == 0 && v < r->nvisit; v++)
        places_add(p, x, axes_latency_at(f, r->visit[v].ms[drawn[k]].value));
      if (k == 0 && r->kind == ROW_STEP)
        places_add_line(p, x, fmax(0, axes_latency_at(f, e->lo)), x, fmin(1, axes_latency_at(f, e->hi)));
    }
}

static int is_drawn(const struct account *f, const struct account_limit *l, double hi) {
  const struct subject *u = &f->subject;
  return l->stat >= 0 && (l->stat == u->main || l->stat == u->upper || l->stat == u->lower) && l->limit <= hi;
}

/* A dashed line for each limit on a percentile that is drawn, within the range of the axis; its name where it hides nothing. */
static void limit_slots(struct slots *s, const struct account *f, double hi) {
  struct text t = {0};
  struct places p = {0};
  int n = 40;
  add_drawn(&p, f);
  for (size_t i = 0; i < f->nlimit; i++) {
    double y = axes_latency_at(f, f->limit[i].limit);
    if (is_drawn(f, &f->limit[i], hi))
      places_add_line(&p, 0, y, 1, y);
  }
  for (size_t i = 0; i < f->nlimit; i++) {
    const struct account_limit *l = &f->limit[i];
    if (!is_drawn(f, l, hi))
      continue;
    char *text = xprintf("%s limit %.6g %s", stat_title(f, l->stat), l->limit, f->subject.latency_unit ? f->subject.latency_unit : "ms");
    struct spot at = places_take(&p, 0.0082 * (double)strlen(text), axes_latency_at(f, l->limit));
    n++;
    text_addf(&t, "set arrow %d from graph 0, first %.9g to graph 1, first %.9g nohead front linestyle 8\nset label %d ", n, l->limit,
              l->limit, n);
    plot_quote(&t, text);
    text_addf(&t, " at graph %.4f, graph %.4f right front noenhanced boxed font \",16\"\n", at.x, at.y);
    free(text);
  }
  slot_text(s, "limits", &t);
  text_free(&t);
  places_free(&p);
}

static char *with_unit(const char *what, const char *unit) {
  return *unit ? xprintf("%s (%s)", what, unit) : xstrdup(what);
}

static void slot_label(struct slots *s, const char *name, const char *what, const char *unit) {
  char *text = with_unit(what, unit), *shown = cut(text, 70);
  slot_quoted(s, name, shown);
  free(text);
  free(shown);
}

static void memory_slots(struct slots *s, const struct account *f) {
  struct text t = {0};
  double lo, hi;
  const char *unit = axes_memory_unit(f);
  slot_take(s, "memory_column", xstrdup(f->subject.memory_unit ? "memory" : "memory_gb"));
  slot_label(s, "memory_label", f->subject.memory, f->subject.memory_unit && strstr(f->subject.memory, unit) ? "" : unit);
  axes_memory_range(f, &lo, &hi);
  slot_take(s, "xmin", xprintf("%.9g", lo));
  slot_take(s, "xmax", xprintf("%.9g", hi));
  axes_memory_tics(&t, f, 1);
  slot_text(s, "xtics", &t);
  axes_memory_tics(&t, f, 0);
  slot_text(s, "xtics_bare", &t);
  slot_label(s, "latency_label", f->subject.latency, axes_latency(&t, f, &hi));
  slot_text(s, "ylatency", &t);
  limit_slots(s, f, hi);
  slot_quoted(s, "reads_title", f->subject.outside ? f->subject.reads : "storage reads");
  slot_quoted(s, "tx_title", f->subject.outside ? f->subject.tx : "done");
  slot_label(s, "reads_label", f->subject.reads, axes_reads(&t, f));
  slot_text(s, "yreads", &t);
  slot_label(s, "tx_label", f->subject.tx, axes_throughput(&t, f));
  slot_text(s, "ythroughput", &t);
  text_free(&t);
}

static void flag_slots(struct slots *s, const struct account *f) {
  int again = 0, marked = 0, intervals = 0, tx_intervals = 0, wanted = 0, time_reads = 0, read_intervals = 0, stat = f->subject.main;
  for (size_t i = 0; i < f->rows.n; i++) {
    const struct figures *r = &f->rows.row[i];
    int step = r->kind == ROW_STEP;
    again |= r->kind == ROW_AGAIN;
    marked |= step && r->marks != 0;
    intervals |= step && stat >= 0 && isfinite(r->ms[stat].lo) && isfinite(r->ms[stat].hi);
    tx_intervals |= step && isfinite(r->tx_s.lo);
    time_reads |= isfinite(r->read_mb_s.value);
    read_intervals |= step && isfinite(r->read_mb_s.lo);
    wanted |= step && r->step->facts.rate_wanted > 0;
  }
  /* gnuplot would break a key of many entries into two rows; one of few needs its air. */
  int entries = (f->subject.main >= 0) + (f->subject.upper >= 0) + (f->subject.lower >= 0) + again + marked + (f->rows.nvisit > 0);
  slot_take(s, "key_sample", xstrdup(entries > 4 ? "2.5 width -1" : "3 width 1"));
  slot_take(s, "have_visits", xprintf("%d", f->rows.nvisit > 0));
  slot_take(s, "have_again", xprintf("%d", again));
  slot_take(s, "have_marked", xprintf("%d", marked));
  slot_take(s, "have_intervals", xprintf("%d", intervals));
  slot_take(s, "have_tx_intervals", xprintf("%d", tx_intervals));
  slot_take(s, "have_time_reads", xprintf("%d", time_reads));
  slot_take(s, "have_reads", xprintf("%d", have_reads(f)));
  slot_take(s, "have_read_intervals", xprintf("%d", read_intervals));
  slot_take(s, "have_wanted", xprintf("%d", wanted));
}

static void time_slots(struct slots *s, const struct account *f) {
  struct text t = {0};
  axes_time(&t, f);
  slot_text(s, "time", &t);
  slot_take(s, "xunit", xstrdup(axes_memory_unit(f)));
  slot_take(s, "time_from", xstrdup(meta_is_joined(f->run->meta) ? "time, without what lies between the points" : "time since the start"));
  slot_take(s, "timeunit", xstrdup(axes_time_tics(&t, f, 1)));
  slot_text(s, "timetics", &t);
  axes_time_tics(&t, f, 0);
  slot_text(s, "timetics_bare", &t);
  axes_time_memory(&t, f);
  slot_text(s, "ytimememory", &t);
  axes_time_throughput(&t, f);
  slot_text(s, "ytimethroughput", &t);
  slot_take(s, "time_latency_unit", xstrdup(axes_time_latency(&t, f)));
  slot_text(s, "ytimelatency", &t);
  axes_time_reads(&t, f);
  slot_text(s, "ytimereads", &t);
  text_free(&t);
}

static void make_slots(struct slots *s, const struct account *f, const struct plot *p) {
  slot_take(s, "name", xstrdup(p->name));
  slot_take(s, "what", xstrdup(plot_what(f, p)));
  slot_take(s, "command", xstrdup(f->subject.outside ? "ramknee analyze" : "ramknee report"));
  slot_take(s, "height", xprintf("%d", p->height));
  title_slots(s, f, p);
  flag_slots(s, f);
  series_slots(s, f);
  const struct verdict *v = &f->verdict[JUDGED_MAIN];
  const struct bracket none = {0};
  bracket_slots(s, f, v->ok && is_sure(&v->knee) ? &v->knee : &none, 1);
  bracket_slots(s, f, v->ok && is_sure(&v->edge) ? &v->edge : &none, 0);
  remark_slot(s, f);
  /* Forty points of full size would hide their lines. */
  slot_take(s, "pointscale", xstrdup(f->rows.nstep > 12 ? "0.6" : "1"));
  memory_slots(s, f);
  if (!f->subject.outside)
    time_slots(s, f);
}

/* ---- templates ---- */

static int fill(struct text *t, const char *template, const struct slots *s, int depth, struct cause *c) {
  char path[80];
  snprintf(path, sizeof path, "plots/%s", template);
  const struct embed *e = embed_find(path);
  if (!e || depth > 3)
    return cause_set(c, STATUS_SETUP, "the template %s is not in the program", path);
  const char *p = (const char *)e->data, *open;
  while ((open = strstr(p, "<<"))) {
    text_addn(t, p, (size_t)(open - p));
    const char *close = strstr(open, ">>");
    char key[40];
    size_t n = close ? (size_t)(close - open - 2) : sizeof key;
    if (n >= sizeof key)
      return cause_set(c, STATUS_SETUP, "the template %s has a << without its >>", path);
    memcpy(key, open + 2, n);
    key[n] = '\0';
    p = close + 2;
    if (n > 3 && strcmp(key + n - 3, ".gp") == 0) {
      if (fill(t, key, s, depth + 1, c) != 0)
        return -1;
      continue;
    }
    size_t i = 0;
    while (i < s->n && strcmp(s->slot[i].name, key) != 0)
      i++;
    if (i == s->n)
      return cause_set(c, STATUS_SETUP, "the template %s asks for '%s', which is not known", path, key);
    text_add(t, s->slot[i].value);
  }
  text_add(t, p);
  return 0;
}

/* A line that begins with "?1 " stays without that, one with "?0 " goes: a loop over nothing would make gnuplot complain. */
static void keep_wanted(struct text *t) {
  const char *from = t->s;
  char *to = t->s;
  while (from && *from) {
    size_t n = strcspn(from, "\n") + 1, skip = from[0] == '?' && (from[1] == '0' || from[1] == '1') ? 2 : 0;
    n -= from[n - 1] == '\0';
    if (!skip || from[1] == '1') {
      memmove(to, from + skip, n - skip);
      to += n - skip;
    }
    from += n;
  }
  if (to) {
    *to = '\0';
    t->len = (size_t)(to - t->s);
  }
}

int plot_script(struct text *t, const struct account *f, const struct plot *p, struct cause *c) {
  struct slots s = {0};
  make_slots(&s, f, p);
  char file[40];
  snprintf(file, sizeof file, "%s.gp", p->name);
  int rc = fill(t, file, &s, 0, c);
  keep_wanted(t);
  for (size_t i = 0; i < s.n; i++)
    free(s.slot[i].value);
  return rc;
}
