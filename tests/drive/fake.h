/* A server and a mix that do what a test programs, so that the load path runs without any server. */
#ifndef FAKE_H
#define FAKE_H

#include "drive/inside.h"
#include "run/run.h"

struct conn {
  int number;              /* in the order they were opened, from 1 */
  int64_t calls;
  _Atomic int interrupted, hard;
};

/* What the fakes ask: NULL means "open at once", "done at once". */
struct fake {
  int (*open)(int number, struct cause *);
  enum outcome (*run)(struct conn *, const struct request *, int64_t value, struct cause *);
  _Atomic int opened, closed, soft, hard;
};
extern struct fake fake;
extern const struct drive_ops fake_ops;
extern const struct mix fake_mix; /* three types; one INT argument, the value that is drawn */
extern const struct mix_load fake_load;

/* The value that (seed, user, seq) draws, 0..999,999. */
int64_t fake_value(uint64_t seed, uint64_t user, uint64_t seq);

/* What the drive told, added up. */
struct told {
  pthread_mutex_t lock;
  struct load_second sum;         /* sums of the counts; lateness and host: the last one's */
  struct load_second each[64];
  int seconds;
  uint64_t hist[HIST_WHATS];      /* entries by what */
  uint64_t slow[HIST_WHATS];      /* of them above 100 ms */
  struct run_step *step;          /* where seconds go as well, or NULL */
};
void told_init(struct told *);
void told_second(void *told, const struct load_second *, const struct hist_record_row *, size_t nrow);

/* Open with the fakes; aborts when that fails. */
struct drive *fake_open(const struct demand *, struct told *);
void sleep_ms(int ms);

#endif
