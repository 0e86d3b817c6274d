/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: made, wrapped, ordered after each other, ended with work pending. */
#include "stream.h"
#include "check/check.h"
#include "graph.h"

#include <stdlib.h>

/* ---- Lanes ---- */

void grt_lane_note_wait(grt_lane *lane, uint32_t slot, uint64_t number)
{
    if (GRT_UNLIKELY(slot >= lane->waited_count)) {
        uint64_t *grown = realloc(lane->waited, (slot + 8u) * sizeof(*grown));
        if (!grown)
            return;
        for (uint32_t i = lane->waited_count; i < slot + 8u; i++)
            grown[i] = 0;
        lane->waited = grown;
        lane->waited_count = slot + 8u;
    }
    lane->waited[slot] = number;
}

void grt_lane_end(grt_lane *lane)
{
    free(lane->waited);
    *lane = (grt_lane){0};
}

GRT_HOT grt_status grt_stream_follow(grt_stream *stream, grt_timeline *timeline, uint64_t number)
{
    grt_device *device = stream->device;
    if (grt_lane_has(&stream->lane, timeline, number)) {
        device->stats.waits_elided += timeline != stream->lane.timeline;
        return GRT_OK;
    }
    grt_event *event;
    grt_status status = grt_timeline_event(timeline, number, &event);
    if (GRT_UNLIKELY(status != GRT_OK))
        return status;
    status = device->ops->event_wait(device->driver, stream->native, event->native);
    if (GRT_UNLIKELY(status != GRT_OK))
        return status;
    device->stats.waits++;
    grt_lane_note_wait(&stream->lane, timeline->slot, event->number);
    if (grt_device_checked(device))
        grt_clock_join(&stream->lane.timeline->clock, &event->clock);
    return GRT_OK;
}

GRT_HOT grt_status grt_stream_advance(grt_stream *stream)
{
    stream->lane.timeline->issued++;
    if (grt_device_domain(stream->device)->streams < 2 && !stream->capture)
        return GRT_OK; /* nobody else to wait: recorded if that changes */
    return grt_timeline_record(stream->lane.timeline);
}

/* ---- Life ---- */

grt_status grt_stream_make(grt_device *device, const grt_stream_spec *spec, grt_stream **out_stream)
{
    grt_native_stream native;
    grt_stream *stream = grt_object_allocate(sizeof(*stream));
    if (!stream)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a stream");
    grt_status status = device->ops->stream_create(device->driver, spec, &native);
    if (status != GRT_OK) {
        free(stream);
        return status;
    }
    status = grt_timeline_open(device, native.handle, &stream->lane.timeline);
    if (status != GRT_OK) {
        if (!spec->foreign)
            device->ops->object_release(device->driver, GRT_OBJECT_STREAM, native.handle);
        free(stream);
        return status;
    }
    stream->device = device;
    stream->native = native.handle;
    stream->id = native.id;
    stream->foreign = spec->foreign;
    stream->handles = 1;
    *out_stream = stream;
    return GRT_OK;
}

void grt_stream_end(grt_stream *stream)
{
    grt_device *device = stream->device;
    grt_timeline_retire(stream->lane.timeline);
    grt_lane_end(&stream->lane);
    if (!stream->foreign)
        device->ops->object_release(device->driver, GRT_OBJECT_STREAM, stream->native);
    free(stream);
}

static void stream_list(grt_stream *stream)
{
    grt_device *device = stream->device;
    stream->next = device->streams;
    device->streams = stream;
    device->objects++;
    grt_device_domain(device)->streams++;
}

static void stream_unlist(grt_stream *stream)
{
    grt_device *device = stream->device;
    grt_stream **link = &device->streams;
    while (*link != stream)
        link = &(*link)->next;
    *link = stream->next;
    device->objects--;
    grt_device_domain(device)->streams--;
}

grt_status grt_stream_create(grt_device *device, int priority, grt_stream **out_stream)
{
    if (!device || !out_stream)
        return grt_fail(GRT_INVALID_ARGUMENT, "device or out_stream is NULL");
    grt_stream *stream;
    grt_stream_spec spec = {.priority = priority};
    grt_device_lock(device);
    grt_status status = grt_stream_make(device, &spec, &stream);
    if (status == GRT_OK) {
        stream_list(stream);
        *out_stream = stream;
    }
    grt_device_unlock(device);
    return status;
}

static grt_stream *stream_with_id(grt_device *device, uint64_t id)
{
    for (grt_stream *stream = device->streams; stream; stream = stream->next)
        if (stream->id == id)
            return stream;
    return NULL;
}

