/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An access, from both ends: before the enqueue the stream is made to follow what conflicts, after it the
 * access is published. Launches, guards, copies and graphs all are begin* - enqueue - advance - publish*.
 * Device locked.
 */
#ifndef GRT_ORDER_H
#define GRT_ORDER_H

#include "buffer.h"

/* Internal: the buffer's device has another lock. The caller joins the two devices and begins again. */
#define GRT_APART ((grt_status) - 1)

/* The general cases of the two functions below. */
grt_status grt_order_begin_any(grt_stream *stream, const grt_view *view, grt_mode mode);
grt_status grt_order_publish_any(grt_stream *stream, const grt_view *view, grt_mode mode);
/* The contents are not what the program thinks: later accesses are refused. */
void grt_order_poison(const grt_view *view, grt_mode mode);
/* GRT_OK unless a live guard for other work overlaps in conflict. `stream` NULL: the host. */
grt_status grt_order_guards(const grt_stream *stream, const grt_view *view, grt_mode mode);

/* The mark of a buffer that is used as a whole and was touched by one stream only, or NULL. */
static inline grt_mark *grt_order_sole_mark(grt_buffer *buffer)
{
    grt_track *track = &buffer->track;
    if (track->capacity != 0 || track->first.count != 1 || track->first.capacity != GRT_SEGMENT_INLINE)
        return NULL;
    return &track->first.marks.inplace[0];
}

/* Refuses what may not be accessed, and lets the stream wait for conflicting work. Inline: what only this
 * stream touched needs nothing, and that is most of what a program does. */
static inline grt_status grt_order_begin(grt_stream *stream, const grt_view *view, grt_mode mode)
{
    grt_buffer *buffer = view->buffer;
    if (GRT_LIKELY(buffer && grt_view_is_inside(view) && !buffer->attention && !stream->capture)) {
        const grt_mark *mark = grt_order_sole_mark(buffer);
        if (GRT_LIKELY(mark && mark->timeline == stream->lane.timeline))
            return GRT_OK;
    }
    return grt_order_begin_any(stream, view, mode);
}

/* Notes the access under the stream's newest number. Where there is no memory to note it, blocks until the
 * work is over. */
static inline grt_status grt_order_publish(grt_stream *stream, const grt_view *view, grt_mode mode)
{
    grt_mark *mark = grt_order_sole_mark(view->buffer);
    grt_timeline *timeline = stream->lane.timeline;
    if (GRT_LIKELY(mark && mark->timeline == timeline && view->size == view->buffer->size &&
                   !stream->capture)) {
        mark->last = timeline->issued;
        if (mode != GRT_MODE_READ)
            mark->wrote = timeline->issued;
        return GRT_OK;
    }
    return grt_order_publish_any(stream, view, mode);
}

#endif
