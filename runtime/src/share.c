/* SPDX-License-Identifier: Apache-2.0 */
/* Hands a buffer's outstanding work to another library as one event, and takes its work back the same way. */
#include "guard.h"
#include "order.h"
#include "stream.h"

#include <stdlib.h>

struct grt_export {
    grt_device *device;
    grt_guard *guard; /* keeps conflicting work out while the other library uses the buffer */
    grt_event *event; /* pinned; NULL: nothing to wait for */
    bool write;
};

static grt_mode share_mode(bool write)
{
    return write ? GRT_MODE_UPDATE : GRT_MODE_READ;
}

/* The joiner follows everything the access must follow; one event of it then stands for all. */
static grt_status export_join(grt_buffer *buffer, grt_mode mode, grt_event **out_event)
{
    grt_device *device = buffer->device;
    grt_view view = grt_buffer_view(buffer);
    grt_mark mark;
    *out_event = NULL;
    if (!grt_track_pending(&buffer->track, 0, buffer->size, mode, &mark))
        return GRT_OK;
    grt_status status = grt_device_internal_stream(device, &device->joiner);
    if (status == GRT_OK)
        status = grt_order_begin(device->joiner, &view, mode);
    if (status != GRT_OK)
        return status;
    grt_timeline *timeline = device->joiner->lane.timeline;
    timeline->issued++;
    return grt_timeline_event(timeline, timeline->issued, out_event);
}

static grt_status export_locked(grt_buffer *buffer, grt_export *handed_out)
{
    grt_mode mode = share_mode(handed_out->write);
    grt_view view = grt_buffer_view(buffer);
    if (buffer->attention & GRT_BUFFER_POISONED)
        return grt_fail(GRT_POISONED, "an earlier operation that wrote the buffer failed");
    grt_status status = grt_order_guards(NULL, &view, mode);
    if (status == GRT_OK)
        status = export_join(buffer, mode, &handed_out->event);
    if (status == GRT_OK)
        status = grt_guard_make("(export)", NULL, view, mode, &handed_out->guard);
    if (status != GRT_OK)
        return status;
    if (handed_out->event)
        handed_out->event->pins++;
    buffer->device->objects++;
    return GRT_OK;
}

grt_status grt_buffer_export(grt_buffer *buffer, bool write, grt_export **out_export, void **out_event)
{
    if (!buffer || !out_export || !out_event)
        return grt_fail(GRT_INVALID_ARGUMENT, "an argument is NULL");
    grt_export *handed_out = calloc(1, sizeof(*handed_out));
    if (!handed_out)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for an export");
    handed_out->device = buffer->device;
    handed_out->write = write;
    grt_device_lock(buffer->device);
    grt_status status = export_locked(buffer, handed_out);
    grt_device_unlock(buffer->device);
    if (status != GRT_OK) {
        free(handed_out);
        return status;
    }
    *out_event = handed_out->event ? handed_out->event->native : NULL;
    *out_export = handed_out;
    return GRT_OK;
}

/* The joiner follows the foreign event and stands for the foreign access. It also follows our own conflicting
 * work: a reader's mark promises that. */
static grt_status import_locked(grt_buffer *buffer, bool write, void *event)
{
    grt_device *device = buffer->device;
    grt_view view = grt_buffer_view(buffer);
    grt_status status = grt_device_internal_stream(device, &device->joiner);
    if (status == GRT_OK)
        status = grt_order_begin(device->joiner, &view, share_mode(write));
    if (status == GRT_OK)
        status = device->ops->event_wait(device->driver, device->joiner->native, event);
    if (status != GRT_OK)
        return status;
    device->stats.waits++;
    device->joiner->lane.timeline->issued++;
    return grt_order_publish(device->joiner, &view, share_mode(write));
}

grt_status grt_export_close(grt_export *handed_out, void *event)
{
    if (!handed_out)
        return GRT_OK;
    grt_device *device = handed_out->device;
    grt_buffer *buffer = handed_out->guard->view.buffer;
    grt_device_lock(device);
    grt_guard_end(handed_out->guard, "(export)");
    if (handed_out->event)
        grt_event_unpin(device, handed_out->event);
    grt_status status = event ? import_locked(buffer, handed_out->write, event) : GRT_OK;
    if (status != GRT_OK)
        buffer->attention |=
            GRT_BUFFER_POISONED; /* what the other library does to it can no longer be waited for */
    device->objects--;
    grt_device_unlock(device);
    free(handed_out);
    return status;
}

grt_status grt_buffer_import(grt_buffer *buffer, bool write, void *event)
{
    if (!buffer || !event)
        return grt_fail(GRT_INVALID_ARGUMENT, "buffer or event is NULL");
    grt_device_lock(buffer->device);
    grt_status status = import_locked(buffer, write, event);
    grt_device_unlock(buffer->device);
    return status;
}
