/* hdr_text: a histogram in the text format of HdrHistogram's percentile distributions, which its plotters read.
 *
 * A heading; a line for each percentile level, five levels each time the distance to 100 % halves: the largest value (ms) that
 * the level's samples may have, the level, the samples up to there, 1 / (1 - level), which the last line leaves out; then mean,
 * standard deviation, largest value, total, and the histogram's layout. */
#ifndef RK_ANALYSIS_HDR_TEXT_H
#define RK_ANALYSIS_HDR_TEXT_H

#include "analysis/hist.h"
#include "base/text.h"

/* Add the text; an empty histogram gives heading and footer with zeroes. */
void hdr_text(struct text *, const struct hist *);

#endif
