/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes devices, and joins the locks of those that work together. */
#include "device.h"
#include "buffer.h"
#include "check/check.h"
#include "guard.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>

/* Held while domains are joined or a device leaves one; never inside a domain's lock. */
static grt_lock domains_lock;

void grt_device_lock_again(grt_device *device, grt_domain *domain)
{
    do {
        grt_lock_drop(&domain->lock);
        domain = atomic_load_explicit(&device->domain, memory_order_acquire);
        grt_lock_take(&domain->lock);
    } while (domain != atomic_load_explicit(&device->domain, memory_order_relaxed));
}

static void domain_absorb(grt_domain *into, grt_domain *from)
{
    grt_device *device = from->devices;
    while (device) {
        grt_device *next = device->next;
        device->next = into->devices;
        into->devices = device;
        atomic_store_explicit(&device->domain, into, memory_order_release);
        device = next;
    }
    grt_timeline **last = &into->retired;
    while (*last)
        last = &(*last)->next;
    *last = from->retired;
    into->streams += from->streams;
    from->devices = NULL;
    from->retired = NULL;
    grt_domain **dead = &into->dead;
    while (*dead)
        dead = &(*dead)->dead;
    *dead = from;
}

grt_status grt_device_join(grt_device *a, grt_device *b)
{
    if (a->ops != b->ops)
        return grt_fail(GRT_INVALID_ARGUMENT, "a %s and a %s object cannot work together", a->ops->name,
                        b->ops->name);
    grt_lock_take(&domains_lock);
    grt_domain *into = grt_device_domain(a), *from = grt_device_domain(b);
    if (into != from) {
        grt_lock_take(&into->lock);
        grt_lock_take(&from->lock);
        domain_absorb(into, from);
        grt_lock_drop(&from->lock);
        grt_lock_drop(&into->lock);
    }
    grt_lock_drop(&domains_lock);
    return GRT_OK;
}

static void domain_leave(grt_device *device)
{
    grt_lock_take(&domains_lock);
    grt_domain *domain = grt_device_domain(device);
    grt_lock_take(&domain->lock);
    grt_timeline_abandon_all(domain, device);
    grt_device **link = &domain->devices;
    while (*link != device)
        link = &(*link)->next;
    *link = device->next;
    bool last = domain->devices == NULL;
    grt_lock_drop(&domain->lock);
    while (last && domain) {
        grt_domain *dead = domain->dead;
        free(domain);
        domain = dead;
    }
    grt_lock_drop(&domains_lock);
}

/* ---- Open and close ---- */

grt_status grt_device_open(grt_backend backend, int ordinal, grt_device **out_device)
{
    grt_device_options options = {.struct_size = sizeof(options), .backend = backend, .ordinal = ordinal};
    return grt_device_open_with(&options, out_device);
}

static grt_device *device_allocate(void)
{
    grt_device *device = grt_object_allocate(sizeof(*device));
    grt_domain *domain = grt_object_allocate(sizeof(*domain));
    if (!device || !domain) {
        free(device);
        free(domain);
        return NULL;
    }
    domain->devices = device;
    atomic_init(&device->domain, domain);
    return device;
}

grt_status grt_device_open_with(const grt_device_options *given, grt_device **out_device)
{
    if (!given || !out_device || given->struct_size < sizeof(size_t) || given->struct_size > sizeof(*given))
        return grt_fail(GRT_INVALID_ARGUMENT, "options or out_device is NULL, or struct_size is wrong");
    grt_device_options options = {0};
    memcpy(&options, given, given->struct_size); /* an older caller's struct is shorter */
    const grt_backend_ops *ops;
    grt_status status = grt_backend_choose(options.backend, &ops);
    if (status != GRT_OK)
        return status;
    grt_device *device = device_allocate();
    if (!device)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a device");
    grt_native_device native = {0};
    status = grt_check_device_begin(device, options.check);
    if (status == GRT_OK)
        status = ops->device_open(&options, &native);
    if (status != GRT_OK) {
        grt_check_device_end(device);
        free(grt_device_domain(device));
        free(device);
        return status;
    }
    device->ops = ops;
    device->driver = native.driver;
    device->capabilities = native.capabilities;
    device->info = native.info;
    device->info.checked = device->checked;
    *out_device = device;
    return GRT_OK;
}

