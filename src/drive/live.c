/* The drive on a real connection; apart, so that all else links without db-lib. */
#include "config.h"

#include "drive/inside.h"

int drive_open(struct drive **out, const struct target *t, const struct mix *mix, const struct mix_load *load, const struct demand *m,
               int64_t run_start_ns, second_fn *fn, void *arg, struct cause *c) {
  static const struct drive_ops ops = {conn_open, conn_close, conn_interrupt, conn_calls};
  return drive_open_with(&ops, out, t, mix, load, m, run_start_ns, fn, arg, c);
}
