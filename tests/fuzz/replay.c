/* replay: a fuzz target as a plain program.
 *
 *   fuzz-NAME             seeds, files of tests/fuzz/found/NAME, mutations; TAP
 *   fuzz-NAME FILE...     these inputs alone
 *   fuzz-NAME --seeds DIR writes the seeds into DIR, for libFuzzer */
#include "config.h"

#include "fuzz.h"

#include "base/file.h"
#include "base/log.h"
#include "base/random.h"
#include "base/text.h"

#include <dirent.h>
#include <string.h>

enum { MOST_SEEDS = 64, MOST_INPUT = 1 << 16, SEED = 20261130 };

static struct text seed[MOST_SEEDS];
static int seeds;

static void keep(const void *p, size_t n) {
  FUZZ_MUST(seeds < MOST_SEEDS);
  text_addn(&seed[seeds++], p, n);
}

/* In memory of the very size, so that a byte too far is seen by the sanitizer or valgrind. */
static void run(const void *p, size_t n) {
  uint8_t *copy = xmalloc(n ? n : 1);
  if (n)
    memcpy(copy, p, n);
  LLVMFuzzerTestOneInput(copy, n);
  free(copy);
}

static int run_file(const char *path) {
  struct cause c;
  char *p;
  size_t n;
  if (file_read(path, MOST_INPUT * 16, &p, &n, &c)) {
    say_cause(&c);
    return -1;
  }
  run(p, n);
  free(p);
  return 0;
}

static int run_found(void) {
  const char *top = getenv("top_srcdir");
  char *folder = xprintf("%s/tests/fuzz/found/%s", top ? top : ".", fuzz_name);
  DIR *d = opendir(folder);
  int n = 0;
  for (struct dirent *e; d && (e = readdir(d));) {
    char *path = xprintf("%s/%s", folder, e->d_name);
    if (e->d_name[0] != '.' && run_file(path) == 0)
      n++;
    free(path);
  }
  if (d)
    closedir(d);
  free(folder);
  return n;
}

static size_t mutate(struct rng *r, uint8_t *p, size_t n) {
  static const uint32_t edge[] = {0, 1, 2, 0x7F, 0x80, 0xFF, 0xFFFE, 0xFFFF, 0x7FFF, 0x8000, 0xFFFFFFFF, 0xFFFFFFFE, 0x7FFFFFFF, 0x10000};
  size_t at = n ? (size_t)rng_range(r, 0, (int64_t)n - 1) : 0, k = (size_t)rng_range(r, 1, 16);
  switch (rng_range(r, 0, 6)) {
  case 0:
    if (n)
      p[at] ^= (uint8_t)(1u << rng_range(r, 0, 7));
    return n;
  case 1: /* a number at its edge: 1, 2, 4 bytes */
  case 2: {
    uint32_t v = edge[rng_range(r, 0, sizeof edge / sizeof *edge - 1)];
    size_t width = (size_t)1 << rng_range(r, 0, 2);
    for (size_t i = 0; i < width && at + i < n; i++, v >>= 8)
      p[at + i] = (uint8_t)v;
    return n;
  }
  case 3: /* leave some out */
    k = k < n - at ? k : n - at;
    memmove(p + at, p + at + k, n - at - k);
    return n - k;
  case 4: /* repeat some */
    k = k < n - at ? k : n - at;
    if (n + k > MOST_INPUT)
      return n;
    memmove(p + at + k, p + at, n - at);
    return n + k;
  case 5:
    return rng_range(r, 0, 3) == 0 ? at : n;
  default: { /* the beginning of this, the end of another */
    const struct text *o = &seed[rng_range(r, 0, seeds - 1)];
    size_t from = o->len ? (size_t)rng_range(r, 0, (int64_t)o->len - 1) : 0, take = o->len - from;
    if (rng_range(r, 0, 3) != 0 || at + take > MOST_INPUT)
      return n;
    if (take)
      memcpy(p + at, o->s + from, take);
    return at + take;
  }
  }
}

static void run_mutations(int rounds) {
  uint8_t *p = xmalloc(MOST_INPUT);
  for (int i = 0; i < rounds; i++) {
    struct rng r = rng_at(SEED, 0, (uint64_t)i);
    const struct text *s = &seed[i % seeds];
    size_t n = s->len < MOST_INPUT ? s->len : MOST_INPUT;
    if (n)
      memcpy(p, s->s, n);
    for (int64_t k = rng_range(&r, 1, 6); k > 0; k--)
      n = mutate(&r, p, n);
    run(p, n);
  }
  free(p);
}

static int write_seeds(const char *folder) {
  struct cause c;
  if (folder_make(folder, &c)) {
    say_cause(&c);
    return 1;
  }
  for (int i = 0; i < seeds; i++) {
    char *path = xprintf("%s/seed-%02d", folder, i);
    int rc = file_write(path, seed[i].s, seed[i].len, 0644, &c);
    free(path);
    if (rc) {
      say_cause(&c);
      return 1;
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  fuzz_seeds(keep);
  if (argc == 3 && strcmp(argv[1], "--seeds") == 0)
    return write_seeds(argv[2]);
  for (int i = 1; i < argc; i++)
    if (run_file(argv[i]))
      return 1;
  if (argc > 1)
    return 0;
  printf("1..3\n");
  for (int i = 0; i < seeds; i++)
    run(seed[i].s, seed[i].len);
  printf("ok 1 - %s: %d seeds\n", fuzz_name, seeds);
  printf("ok 2 - %s: %d inputs found earlier\n", fuzz_name, run_found());
  fflush(stdout);
  run_mutations(fuzz_rounds);
  printf("ok 3 - %s: %d mutations\n", fuzz_name, fuzz_rounds);
  for (int i = 0; i < seeds; i++)
    text_free(&seed[i]);
  return 0;
}
