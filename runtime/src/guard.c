/* SPDX-License-Identifier: Apache-2.0 */
/* Guards: acquired before foreign work is enqueued, released after. */
#include "guard.h"
#include "check/check.h"
#include "order.h"
#include "stream.h"

#include <stdlib.h>

/* ---- The pool ---- */

static void guard_link(grt_guard *guard)
{
    grt_guard *first = guard->view.buffer->guards;
    guard->previous = NULL;
    guard->next = first;
    if (first)
        first->previous = guard;
    guard->view.buffer->guards = guard;
    guard->view.buffer->attention |= GRT_BUFFER_GUARDED;
}

static void guard_unlink(grt_guard *guard)
{
    if (guard->next)
        guard->next->previous = guard->previous;
    if (guard->previous)
        guard->previous->next = guard->next;
    else
        guard->view.buffer->guards = guard->next;
    if (!guard->view.buffer->guards)
        guard->view.buffer->attention &= ~(uint32_t)GRT_BUFFER_GUARDED;
}

grt_status grt_guard_make(const char *site, grt_stream *stream, grt_view view, grt_mode mode,
                          grt_guard **out_guard)
{
    grt_device *device = view.buffer->device;
    grt_guard *guard = device->idle_guards;
    if (GRT_UNLIKELY(!guard ||
                     (grt_device_checked(device) && device->checker->quarantined < GRT_GUARD_QUARANTINE))) {
        guard = malloc(sizeof(*guard));
        if (!guard)
            return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a guard");
    } else {
        device->idle_guards = guard->next;
        if (grt_device_checked(device))
            grt_check_guard_unshelve(device);
    }
    guard->device = device;
    guard->stream = stream;
    guard->capture = stream ? stream->capture : NULL;
    guard->view = view;
    guard->mode = mode;
    guard->live = true;
    guard->pointer = view.buffer->memory + view.offset;
    guard->site = site;
    guard_link(guard);
    device->guards++;
    if (stream)
        stream->guards++;
    *out_guard = guard;
    return GRT_OK;
}

void grt_guard_end(grt_guard *guard, const char *site)
{
    grt_device *device = guard->device;
    guard_unlink(guard);
    guard->live = false;
    guard->release_site = site;
    device->guards--;
    if (guard->stream)
        guard->stream->guards--;
    if (grt_device_checked(device)) {
        grt_check_guard_shelve(guard);
        return;
    }
    guard->next = device->idle_guards;
    device->idle_guards = guard;
}

void grt_guard_pool_clear(grt_device *device)
{
    while (device->idle_guards) {
        grt_guard *guard = device->idle_guards;
        device->idle_guards = guard->next;
        free(guard);
    }
}

/* ---- Acquire ---- */

static grt_status acquire_locked(const char *site, grt_stream *stream, grt_view view, grt_mode mode,
                                 grt_guard **out_guard)
{
    grt_status status = grt_order_begin(stream, &view, mode);
    if (GRT_UNLIKELY(status != GRT_OK))
        return status;
    status = grt_guard_make(site, stream, view, mode, out_guard);
    if (status == GRT_OK && grt_device_checked(stream->device))
        grt_check_guard_begin(*out_guard);
    return status;
}

GRT_FLAT static grt_status acquire(const char *site, grt_stream *stream, grt_view view, grt_mode mode,
                                   grt_guard **out_guard)
{
    if (GRT_UNLIKELY(!stream || !view.buffer || !out_guard))
        return grt_fail(GRT_INVALID_ARGUMENT, "stream, view or out_guard is NULL");
    if (GRT_UNLIKELY(view.buffer->device != stream->device)) {
        grt_status joined = grt_device_join(stream->device, view.buffer->device);
        if (joined != GRT_OK)
            return joined;
    }
    grt_device_lock(stream->device);
    grt_status status = acquire_locked(site, stream, view, mode, out_guard);
    grt_device_unlock(stream->device);
    return status;
}

grt_status grt_acquire_read_at(const char *site, grt_stream *stream, grt_view view, grt_guard **out_guard)
{
    return acquire(site, stream, view, GRT_MODE_READ, out_guard);
}

grt_status grt_acquire_write_at(const char *site, grt_stream *stream, grt_view view, grt_guard **out_guard)
{
    return acquire(site, stream, view, GRT_MODE_WRITE, out_guard);
}

grt_status grt_acquire_update_at(const char *site, grt_stream *stream, grt_view view, grt_guard **out_guard)
{
    return acquire(site, stream, view, GRT_MODE_UPDATE, out_guard);
}

/* The guard is live before the wait begins, so that no new conflicting work can slip in while the lock is
 * dropped. */
