/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers: allocated in stream order, freed after their last use without anyone waiting. */
#include "buffer.h"
#include "check/check.h"
#include "guard.h"
#include "stream.h"

#include <stdlib.h>

enum {
    REAP_PROBES = 4
}; /* unfinished deferred buffers looked at by one call: keeps each call's cost bounded */

/* ---- Making ---- */

static grt_status buffer_new(grt_device *device, const char *site, size_t size, grt_buffer_kind kind,
                             grt_buffer **out_buffer)
{
    _Static_assert(offsetof(grt_buffer, track.first.marks) + sizeof(grt_mark) <= GRT_CACHE_LINE,
                   "what a launch looks at shares a cache line");
    grt_buffer *buffer = grt_object_allocate(sizeof(*buffer));
    if (!buffer)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a buffer");
    buffer->device = device;
    buffer->size = size;
    buffer->kind = kind;
    buffer->host_visible = kind == GRT_BUFFER_PINNED || (device->capabilities & GRT_CAP_HOST_MEMORY) != 0;
    buffer->site = site;
    grt_track_init(&buffer->track, size);
    *out_buffer = buffer;
    return GRT_OK;
}

static void buffer_announce(grt_buffer *buffer)
{
    buffer->device->objects++;
    buffer->device->stats.buffers++;
    if (grt_device_checked(buffer->device))
        grt_check_buffer_begin(buffer);
}

static grt_status buffer_allocate(grt_buffer *buffer, grt_stream *stream)
{
    grt_device *device = buffer->device;
    grt_memory_kind kind = stream ? GRT_MEMORY_DEVICE : GRT_MEMORY_PINNED;
    void *native = stream ? stream->native : NULL;
    void *memory;
    grt_buffer_reap(device, false);
    grt_status status = device->ops->memory_allocate(device->driver, kind, native, buffer->size, &memory);
    if (status != GRT_OK)
        return status;
    device->stats.allocations++;
    buffer->memory = memory;
    if (!stream || !(device->capabilities & GRT_CAP_STREAM_ORDERED))
        return GRT_OK;
    /* The allocation is the first write: memory may be reused from work that only this stream follows. */
    status = grt_stream_advance(stream);
    if (status == GRT_OK)
        return grt_track_publish(&buffer->track, 0, buffer->size, GRT_MODE_WRITE, stream->lane.timeline);
    grt_status ignored = device->ops->memory_free(device->driver, kind, native, memory);
    (void)ignored; /* the record's failure is the error to report */
    return status;
}

static grt_status buffer_create_locked(grt_device *device, const char *site, grt_stream *stream, size_t size,
                                       grt_buffer **out_buffer)
{
    if (stream && stream->capture)
        return grt_fail(GRT_CAPTURE_FORBIDDEN, "memory cannot be allocated inside a capture");
    grt_buffer *buffer;
    grt_status status =
        buffer_new(device, site, size, stream ? GRT_BUFFER_DEVICE : GRT_BUFFER_PINNED, &buffer);
    if (status != GRT_OK)
        return status;
    status = buffer_allocate(buffer, stream);
    if (status != GRT_OK) {
        free(buffer);
        return status;
    }
    buffer_announce(buffer);
    *out_buffer = buffer;
    return GRT_OK;
}

grt_status grt_buffer_create_at(const char *site, grt_stream *stream, size_t size, grt_buffer **out_buffer)
{
    if (!stream || size == 0 || !out_buffer)
        return grt_fail(GRT_INVALID_ARGUMENT, "stream or out_buffer is NULL, or size is 0");
    grt_device_lock(stream->device);
    grt_status status = buffer_create_locked(stream->device, site, stream, size, out_buffer);
    grt_device_unlock(stream->device);
    return status;
}

grt_status grt_buffer_create_host_at(const char *site, grt_device *device, size_t size,
                                     grt_buffer **out_buffer)
{
    if (!device || size == 0 || !out_buffer)
        return grt_fail(GRT_INVALID_ARGUMENT, "device or out_buffer is NULL, or size is 0");
    grt_device_lock(device);
    grt_status status = buffer_create_locked(device, site, NULL, size, out_buffer);
    grt_device_unlock(device);
    return status;
}

grt_status grt_buffer_wrap_at(const char *site, grt_device *device, void *memory, size_t size,
                              void (*release)(void *user), void *user, grt_buffer **out_buffer)
{
    if (!device || !memory || size == 0 || !out_buffer)
        return grt_fail(GRT_INVALID_ARGUMENT, "device, memory or out_buffer is NULL, or size is 0");
    grt_buffer *buffer;
    grt_status status = buffer_new(device, site, size, GRT_BUFFER_WRAPPED, &buffer);
    if (status != GRT_OK)
        return status;
    buffer->memory = memory;
    buffer->release = release;
    buffer->user = user;
    grt_device_lock(device);
    buffer_announce(buffer);
    grt_device_unlock(device);
    *out_buffer = buffer;
    return GRT_OK;
}

