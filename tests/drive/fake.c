#include "config.h"

#include "fake.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/text.h"
#include "base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake fake;

static int open_conn(struct conn **out, const struct target *t, struct cause *c) {
  (void)t;
  int number = atomic_fetch_add(&fake.opened, 1) + 1;
  if (fake.open && fake.open(number, c) != 0)
    return -1;
  *out = xcalloc(1, sizeof **out);
  (*out)->number = number;
  return 0;
}

static void close_conn(struct conn *c) {
  atomic_fetch_add(&fake.closed, 1);
  free(c);
}

static void interrupt_conn(struct conn *c, int hard) {
  atomic_store(hard ? &c->hard : &c->interrupted, 1);
  atomic_fetch_add(hard ? &fake.hard : &fake.soft, 1);
}

static int64_t conn_calls_of(const struct conn *c) {
  return c->calls;
}

const struct drive_ops fake_ops = {open_conn, close_conn, interrupt_conn, conn_calls_of};

int64_t fake_value(uint64_t seed, uint64_t user, uint64_t seq) {
  struct rng r = rng_at(seed, user, seq);
  return rng_range(&r, 0, 999999);
}

static void draw(const struct mix_load *l, uint64_t seed, uint64_t user, uint64_t seq, struct request *r) {
  (void)l;
  int64_t v = fake_value(seed, user, seq);
  r->type = (uint8_t)(v % 3);
  r->narg = 1;
  r->arg[0] = VAL_I(v);
}

static enum outcome run(struct conn *conn, const struct request *r, struct cause *c) {
  conn->calls++;
  return fake.run ? fake.run(conn, r, r->arg[0].i, c) : DONE;
}

static const char *const types[] = {"a", "b", "c"};
const struct mix fake_mix = {.name = "fake", .ntype = 3, .type_name = types, .draw = draw, .run = run};
const struct mix_load fake_load = {.mix = "fake", .scale = 1, .density = 1};

void told_init(struct told *t) {
  memset(t, 0, sizeof *t);
  pthread_mutex_init(&t->lock, NULL);
}

void told_second(void *arg, const struct load_second *s, const struct hist_record_row *row, size_t nrow) {
  struct told *t = arg;
  if (t->step)
    run_step_second(t->step, s, row, nrow);
  pthread_mutex_lock(&t->lock);
  if (t->seconds < 64)
    t->each[t->seconds] = *s;
  t->seconds++;
  t->sum.done += s->done;
  t->sum.rolled_back += s->rolled_back;
  t->sum.deadlocks += s->deadlocks;
  t->sum.failed += s->failed;
  t->sum.lost += s->lost;
  t->sum.ring_overflow += s->ring_overflow;
  t->sum.late_count += s->late_count;
  for (int i = 0; i < 3; i++)
    t->sum.by_type[i] += s->by_type[i];
  for (size_t i = 0; i < nrow; i++) {
    t->hist[row[i].what] += row[i].e.count;
    if (hist_middle_ns(row[i].e.bucket) > 100 * NS_PER_MS)
      t->slow[row[i].what] += row[i].e.count;
  }
  pthread_mutex_unlock(&t->lock);
}

struct drive *fake_open(const struct demand *m, struct told *t) {
  struct drive *d = NULL;
  struct cause c = {0};
  const struct target target = {.query_timeout_s = 1};
  told_init(t);
  if (drive_open_with(&fake_ops, &d, &target, &fake_mix, &fake_load, m, mono_ns(), told_second, t, &c) != 0) {
    fprintf(stderr, "%s\n", c.text);
    abort();
  }
  return d;
}

void sleep_ms(int ms) {
  sleep_until_ns(mono_ns() + ms * NS_PER_MS);
}
