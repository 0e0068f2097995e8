/* b64: bytes as base64 (RFC 4648, section 4: with padding, no line breaks). */
#ifndef RK_REPORT_B64_H
#define RK_REPORT_B64_H

#include "base/text.h"

void b64_add(struct text *, const void *data, size_t size);

#endif