/* Two objects for one native stream would wait for each other, so a second wrap finds the first. */
static grt_status stream_wrap_locked(grt_device *device, void *native, grt_stream **out_stream)
{
    grt_stream_spec spec = {.foreign = true, .native = native};
    grt_native_stream found;
    grt_status status = device->ops->stream_create(device->driver, &spec, &found);
    if (status != GRT_OK)
        return status;
    grt_stream *known = stream_with_id(device, found.id);
    if (known) {
        known->handles++;
        *out_stream = known;
        return GRT_OK;
    }
    status = grt_stream_make(device, &spec, out_stream);
    if (status == GRT_OK)
        stream_list(*out_stream);
    return status;
}

grt_status grt_stream_wrap(grt_device *device, void *native, grt_stream **out_stream)
{
    if (!device || !out_stream)
        return grt_fail(GRT_INVALID_ARGUMENT, "device or out_stream is NULL");
    if (!(device->capabilities & GRT_CAP_WRAP_STREAM))
        return grt_fail(GRT_UNSUPPORTED, "the %s backend has no foreign streams", device->ops->name);
    grt_device_lock(device);
    grt_stream *stream;
    grt_status status = stream_wrap_locked(device, native, &stream);
    if (status == GRT_OK)
        *out_stream = stream;
    grt_device_unlock(device);
    return status;
}

static grt_status stream_destroy_locked(grt_stream *stream)
{
    if (stream->handles > 1) {
        stream->handles--;
        return GRT_OK;
    }
    if (stream->guards > 0)
        return grt_fail(GRT_GUARD_HELD, "%u guards on the stream are not released", stream->guards);
    if (stream->capture)
        return grt_fail(GRT_CAPTURE_FORBIDDEN, "the stream is being captured");
    stream_unlist(stream);
    grt_stream_end(stream);
    return GRT_OK;
}

grt_status grt_stream_destroy(grt_stream *stream)
{
    if (!stream)
        return GRT_OK;
    grt_device *device = stream->device;
    grt_device_lock(device);
    grt_status status = stream_destroy_locked(stream);
    grt_device_unlock(device);
    return status;
}

grt_device *grt_stream_device(const grt_stream *stream)
{
    return stream->device;
}

void *grt_stream_native(const grt_stream *stream)
{
    return stream->native;
}

/* ---- Waiting ---- */

static grt_status stream_finish(grt_stream *stream, bool block)
{
    if (!stream)
        return grt_fail(GRT_INVALID_ARGUMENT, "stream is NULL");
    grt_device *device = stream->device;
    grt_device_lock(device);
    grt_timeline *timeline = stream->lane.timeline;
    uint64_t issued = timeline->issued;
    bool captured = stream->capture != NULL;
    device->stats.queries++;
    grt_device_unlock(device);
    if (captured)
        return grt_fail(GRT_CAPTURE_FORBIDDEN, "a stream that is being captured runs nothing to wait for");
    grt_status status = device->ops->stream_finish(device->driver, stream->native, block);
    if (status != GRT_OK)
        return status;
    grt_device_lock(device);
    grt_timeline_complete(timeline, issued);
    if (grt_device_checked(device))
        grt_check_host_follows(stream);
    grt_device_unlock(device);
    return GRT_OK;
}

grt_status grt_stream_synchronize(grt_stream *stream)
{
    return stream_finish(stream, true);
}

grt_status grt_stream_query(grt_stream *stream)
{
    return stream_finish(stream, false);
}

static grt_status stream_wait_locked(grt_stream *stream, grt_stream *other)
{
    if (stream->capture != other->capture) {
        if (stream->capture)
            return grt_fail(GRT_CAPTURE_ISOLATION, "the stream waited for is not part of the capture");
        grt_status status = grt_capture_join(other, stream);
        if (status != GRT_OK)
            return status;
    }
    /* Foreign work may have been enqueued since the last number: only a new number covers it. */
    other->lane.timeline->issued++;
    return grt_stream_follow(stream, other->lane.timeline, other->lane.timeline->issued);
}

grt_status grt_stream_wait(grt_stream *stream, grt_stream *other)
{
    if (!stream || !other)
        return grt_fail(GRT_INVALID_ARGUMENT, "a stream is NULL");
    grt_status status = GRT_OK;
    if (stream->device != other->device)
        status = grt_device_join(stream->device, other->device);
    if (status != GRT_OK || stream == other)
        return status;
    grt_device_lock(stream->device);
    status = stream_wait_locked(stream, other);
    grt_device_unlock(stream->device);
    return status;
}

grt_status grt_stream_call(grt_stream *stream, void (*function)(void *user), void *user)
{
    if (!stream || !function)
        return grt_fail(GRT_INVALID_ARGUMENT, "stream or function is NULL");
    grt_device *device = stream->device;
    grt_command command = {.kind = GRT_COMMAND_CALL, .function = function, .user = user};
    grt_device_lock(device);
    grt_status status = device->ops->submit(device->driver, stream->native, &command);
    device->stats.copies += status == GRT_OK;
    grt_device_unlock(device);
    return status;
}
