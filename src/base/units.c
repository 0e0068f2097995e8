#include "config.h"

#include "base/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Digits with at most one decimal point: the value as mantissa / 10^scale, so that no locale and no rounding comes in. */
struct decimal {
  uint64_t mantissa;
  int scale;
};

static const char *scan_decimal(const char *s, struct decimal *d) {
  int digits = 0, point = 0;
  d->mantissa = 0;
  d->scale = 0;
  for (; isdigit((unsigned char)*s) || (*s == '.' && !point); s++) {
    if (*s == '.') {
      point = 1;
      continue;
    }
    if (++digits > 18)
      return NULL;
    d->mantissa = d->mantissa * 10 + (uint64_t)(*s - '0');
    d->scale += point;
  }
  if (digits == 0 || s[-1] == '.')
    return NULL;
  return s;
}

static double decimal_value(const struct decimal *d) {
  return (double)d->mantissa / pow(10, d->scale);
}

int size_parse(const char *text, int64_t *bytes, struct cause *c) {
  struct decimal d;
  const char *s = text ? scan_decimal(text, &d) : NULL;
  const char *letters = "KMGT";
  const char *unit = s && *s ? strchr(letters, toupper((unsigned char)*s)) : NULL;
  if (unit) {
    s++;
    if (*s == 'i' && (s[1] == 'B' || s[1] == 'b'))
      s += 2;
    else if (*s == 'B' || *s == 'b')
      s++;
  }
  if (!unit || *s) {
    cause_set(c, STATUS_SETUP, "'%.60s' is not a size", text ? text : "");
    return cause_remedy(c, "write a number and one of K, M, G or T (binary), such as 128G or 512M");
  }
  long double v = (long double)d.mantissa;
  for (int i = 0; i < d.scale; i++)
    v /= 10;
  v *= (long double)(INT64_C(1) << (10 * (int)(unit - letters + 1)));
  if (v < 1 || v > (long double)(INT64_C(1) << 60)) {
    cause_set(c, STATUS_SETUP, "the size '%.60s' is out of range", text);
    return cause_remedy(c, "give a size between 1K and 1048576T");
  }
  *bytes = (int64_t)roundl(v);
  return 0;
}

int duration_parse(const char *text, int64_t *ns, struct cause *c) {
  static const struct {
    const char *name;
    int64_t ns;
  } units[] = {{"ms", NS_PER_MS}, {"s", NS_PER_S}, {"m", 60 * NS_PER_S}, {"min", 60 * NS_PER_S}, {"h", 3600 * NS_PER_S}};
  struct decimal d;
  const char *s = text ? scan_decimal(text, &d) : NULL;
  int64_t unit = 0;
  if (s && !*s && d.mantissa == 0)
    unit = NS_PER_S;
  for (size_t i = 0; s && *s && i < sizeof units / sizeof *units; i++)
    if (strcmp(s, units[i].name) == 0)
      unit = units[i].ns;
  if (!unit) {
    cause_set(c, STATUS_SETUP, "'%.60s' is not a duration", text ? text : "");
    return cause_remedy(c, "write a number and ms, s, m or h, such as 90s or 5m");
  }
  double v = decimal_value(&d) * (double)unit;
  if (v > 366.0 * 24 * 3600 * 1e9) {
    cause_set(c, STATUS_SETUP, "the duration '%.60s' is longer than a year", text);
    return cause_remedy(c, "give a shorter one");
  }
  *ns = llround(v);
  return 0;
}

int int_parse(const char *text, const char *what, int64_t min, int64_t max, int64_t *value, struct cause *c) {
  const char *s = text ? text : "";
  int neg = *s == '-';
  s += neg;
  uint64_t v = 0;
  int n = 0;
  for (; isdigit((unsigned char)*s) && n < 19; s++, n++)
    v = v * 10 + (uint64_t)(*s - '0');
  int64_t sv = neg ? -(int64_t)v : (int64_t)v;
  if (n == 0 || *s || v > INT64_MAX || sv < min || sv > max) {
    cause_set(c, STATUS_SETUP, "%s cannot be '%.60s'", what, text ? text : "");
    return cause_remedy(c, "give a whole number from %" PRId64 " to %" PRId64, min, max);
  }
  *value = sv;
  return 0;
}

