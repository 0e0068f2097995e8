#include "config.h"

#include "analysis/heading.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static int is_word(unsigned char c) {
  return isalnum(c) || c >= 0x80;
}

/* "95th" is "p95". */
static void ordinal(char *word, size_t size) {
  size_t digits = strspn(word, "0123456789");
  if (digits < 2 || digits + 2 > size || strcmp(word + digits, "th") != 0)
    return;
  memmove(word + 1, word, digits);
  word[0] = 'p';
  word[digits + 1] = '\0';
}

void heading_read(struct heading *h, const char *name) {
  size_t len = 0;
  unsigned char before = ' ';
  h->n = 0;
  for (const char *s = name; h->n < HEADING_WORDS; s++) {
    unsigned char c = (unsigned char)*s;
    int starts = islower(before) && isupper(c); /* avgLatency */
    if ((!is_word(c) || starts) && len > 0) {
      h->word[h->n++][len] = '\0';
      len = 0;
    }
    if (c == '%' && h->n < HEADING_WORDS)
      strcpy(h->word[h->n++], "percent");
    if (!c)
      break;
    if (is_word(c) && h->n < HEADING_WORDS && len + 1 < sizeof h->word[0])
      h->word[h->n][len++] = (char)tolower(c);
    before = c;
  }
  for (size_t i = 0; i < h->n; i++)
    ordinal(h->word[i], sizeof h->word[i]);
}

int heading_has(const struct heading *h, const char *word) {
  for (size_t i = 0; i < h->n; i++)
    if (strcmp(h->word[i], word) == 0)
      return 1;
  return 0;
}

/* Is one of the heading's words among these, " a b c " with blanks around each? */
static int has_any(const struct heading *h, const char *words) {
  char padded[sizeof h->word[0] + 2];
  for (size_t i = 0; i < h->n; i++) {
    snprintf(padded, sizeof padded, " %s ", h->word[i]);
    if (strstr(words, padded))
      return 1;
  }
  return 0;
}

static const char *last_word(const struct heading *h) {
  return h->n ? h->word[h->n - 1] : "";
}

/* ---- memory ---- */

static const struct {
  const char *name;
  double mib;
} sizes[] = {
    {"tb", 1024.0 * 1024},
    {"tib", 1024.0 * 1024},
    {"t", 1024.0 * 1024},
    {"gb", 1024},
    {"gib", 1024},
    {"g", 1024},
    {"mb", 1},
    {"mib", 1},
    {"m", 1},
    {"kb", 1.0 / 1024},
    {"kib", 1.0 / 1024},
    {"k", 1.0 / 1024},
    {"bytes", 1.0 / 1048576},
    {"byte", 1.0 / 1048576},
    {"b", 1.0 / 1048576},
};
static const char *const counts[] = {"pages", "page", "buffers", "blocks", "frames", "entries", "items", "objects"};

double heading_unit_mib(const char *unit) {
  for (size_t i = 0; i < COUNT(sizes); i++)
    if (strcasecmp(unit, sizes[i].name) == 0)
      return sizes[i].mib;
  return NAN;
}

static int is_count(const char *word) {
  for (size_t i = 0; i < COUNT(counts); i++)
    if (strcasecmp(word, counts[i]) == 0)
      return 1;
  return 0;
}

void heading_memory_unit(const char *name, char *unit, size_t size) {
  /* The last word, as it is written. */
  const char *end = name + strlen(name);
  while (end > name && !is_word((unsigned char)end[-1]))
    end--;
  const char *begin = end;
  while (begin > name && is_word((unsigned char)begin[-1]))
    begin--;
  snprintf(unit, size, "%.*s", (int)(end - begin), begin);
  if (isnan(heading_unit_mib(unit)) && !is_count(unit))
    unit[0] = '\0';
}

/* Words of what is measured, not set. */
static const char measured[] = " read reads miss misses hit hits request requests write writes written latency lat response time "
                               "ms us tps qps throughput faults iops io sec wait stall ";

