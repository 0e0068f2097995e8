#include "config.h"

#include "sandbox/arena.h"

#include "base/text.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

enum { ORDINARY = 8192 };

struct arena_chunk {
  struct arena_chunk *older;
  size_t used, cap;
  alignas(max_align_t) char data[];
};

static size_t rounded(size_t n) {
  size_t a = alignof(max_align_t);
  return (n + a - 1) / a * a;
}

void *arena_alloc(struct arena *a, size_t n) {
  n = rounded(n);
  struct arena_chunk *c = a->chunk;
  if (!c || c->cap - c->used < n) {
    size_t cap = n > ORDINARY ? n : ORDINARY;
    c = xmalloc(sizeof *c + cap);
    *c = (struct arena_chunk){.older = a->chunk, .cap = cap};
    a->chunk = c;
  }
  void *p = c->data + c->used;
  c->used += n;
  return p;
}

void arena_trim(struct arena *a, void *p, size_t used) {
  a->chunk->used = (size_t)((char *)p - a->chunk->data) + rounded(used);
}

void arena_reset(struct arena *a) {
  struct arena_chunk *keep = NULL;
  while (a->chunk) {
    struct arena_chunk *older = a->chunk->older;
    if (!keep && a->chunk->cap == ORDINARY)
      keep = a->chunk;
    else
      free(a->chunk);
    a->chunk = older;
  }
  if (keep) {
    keep->older = NULL;
    keep->used = 0;
  }
  a->chunk = keep;
}

void arena_free(struct arena *a) {
  while (a->chunk) {
    struct arena_chunk *older = a->chunk->older;
    free(a->chunk);
    a->chunk = older;
  }
}