static grt_status device_close_allowed(grt_device *device)
{
    if (device->guards > 0) {
        if (grt_device_checked(device))
            grt_check_leaks(device);
        return grt_fail(GRT_GUARD_HELD, "%u guards are not released", device->guards);
    }
    if (device->objects > 0)
        return grt_fail(GRT_BUSY, "%u streams, buffers, modules, graphs, timers or exports are not destroyed",
                        device->objects);
    return GRT_OK;
}

static void device_end_internal(grt_device *device)
{
    grt_device_lock(device);
    if (device->joiner)
        grt_stream_end(device->joiner);
    if (device->reaper)
        grt_stream_end(device->reaper);
    /* What cannot be waited for is a lost context's: the driver frees its memory with it. */
    grt_status ignored = device->ops->stream_finish(device->driver, NULL, true);
    (void)ignored;
    grt_buffer_reap(device, true);
    grt_device_unlock(device);
    domain_leave(device);
}

grt_status grt_device_close(grt_device *device)
{
    if (!device)
        return GRT_OK;
    grt_device_lock(device);
    grt_status status = device_close_allowed(device);
    grt_device_unlock(device);
    if (status != GRT_OK)
        return status;
    device_end_internal(device);
    grt_check_device_end(device);
    grt_event_pool_clear(device);
    grt_guard_pool_clear(device);
    device->ops->device_close(device->driver);
    free(device);
    return GRT_OK;
}

/* ---- Questions and housekeeping ---- */

grt_device_info grt_device_describe(const grt_device *device)
{
    return device->info;
}

grt_device_stats grt_device_measure(grt_device *device)
{
    grt_device_lock(device);
    grt_device_stats stats = device->stats;
    grt_device_unlock(device);
    return stats;
}

void grt_device_adopt(grt_device *device)
{
    grt_device_lock(device);
    device->objects++;
    grt_device_unlock(device);
}

void grt_device_disown(grt_device *device)
{
    grt_device_lock(device);
    device->objects--;
    grt_device_unlock(device);
}

grt_status grt_device_internal_stream(grt_device *device, grt_stream **slot)
{
    grt_stream_spec spec = {.priority = 0};
    return *slot ? GRT_OK : grt_stream_make(device, &spec, slot);
}

static bool device_captures(const grt_device *device)
{
    for (const grt_stream *stream = device->streams; stream; stream = stream->next)
        if (stream->capture)
            return true;
    return false;
}

grt_status grt_device_synchronize(grt_device *device)
{
    if (!device)
        return grt_fail(GRT_INVALID_ARGUMENT, "device is NULL");
    grt_device_lock(device);
    bool captures = device_captures(device);
    device->stats.queries++;
    grt_device_unlock(device);
    if (captures)
        return grt_fail(GRT_CAPTURE_FORBIDDEN, "a stream of the device is being captured");
    grt_status status = device->ops->stream_finish(device->driver, NULL, true);
    if (status != GRT_OK)
        return status;
    grt_device_lock(device);
    grt_buffer_reap(device, false);
    if (grt_device_checked(device))
        for (grt_stream *stream = device->streams; stream; stream = stream->next)
            grt_check_host_follows(stream);
    grt_device_unlock(device);
    return GRT_OK;
}

grt_status grt_device_trim(grt_device *device)
{
    if (!device)
        return grt_fail(GRT_INVALID_ARGUMENT, "device is NULL");
    grt_device_lock(device);
    grt_buffer_reap(device, false);
    grt_event_pool_clear(device);
    grt_status status = device->ops->device_trim(device->driver);
    grt_device_unlock(device);
    return status;
}