/* ---- Ending ---- */

static void buffer_forget(grt_buffer *buffer)
{
    grt_track_clear(&buffer->track);
    free(buffer);
}

/* The memory goes now: nothing uses it any more, or `native` is ordered after everything that does. A driver
 * that refuses leaves the buffer as it is. */
static grt_status buffer_end(grt_buffer *buffer, void *native)
{
    grt_device *device = buffer->device;
    grt_memory_kind kind = buffer->kind == GRT_BUFFER_PINNED ? GRT_MEMORY_PINNED : GRT_MEMORY_DEVICE;
    if (buffer->kind != GRT_BUFFER_WRAPPED) {
        grt_status status = device->ops->memory_free(device->driver, kind, native, buffer->memory);
        if (status != GRT_OK && status != GRT_DEVICE_LOST) /* a lost context takes its memory along */
            return status;
        device->stats.frees++;
    } else if (buffer->release) {
        buffer->release(buffer->user);
    }
    buffer_forget(buffer);
    return GRT_OK;
}

static bool buffer_idle(grt_buffer *buffer)
{
    grt_mark mark;
    while (grt_track_pending(&buffer->track, 0, buffer->size, GRT_MODE_WRITE, &mark))
        if (!grt_timeline_poll(mark.timeline, mark.last))
            return false;
    return true;
}

void grt_buffer_reap(grt_device *device, bool all)
{
    grt_buffer **link = &device->deferred;
    for (int probes = 0; *link && (all || probes < REAP_PROBES);) {
        grt_buffer *buffer = *link, *next = buffer->next;
        if ((all || buffer_idle(buffer)) && buffer_end(buffer, NULL) == GRT_OK) {
            *link = next;
            device->stats.deferred_frees--;
            continue;
        }
        link = &buffer->next;
        probes++;
    }
    while (all && device->deferred) { /* what the driver would not take back is the context's to free */
        grt_buffer *buffer = device->deferred;
        device->deferred = buffer->next;
        buffer_forget(buffer);
    }
}

static void buffer_defer(grt_buffer *buffer)
{
    grt_device *device = buffer->device;
    grt_buffer **last = &device->deferred;
    while (*last)
        last = &(*last)->next;
    buffer->next = NULL;
    *last = buffer;
    device->stats.deferred_frees++;
}

/* The only stream with pending work on the buffer, if it is one that can still take the free. */
static grt_timeline *buffer_sole_user(grt_buffer *buffer)
{
    grt_timeline *sole = NULL;
    grt_segment *segments = grt_track_segments(&buffer->track);
    for (uint32_t at = 0; at < buffer->track.count; at++) {
        const grt_mark *marks = grt_segment_marks(&segments[at]);
        for (uint32_t i = 0; i < segments[at].count; i++) {
            if (marks[i].last <= marks[i].timeline->completed)
                continue;
            if (sole && sole != marks[i].timeline)
                return NULL;
            sole = marks[i].timeline;
        }
    }
    return sole && sole->open && sole->device == buffer->device ? sole : NULL;
}

static grt_status reaper_follow(grt_stream *reaper, grt_buffer *buffer)
{
    grt_segment *segments = grt_track_segments(&buffer->track);
    for (uint32_t at = 0; at < buffer->track.count; at++) {
        const grt_mark *marks = grt_segment_marks(&segments[at]);
        for (uint32_t i = 0; i < segments[at].count; i++) {
            grt_status status = grt_stream_follow(reaper, marks[i].timeline, marks[i].last);
            if (status != GRT_OK)
                return status;
        }
    }
    return GRT_OK;
}

/* Frees in the order of a stream that follows every use; where that fails, when the work is seen to be over.
 */
static void buffer_free_ordered(grt_buffer *buffer)
{
    grt_device *device = buffer->device;
    grt_timeline *sole = buffer_sole_user(buffer);
    grt_status status;
    if (sole) {
        status = buffer_end(buffer, sole->native);
    } else {
        status = grt_device_internal_stream(device, &device->reaper);
        if (status == GRT_OK)
            status = reaper_follow(device->reaper, buffer);
        if (status == GRT_OK)
            status = buffer_end(buffer, device->reaper->native);
    }
    if (status != GRT_OK)
        buffer_defer(buffer);
}

