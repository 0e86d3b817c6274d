/* SPDX-License-Identifier: Apache-2.0 */
/* Captures a sequence of launches into a graph, and launches it as one access of everything it touches. */
#include "graph.h"
#include "check/check.h"
#include "order.h"
#include "stream.h"

#include <stdlib.h>

enum { ACCESSES_A_BUFFER = 32 }; /* more distinct views of one buffer count as one view around them all */

typedef struct capture_member {
    grt_stream *stream;
    grt_lane outside; /* its lane while the capture's is in use */
} capture_member;

typedef struct capture_buffer {
    grt_buffer *buffer;
    grt_track track;
    uint32_t accesses;
} capture_buffer;

typedef struct capture_access {
    grt_view view;
    grt_mode mode;
} capture_access;

struct grt_capture {
    grt_device *device;
    capture_member *members; /* the first is the origin */
    size_t member_count;
    capture_buffer *buffers;
    size_t buffer_count;
    capture_access *accesses;
    size_t access_count;
    grt_status broken; /* what the end will fail with */
};

struct grt_graph {
    grt_device *device;
    void *native;
    capture_access *accesses;
    size_t access_count;
    grt_buffer **buffers;
    size_t buffer_count;
};

/* Room for one more element in a list that grows by doubling at powers of two. */
static void *list_grow(void *list, size_t count, size_t element_size)
{
    if (count & (count - 1) || (count == 0 && list))
        return list;
    void *grown = realloc(list, (count ? 2 * count : 1) * element_size);
    if (!grown)
        grt_error_note("no memory for a capture");
    return grown;
}

/* ---- Accesses ---- */

static capture_buffer *capture_find(grt_capture *capture, const grt_buffer *buffer)
{
    for (size_t i = capture->buffer_count; i > 0; i--)
        if (capture->buffers[i - 1].buffer == buffer)
            return &capture->buffers[i - 1];
    return NULL;
}

grt_status grt_capture_track(grt_capture *capture, grt_buffer *buffer, grt_track **out_track)
{
    capture_buffer *entry = capture_find(capture, buffer);
    if (!entry) {
        capture_buffer *grown = list_grow(capture->buffers, capture->buffer_count, sizeof(*grown));
        if (!grown)
            return GRT_OUT_OF_MEMORY;
        capture->buffers = grown;
        entry = &grown[capture->buffer_count++];
        entry->buffer = buffer;
        entry->accesses = 0;
        grt_track_init(&entry->track, buffer->size);
        buffer->holders++;
    }
    *out_track = &entry->track;
    return GRT_OK;
}

static grt_view view_around(grt_view a, grt_view b)
{
    size_t begin = a.offset < b.offset ? a.offset : b.offset;
    size_t a_end = a.offset + a.size, b_end = b.offset + b.size;
    return (grt_view){a.buffer, begin, (a_end > b_end ? a_end : b_end) - begin};
}

static bool view_within(grt_view inner, grt_view outer)
{
    return inner.buffer == outer.buffer && inner.offset >= outer.offset &&
           inner.offset + inner.size <= outer.offset + outer.size;
}

/* True when a noted access already says at least this much; a buffer with too many notes gets one around all.
 */
static bool access_known(grt_capture *capture, grt_view view, grt_mode mode, bool widen)
{
    for (size_t i = 0; i < capture->access_count; i++) {
        capture_access *known = &capture->accesses[i];
        if (view_within(view, known->view) && (known->mode != GRT_MODE_READ || mode == GRT_MODE_READ))
            return true;
        if (widen && known->view.buffer == view.buffer && known->mode != GRT_MODE_READ) {
            known->view = view_around(known->view, view);
            return true;
        }
    }
    return false;
}

grt_status grt_capture_note(grt_capture *capture, grt_view view, grt_mode mode)
{
    capture_buffer *entry = capture_find(capture, view.buffer);
    bool widen = entry->accesses >= ACCESSES_A_BUFFER;
    if (access_known(capture, view, mode, widen))
        return GRT_OK;
    capture_access *grown = list_grow(capture->accesses, capture->access_count, sizeof(*grown));
    if (!grown)
        return GRT_OUT_OF_MEMORY;
    capture->accesses = grown;
    grown[capture->access_count++] = (capture_access){view, widen ? GRT_MODE_UPDATE : mode};
    entry->accesses++;
    return GRT_OK;
}

void grt_capture_break(grt_capture *capture, grt_status status)
{
    capture->broken = status;
}