static grt_status acquire_host_locked(const char *site, grt_view view, grt_mode mode, grt_guard **out_guard)
{
    grt_status status = grt_order_guards(NULL, &view, mode);
    if (status == GRT_OK && (view.buffer->attention & GRT_BUFFER_POISONED))
        status = grt_fail(GRT_POISONED, "an earlier operation that wrote the buffer failed");
    grt_guard *guard;
    if (status == GRT_OK)
        status = grt_guard_make(site, NULL, view, mode, &guard);
    if (status != GRT_OK)
        return status;
    grt_mark mark;
    while (status == GRT_OK &&
           grt_track_pending(&view.buffer->track, view.offset, view.offset + view.size, mode, &mark))
        status = grt_timeline_block(mark.timeline, mode == GRT_MODE_READ ? mark.wrote : mark.last);
    if (status != GRT_OK) {
        grt_guard_end(guard, site);
        return status;
    }
    if (grt_device_checked(view.buffer->device))
        grt_check_guard_begin(guard);
    *out_guard = guard;
    return GRT_OK;
}

static grt_status acquire_host(const char *site, grt_view view, grt_mode mode, grt_guard **out_guard)
{
    if (!out_guard)
        return grt_fail(GRT_INVALID_ARGUMENT, "out_guard is NULL");
    grt_status status = grt_view_validate(&view);
    if (status != GRT_OK)
        return status;
    if (!view.buffer->host_visible)
        return grt_fail(GRT_NOT_HOST_ACCESSIBLE, "the buffer is device memory");
    grt_device_lock(view.buffer->device);
    status = acquire_host_locked(site, view, mode, out_guard);
    grt_device_unlock(view.buffer->device);
    return status;
}

grt_status grt_acquire_host_read_at(const char *site, grt_view view, grt_guard **out_guard)
{
    return acquire_host(site, view, GRT_MODE_READ, out_guard);
}

grt_status grt_acquire_host_write_at(const char *site, grt_view view, grt_guard **out_guard)
{
    return acquire_host(site, view, GRT_MODE_UPDATE, out_guard);
}

void *grt_guard_pointer(const grt_guard *guard)
{
    return guard ? guard->pointer : NULL;
}

/* ---- Release ---- */

static grt_status guard_is_live(grt_guard *guard, const char *site)
{
    if (GRT_LIKELY(guard->live))
        return GRT_OK;
    if (grt_device_checked(guard->device))
        grt_check_double_release(guard, site);
    return grt_fail(GRT_RELEASED, "the guard acquired at %s was released at %s",
                    guard->site ? guard->site : "?", guard->release_site ? guard->release_site : "?");
}

/* When the stream's position could not be recorded, the number still stands for the work: the free of the
 * buffer must follow it. What the program must not do is go on with the contents. */
static grt_status guard_publish(grt_guard *guard, grt_status advanced)
{
    grt_status status = grt_order_publish(guard->stream, &guard->view, guard->mode);
    if (GRT_UNLIKELY(advanced != GRT_OK || status != GRT_OK))
        grt_order_poison(&guard->view, guard->mode);
    return advanced != GRT_OK ? advanced : status;
}

static grt_status release_locked(const char *site, grt_guard *guard)
{
    grt_status status = guard_is_live(guard, site);
    if (GRT_UNLIKELY(status != GRT_OK))
        return status;
    if (grt_device_checked(guard->device))
        grt_check_guard_end(guard, site);
    if (guard->stream)
        status = guard_publish(guard, grt_stream_advance(guard->stream));
    grt_guard_end(guard, site);
    return status;
}

GRT_FLAT grt_status grt_release_at(const char *site, grt_guard *guard)
{
    if (!guard)
        return GRT_OK;
    grt_device *device = guard->device;
    grt_device_lock(device);
    grt_status status = release_locked(site, guard);
    grt_device_unlock(device);
    return status;
}

static grt_status release_many_locked(const char *site, size_t count, grt_guard *const *guards)
{
    for (size_t i = 0; i < count; i++) {
        grt_status status = guard_is_live(guards[i], site);
        if (status != GRT_OK)
            return status;
        if (!guards[i]->stream || guards[i]->stream != guards[0]->stream)
            return grt_fail(GRT_INVALID_ARGUMENT, "the guards are not all for one stream");
    }
    if (grt_device_checked(guards[0]->device))
        for (size_t i = 0; i < count; i++)
            grt_check_guard_end(guards[i], site);
    grt_status advanced = grt_stream_advance(guards[0]->stream);
    grt_status status = advanced;
    for (size_t i = 0; i < count; i++) {
        grt_status published = guard_publish(guards[i], advanced);
        status = status != GRT_OK ? status : published;
        grt_guard_end(guards[i], site);
    }
    return status;
}

grt_status grt_release_many_at(const char *site, size_t count, grt_guard *const *guards)
{
    if (count == 0)
        return GRT_OK;
    if (!guards)
        return grt_fail(GRT_INVALID_ARGUMENT, "guards is NULL");
    for (size_t i = 0; i < count; i++)
        if (!guards[i])
            return grt_fail(GRT_INVALID_ARGUMENT, "guard %zu is NULL", i);
    grt_device *device = guards[0]->device;
    grt_device_lock(device);
    grt_status status = release_many_locked(site, count, guards);
    grt_device_unlock(device);
    return status;
}

grt_status grt_cancel_at(const char *site, grt_guard *guard)
{
    if (!guard)
        return GRT_OK;
    grt_device *device = guard->device;
    grt_device_lock(device);
    grt_status status = guard_is_live(guard, site);
    if (status == GRT_OK)
        grt_guard_end(guard, site);
    grt_device_unlock(device);
    return status;
}