static grt_status buffer_destroy_locked(grt_buffer *buffer, const char *site)
{
    grt_device *device = buffer->device;
    if (buffer->guards)
        return grt_fail(GRT_GUARD_HELD, "a guard on the buffer, acquired at %s, is not released",
                        buffer->guards->site ? buffer->guards->site : "?");
    if (buffer->holders > 0)
        return grt_fail(GRT_BUSY, "%u graphs use the buffer", buffer->holders);
    if (grt_device_checked(device))
        grt_check_buffer_end(buffer, site);
    device->objects--;
    device->stats.buffers--;
    if (buffer->kind == GRT_BUFFER_WRAPPED && !buffer->release)
        buffer_forget(buffer);
    else if (buffer->kind == GRT_BUFFER_DEVICE && (device->capabilities & GRT_CAP_STREAM_ORDERED))
        buffer_free_ordered(buffer);
    else
        buffer_defer(buffer);
    grt_buffer_reap(device, false);
    return GRT_OK;
}

grt_status grt_buffer_destroy_at(const char *site, grt_buffer *buffer)
{
    if (!buffer)
        return GRT_OK;
    grt_device *device = buffer->device;
    grt_device_lock(device);
    grt_status status = buffer_destroy_locked(buffer, site);
    grt_device_unlock(device);
    return status;
}

/* ---- Questions ---- */

size_t grt_buffer_size(const grt_buffer *buffer)
{
    return buffer->size;
}

grt_device *grt_buffer_device(const grt_buffer *buffer)
{
    return buffer->device;
}

grt_status grt_buffer_status(const grt_buffer *buffer)
{
    if (!buffer)
        return grt_fail(GRT_INVALID_ARGUMENT, "buffer is NULL");
    grt_device_lock(buffer->device);
    bool poisoned = (buffer->attention & GRT_BUFFER_POISONED) != 0;
    grt_device_unlock(buffer->device);
    return poisoned ? GRT_POISONED : GRT_OK;
}

grt_status grt_buffer_restore(grt_buffer *buffer)
{
    if (!buffer)
        return grt_fail(GRT_INVALID_ARGUMENT, "buffer is NULL");
    grt_device *device = buffer->device;
    grt_status status = GRT_OK;
    grt_mark mark;
    grt_device_lock(device);
    if (buffer->guards)
        status = grt_fail(GRT_GUARD_HELD, "a guard on the buffer is not released");
    while (status == GRT_OK && grt_track_pending(&buffer->track, 0, buffer->size, GRT_MODE_WRITE, &mark))
        status = grt_timeline_block(mark.timeline, mark.last);
    if (status == GRT_OK)
        buffer->attention &= ~(uint32_t)GRT_BUFFER_POISONED;
    grt_device_unlock(device);
    return status;
}

/* ---- Views ---- */

grt_status grt_view_validate(const grt_view *view)
{
    if (!view->buffer)
        return grt_fail(GRT_INVALID_ARGUMENT, "the view has no buffer");
    if (!grt_view_is_inside(view))
        return grt_fail(GRT_OUT_OF_RANGE, "bytes [%zu, +%zu) of a buffer of %zu", view->offset, view->size,
                        view->buffer->size);
    return GRT_OK;
}

grt_view grt_buffer_view(grt_buffer *buffer)
{
    return (grt_view){buffer, 0, buffer->size};
}

grt_status grt_view_slice(grt_view view, size_t offset, size_t size, grt_view *out_view)
{
    if (!out_view)
        return grt_fail(GRT_INVALID_ARGUMENT, "out_view is NULL");
    if (offset > view.size || size > view.size - offset)
        return grt_fail(GRT_OUT_OF_RANGE, "bytes [%zu, +%zu) of a view of %zu", offset, size, view.size);
    *out_view = (grt_view){view.buffer, view.offset + offset, size};
    return GRT_OK;
}

grt_status grt_split(grt_view view, size_t at, grt_view *out_left, grt_view *out_right)
{
    if (!out_left || !out_right)
        return grt_fail(GRT_INVALID_ARGUMENT, "out_left or out_right is NULL");
    if (at == 0 || at >= view.size)
        return grt_fail(GRT_OUT_OF_RANGE, "cannot cut a view of %zu bytes at %zu", view.size, at);
    *out_left = (grt_view){view.buffer, view.offset, at};
    *out_right = (grt_view){view.buffer, view.offset + at, view.size - at};
    return GRT_OK;
}

void *grt_view_address(grt_view view)
{
    return view.buffer ? grt_view_pointer(&view) : NULL;
}
