/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An access, from both ends: before the enqueue the stream is made to follow what conflicts, after it the access is
 * published. Launches, guards, copies and graphs all are begin* - enqueue - advance - publish*. Device locked.
 */
#ifndef GRT_ORDER_H
#define GRT_ORDER_H

#include "buffer.h"

/* Refuses what may not be accessed, and lets the stream wait for conflicting work. */
grt_status grt_order_begin(grt_stream *stream, grt_view view, grt_mode mode);
/* Notes the access under the stream's newest number. Where there is no memory to note it, blocks until the work is
 * over. */
grt_status grt_order_publish(grt_stream *stream, grt_view view, grt_mode mode);
/* The contents are not what the program thinks: later accesses are refused. */
void grt_order_poison(grt_view view, grt_mode mode);
/* GRT_OK unless a live guard for other work overlaps in conflict. `stream` NULL: the host. */
grt_status grt_order_guards(const grt_stream *stream, grt_view view, grt_mode mode);

#endif
