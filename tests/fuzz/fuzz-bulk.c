/* Bulk streams: the first byte says in pieces of which size they arrive. */
#include "config.h"

#include "values.h"

#include "sandbox/bulk_in.h"

const char fuzz_name[] = "bulk";
const int fuzz_rounds = 40000;

struct seen {
  const struct column *column;
  int ncol;
  uint64_t digest;
  int refuse;
};

static int columns(void *arg, const struct column *col, int n) {
  struct seen *s = arg;
  FUZZ_MUST(n > 0 && n <= BULK_MOST_COLUMNS && !s->column);
  for (int i = 0; i < n; i++)
    FUZZ_MUST(strlen(col[i].name) <= 128 * 3);
  s->column = col;
  s->ncol = n;
  return s->refuse & 1 ? -1 : 0;
}

static int row(void *arg, const struct field *f, int n) {
  struct seen *s = arg;
  FUZZ_MUST(s->column && n == s->ncol && !(s->refuse & 1));
  for (int i = 0; i < n; i++) {
    value_holds(&s->column[i], &f[i]);
    s->digest = (s->digest ^ (uint64_t)f[i].type) * 1099511628211u;
    for (size_t k = 0; k < f[i].len; k++)
      s->digest = (s->digest ^ (uint8_t)f[i].p[k]) * 1099511628211u;
  }
  return s->refuse & 2 ? -1 : 0;
}

static int feed(const uint8_t *p, size_t n, size_t piece, struct seen *s) {
  struct bulk_sink sink = {columns, row, s};
  struct bulk_in b;
  int rc = 0;
  bulk_in_open(&b, &sink);
  for (size_t at = 0; at < n && rc == 0; at += piece)
    rc = bulk_in_feed(&b, p + at, n - at < piece ? n - at : piece);
  if (rc == 0)
    rc = bulk_in_end(&b);
  FUZZ_MUST((rc == 0) == (b.state == CURSOR_OK));
  bulk_in_close(&b);
  return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n) {
  if (n == 0)
    return 0;
  struct seen whole = {.refuse = p[0] >> 6 == 3 ? 1 : p[0] >> 6 == 2 ? 2 : 0}, pieces = whole;
  size_t piece = (size_t)(p[0] & 63) + 1;
  int a = feed(p + 1, n - 1, n, &whole), b = feed(p + 1, n - 1, piece, &pieces);
  FUZZ_MUST(a == b);
  if (a == 0)
    FUZZ_MUST(whole.digest == pieces.digest); /* the same rows whatever the pieces */
  return 0;
}

void fuzz_seeds(void (*add)(const void *, size_t)) {
  struct text t = {0};
  for (int i = 0; i < VALUE_SEEDS; i++) {
    text_clear(&t);
    put_uint(&t, (uint64_t)(i * 37) & 0xFF, 1);
    put_uint(&t, 0x81, 1);
    put_uint(&t, 2, 2);
    put_uint(&t, 0, 4);
    put_uint(&t, 8, 2);
    put_uint(&t, 0x38, 1);
    put_name(&t, "id", 1);
    put_uint(&t, 0, 4);
    put_uint(&t, 9, 2);
    text_addn(&t, value_seed[i].bytes, value_seed[i].info);
    put_name(&t, "v", 1);
    for (int row_no = 0; row_no < 3; row_no++) {
      put_uint(&t, 0xD1, 1);
      put_uint(&t, (uint64_t)row_no, 4);
      text_addn(&t, value_seed[i].bytes + value_seed[i].info, value_seed[i].n - value_seed[i].info);
    }
    if (i % 2) {
      put_uint(&t, 0xFD, 1);
      put_uint(&t, 0, 6);
      put_uint(&t, 0, 6);
    }
    add(t.s, t.len);
  }
  text_free(&t);
}
