#include "config.h"

#include "report/places.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

#define EDGE 0.01    /* from the sides of the plot */
#define STRIDE 0.02  /* between two places that are tried, and between the spots of a stroke */
#define HALF 0.026   /* of the height of a text */
#define ABOVE 0.034  /* the text's middle from its line */
#define MARKER_X 0.01 /* half a marker */
#define MARKER_Y 0.018

void places_add(struct places *p, double x, double y) {
  if (!isfinite(x) || !isfinite(y))
    return;
  p->spot = xrealloc(p->spot, p->n + 1, sizeof *p->spot);
  p->spot[p->n++] = (struct spot){x, y};
}

void places_add_line(struct places *p, double x0, double y0, double x1, double y1) {
  double length = hypot(x1 - x0, y1 - y0);
  if (!isfinite(length) || length > 100)
    return;
  int parts = 1 + (int)(length / STRIDE);
  for (int i = 0; i <= parts; i++)
    places_add(p, x0 + (x1 - x0) * i / parts, y0 + (y1 - y0) * i / parts);
}

static size_t in_the_way(const struct places *p, struct spot s, double width) {
  size_t n = 0;
  for (size_t i = 0; i < p->n; i++) {
    const struct spot *o = &p->spot[i];
    n += o->x > s.x - width - MARKER_X && o->x < s.x + MARKER_X && fabs(o->y - s.y) < HALF + MARKER_Y;
  }
  return n;
}

struct spot places_take(struct places *p, double width, double line_y) {
  struct spot best = {1 - EDGE, line_y + ABOVE};
  size_t least = (size_t)-1;
  for (double right = 1 - EDGE; right - width >= EDGE && least > 0; right -= STRIDE)
    for (int below = 0; below < 2 && least > 0; below++) {
      struct spot s = {right, below ? line_y - ABOVE : line_y + ABOVE};
      size_t n = in_the_way(p, s, width);
      if (s.y - HALF < 0 || s.y + HALF > 1 || n >= least)
        continue;
      least = n;
      best = s;
    }
  places_add_line(p, best.x - width, best.y, best.x, best.y);
  return best;
}

void places_free(struct places *p) {
  free(p->spot);
  *p = (struct places){0};
}
