/* show-sample SERVER DATABASE: what one sample and the waits say, a line each: "name value", nothing behind the name when absent; and two
 * samples of the sampler's own thread, as "thread N page_reads".  For sandbox.sh. */
#include "config.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/sqltext.h"
#include "base/text.h"
#include "base/units.h"
#include "sample/sample.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic int taken;

static void show(const char *what, int64_t v) {
  printf("%s", what);
  if (v != ABSENT)
    printf(" %lld", (long long)v);
  printf("\n");
}

static void on_sample(void *arg, const struct server_sample *s) {
  (void)arg;
  if (atomic_load(&taken) < 2)
    printf("thread %lld %s\n", (long long)(s->at_ns / NS_PER_S), s->data_read_bytes == ABSENT ? "absent" : "read");
  atomic_fetch_add(&taken, 1);
}

static int run(const struct target *t, struct cause *c) {
  struct conn *conn;
  struct server_sample s;
  struct wait_row *w;
  struct sampler *thread;
  size_t n;
  const struct record_field *f = record_server_fields(&n);
  if (server_init(t, 4, c) != 0 || conn_open(&conn, t, c) != 0 || sample_take(conn, t->database, mono_ns(), &s, c) != 0)
    return -1;
  for (size_t i = 0; i < n; i++) {
    int64_t v;
    memcpy(&v, (char *)&s + f[i].offset, sizeof v);
    show(f[i].name, v);
  }
  if (sample_waits(conn, &w, &n, c) == 0)
    show("waits", (int64_t)n);
  free(w);
  conn_close(conn);
  if (sampler_start(&thread, t, t->database, mono_ns(), on_sample, NULL, c) != 0)
    return -1;
  for (int i = 0; i < 400 && atomic_load(&taken) < 2; i++)
    sleep_until_ns(mono_ns() + 25 * NS_PER_MS);
  sampler_stop(thread);
  server_done();
  return 0;
}

int main(int argc, char **argv) {
  struct cause c = {0};
  struct target t;
  if (argc != 3)
    return 1;
  if (sqltext_init(&c) == 0 && target_parse(&t, argv[1], &c) == 0) {
    t.user = xstrdup("sa");
    t.password = xstrdup("");
    t.database = xstrdup(argv[2]);
    int rc = run(&t, &c);
    target_free(&t);
    if (rc == 0)
      return 0;
  }
  say_cause(&c);
  return 1;
}
