/* arena: memory for what one request needs, given back all at once.  Pieces never move.  One thread at a time. */
#ifndef RK_SANDBOX_ARENA_H
#define RK_SANDBOX_ARENA_H

#include <stddef.h>

struct arena_chunk;
struct arena {
  struct arena_chunk *chunk; /* the newest; zero-initialise */
};

/* n bytes, aligned for any type, not cleared; never NULL. */
void *arena_alloc(struct arena *, size_t n);
/* Give back the unused end of the newest piece: `p` keeps `used` of its bytes. */
void arena_trim(struct arena *, void *p, size_t used);
/* Forget all pieces; keeps one chunk of ordinary size, so that a usual request allocates nothing. */
void arena_reset(struct arena *);
void arena_free(struct arena *);

#endif
