/* embed: the files of sql/ and plots/, compiled in. */
#ifndef RK_BASE_EMBED_H
#define RK_BASE_EMBED_H

#include <stddef.h>

struct embed {
  const char *path; /* relative to the source tree: "sql/server/counters.sql" */
  const unsigned char *data; /* `size` bytes and a NUL that is not counted: text can be used as a string */
  size_t size;
};

/* Ended by an entry whose path is NULL. */
extern const struct embed embed_files[];

/* The file of that path, or NULL. */
const struct embed *embed_find(const char *path);

#endif
