/* fuzz: what every fuzz target provides.  Two programs come of each: one with libFuzzer, which calls LLVMFuzzerTestOneInput for as long
 * as it is let (tests/fuzz/run), and a plain one (replay.c), which calls it with the seeds, with mutations of them by a fixed generator,
 * and with the files of tests/fuzz/found/NAME, in `make check`. */
#ifndef RK_TESTS_FUZZ_FUZZ_H
#define RK_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Takes any input; a crash, a sanitizer's word or abort() is a finding. */
int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

/* Calls add with each well-formed input that mutations start from. */
void fuzz_seeds(void (*add)(const void *p, size_t n));
extern const char fuzz_name[];
/* How many mutations the plain program tries. */
extern const int fuzz_rounds;

/* End the program when something that must hold does not. */
#define FUZZ_MUST(x) ((x) ? (void)0 : fuzz_broken(#x, __FILE__, __LINE__))

#include <stdio.h>
#include <stdlib.h>

static inline void fuzz_broken(const char *what, const char *file, int line) {
  fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
  abort();
}

#endif
