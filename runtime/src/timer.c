/* SPDX-License-Identifier: Apache-2.0 */
/* Timers: two events that keep time, around work on a stream. */
#include "stream.h"

#include <stdlib.h>

struct grt_timer {
    grt_device *device;
    void *start;
    void *stop;
};

grt_status grt_timer_create(grt_device *device, grt_timer **out_timer)
{
    if (!device || !out_timer)
        return grt_fail(GRT_INVALID_ARGUMENT, "device or out_timer is NULL");
    grt_timer *timer = calloc(1, sizeof(*timer));
    if (!timer)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a timer");
    timer->device = device;
    grt_status status = device->ops->event_create(device->driver, true, &timer->start);
    if (status == GRT_OK)
        status = device->ops->event_create(device->driver, true, &timer->stop);
    if (status == GRT_OK) {
        grt_device_adopt(device);
        *out_timer = timer;
        return GRT_OK;
    }
    if (timer->start)
        device->ops->object_release(device->driver, GRT_OBJECT_EVENT, timer->start);
    free(timer);
    return status;
}

static grt_status timer_record(grt_timer *timer, void *event, grt_stream *stream)
{
    if (!timer || !stream || timer->device != stream->device)
        return grt_fail(GRT_INVALID_ARGUMENT, "timer or stream is NULL, or of different devices");
    grt_device_lock(timer->device);
    grt_status status;
    if (stream->capture)
        status = grt_fail(GRT_CAPTURE_FORBIDDEN, "a captured stream cannot be timed");
    else
        status = timer->device->ops->event_record(timer->device->driver, event, stream->native);
    timer->device->stats.records += status == GRT_OK;
    grt_device_unlock(timer->device);
    return status;
}

grt_status grt_timer_start(grt_timer *timer, grt_stream *stream)
{
    return timer_record(timer, timer ? timer->start : NULL, stream);
}

grt_status grt_timer_stop(grt_timer *timer, grt_stream *stream)
{
    return timer_record(timer, timer ? timer->stop : NULL, stream);
}

grt_status grt_timer_read(grt_timer *timer, double *out_seconds)
{
    if (!timer || !out_seconds)
        return grt_fail(GRT_INVALID_ARGUMENT, "timer or out_seconds is NULL");
    grt_device *device = timer->device;
    grt_status status = device->ops->event_finish(device->driver, timer->stop, true);
    if (status != GRT_OK)
        return status;
    return device->ops->event_elapsed(device->driver, timer->start, timer->stop, out_seconds);
}

grt_status grt_timer_destroy(grt_timer *timer)
{
    if (!timer)
        return GRT_OK;
    timer->device->ops->object_release(timer->device->driver, GRT_OBJECT_EVENT, timer->start);
    timer->device->ops->object_release(timer->device->driver, GRT_OBJECT_EVENT, timer->stop);
    grt_device_disown(timer->device);
    free(timer);
    return GRT_OK;
}
