/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device: a backend's driver object, its pools, and the lock that protects all of it.
 *
 * The lock belongs to a domain. Each device starts with its own; the first operation that touches two devices
 * joins their domains, so that work across devices needs no second locking scheme and independent devices
 * never contend.
 */
#ifndef GRT_DEVICE_H
#define GRT_DEVICE_H

#include "backend.h"
#include "error.h"
#include "lock.h"
#include "timeline.h"
#include "track.h"

typedef struct grt_domain {
    grt_lock lock;
    uint32_t streams;      /* open ones that programs made: with several, launches record at once */
    grt_timeline *retired; /* of destroyed streams, work possibly pending */
    grt_device *devices;
    struct grt_domain *dead; /* joined into this one; kept because a thread may be about to take their lock */
} grt_domain;

/* A stream's position: its own timeline, and how far it has waited for others. */
typedef struct grt_lane {
    grt_timeline *timeline;
    uint64_t *waited; /* by the other timeline's slot */
    uint32_t waited_count;
} grt_lane;

struct grt_stream {
    grt_device *device;
    void *native;
    uint64_t id;
    grt_lane lane;               /* while captured: the capture's */
    struct grt_capture *capture; /* NULL: work runs */
    uint32_t guards;             /* live ones */
    uint32_t handles;            /* times handed out by create or wrap */
    bool foreign;
    grt_stream *next;
};

struct grt_device {
    /* What a launch looks at: one cache line. */
    const grt_backend_ops *ops;
    void *driver;
    _Atomic(grt_domain *) domain;
    bool checked;
    uint32_t guards; /* live ones */
    grt_guard *idle_guards;
    grt_event *idle_events;
    struct grt_checker *checker; /* NULL unless checked */

    grt_device_stats stats;
    uint32_t capabilities;
    uint32_t objects; /* that the program must end before the device: kept for grt_device_close */
    grt_stream *streams;
    grt_stream *joiner; /* collects events that leave or enter guardrt; made when first needed */
    grt_stream *reaper; /* frees what several streams used, so that none of them has to wait for the others */
    grt_buffer *deferred;
    grt_device_info info;
    grt_device *next;
};

/* Is checked mode on? The benchmark also builds a library without it, to measure what asking costs. */
static inline bool grt_device_checked(const grt_device *device)
{
#ifdef GRT_WITHOUT_CHECKED_MODE
    (void)device;
    return false;
#else
    return GRT_UNLIKELY(device->checked);
#endif
}

void grt_device_lock_again(grt_device *device, grt_domain *domain);

static inline void grt_device_lock(grt_device *device)
{
    grt_domain *domain = atomic_load_explicit(&device->domain, memory_order_acquire);
    grt_lock_take(&domain->lock);
    if (GRT_UNLIKELY(domain != atomic_load_explicit(&device->domain, memory_order_relaxed)))
        grt_device_lock_again(device, domain);
}

static inline void grt_device_unlock(grt_device *device)
{
    grt_lock_drop(&atomic_load_explicit(&device->domain, memory_order_relaxed)->lock);
}

/* The domain of a locked device. */
static inline grt_domain *grt_device_domain(grt_device *device)
{
    return atomic_load_explicit(&device->domain, memory_order_relaxed);
}

/* Puts two devices under one lock. Called without any lock. Errors: GRT_INVALID_ARGUMENT for different
 * backends. */
grt_status grt_device_join(grt_device *a, grt_device *b);

/* Counts an object of the program on the device. Takes the lock. */
void grt_device_adopt(grt_device *device);
void grt_device_disown(grt_device *device);

/* A stream of the runtime's own, made when first needed. Device locked. */
grt_status grt_device_internal_stream(grt_device *device, grt_stream **slot);

#endif
