#include "config.h"

#include "report/plot.h"
#include "report/axes.h"
#include "report/meta.h"
#include "base/embed.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct plot plots[] = {
    {"headline", "latency and storage reads against memory", 1300},
    {"latency", "latency against memory", 900},
    {"reads", "storage reads against memory", 900},
    {"throughput", "throughput against memory", 900},
    {"timeline", "the whole sweep, second by second", 1500},
    {NULL, NULL, 0},
};

void plot_quote(struct text *t, const char *s) {
  text_add(t, "'");
  for (; *s; s++) {
    if (*s == '\'')
      text_add(t, "''"); /* a quote within single quotes */
    else if ((unsigned char)*s < 0x20 || *s == 0x7f)
      text_add(t, " ");
    else
      text_addn(t, s, 1);
  }
  text_add(t, "'");
}

/* ---- what the templates can ask for ---- */

struct slot {
  const char *name;
  char *value;
};
struct slots {
  size_t n;
  struct slot slot[64]; /* a name that finds no room is an error of the first template that asks for it */
};

static void slot_take(struct slots *s, const char *name, char *value) {
  if (s->n < sizeof s->slot / sizeof *s->slot)
    s->slot[s->n++] = (struct slot){name, value};
  else
    free(value);
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
  char lo[24], hi[24];
  struct text t = {0};
  double at = 0.5;
  if (b->found) {
    text_addf(&t, "%s %s to %s", is_knee ? "p95 knee" : "p95 plateau edge", memory_text(b->a_mib, lo, sizeof lo),
              memory_text(b->b_mib, hi, sizeof hi));
    if (isfinite(b->confidence))
      text_addf(&t, " (%.0f %%)", 100 * b->confidence);
    at = axes_memory_at(f, sqrt(b->a_mib * b->b_mib) / 1024);
    /* The text is centred on the bracket, but stays within the picture. */
    at = fmin(fmax(at, 0.14), 0.86);
  }
  slot_quoted(s, is_knee ? "knee_text" : "edge_text", t.s ? t.s : "");
  text_free(&t);
  slot_take(s, is_knee ? "knee_a" : "edge_a", xprintf("%.9g", b->found ? b->a_mib / 1024 : 0));
  slot_take(s, is_knee ? "knee_b" : "edge_b", xprintf("%.9g", b->found ? b->b_mib / 1024 : 0));
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

/* What a plateau that has no edge to be shown is. */
static void remark_slot(struct slots *s, const struct account *f) {
  const struct verdict *v = &f->verdict[JUDGED_P95];
  char buf[80] = "";
  if (v->ok)
    switch (v->plateau) {
    case PLATEAU_FLAT:
      snprintf(buf, sizeof buf, "flat: every step within %.3g %% of the largest, or within noise", 100 * f->options.tolerance);
      break;
    case PLATEAU_NOT_REACHED: snprintf(buf, sizeof buf, "plateau not reached: more memory would help"); break;
    case PLATEAU_UNSURE: snprintf(buf, sizeof buf, "plateau unsure"); break;
    case PLATEAU_EDGE:
      if (!is_sure(&v->edge))
        snprintf(buf, sizeof buf, "plateau edge too uncertain to show");
      break;
    }
  slot_quoted(s, "remark", buf);
}

static void title_slots(struct slots *s, const struct account *f, const struct plot *p) {
  const char *server = meta_text(f->run->meta, "server.name");
  char *what = xstrdup(p->what), *title;
  if (*what >= 'a' && *what <= 'z')
    *what = (char)(*what - 'a' + 'A');
  char *name = cut(server ? server : "", 60);
  title = xprintf("%s%s%s", what, *name ? ": " : "", name);
  slot_quoted(s, "title", title);
  free(title);
  free(name);
  free(what);
  struct text t = {0};
  if (f->label)
    text_add(&t, f->label);
  for (size_t i = 0; i < f->facts.n; i++)
    if (strcmp(f->facts.item[i].text, "Demand") == 0)
      text_addf(&t, "%s%s", t.len ? "; " : "", f->facts.item[i].remedy);
  if (f->incomplete)
    text_addf(&t, "%sincomplete", t.len ? "; " : "");
  char *label = cut(t.s ? t.s : "", 122);
  slot_quoted(s, "label", label);
  free(label);
  text_free(&t);
}

static void flag_slots(struct slots *s, const struct account *f) {
  int again = 0, marked = 0, intervals = 0, wanted = 0, reads = 0, time_reads = 0, read_intervals = 0;
  for (size_t i = 0; i < f->rows.n; i++) {
    const struct figures *r = &f->rows.row[i];
    again |= r->kind == ROW_AGAIN;
    marked |= r->kind == ROW_STEP && r->marks != 0;
    intervals |= r->kind == ROW_STEP && isfinite(r->ms[MS_P95].lo);
    reads |= r->kind == ROW_STEP && isfinite(r->read_mb_s.value);
    time_reads |= isfinite(r->read_mb_s.value);
    read_intervals |= r->kind == ROW_STEP && isfinite(r->read_mb_s.lo);
    wanted |= r->kind == ROW_STEP && r->step->facts.rate_wanted > 0;
  }
  slot_take(s, "have_again", xprintf("%d", again));
  slot_take(s, "have_marked", xprintf("%d", marked));
  slot_take(s, "have_intervals", xprintf("%d", intervals));
  slot_take(s, "have_time_reads", xprintf("%d", time_reads));
  slot_take(s, "have_reads", xprintf("%d", reads));
  slot_take(s, "no_reads", xstrdup(f->rows.nstep > 0 ? "storage reads could not be sampled" : "no step was measured whole"));
  slot_take(s, "have_read_intervals", xprintf("%d", read_intervals));
  slot_take(s, "have_wanted", xprintf("%d", wanted));
}

static void time_slots(struct slots *s, const struct account *f) {
  struct text t = {0};
  axes_time(&t, f);
  slot_text(s, "time", &t);
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
  struct text t = {0};
  double lo, hi;
  slot_take(s, "name", xstrdup(p->name));
  slot_take(s, "what", xstrdup(p->what));
  slot_take(s, "height", xprintf("%d", p->height));
  title_slots(s, f, p);
  flag_slots(s, f);
  const struct verdict *v = &f->verdict[JUDGED_P95];
  const struct bracket none = {0};
  bracket_slots(s, f, v->ok && is_sure(&v->knee) ? &v->knee : &none, 1);
  bracket_slots(s, f, v->ok && is_sure(&v->edge) ? &v->edge : &none, 0);
  remark_slot(s, f);
  /* Forty points of full size would hide their lines. */
  slot_take(s, "pointscale", xstrdup(f->rows.nstep > 12 ? "0.6" : "1"));
  slot_take(s, "xunit", xstrdup(axes_memory_unit(f)));
  axes_memory_range(f, &lo, &hi);
  slot_take(s, "xmin", xprintf("%.9g", lo));
  slot_take(s, "xmax", xprintf("%.9g", hi));
  axes_memory_tics(&t, f, 1);
  slot_text(s, "xtics", &t);
  axes_memory_tics(&t, f, 0);
  slot_text(s, "xtics_bare", &t);
  slot_take(s, "latency_unit", xstrdup(axes_latency(&t, f)));
  slot_text(s, "ylatency", &t);
  axes_reads(&t, f);
  slot_text(s, "yreads", &t);
  axes_throughput(&t, f);
  slot_text(s, "ythroughput", &t);
  time_slots(s, f);
  text_free(&t);
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

int plot_script(struct text *t, const struct account *f, const struct plot *p, struct cause *c) {
  struct slots s = {0};
  make_slots(&s, f, p);
  char file[40];
  snprintf(file, sizeof file, "%s.gp", p->name);
  int rc = fill(t, file, &s, 0, c);
  for (size_t i = 0; i < s.n; i++)
    free(s.slot[i].value);
  return rc;
}
