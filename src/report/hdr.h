/* hdr: the latencies of each measured step as HdrHistogram's percentile text, which its plotters read. */
#ifndef RK_REPORT_HDR_H
#define RK_REPORT_HDR_H

#include "report/account.h"

/* hdr/STEP-response.hgrm and hdr/STEP-service.hgrm in `folder`, for each step with a measured phase that has any; comment lines below the
 * footer tell the sandbox's label and from which percentile on fewer than ten samples are left.  Files there of steps that are no more are
 * removed. */
int hdr_write(const struct account *, const char *folder, struct cause *);

#endif
