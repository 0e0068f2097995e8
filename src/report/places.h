/* places: where a label finds room among what is drawn.  All in parts of the plot, 0 to 1 from its left and from its bottom. */
#ifndef RK_REPORT_PLACES_H
#define RK_REPORT_PLACES_H

#include <stddef.h>

/* What is in the way; begin with {0}. */
struct places {
  size_t n;
  struct spot {
    double x, y;
  } *spot;
};

/* A marker, a stroke between two points; one that is no number is left out. */
void places_add(struct places *, double x, double y);
void places_add_line(struct places *, double x0, double y0, double x1, double y1);

/* The best place for a text of that width at a horizontal line: its right end and its middle, right before left, above the line before
 * below; where all are taken, one with the least in its way.  The text then is in the way of the next. */
struct spot places_take(struct places *, double width, double line_y);

void places_free(struct places *);

#endif
