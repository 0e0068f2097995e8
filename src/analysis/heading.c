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
}

int heading_has(const struct heading *h, const char *word) {
  for (size_t i = 0; i < h->n; i++)
    if (strcmp(h->word[i], word) == 0)
      return 1;
  return 0;
}

static int has_any(const struct heading *h, const char *const *word, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (heading_has(h, word[i]))
      return 1;
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
static const char *const measured[] = {"read",   "reads",  "miss",    "misses",  "hit",    "hits",     "request", "requests",
                                       "write",  "writes", "written", "latency", "lat",    "response", "time",    "ms",
                                       "us",     "tps",    "qps",     "ratio",   "factor", "pct",      "percent", "throughput",
                                       "faults", "iops",   "io",      "sec",     "wait",   "stall"};

int heading_memory(const struct heading *h) {
  static const char *const best[] = {"memory", "mem", "ram"};
  static const char *const good[] = {"pool", "cache", "sga", "pga", "buffer", "bufferpool", "buffers", "pages", "wiredtiger"};
  const char *unit = last_word(h);
  int sized = !isnan(heading_unit_mib(unit)) && strlen(unit) > 1;
  int score = has_any(h, best, COUNT(best)) ? 6 : has_any(h, good, COUNT(good)) ? 3 : 0;
  if (score == 0)
    score = heading_has(h, "size") || sized ? 1 : 0;
  if (score == 0)
    return 0;
  score += sized ? 3 : is_count(unit) ? 1 : 0;
  return has_any(h, measured, COUNT(measured)) ? 0 : score;
}

/* ---- metrics ---- */

static int is_percentile(const char *w) {
  return w[0] == 'p' && isdigit((unsigned char)w[1]) && isdigit((unsigned char)w[2]) &&
         strspn(w + 1, "0123456789") == strlen(w + 1);
}

static const char *percentile(const struct heading *h) {
  for (size_t i = 0; i < h->n; i++)
    if (is_percentile(h->word[i]))
      return h->word[i];
  return NULL;
}

const char *heading_time_unit(const struct heading *h) {
  static const char *const units[] = {"ms",   "us",      "\xc2\xb5s", "\xce\xbcs", "ns",           "s",           "sec",
                                      "secs", "seconds", "msec",      "usec",      "milliseconds", "microseconds"};
  for (size_t i = 0; i < COUNT(units); i++)
    if (strcmp(last_word(h), units[i]) == 0)
      return units[i];
  return "";
}

enum quantity heading_quantity(const struct heading *h) {
  static const char *const other[] = {"uptime", "runtime", "requests", "request", "write", "writes", "written", "stddev",
                                      "stdev",  "sd",      "se",       "stderr",  "date",  "run",    "seed"};
  static const char *const misses[] = {"miss", "misses", "missrate"};
  static const char *const hits[] = {"hit", "hits", "hitrate", "hitratio"};
  static const char *const speed[] = {"throughput", "tps",          "qps",     "rps",     "tpm",    "tpmc",
                                      "tpms",       "nopm",         "notpm",   "opm",     "ops",    "tx",
                                      "txn",        "transactions", "queries", "commits", "commit", "orders"};
  static const char *const reads[] = {"read", "reads", "faults", "phys", "physical", "iops", "io", "pageins"};
  static const char *const slow[] = {"latency", "lat",  "response", "resp", "rt",   "duration",
                                     "elapsed", "time", "median",   "wait", "stall"};
  if (has_any(h, misses, COUNT(misses)))
    return QUANTITY_READS;
  if (has_any(h, other, COUNT(other)))
    return QUANTITY_OTHER;
  if (percentile(h) || has_any(h, slow, COUNT(slow)))
    return QUANTITY_LATENCY;
  if (has_any(h, hits, COUNT(hits)))
    return QUANTITY_THROUGHPUT;
  if (has_any(h, reads, COUNT(reads)))
    return QUANTITY_READS;
  if (has_any(h, speed, COUNT(speed)))
    return QUANTITY_THROUGHPUT;
  const char *unit = heading_time_unit(h);
  return *unit && strcmp(unit, "s") != 0 && strcmp(unit, "sec") != 0 ? QUANTITY_LATENCY : QUANTITY_OTHER;
}

int heading_rank(const struct heading *h) {
  static const char *const extreme[] = {"max", "maximum", "min", "minimum", "worst", "best"};
  const char *p = percentile(h);
  if (has_any(h, extreme, COUNT(extreme)))
    return 0;
  switch (heading_quantity(h)) {
  case QUANTITY_LATENCY:
    if (!p)
      return 5;
    return strcmp(p, "p95") == 0 ? 1 : strcmp(p, "p99") == 0 ? 2 : strcmp(p, "p90") == 0 ? 3 : 4;
  case QUANTITY_THROUGHPUT:
    return heading_has(h, "hit") || heading_has(h, "hits") ? 9 : heading_has(h, "commit") || heading_has(h, "commits") ? 8 : 6;
  case QUANTITY_READS: return 7;
  default: return 0;
  }
}

int heading_error_of(const struct heading *h, const struct heading *metric) {
  static const char *const marks[] = {"se",       "stderr", "std", "standard", "error", "err", "pct", "percent",
                                      "relative", "rel",    "of",  "ms",       "us",    "ns",  "s"};
  int named = heading_has(h, "se") || heading_has(h, "stderr") ||
              ((heading_has(h, "standard") || heading_has(h, "std")) && (heading_has(h, "error") || heading_has(h, "err")));
  size_t rest = 0, shared = 0;
  for (size_t i = 0; named && i < h->n; i++) {
    int mark = 0;
    for (size_t k = 0; k < COUNT(marks); k++)
      mark |= strcmp(h->word[i], marks[k]) == 0;
    if (mark)
      continue;
    rest++;
    shared += (size_t)heading_has(metric, h->word[i]);
  }
  return !named || shared < rest ? 0 : rest > 0 ? 2 : 1;
}