/* ---- Begin, join, end ---- */

/* Swaps the stream's lane for one inside the capture. Its outside work gets its event now: none can be
 * recorded outside while the stream is captured. */
static grt_status capture_enter(grt_capture *capture, grt_stream *stream)
{
    grt_timeline *outside = stream->lane.timeline, *inside;
    capture_member *grown = list_grow(capture->members, capture->member_count, sizeof(*grown));
    if (!grown)
        return GRT_OUT_OF_MEMORY;
    capture->members = grown;
    grt_status status = outside->recorded < outside->issued ? grt_timeline_record(outside) : GRT_OK;
    if (status == GRT_OK)
        status = grt_timeline_open(capture->device, stream->native, &inside);
    if (status != GRT_OK)
        return status;
    outside->open = false;
    grown[capture->member_count++] = (capture_member){stream, stream->lane};
    stream->lane = (grt_lane){.timeline = inside};
    stream->capture = capture;
    return GRT_OK;
}

static void capture_leave(capture_member *member)
{
    grt_stream *stream = member->stream;
    grt_timeline_discard(stream->lane.timeline);
    grt_lane_end(&stream->lane);
    stream->lane = member->outside;
    stream->lane.timeline->open = true;
    stream->capture = NULL;
}

static void capture_free(grt_capture *capture)
{
    for (size_t i = 0; i < capture->member_count; i++)
        capture_leave(&capture->members[i]);
    for (size_t i = 0; i < capture->buffer_count; i++) {
        capture->buffers[i].buffer->holders--;
        grt_track_clear(&capture->buffers[i].track);
    }
    free(capture->members);
    free(capture->buffers);
    free(capture->accesses);
    free(capture);
}

grt_status grt_capture_join(grt_stream *member, grt_stream *stream)
{
    if (stream->guards > 0)
        return grt_fail(GRT_GUARD_HELD, "%u guards on the stream are not released", stream->guards);
    if (stream->device != member->device)
        return grt_fail(GRT_UNSUPPORTED, "a capture holds streams of one device");
    return capture_enter(member->capture, stream);
}

static grt_status capture_begin_locked(grt_stream *stream)
{
    grt_device *device = stream->device;
    if (stream->capture)
        return grt_fail(GRT_CAPTURE_FORBIDDEN, "the stream is being captured already");
    if (stream->guards > 0)
        return grt_fail(GRT_GUARD_HELD, "%u guards on the stream are not released", stream->guards);
    grt_capture *capture = calloc(1, sizeof(*capture));
    if (!capture)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a capture");
    capture->device = device;
    grt_status status = capture_enter(capture, stream);
    if (status == GRT_OK)
        status = device->ops->capture(device->driver, stream->native, NULL);
    if (status != GRT_OK)
        capture_free(capture);
    return status;
}

grt_status grt_stream_capture_begin(grt_stream *stream)
{
    if (!stream)
        return grt_fail(GRT_INVALID_ARGUMENT, "stream is NULL");
    grt_device_lock(stream->device);
    grt_status status = capture_begin_locked(stream);
    grt_device_unlock(stream->device);
    return status;
}

/* A capture ends on its origin only, after every stream that joined it. */
static grt_status capture_rejoin(grt_capture *capture)
{
    grt_stream *origin = capture->members[0].stream;
    for (size_t i = 1; i < capture->member_count; i++) {
        grt_timeline *timeline = capture->members[i].stream->lane.timeline;
        timeline->issued++;
        grt_status status = grt_stream_follow(origin, timeline, timeline->issued);
        if (status != GRT_OK)
            return status;
    }
    return GRT_OK;
}

/* The graph takes over the capture's list of accesses and its hold on the buffers. */
static grt_status graph_from_capture(grt_capture *capture, grt_graph **out_graph)
{
    grt_graph *graph = calloc(1, sizeof(*graph));
    grt_buffer **buffers = calloc(capture->buffer_count + 1, sizeof(grt_buffer *));
    if (!graph || !buffers) {
        free(graph);
        free(buffers);
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a graph");
    }
    graph->device = capture->device;
    graph->accesses = capture->accesses;
    graph->access_count = capture->access_count;
    graph->buffers = buffers;
    graph->buffer_count = capture->buffer_count;
    for (size_t i = 0; i < capture->buffer_count; i++) {
        buffers[i] = capture->buffers[i].buffer;
        buffers[i]->holders++;
    }
    capture->accesses = NULL;
    *out_graph = graph;
    return GRT_OK;
}