int real_parse(const char *text, const char *what, double min, double max, double *value, struct cause *c) {
  const char *s = text ? text : "";
  int neg = *s == '-';
  struct decimal d;
  const char *end = scan_decimal(s + neg, &d);
  double v = end ? decimal_value(&d) : NAN;
  if (neg)
    v = -v;
  if (!end || *end || !(v >= min && v <= max)) {
    cause_set(c, STATUS_SETUP, "%s cannot be '%.60s'", what, text ? text : "");
    return cause_remedy(c, "give a number from %.7g to %.7g", min, max);
  }
  *value = v;
  return 0;
}

int share_parse(const char *text, const char *what, double min, double max, double *value, struct cause *c) {
  char number[40];
  size_t n = text ? strlen(text) : 0;
  int percent = n > 0 && text[n - 1] == '%';
  double v = NAN;
  if (n > 0 && n < sizeof number) {
    memcpy(number, text, n);
    number[n - (size_t)percent] = '\0';
    if (real_parse(number, what, 0, 1e6, &v, NULL) != 0)
      v = NAN;
  }
  v /= percent ? 100 : 1;
  if (!(v >= min && v <= max)) {
    cause_set(c, STATUS_SETUP, "%s cannot be '%.60s'", what, text ? text : "");
    return cause_remedy(c, "give a share from %g%% to %g%%", 100 * min, 100 * max);
  }
  *value = v;
  return 0;
}

static const struct {
  int64_t bytes;
  const char *name;
  char key;
} steps[] = {{1024 * GIB, "TB", 'T'}, {GIB, "GB", 'G'}, {MIB, "MB", 'M'}, {KIB, "KB", 'K'}};

char *size_text(int64_t bytes, char *buf, size_t size) {
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    /* Planners compare gigabytes: 1,536 GB says more than 1.5 TB. */
    if (steps[i].key == 'T' && bytes < 8 * 1024 * GIB)
      continue;
    if (bytes >= steps[i].bytes) {
      double v = (double)bytes / (double)steps[i].bytes;
      snprintf(buf, size, bytes % steps[i].bytes == 0 || v >= 100 ? "%.0f %s" : "%.1f %s", v, steps[i].name);
      return buf;
    }
  }
  snprintf(buf, size, "%" PRId64 " bytes", bytes);
  return buf;
}

char *size_key(int64_t bytes, char *buf, size_t size) {
  for (size_t i = 1; i < sizeof steps / sizeof *steps; i++)
    if (bytes % steps[i].bytes == 0) {
      snprintf(buf, size, "%" PRId64 "%c", bytes / steps[i].bytes, steps[i].key);
      return buf;
    }
  snprintf(buf, size, "%.3fK", (double)bytes / 1024);
  return buf;
}

char *duration_text(int64_t ns, char *buf, size_t size) {
  int64_t s = (ns + NS_PER_S / 2) / NS_PER_S, tenths_s = (ns + NS_PER_S / 20) / (NS_PER_S / 10), ms = (ns + NS_PER_MS / 2) / NS_PER_MS,
          tenths_ms = (ns + NS_PER_MS / 20) / (NS_PER_MS / 10);
  if (tenths_ms < 100 && tenths_ms % 10)
    snprintf(buf, size, "%" PRId64 ".%" PRId64 " ms", tenths_ms / 10, tenths_ms % 10);
  else if (ms < 1000)
    snprintf(buf, size, "%" PRId64 " ms", ms);
  else if (tenths_s < 100 && tenths_s % 10)
    snprintf(buf, size, "%" PRId64 ".%" PRId64 " s", tenths_s / 10, tenths_s % 10);
  else if (s < 120)
    snprintf(buf, size, "%" PRId64 " s", s);
  else if (s < 3600)
    snprintf(buf, size, s % 60 ? "%" PRId64 " min %02" PRId64 " s" : "%" PRId64 " min", s / 60, s % 60);
  else
    snprintf(buf, size, "%" PRId64 " h %02" PRId64 " min", s / 3600, s % 3600 / 60);
  return buf;
}

char *count_text(int64_t n, char *buf, size_t size) {
  char digits[24], out[40];
  int len = snprintf(digits, sizeof digits, "%" PRId64, n < 0 ? -n : n);
  size_t o = 0;
  if (n < 0)
    out[o++] = '-';
  for (int i = 0; i < len; i++) {
    if (i && (len - i) % 3 == 0)
      out[o++] = ',';
    out[o++] = digits[i];
  }
  out[o] = '\0';
  snprintf(buf, size, "%s", out);
  return buf;
}
