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

static int is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* A percentile's figure: 50 to 99.99. */
static int is_share(const char *s) {
  size_t n = strspn(s, "0123456789.");
  return n >= 2 && s[n] == '\0' && s[0] >= '5' && s[0] <= '9' && is_digit(s[1]) && (n == 2 || s[2] == '.');
}

static void name_percentile(char *word, size_t size, const char *figure) {
  char name[24];
  snprintf(name, sizeof name, "p%.*s", (int)strspn(figure, "0123456789."), figure);
  snprintf(word, size, "%s", name);
}

/* "95th", "perc95", "95 %", "95 percentile": all are "p95". */
static void find_percentiles(struct heading *h) {
  static const char after[] = " percent percentile pct perc th quantile ", *const before[] = {"percentile", "perc", "pct", "pctl"};
  static const char *const behind[] = {"th", "pct", "perc", "percentile"};
  for (size_t i = 0; i < h->n; i++) {
    char *w = h->word[i], padded[sizeof h->word[0] + 2];
    size_t digits = strspn(w, "0123456789."), named = 0;
    for (size_t k = 0; k < COUNT(behind); k++)
      named |= strcmp(w + digits, behind[k]) == 0 && (k == 0 || w[0] >= '5'); /* "10pct" is a share of something */
    if (digits >= 2 && named) {
      name_percentile(w, sizeof h->word[0], w);
      continue;
    }
    for (size_t k = 0; k < COUNT(before); k++)
      if (strncmp(w, before[k], strlen(before[k])) == 0 && is_share(w + strlen(before[k])))
        name_percentile(w, sizeof h->word[0], w + strlen(before[k]));
    if (!is_share(w))
      continue;
    snprintf(padded, sizeof padded, " %s ", i + 1 < h->n ? h->word[i + 1] : "?");
    if (!strstr(after, padded) && (i == 0 || strcmp(h->word[i - 1], "percentile") != 0))
      continue;
    name_percentile(w, sizeof h->word[0], w);
    if (i + 1 < h->n && strstr(after, padded)) {
      memmove(h->word + i + 1, h->word + i + 2, (h->n - i - 2) * sizeof h->word[0]);
      h->n--;
    }
  }
}

