/* The load path with real threads on a server that does what the test says.  No absolute time is asserted. */
#include "config.h"

#include "fake.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/units.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

TestSuite(drive, .timeout = 90);

/* Enough for a phase: so many requests, or a digest (on a busy machine one user may lag far behind the others). */
enum { A_DIGEST = -1, A_LONG_DIGEST = -2, WHOLE_DIGEST = -3, THREE_QUARTERS = -4 };

static int enough(const struct drive_totals *t, int64_t sent) {
  switch (sent) {
  case A_DIGEST: return t->digest != 0;
  case A_LONG_DIGEST: return t->digest_long != 0;
  case WHOLE_DIGEST: return t->digest_requests >= 1000;
  case THREE_QUARTERS: return t->digest_requests >= 750;
  default: return t->sent >= sent;
  }
}

/* Until the phase that was begun has sent so many, for 40 s at most. */
static void await_sent(struct drive *d, int64_t n) {
  struct drive_totals t = {0};
  for (int i = 0; i < 8000 && t.sent < n; i++) {
    sleep_ms(5);
    drive_totals(d, &t);
  }
  cr_assert_geq(t.sent, n);
}

/* One phase of a key, until there is enough or for 40 s, then pause. */
static struct drive_totals one_phase(struct drive *d, enum phase phase, uint64_t key, int64_t sent) {
  struct drive_totals t = {0};
  struct cause c = {0};
  drive_phase(d, phase, key);
  for (int i = 0; i < 8000 && !enough(&t, sent); i++) {
    sleep_ms(5);
    drive_totals(d, &t);
  }
  cr_assert_eq(drive_pause(d, &c), 0, "%s", c.text);
  drive_totals(d, &t);
  cr_assert_eq(t.sent, t.done + t.rolled_back + t.failed + t.lost, "a request is neither here nor there");
  return t;
}

static enum outcome some_time(struct conn *conn, const struct request *r, int64_t v, struct cause *c) {
  (void)conn, (void)r, (void)c;
  sleep_until_ns(mono_ns() + v % 300 * NS_PER_US);
  return DONE;
}

Test(drive, every_request_is_told_once) {
  struct told told;
  fake.run = some_time;
  struct drive *d = fake_open(&(struct demand){.users = 5, .think_s = 0.001, .seed = 1}, &told);
  struct drive_totals t = one_phase(d, PHASE_MEASURE, 1, 3000);
  cr_assert_geq(t.done, 3000);
  cr_assert_eq(told.sum.done, t.done); /* handed on when drive_pause returns */
  cr_assert_eq(told.sum.by_type[0] + told.sum.by_type[1] + told.sum.by_type[2], t.done);
  cr_assert_eq(told.hist[HIST_RESPONSE], (uint64_t)t.done);
  cr_assert_eq(told.hist[HIST_SERVICE], (uint64_t)t.done);
  cr_assert_eq(told.hist[HIST_LATENESS], (uint64_t)t.done);
  cr_assert_eq(told.sum.late_count, t.done);
  cr_assert_eq(drive_calls(d), t.sent);
  cr_assert_eq(t.overflow, 0);
  cr_assert_eq(t.first_error.text[0], 0);
  int before = told.seconds;
  sleep_ms(1100); /* nothing is told while all rest */
  cr_assert_eq(told.seconds, before);
  drive_close(d);
  cr_assert_eq(fake.closed, 5);
  cr_assert_eq(fake.opened, 5);
}

Test(drive, equal_phases_send_equal_requests_whatever_the_timing) {
  struct told told;
  struct drive *d = fake_open(&(struct demand){.users = 7, .think_s = 0.0002, .seed = 5}, &told);
  struct drive_totals a = one_phase(d, PHASE_MEASURE, 9, A_DIGEST);
  fake.run = some_time;
  struct drive_totals b = one_phase(d, PHASE_MEASURE, 9, A_DIGEST);
  struct drive_totals other_key = one_phase(d, PHASE_WARM, 8, A_DIGEST);
  drive_demand(d, &(struct demand){.users = 7, .think_s = 0.0001, .seed = 6});
  struct drive_totals other_seed = one_phase(d, PHASE_MEASURE, 9, A_DIGEST);
  drive_close(d);
  cr_assert_neq(a.digest, 0);
  cr_assert(a.digest_requests > 500 && a.digest_requests <= 7 * 143, "%" PRId64, a.digest_requests);
  cr_assert(b.digest_requests > 500 && b.digest_requests <= 7 * 143, "%" PRId64, b.digest_requests);
  cr_assert_eq(a.digest, b.digest);
  cr_assert_neq(a.digest, other_key.digest);
  cr_assert_neq(a.digest, other_seed.digest);
  cr_assert_neq(other_seed.digest, 0);
}

