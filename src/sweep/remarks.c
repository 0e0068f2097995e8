#include "config.h"

#include "sweep/remarks.h"
#include "base/units.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

struct list {
  struct remark *out;
  size_t n;
};

static void add(struct list *l, const char *code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void add(struct list *l, const char *code, const char *fmt, ...) {
  struct remark *r = &l->out[l->n++];
  va_list ap;
  r->code = code;
  va_start(ap, fmt);
  vsnprintf(r->text, sizeof r->text, fmt, ap);
  va_end(ap);
}

/* Growth of a count; ABSENT when one is missing or it began anew. */
static int64_t grown(int64_t first, int64_t last) {
  return first == ABSENT || last == ABSENT || last < first ? ABSENT : last - first;
}

/* Two digits at least, and no exponent. */
static char *figure_text(double v, char *buf, size_t size) {
  snprintf(buf, size, v < 10 ? "%.2g" : "%.0f", v);
  return buf;
}

#define GROWN(f, field) grown((f)->first.field, (f)->last.field)

static void of_server(const struct remark_facts *f, struct list *l) {
  double seconds = (double)(f->last.at_ns - f->first.at_ns) / (double)NS_PER_S;
  int64_t pages = GROWN(f, checkpoint_pages), plans = GROWN(f, compilations), growths = GROWN(f, log_growths),
          batches = GROWN(f, batch_requests);
  char n[32], rate[32];
  if (pages > 0)
    add(l, "saw-checkpoint", "pages written by checkpoints: %s (%s MB/s)", count_text(pages, n, sizeof n),
        figure_text((double)pages * 8192 / 1e6 / seconds, rate, sizeof rate));
  if (plans > 10 && (double)plans > (double)f->done / 100)
    add(l, "saw-plans", "plans compiled: %s (%s a second)", count_text(plans, n, sizeof n), figure_text((double)plans / seconds, rate, sizeof rate));
  if (growths > 0)
    add(l, "saw-log-growth", "growths of the log: %s", count_text(growths, n, sizeof n));
  /* A batch is counted by the server as it comes, by us when it has ended; control connections send some more. */
  int64_t others = batches == ABSENT || f->ours == ABSENT ? ABSENT : batches - f->ours;
  if (others > f->users + 20 + batches / 200)
    add(l, "saw-others", "other people's batches: %s (%s a second)", count_text(others, n, sizeof n),
        figure_text((double)others / seconds, rate, sizeof rate));
}

static void of_client(const struct remark_facts *f, struct list *l) {
  int late = f->late_p99_ms > f->p99_ms / 10;
  char ms[32];
  if (f->idle_permille < 500 && isfinite(f->late_p99_ms))
    add(l, "saw-client", "the client's mean idle processor time, and how late it sent requests (p99): %.0f %%, %s ms", f->idle_permille / 10,
        figure_text(f->late_p99_ms, ms, sizeof ms));
  else if (f->idle_permille < 500)
    add(l, "saw-client", "the client's mean idle processor time: %.0f %%", f->idle_permille / 10);
  else if (late)
    add(l, "saw-client", "how late the client sent requests (p99): %s ms", figure_text(f->late_p99_ms, ms, sizeof ms));
  if (f->steal_permille >= 10)
    add(l, "saw-steal", "processor time taken from the client by its hypervisor: %.1f %%", f->steal_permille / 10);
}

size_t remarks_make(const struct remark_facts *f, struct remark out[REMARKS_MAX]) {
  struct list l = {.out = out};
  if (f->samples >= 2 && f->last.at_ns > f->first.at_ns)
    of_server(f, &l);
  of_client(f, &l);
  return l.n;
}
