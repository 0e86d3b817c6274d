/* SPDX-License-Identifier: Apache-2.0 */
/* Checksums of device memory, to see whether work that may only read has written. */
#ifndef GRT_CHECK_CONTENTS_H
#define GRT_CHECK_CONTENTS_H

#include "../buffer.h"

/* Waits for the stream and sums the view's bytes. Never 0, which means: not summed (too large, inside a
 * capture, or the driver failed). Views of at most GUARDRT_CHECK_BYTES (default 16 MiB) are summed. */
uint64_t grt_contents_sum(grt_stream *stream, grt_view view);

#endif