static enum outcome first_one_slow(struct conn *conn, const struct request *r, int64_t v, struct cause *c) {
  (void)r, (void)v, (void)c;
  if (conn->number == 1)
    sleep_ms(300);
  return DONE;
}

/* A step in which one user is stalled is still a step of the same requests. */
Test(drive, a_slow_user_does_not_cost_the_digest) {
  struct told told;
  struct drive *d = fake_open(&(struct demand){.users = 4, .think_s = 0.0002, .seed = 5}, &told);
  struct drive_totals a = one_phase(d, PHASE_MEASURE, 9, WHOLE_DIGEST);
  fake.run = first_one_slow;
  struct drive_totals b = one_phase(d, PHASE_MEASURE, 9, THREE_QUARTERS);
  drive_close(d);
  cr_assert_eq(a.digest_requests, 1000);
  cr_assert(b.digest_requests >= 750 && b.digest_requests < 1000, "%" PRId64, b.digest_requests);
  cr_assert_neq(a.digest, 0);
  cr_assert_eq(a.digest, b.digest);
}

Test(drive, the_digest_needs_all_its_requests) {
  struct told told;
  struct drive *d = fake_open(&(struct demand){.users = 2, .think_s = 0.02, .seed = 5}, &told);
  struct drive_totals t = one_phase(d, PHASE_MEASURE, 1, 20);
  drive_close(d);
  cr_assert_lt(t.sent, 1000);
  cr_assert_eq(t.digest, 0);
  cr_assert_eq(t.digest_requests, 0);
  cr_assert_eq(t.digest_long, 0);
}

Test(drive, the_long_digest_comes_with_a_thousand_of_each_user) {
  struct told told;
  struct drive *d = fake_open(&(struct demand){.users = 3, .think_s = 0.0001, .seed = 5}, &told);
  struct drive_totals a = one_phase(d, PHASE_MEASURE, 1, A_LONG_DIGEST), b = one_phase(d, PHASE_MEASURE, 1, A_LONG_DIGEST);
  drive_close(d);
  cr_assert_neq(a.digest_long, 0);
  cr_assert_eq(a.digest_long_requests, 3000);
  cr_assert_eq(a.digest_long, b.digest_long);
  cr_assert_neq(a.digest_long, a.digest);
}

/* The digest of the first 1,000 requests is what the requests themselves give, in whatever order they were sent. */
Test(drive, under_a_rate_the_digest_is_of_requests_in_order_of_their_index) {
  struct told told;
  struct drive *d = fake_open(&(struct demand){.users = 9, .rate = 4000, .seed = 3}, &told);
  struct drive_totals a = one_phase(d, PHASE_MEASURE, 4, A_DIGEST);
  drive_close(d);
  fake.run = some_time;
  d = fake_open(&(struct demand){.users = 2, .rate = 3000, .seed = 3}, &told);
  struct drive_totals b = one_phase(d, PHASE_MEASURE, 4, A_DIGEST);
  struct drive_totals other = one_phase(d, PHASE_MEASURE, 5, A_DIGEST);
  drive_demand(d, &(struct demand){.users = 2, .rate = 100, .seed = 3});
  struct drive_totals few = one_phase(d, PHASE_MEASURE, 4, 50);
  drive_close(d);
  cr_assert_neq(a.digest, 0);
  cr_assert_eq(a.digest_requests, 1000);
  cr_assert_eq(a.digest, b.digest);
  cr_assert_neq(a.digest, other.digest);
  cr_assert_eq(few.digest, 0);
}