int heading_memory(const struct heading *h) {
  const char *unit = last_word(h);
  int sized = !isnan(heading_unit_mib(unit)) && strlen(unit) > 1, score = sized || heading_has(h, "size") ? 1 : 0;
  if (has_any(h, " memory mem ram "))
    score = 6;
  else if (has_any(h, " pool cache sga pga buffer bufferpool buffers pages wiredtiger "))
    score = 3;
  if (score == 0 || has_any(h, measured))
    return 0;
  return score + (sized ? 3 : is_count(unit) ? 1 : 0);
}

/* ---- metrics ---- */

/* The word that names a percentile ("p95"), or NULL. */
static const char *percentile(const struct heading *h) {
  for (size_t i = 0; i < h->n; i++) {
    size_t digits = strspn(h->word[i] + 1, "0123456789");
    if (h->word[i][0] == 'p' && digits >= 2 && h->word[i][1 + digits] == '\0')
      return h->word[i];
  }
  return NULL;
}

const char *heading_time_unit(const struct heading *h) {
  const char *unit = last_word(h);
  return isnan(points_unit_ms(unit)) ? "" : unit;
}

static int per_time(const struct heading *h) {
  return has_any(h, " per s sec second min minute ");
}

enum quantity heading_quantity(const struct heading *h) {
  if (has_any(h, " miss misses missrate "))
    return QUANTITY_READS;
  if (has_any(h, " request requests req reqs ") && !has_any(h, " read reads write writes "))
    return per_time(h) ? QUANTITY_THROUGHPUT : QUANTITY_OTHER;
  if (has_any(h, " uptime runtime requests request write writes written stddev stdev sd se stderr date run seed "))
    return QUANTITY_OTHER;
  if (percentile(h) || has_any(h, " latency lat response resp rt duration elapsed time median wait stall "))
    return QUANTITY_LATENCY;
  if (has_any(h, " hit hits hitrate hitratio "))
    return QUANTITY_THROUGHPUT;
  if (has_any(h, " read reads faults phys physical iops io pageins "))
    return QUANTITY_READS;
  if (has_any(h, " throughput tps qps rps tpm tpmc tpms nopm notpm opm ops tx txn transactions queries commits commit orders "))
    return QUANTITY_THROUGHPUT;
  return has_any(h, " ms us \xc2\xb5s \xce\xbcs ns msec usec milliseconds microseconds ") ? QUANTITY_LATENCY : QUANTITY_OTHER;
}

int heading_rank(const struct heading *h) {
  const char *p = percentile(h);
  /* "min" is a minute in "per_min". */
  if (has_any(h, " max maximum minimum worst best ") || (heading_has(h, "min") && !heading_has(h, "per")))
    return 0;
  switch (heading_quantity(h)) {
  case QUANTITY_LATENCY:
    if (p)
      return strcmp(p, "p95") == 0 ? 1 : strcmp(p, "p99") == 0 ? 2 : strcmp(p, "p90") == 0 ? 3 : 4;
    /* "time" alone may be how long a run took. */
    return has_any(h, " latency lat response resp rt median avg average mean ms us ") ? 5 : 8;
  case QUANTITY_THROUGHPUT: return has_any(h, " hit hits hitrate hitratio ") ? 10 : has_any(h, " commit commits ") ? 9 : 6;
  case QUANTITY_READS: return 7;
  default: return 0;
  }
}

int heading_error_of(const struct heading *h, const struct heading *metric) {
  static const char marks[] = " se stderr std standard error err pct percent relative rel of ms us ns s ";
  int named = heading_has(h, "se") || heading_has(h, "stderr") ||
              ((heading_has(h, "standard") || heading_has(h, "std")) && (heading_has(h, "error") || heading_has(h, "err")));
  size_t rest = 0, shared = 0;
  for (size_t i = 0; named && i < h->n; i++) {
    char padded[sizeof h->word[0] + 2];
    snprintf(padded, sizeof padded, " %s ", h->word[i]);
    if (strstr(marks, padded))
      continue;
    rest++;
    shared += (size_t)heading_has(metric, h->word[i]);
  }
  return !named || shared < rest ? 0 : rest > 0 ? 2 : 1;
}
