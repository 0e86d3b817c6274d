/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the marks of a buffer into waits, and finished enqueues into marks. */
#include "order.h"
#include "check/check.h"
#include "graph.h"
#include "guard.h"
#include "stream.h"

grt_status grt_order_guards(const grt_stream *stream, const grt_view *view, grt_mode mode)
{
    const struct grt_capture *capture = stream ? stream->capture : NULL;
    for (const grt_guard *guard = view->buffer->guards; guard; guard = guard->next) {
        bool reads_only = guard->mode == GRT_MODE_READ && mode == GRT_MODE_READ;
        bool apart = guard->view.offset >= view->offset + view->size ||
                     view->offset >= guard->view.offset + guard->view.size;
        bool same_stream = stream && guard->stream == stream;
        if (reads_only || apart || same_stream || guard->capture != capture)
            continue;
        return grt_fail(GRT_GUARD_HELD, "a conflicting guard, acquired at %s, is not released",
                        guard->site ? guard->site : "?");
    }
    return GRT_OK;
}

/* Readers were made to follow the writer when they were published, so following them covers it. */
static bool writer_covered(const grt_segment *segment, const grt_mark *marks, grt_mode mode)
{
    return mode != GRT_MODE_READ && segment->count > 1 && !segment->merged && marks[0].wrote == marks[0].last;
}

static grt_status segment_follow(grt_stream *stream, grt_segment *segment, grt_mode mode)
{
    const grt_mark *marks = grt_segment_marks(segment);
    for (uint32_t i = writer_covered(segment, marks, mode); i < segment->count; i++) {
        uint64_t number = mode == GRT_MODE_READ ? marks[i].wrote : marks[i].last;
        if (number == 0 || marks[i].timeline == stream->lane.timeline)
            continue;
        grt_status status = grt_stream_follow(stream, marks[i].timeline, number);
        if (GRT_UNLIKELY(status != GRT_OK))
            return status;
    }
    return GRT_OK;
}

static grt_status track_follow(grt_stream *stream, grt_track *track, const grt_view *view, grt_mode mode)
{
    if (GRT_LIKELY(track->count == 1))
        return segment_follow(stream, grt_track_segments(track), mode);
    grt_segment *segments = grt_track_segments(track);
    size_t end = view->offset + view->size;
    for (uint32_t at = grt_track_find(track, view->offset); at < track->count; at++) {
        grt_status status = segment_follow(stream, &segments[at], mode);
        if (status != GRT_OK || segments[at].end >= end)
            return status;
    }
    return GRT_OK;
}

static grt_status access_track(grt_stream *stream, grt_buffer *buffer, grt_track **out_track)
{
    *out_track = &buffer->track;
    return GRT_LIKELY(!stream->capture) ? GRT_OK : grt_capture_track(stream->capture, buffer, out_track);
}

GRT_HOT grt_status grt_order_begin_any(grt_stream *stream, const grt_view *view, grt_mode mode)
{
    grt_status status = grt_view_validate(view);
    if (GRT_UNLIKELY(status != GRT_OK))
        return status;
    if (GRT_UNLIKELY(grt_device_domain(view->buffer->device) != grt_device_domain(stream->device)))
        return GRT_APART;
    if (GRT_UNLIKELY(view->buffer->attention & GRT_BUFFER_POISONED))
        return grt_fail(GRT_POISONED, "an earlier operation that wrote the buffer failed");
    if (GRT_UNLIKELY(view->buffer->guards)) {
        status = grt_order_guards(stream, view, mode);
        if (status != GRT_OK)
            return status;
    }
    if (GRT_UNLIKELY(view->size == 0))
        return GRT_OK;
    grt_track *track;
    status = access_track(stream, view->buffer, &track);
    return GRT_LIKELY(status == GRT_OK) ? track_follow(stream, track, view, mode) : status;
}

GRT_HOT grt_status grt_order_publish_any(grt_stream *stream, const grt_view *view, grt_mode mode)
{
    if (GRT_UNLIKELY(view->size == 0))
        return GRT_OK;
    grt_track *track;
    grt_status status = access_track(stream, view->buffer, &track);
    if (GRT_LIKELY(status == GRT_OK))
        status =
            grt_track_publish(track, view->offset, view->offset + view->size, mode, stream->lane.timeline);
    if (GRT_UNLIKELY(stream->capture)) {
        if (status == GRT_OK)
            status = grt_capture_note(stream->capture, *view, mode);
        if (status != GRT_OK)
            grt_capture_break(stream->capture, status);
        return status;
    }
    if (GRT_LIKELY(status == GRT_OK))
        return GRT_OK;
    /* Work that is over needs no mark. */
    grt_device *device = stream->device;
    status = device->ops->stream_finish(device->driver, stream->native, true);
    if (status == GRT_OK)
        grt_timeline_complete(stream->lane.timeline, stream->lane.timeline->issued);
    return status;
}

void grt_order_poison(const grt_view *view, grt_mode mode)
{
    if (mode != GRT_MODE_READ)
        view->buffer->attention |= GRT_BUFFER_POISONED;
}