void heading_read(struct heading *h, const char *name) {
  size_t len = 0;
  unsigned char before = ' ';
  h->n = 0;
  for (const char *s = name; h->n < HEADING_WORDS; s++) {
    unsigned char c = (unsigned char)*s;
    if ((h->n > 0 || len > 0) && (strncmp(s, "\xc2\xb1", 2) == 0 || strncmp(s, "+/-", 3) == 0))
      c = '\0'; /* "TPS +/- sd": what follows tells of the error */
    int starts = islower(before) && isupper(c);                      /* avgLatency */
    int word = is_word(c) || (c == '.' && isdigit(before) && is_digit(s[1])); /* p99.9 */
    if ((!word || starts) && len > 0) {
      h->word[h->n++][len] = '\0';
      len = 0;
    }
    if (c == '%' && h->n < HEADING_WORDS)
      strcpy(h->word[h->n++], "percent");
    if (!c)
      break;
    if (word && h->n < HEADING_WORDS && len + 1 < sizeof h->word[0])
      h->word[h->n][len++] = (char)tolower(c);
    before = c;
  }
  find_percentiles(h);
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

/* From the last word of the name to the first, as they are written.  One letter counts only at the end ("Size (M)"). */
void heading_memory_unit(const char *name, char *unit, size_t size) {
  const char *end = name + strlen(name);
  int last = 1;
  while (end > name) {
    while (end > name && !is_word((unsigned char)end[-1]) && end[-1] != '%')
      end--;
    const char *begin = end;
    if (end > name && end[-1] == '%')
      begin--;
    else
      while (begin > name && is_word((unsigned char)begin[-1]))
        begin--;
    snprintf(unit, size, "%.*s", (int)(end - begin), begin);
    if (strcmp(unit, "%") == 0 || strcasecmp(unit, "percent") == 0 || strcasecmp(unit, "pct") == 0) {
      snprintf(unit, size, "%%");
      return;
    }
    if ((!isnan(heading_unit_mib(unit)) && (last || strlen(unit) > 1)) || is_count(unit))
      return;
    end = begin;
    last = 0;
  }
  unit[0] = '\0';
}

/* Words of what is measured, not set. */
static const char measured[] = " read reads miss misses hit hits request requests write writes written latency lat response time "
                               "ms us tps qps throughput faults iops io sec wait stall ";

int heading_memory(const struct heading *h) {
  int sized = 0, counted = 0;
  for (size_t i = 0; i < h->n; i++) {
    sized |= !isnan(heading_unit_mib(h->word[i])) && (strlen(h->word[i]) > 1 || (i + 1 == h->n && heading_has(h, "size")));
    counted |= is_count(h->word[i]);
  }
  int score = sized || heading_has(h, "size") ? 1 : 0;
  if (has_any(h, " memory mem ram "))
    score = 6;
  else if (has_any(h, " pool cache sga pga buffer bufferpool buffers pages wiredtiger bp dbcache "))
    score = 3;
  if (score == 0 || has_any(h, measured))
    return 0;
  return score + (sized ? 3 : counted ? 1 : 0);
}

/* ---- metrics ---- */

/* The word that names a percentile ("p95", "p99.9"), or NULL. */
static const char *percentile(const struct heading *h) {
  for (size_t i = 0; i < h->n; i++) {
    size_t digits = strspn(h->word[i] + 1, "0123456789.");
    if (h->word[i][0] == 'p' && digits >= 2 && h->word[i][1 + digits] == '\0')
      return h->word[i];
  }
  return NULL;
}

/* "sec/read", "ms per op": a time for something; its index, or -1. */
static int time_for(const struct heading *h) {
  static const char things[] = " read write transfer io op operation request query transaction txn tx call ";
  for (size_t i = 0; i + 1 < h->n; i++) {
    size_t next = i + 1 + (strcmp(h->word[i + 1], "per") == 0 && i + 2 < h->n);
    char padded[sizeof h->word[0] + 2];
    snprintf(padded, sizeof padded, " %s ", h->word[next]);
    int rate = i > 0 && !isnan(heading_unit_mib(h->word[i - 1])); /* MB/s read */
    if (!isnan(points_unit_ms(h->word[i])) && !rate && strstr(things, padded))
      return (int)i;
  }
  return -1;
}

/* Of a span of time "min" is minutes, else it is the least or "a minute" of a rate. */
static int is_span(const struct heading *h) {
  return has_any(h, " time duration elapsed runtime ");
}

const char *heading_time_unit(const struct heading *h) {
  int at = time_for(h);
  if (at >= 0)
    return h->word[at];
  for (size_t i = h->n; i-- > 0;)
    if (!isnan(points_unit_ms(h->word[i])) && (strcmp(h->word[i], "min") != 0 || is_span(h)))
      return h->word[i];
  return "";
}

static int per_time(const struct heading *h) {
  return has_any(h, " per s sec second min minute ");
}

int heading_is_hits(const struct heading *h) {
  return has_any(h, " hit hits hitrate hitratio ") || (heading_has(h, "life") && heading_has(h, "expectancy"));
}

enum quantity heading_quantity(const struct heading *h) {
  int timed = heading_has(h, "time") && has_any(h, " run elapsed ");
  if (has_any(h, " miss misses missrate "))
    return QUANTITY_READS;
  if (heading_is_hits(h))
    return QUANTITY_THROUGHPUT;
  if (time_for(h) >= 0)
    return QUANTITY_LATENCY;
  if (has_any(h, " request requests req reqs ") && !has_any(h, " read reads write writes ") && !percentile(h) &&
      !has_any(h, " latency lat response time "))
    return per_time(h) ? QUANTITY_THROUGHPUT : QUANTITY_OTHER;
  if (!timed && has_any(h, " uptime write writes written stddev stdev sd se stderr date run seed "))
    return QUANTITY_OTHER;
  if (percentile(h) || has_any(h, " latency lat response resp rt duration elapsed time runtime median wait stall "))
    return QUANTITY_LATENCY;
  if (has_any(h, " request requests "))
    return QUANTITY_OTHER;
  if (has_any(h, " read reads faults phys physical iops io pageins "))
    return QUANTITY_READS;
  if (has_any(h, " throughput tps qps rps eps tpm tpmc tpms tpmtotal nopm notpm opm ops op tx txn txns trx transactions queries commits "
                 "commit orders operations events statements inserts "))
    return QUANTITY_THROUGHPUT;
  return has_any(h, " ms us \xc2\xb5s \xce\xbcs ns msec usec milliseconds microseconds ") ? QUANTITY_LATENCY : QUANTITY_OTHER;
}

int heading_rank(const struct heading *h) {
  const char *p = percentile(h);
  /* "min" is a minute in "per_min". */
  if (has_any(h, " max maximum minimum worst best ") || (heading_has(h, "min") && !heading_has(h, "per") && !is_span(h)))
    return 0;
  switch (heading_quantity(h)) {
  case QUANTITY_LATENCY:
    if (p)
      return strcmp(p, "p95") == 0 ? 1 : strcmp(p, "p99") == 0 ? 2 : strcmp(p, "p90") == 0 ? 3 : 4;
    /* "time" alone may be how long a run took. */
    return has_any(h, " latency lat response resp rt median avg average mean ms us ") ? 5 : 8;
  case QUANTITY_THROUGHPUT: return heading_is_hits(h) ? 10 : has_any(h, " commit commits ") ? 9 : 6;
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