static void graph_free(grt_graph *graph)
{
    if (!graph)
        return;
    for (size_t i = 0; i < graph->buffer_count; i++)
        graph->buffers[i]->holders--;
    if (graph->native)
        graph->device->ops->object_release(graph->device->driver, GRT_OBJECT_GRAPH, graph->native);
    free(graph->buffers);
    free(graph->accesses);
    free(graph);
}

static grt_status capture_end_locked(grt_stream *stream, grt_graph **out_graph)
{
    grt_capture *capture = stream->capture;
    grt_device *device = stream->device;
    if (!capture || capture->members[0].stream != stream)
        return grt_fail(GRT_INVALID_ARGUMENT, "no capture began on this stream");
    for (size_t i = 0; i < capture->member_count; i++)
        if (capture->members[i].stream->guards > 0)
            return grt_fail(GRT_GUARD_HELD, "a guard acquired inside the capture is not released");
    grt_graph *graph = NULL;
    void *native = NULL;
    grt_status status = capture->broken;
    if (status == GRT_OK)
        status = graph_from_capture(capture, &graph);
    if (status == GRT_OK)
        status = capture_rejoin(capture);
    /* The driver's capture ends whatever happened: the stream must be usable again. */
    grt_status ended = device->ops->capture(device->driver, stream->native, &native);
    status = status != GRT_OK ? status : ended;
    capture_free(capture);
    if (graph)
        graph->native = native;
    else if (native)
        device->ops->object_release(device->driver, GRT_OBJECT_GRAPH, native);
    if (status != GRT_OK) {
        graph_free(graph);
        return status;
    }
    device->objects++;
    *out_graph = graph;
    return GRT_OK;
}

grt_status grt_stream_capture_end(grt_stream *stream, grt_graph **out_graph)
{
    if (!stream || !out_graph)
        return grt_fail(GRT_INVALID_ARGUMENT, "stream or out_graph is NULL");
    grt_device_lock(stream->device);
    grt_status status = capture_end_locked(stream, out_graph);
    grt_device_unlock(stream->device);
    return status;
}

/* ---- Launch ---- */

static grt_status graph_publish(grt_stream *stream, const grt_graph *graph)
{
    grt_status status = grt_stream_advance(stream);
    for (size_t i = 0; i < graph->access_count; i++) {
        grt_status published = grt_order_publish(stream, &graph->accesses[i].view, graph->accesses[i].mode);
        status = status != GRT_OK ? status : published;
    }
    return status;
}

static void graph_poison(const grt_graph *graph)
{
    for (size_t i = 0; i < graph->access_count; i++)
        grt_order_poison(&graph->accesses[i].view, graph->accesses[i].mode);
}

static grt_status graph_launch_locked(const char *site, grt_stream *stream, grt_graph *graph)
{
    grt_device *device = stream->device;
    if (stream->capture)
        return grt_fail(GRT_CAPTURE_FORBIDDEN, "a graph cannot be launched inside a capture");
    for (size_t i = 0; i < graph->access_count; i++) {
        grt_status status = grt_order_begin(stream, &graph->accesses[i].view, graph->accesses[i].mode);
        if (status != GRT_OK)
            return status;
    }
    if (grt_device_checked(device))
        for (size_t i = 0; i < graph->access_count; i++)
            grt_check_access(stream, site, graph->accesses[i].view, graph->accesses[i].mode);
    grt_command command = {.kind = GRT_COMMAND_GRAPH, .graph = graph->native};
    grt_status status = device->ops->submit(device->driver, stream->native, &command);
    if (status == GRT_OK) {
        device->stats.launches++;
        status = graph_publish(stream, graph);
    }
    if (status != GRT_OK)
        graph_poison(graph);
    return status;
}

grt_status grt_graph_launch_at(const char *site, grt_stream *stream, grt_graph *graph)
{
    if (!stream || !graph || stream->device != graph->device)
        return grt_fail(GRT_INVALID_ARGUMENT, "stream or graph is NULL, or of different devices");
    grt_device_lock(stream->device);
    grt_status status = graph_launch_locked(site, stream, graph);
    grt_device_unlock(stream->device);
    return status;
}

grt_status grt_graph_destroy(grt_graph *graph)
{
    if (!graph)
        return GRT_OK;
    grt_device *device = graph->device;
    grt_device_lock(device);
    graph_free(graph);
    device->objects--;
    grt_device_unlock(device);
    return GRT_OK;
}
