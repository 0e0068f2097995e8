#include "config.h"

#include "analysis/knee.h"

#include <math.h>

#define SCALE_MIN 0.35 /* octaves */
#define SCALE_MAX 1.0  /* one halving: the unit that planners think in */
#define SCALE_STEP 1.1
#define GAPS 1.5       /* of the mean gap beside the corner */
#define SURE 4.0       /* standard errors */
#define FEWER_THAN 0.5 /* the last halving cost at most this share of what the next one costs */

/* Slopes (loss for one octave) over `scale` octaves below and above step b, cut where the curve ends.  Where it ends within half
 * the scale below, the loss is still divided by half the scale: a steep last bit must not be blown up. */
struct sides {
  double below, above, se;
};

static double variance_at(const struct curve *c, double x) {
  size_t last = c->n - 1;
  if (x <= c->x[0])
    return c->se[0] * c->se[0];
  if (x >= c->x[last])
    return c->se[last] * c->se[last];
  size_t i = 0;
  while (c->x[i + 1] < x)
    i++;
  double w = (x - c->x[i]) / (c->x[i + 1] - c->x[i]);
  double a = c->se[i] * (1 - w), b = c->se[i + 1] * w;
  return a * a + b * b;
}

static struct sides sides_at(const struct curve *c, const double *g, size_t b, double scale) {
  double x = c->x[b], low = fmin(scale, x - c->x[0]), high = fmin(scale, c->x[c->n - 1] - x);
  double width = fmax(low, scale / 2);
  struct sides s = {
      .below = (curve_at(c, g, x - low) - g[b]) / width,
      .above = (g[b] - curve_at(c, g, x + high)) / high,
  };
  double at = c->se[b] * (1 / width + 1 / high);
  s.se = sqrt(variance_at(c, x - low) / (width * width) + variance_at(c, x + high) / (high * high) + at * at);
  return s;
}

static int is_knee(const struct curve *c, const double *g, size_t b, double least, double scale) {
  struct sides s = sides_at(c, g, b, scale);
  return s.below > least && s.above <= FEWER_THAN * s.below;
}

/* The step with the greatest turn at this scale among those that are knees; 0 when there is none. */
static size_t sharpest(const struct curve *c, const double *g, double least, double scale) {
  size_t best = 0;
  double turn = 0;
  for (size_t b = 1; b + 1 < c->n; b++) {
    struct sides s = sides_at(c, g, b, scale);
    if (s.below - s.above > turn && is_knee(c, g, b, least, SCALE_MAX)) {
      turn = s.below - s.above;
      best = b;
    }
  }
  return best;
}

static struct corner corner_at(const struct curve *c, const double *g, size_t b, double scale) {
  struct sides s = sides_at(c, g, b, scale), halving = sides_at(c, g, b, SCALE_MAX);
  return (struct corner){b, s.below - s.above, s.se, scale, halving.above, halving.below};
}

/* Between two knees the curve must flatten again on the way down: somewhere its turn is the other way. */
static int flattens_between(const struct curve *c, const double *g, size_t a, size_t b, double scale) {
  for (size_t i = (a < b ? a : b) + 1; i < (a < b ? b : a); i++) {
    struct sides s = sides_at(c, g, i, scale);
    if (s.below < s.above)
      return 1;
  }
  return 0;
}

static struct corner second_knee(const struct curve *c, const double *g, double least, const struct corner *first) {
  struct corner best = {0};
  for (size_t b = 1; b + 1 < c->n; b++) {
    if (fabs(c->x[b] - c->x[first->b]) < 1 || !is_knee(c, g, b, least, first->scale))
      continue;
    struct corner k = corner_at(c, g, b, first->scale);
    if (k.turn > best.turn && flattens_between(c, g, b, first->b, first->scale))
      best = k;
  }
  return best;
}

void knee_find(const struct curve *c, const double *g, double least, struct corner *first, struct corner *second) {
  *first = *second = (struct corner){0};
  if (c->n < 3)
    return;
  for (double scale = SCALE_MIN;; scale = fmin(scale * SCALE_STEP, SCALE_MAX)) {
    size_t b = sharpest(c, g, least, scale);
    if (b) {
      *first = corner_at(c, g, b, scale);
      double gap = (c->x[b + 1] - c->x[b - 1]) / 2;
      if (scale >= GAPS * gap && first->turn >= SURE * first->turn_se)
        break;
    }
    if (scale >= SCALE_MAX)
      break;
  }
  if (first->b)
    *second = second_knee(c, g, least, first);
}