/* Which requests were sent, by value: each of the stream's first ones exactly once. */
static _Atomic int64_t sent_values[4000], nsent;

static enum outcome note_value(struct conn *conn, const struct request *r, int64_t v, struct cause *c) {
  (void)conn, (void)r, (void)c;
  int64_t i = atomic_fetch_add(&nsent, 1);
  if (i < 4000)
    atomic_store(&sent_values[i], v);
  return DONE;
}

static int by_value(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

Test(drive, under_a_rate_each_index_is_sent_once) {
  struct told told;
  fake.run = note_value;
  struct drive *d = fake_open(&(struct demand){.users = 6, .rate = 2000, .seed = 3}, &told);
  struct drive_totals t = one_phase(d, PHASE_MEASURE, 4, 1000);
  uint64_t seed = d->order.seed;
  drive_close(d);
  int64_t n = t.sent < 4000 ? t.sent : 4000, want[4000], got[4000];
  cr_assert_eq(nsent, t.sent);
  for (int64_t i = 0; i < n; i++) {
    want[i] = fake_value(seed, 0, (uint64_t)i);
    got[i] = sent_values[i];
  }
  qsort(want, (size_t)n, sizeof *want, by_value);
  qsort(got, (size_t)n, sizeof *got, by_value);
  /* Those that were taken but not yet due when the pause came (one a user at most) leave a gap near the end. */
  int64_t found = 0, k = 0;
  for (int64_t i = 0; i < n; i++) {
    while (k < n && got[k] < want[i])
      k++;
    found += k < n && got[k] == want[i];
    k += k < n && got[k] == want[i];
  }
  cr_assert_geq(found, n - 6);
}

/* Deadlocks: by the value, so that a request sent again must be the same to be counted right. */
static _Thread_local int64_t last_value;
static _Thread_local int tries;
static _Atomic int64_t expected_deadlocks, expected_failed;

static enum outcome deadlocks(struct conn *conn, const struct request *r, int64_t v, struct cause *c) {
  (void)conn, (void)r;
  tries = v == last_value ? tries + 1 : 1;
  last_value = v;
  if (v % 50 == 0) { /* for ever */
    cause_set(c, 0, "chosen as the victim");
    atomic_fetch_add(&expected_deadlocks, 1);
    if (tries == 10)
      atomic_fetch_add(&expected_failed, 1);
    return DEADLOCK;
  }
  if (v % 10 == 1 && tries < 3) {
    atomic_fetch_add(&expected_deadlocks, 1);
    return DEADLOCK;
  }
  tries = 0;
  return v % 10 == 2 ? ROLLED_BACK : DONE;
}

Test(drive, deadlocks_are_sent_again_with_the_same_draws) {
  struct told told;
  fake.run = deadlocks;
  struct drive *d = fake_open(&(struct demand){.users = 8, .think_s = 0.0005, .seed = 2}, &told);
  struct drive_totals t = one_phase(d, PHASE_MEASURE, 1, 600);
  cr_assert_eq(t.deadlocks, expected_deadlocks);
  cr_assert_gt(t.failed, 0);
  cr_assert_eq(t.failed, expected_failed);
  cr_assert_gt(t.rolled_back, 0);
  cr_assert_eq(t.lost, 0);
  cr_assert_eq(told.sum.deadlocks, t.deadlocks);
  cr_assert_eq(told.sum.failed, t.failed);
  cr_assert_eq(told.sum.rolled_back, t.rolled_back);
  cr_assert_eq(told.hist[HIST_RESPONSE], (uint64_t)t.done); /* neither failed nor rolled back ones */
  cr_assert_eq(drive_calls(d), t.sent + t.deadlocks - t.failed);
  cr_assert(strstr(t.first_error.text, "10 times in a row") && strstr(t.first_error.text, "victim"), "%s", t.first_error.text);
  drive_close(d);
}

static enum outcome some_fail(struct conn *conn, const struct request *r, int64_t v, struct cause *c) {
  (void)conn, (void)r;
  if (v % 7 == 0) {
    cause_set(c, 0, "no more room");
    c->number = 1105;
    return FAILED;
  }
  return v % 7 == 1 ? ROLLED_BACK : DONE;
}

Test(drive, a_failed_transaction_is_never_done) {
  struct told told;
  fake.run = some_fail;
  struct drive *d = fake_open(&(struct demand){.users = 4, .think_s = 0.0005, .seed = 2}, &told);
  struct drive_totals t = one_phase(d, PHASE_MEASURE, 1, 1000);
  cr_assert_gt(t.failed, 50);
  cr_assert_gt(t.rolled_back, 50);
  cr_assert_eq(told.sum.failed, t.failed);
  cr_assert_eq(told.sum.done, t.done);
  cr_assert_eq(t.first_error.number, 1105);
  fake.run = NULL;
  t = one_phase(d, PHASE_MEASURE, 1, 100);
  cr_assert_eq(t.failed, 0); /* since drive_phase */
  cr_assert_eq(t.first_error.text[0], 0);
  cr_assert_eq(fake.closed, 0);
  drive_close(d);
}

static int refuse_some(int number, struct cause *c) {
  return number > 4 && number % 3 == 0 ? cause_set(c, 0, "no log-in now") : 0;
}

static enum outcome lose_some(struct conn *conn, const struct request *r, int64_t v, struct cause *c) {
  (void)conn, (void)r;
  return v % 100 == 0 ? (cause_set(c, 0, "the line is dead"), LOST) : DONE;
}

Test(drive, a_lost_connection_is_opened_again_and_counted) {
  struct told told;
  fake.run = lose_some;
  fake.open = refuse_some;
  struct drive *d = fake_open(&(struct demand){.users = 4, .think_s = 0.001, .seed = 2}, &told);
  struct drive_totals t = one_phase(d, PHASE_MEASURE, 1, 1500);
  cr_assert_gt(t.lost, 3);
  cr_assert_gt(t.done, 1000);
  cr_assert_eq(told.sum.lost, t.lost);
  cr_assert_eq(fake.closed, t.lost);
  cr_assert_geq(fake.opened, t.lost); /* the last ones may not be back yet */
  cr_assert_eq(drive_calls(d), t.sent);
  cr_assert(strstr(t.first_error.text, "dead"));
  drive_close(d);
  int refused = 0;
  for (int n = 5; n <= fake.opened; n++)
    refused += n % 3 == 0;
  cr_assert_eq(fake.closed, fake.opened - refused);
}

static _Atomic int down;

static int refuse_when_down(int number, struct cause *c) {
  (void)number;
  return atomic_load(&down) ? cause_set(c, 0, "the server is down") : 0;
}

static enum outcome lose_when_down(struct conn *conn, const struct request *r, int64_t v, struct cause *c) {
  (void)conn, (void)r, (void)v;
  return atomic_load(&down) ? (cause_set(c, 0, "the line is dead"), LOST) : DONE;
}

Test(drive, users_rest_and_come_back_while_a_server_is_down_and_up) {
  struct told told;
  struct cause c = {0};
  fake.run = lose_when_down;
  fake.open = refuse_when_down;
  struct drive *d = fake_open(&(struct demand){.users = 30, .think_s = 0.001, .seed = 2}, &told);
  drive_phase(d, PHASE_MEASURE, 1);
  sleep_ms(1200);
  atomic_store(&down, 1);
  struct drive_totals t = {0};
  for (int i = 0; i < 4000 && t.lost < 30; i++, sleep_ms(5))
    drive_totals(d, &t);
  cr_assert_eq(drive_pause(d, &c), 0, "%s", c.text);
  drive_totals(d, &t);
  cr_assert_eq(t.lost, 30); /* each user's connection once */
  cr_assert_eq(told.each[told.seconds - 1].users, 0);
  atomic_store(&down, 0);
  t = one_phase(d, PHASE_MEASURE, 1, A_DIGEST); /* all are back: the digest needs each of them */
  cr_assert_eq(t.lost, 0);
  cr_assert_neq(t.digest, 0);
  drive_close(d);
}

static int refuse_third(int number, struct cause *c) {
  return number == 3 ? cause_set(c, STATUS_SETUP, "the password is wrong") : 0;
}

Test(drive, an_opening_that_fails_says_why_and_leaves_nothing) {
  struct told told;
  struct drive *d = NULL;
  struct cause c = {0};
  const struct target target = {.query_timeout_s = 1};
  told_init(&told);
  fake.open = refuse_third;
  cr_assert_eq(drive_open_with(&fake_ops, &d, &target, &fake_mix, &fake_load, &(struct demand){.users = 20}, mono_ns(), told_second,
                               &told, &c), -1);
  cr_assert(strstr(c.text, "password"), "%s", c.text);
  cr_assert_eq(c.status, STATUS_SETUP);
  cr_assert_eq(fake.closed, fake.opened - 1);
  cr_assert_eq(told.seconds, 0);
  cr_assert_eq(drive_open_with(&fake_ops, &d, &target, &fake_mix, &fake_load, &(struct demand){.users = 0}, 0, told_second, &told, &c),
               -1);
  drive_close(NULL);
}

/* A call that hears nothing but a shut-down socket. */
static enum outcome hang(struct conn *conn, const struct request *r, int64_t v, struct cause *c) {
  (void)r, (void)v;
  while (!atomic_load(&conn->hard))
    sleep_ms(5);
  cause_set(c, 0, "shut down");
  return LOST;
}

Test(drive, close_ends_a_call_that_hangs) {
  struct told told;
  fake.run = hang;
  struct drive *d = fake_open(&(struct demand){.users = 2, .seed = 1}, &told);
  d->patience_ns[0] = 100 * NS_PER_MS;
  d->patience_ns[1] = 200 * NS_PER_MS;
  drive_phase(d, PHASE_MEASURE, 1);
  await_sent(d, 2);
  drive_close(d);
  cr_assert_eq(fake.soft, 2);
  cr_assert_eq(fake.hard, 2);
  cr_assert_eq(told.sum.lost, 2);
  cr_assert_eq(fake.closed, 2);
}

Test(drive, pause_says_when_users_hang) {
  struct told told;
  struct cause c = {0};
  fake.run = hang;
  struct drive *d = fake_open(&(struct demand){.users = 2, .seed = 1}, &told);
  d->target.query_timeout_s = -9; /* so that the limit is a second */
  d->patience_ns[0] = d->patience_ns[1] = 0;
  drive_phase(d, PHASE_MEASURE, 1);
  await_sent(d, 2);
  cr_assert_eq(drive_pause(d, &c), -1);
  cr_assert(strstr(c.text, "2 of 2 users"), "%s", c.text);
  drive_close(d);
}

/* Nobody is answered for 1.2 s: under a rate all arrivals of that time show it, by the service time only those under way. */
static _Atomic int64_t stall_until;

static enum outcome stalls(struct conn *conn, const struct request *r, int64_t v, struct cause *c) {
  (void)conn, (void)r, (void)v, (void)c;
  sleep_until_ns(atomic_load(&stall_until));
  return DONE;
}

Test(drive, under_a_rate_waiting_for_a_free_user_counts) {
  struct told told;
  struct cause c = {0};
  fake.run = stalls;
  struct drive *d = fake_open(&(struct demand){.users = 2, .rate = 500, .seed = 1}, &told);
  int64_t from = drive_phase(d, PHASE_MEASURE, 1);
  cr_assert_eq(from % NS_PER_S, 0);
  sleep_until_ns(d->run_start_ns + from + 1200 * NS_PER_MS);
  atomic_store(&stall_until, d->run_start_ns + from + 2400 * NS_PER_MS);
  sleep_until_ns(d->run_start_ns + from + 3 * NS_PER_S);
  cr_assert_eq(drive_pause(d, &c), 0);
  drive_close(d);
  cr_assert_gt(told.slow[HIST_RESPONSE], 200); /* some 550: arrivals of 1,100 of the 1,200 ms */
  cr_assert_leq(10 * told.slow[HIST_SERVICE], told.slow[HIST_RESPONSE]); /* the two under way, on a quiet machine */
  /* Second 1 ends in the stall: some 400 arrivals were due and not taken. */
  int64_t most = 0;
  for (int i = 0; i < told.seconds; i++)
    most = told.each[i].waiting > most ? told.each[i].waiting : most;
  cr_assert_gt(most, 100);
}

Test(drive, a_phase_begins_at_a_whole_second_without_a_break) {
  struct told told;
  struct cause c = {0};
  struct drive *d = fake_open(&(struct demand){.users = 4, .think_s = 0.002, .seed = 1}, &told);
  int64_t warm = drive_phase(d, PHASE_WARM, 1);
  sleep_until_ns(d->run_start_ns + warm + 1500 * NS_PER_MS);
  int64_t measure = drive_phase(d, PHASE_MEASURE, 2);
  sleep_until_ns(d->run_start_ns + measure + 1500 * NS_PER_MS);
  struct drive_totals t;
  drive_totals(d, &t);
  cr_assert_eq(drive_pause(d, &c), 0);
  drive_close(d);
  cr_assert_eq(warm % NS_PER_S, 0);
  cr_assert_eq(measure % NS_PER_S, 0);
  cr_assert_gt(t.sent, 0);
  cr_assert_lt(t.sent, told.sum.done); /* warm ones are not in the totals */
  cr_assert_geq(told.seconds, 4);
  for (int i = 0; i < told.seconds; i++) {
    const struct load_second *s = &told.each[i];
    cr_assert_eq(s->second, told.each[0].second + i);
    cr_assert_eq(s->phase, s->second * NS_PER_S < measure ? PHASE_WARM : PHASE_MEASURE);
    cr_assert_gt(s->done, 0);
    cr_assert(s->second * NS_PER_S > measure || s->users == 4);
    cr_assert_geq(s->client_cpu_ms, 0);
    cr_assert(s->host_idle_permille == ABSENT || (s->host_idle_permille >= 0 && s->host_idle_permille <= 1000));
  }
  cr_assert_eq(told.each[0].second * NS_PER_S, warm);
}

Test(drive, think_time_rate_and_number_of_users_can_change) {
  struct told told;
  struct cause c = {0};
  struct drive *d = fake_open(&(struct demand){.users = 6, .think_s = 60, .seed = 1}, &told);
  drive_phase(d, PHASE_WARM, 1);
  sleep_ms(2100);
  drive_demand(d, &(struct demand){.users = 3, .think_s = 0.001, .seed = 1}); /* a minute's pause is not sat out */
  drive_phase(d, PHASE_MEASURE, 2);
  await_sent(d, 100);
  for (int i = 0; i < 4000 && (!atomic_load(&d->user[2].working) || atomic_load(&d->user[3].working)); i++)
    sleep_ms(5);
  cr_assert_eq(atomic_load(&d->user[2].working), 1);
  cr_assert_eq(atomic_load(&d->user[3].working), 0);
  drive_demand(d, &(struct demand){.users = 600, .rate = 1000, .seed = 1});
  drive_phase(d, PHASE_MEASURE, 3);
  await_sent(d, 100);
  drive_demand(d, &(struct demand){.users = 6, .think_s = 0.001, .seed = 1});
  drive_phase(d, PHASE_MEASURE, 4);
  await_sent(d, 100);
  cr_assert_eq(drive_pause(d, &c), 0);
  drive_close(d);
  /* The first phase keeps its six users to its end. */
  cr_assert_eq(told.each[0].phase, PHASE_WARM);
  cr_assert_eq(told.each[0].users, 6);
}

Test(drive, what_does_not_fit_a_ring_is_counted) {
  struct told told;
  struct drive *d = fake_open(&(struct demand){.users = 1, .think_s = 0.0001, .seed = 1}, &told);
  d->user[0].ring->mask = 15; /* a small one, as long as nothing is in it */
  struct drive_totals t = one_phase(d, PHASE_MEASURE, 1, 2000);
  drive_close(d);
  cr_assert_gt(t.overflow, 0);
  cr_assert_eq(told.sum.ring_overflow, t.overflow);
  cr_assert_eq(told.sum.done + t.overflow, t.done);
}
