#include "config.h"

#include "report/meta.h"

#include <math.h>
#include <string.h>

const json_t *meta_at(const json_t *j, const char *path) {
  char key[64];
  while (j && *path) {
    size_t n = strcspn(path, ".");
    if (n >= sizeof key)
      return NULL;
    memcpy(key, path, n);
    key[n] = '\0';
    j = json_object_get(j, key);
    path += n + (path[n] == '.');
  }
  return json_is_null(j) ? NULL : j;
}

const char *meta_text(const json_t *j, const char *path) {
  const char *s = json_string_value(meta_at(j, path));
  return s && *s ? s : NULL;
}

double meta_number(const json_t *j, const char *path) {
  const json_t *v = meta_at(j, path);
  return json_is_number(v) ? json_number_value(v) : NAN;
}

int meta_true(const json_t *j, const char *path) {
  const json_t *v = meta_at(j, path);
  return json_is_true(v) || (json_is_number(v) && json_number_value(v) != 0);
}

int meta_is_joined(const json_t *meta) {
  const char *kind = meta_text(meta, "kind");
  return kind && strcmp(kind, "joined") == 0;
}
