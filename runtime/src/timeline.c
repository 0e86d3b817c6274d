/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers a stream's work and answers which event covers a number. */
#include "timeline.h"
#include "check/check.h"
#include "device.h"

#include <stdlib.h>
#include <string.h>

/* Timelines of domains that have ended, for reuse by any domain: their slots and numbers go on. */
static struct {
    grt_lock lock;
    uint32_t slots;
    grt_timeline *idle;
} registry;

/* ---- Events ---- */

GRT_COLD static grt_status event_make(grt_device *device, grt_event **out_event)
{
    grt_event *event = calloc(1, sizeof(*event));
    if (!event)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for an event");
    grt_status status = device->ops->event_create(device->driver, false, &event->native);
    if (status != GRT_OK) {
        free(event);
        return status;
    }
    device->stats.events_created++;
    *out_event = event;
    return GRT_OK;
}

static inline grt_status event_take(grt_device *device, grt_event **out_event)
{
    grt_event *event = device->idle_events;
    if (GRT_UNLIKELY(!event))
        return event_make(device, out_event);
    device->idle_events = event->next;
    device->stats.events_pooled--;
    *out_event = event;
    return GRT_OK;
}

void grt_event_give(grt_device *device, grt_event *event)
{
    event->listed = false;
    if (event->pins > 0)
        return; /* the last unpin gives it back */
    event->next = device->idle_events;
    device->idle_events = event;
    device->stats.events_pooled++;
}

void grt_event_unpin(grt_device *device, grt_event *event)
{
    event->pins--;
    if (event->pins == 0 && !event->listed)
        grt_event_give(device, event);
}

void grt_event_pool_clear(grt_device *device)
{
    while (device->idle_events) {
        grt_event *event = device->idle_events;
        device->idle_events = event->next;
        device->ops->object_release(device->driver, GRT_OBJECT_EVENT, event->native);
        device->stats.events_pooled--;
        grt_clock_clear(&event->clock);
        free(event);
    }
}

/* ---- The event list of a timeline ---- */

static void events_drop_oldest(grt_timeline *timeline, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        grt_event_give(timeline->device, timeline->events[i]);
    timeline->event_count -= count;
    memmove(timeline->events, &timeline->events[count], timeline->event_count * sizeof(timeline->events[0]));
}

void grt_timeline_complete(grt_timeline *timeline, uint64_t number)
{
    if (number <= timeline->completed)
        return;
    timeline->completed = number;
    uint32_t done = 0;
    while (done < timeline->event_count && timeline->events[done]->number <= number)
        done++;
    if (grt_device_checked(timeline->device))
        grt_check_complete(timeline, done > 0 ? timeline->events[done - 1] : NULL);
    events_drop_oldest(timeline, done);
}

/* Makes room in a full list without asking the driver: every other event of the older half goes, and a waiter
 * for what it covered waits for the next later one. So the newest work is told apart exactly, older work ever
 * more coarsely, and what is too old for the list has most likely ended. */
GRT_COLD static void events_make_room(grt_timeline *timeline)
{
    enum { MIDDLE = GRT_TIMELINE_EVENTS / 2 };
    uint32_t kept = 0;
    for (uint32_t i = 0; i < GRT_TIMELINE_EVENTS; i++) {
        if (i < MIDDLE && i % 2 == 0)
            grt_event_give(timeline->device, timeline->events[i]);
        else
            timeline->events[kept++] = timeline->events[i];
    }
    timeline->event_count = kept;
}

static grt_status event_record(grt_timeline *timeline, grt_event *event)
{
    grt_device *device = timeline->device;
    grt_status status = device->ops->event_record(device->driver, event->native, timeline->native);
    if (GRT_UNLIKELY(status != GRT_OK))
        return status;
    device->stats.records++;
    event->number = timeline->issued;
    timeline->recorded = timeline->issued;
    if (grt_device_checked(device))
        grt_check_record(timeline, event);
    return GRT_OK;
}

GRT_HOT grt_status grt_timeline_record(grt_timeline *timeline)
{
    if (GRT_UNLIKELY(timeline->event_count == GRT_TIMELINE_EVENTS))
        events_make_room(timeline);
    grt_event *event;
    grt_status status = event_take(timeline->device, &event);
    if (GRT_UNLIKELY(status != GRT_OK))
        return status;
    status = event_record(timeline, event);
    if (GRT_UNLIKELY(status != GRT_OK)) {
        grt_event_give(timeline->device, event);
        return status;
    }
    event->listed = true;
    timeline->events[timeline->event_count++] = event;
    return GRT_OK;
}

grt_status grt_timeline_event(grt_timeline *timeline, uint64_t number, grt_event **out_event)
{
    if (timeline->recorded < number) {
        if (!timeline->open)
            return grt_fail(GRT_DRIVER_ERROR, "the stream was lost before its work could be recorded");
        grt_status status = grt_timeline_record(timeline);
        if (status != GRT_OK)
            return status;
    }
    uint32_t at = timeline->event_count - 1;
    while (at > 0 && timeline->events[at - 1]->number >= number)
        at--;
    *out_event = timeline->events[at];
    return GRT_OK;
}

bool grt_timeline_poll(grt_timeline *timeline, uint64_t number)
{
    if (number <= timeline->completed)
        return true;
    grt_event *event = NULL;
    grt_status status = grt_timeline_event(timeline, number, &event);
    if (status == GRT_OK) {
        timeline->device->stats.queries++;
        status = timeline->device->ops->event_finish(timeline->device->driver, event->native, false);
    }
    if (status != GRT_OK && status != GRT_DEVICE_LOST)
        return false;
    grt_timeline_complete(timeline, event ? event->number : number);
    return true;
}

grt_status grt_timeline_block(grt_timeline *timeline, uint64_t number)
{
    if (number <= timeline->completed)
        return GRT_OK;
    grt_event *event;
    grt_status status = grt_timeline_event(timeline, number, &event);
    if (status != GRT_OK)
        return status;
    grt_device *device = timeline->device;
    uint64_t covered = event->number;
    event->pins++;
    device->stats.queries++;
    grt_device_unlock(device);
    status = device->ops->event_finish(device->driver, event->native, true);
    grt_device_lock(device);
    grt_event_unpin(device, event);
    if (status == GRT_OK)
        grt_timeline_complete(timeline, covered);
    return status;
}

/* ---- Begin and end ---- */

static grt_timeline *retired_take(grt_domain *domain)
{
    for (grt_timeline **link = &domain->retired; *link; link = &(*link)->next) {
        grt_timeline *timeline = *link;
        if (grt_timeline_poll(timeline, timeline->issued)) {
            grt_timeline_complete(timeline, timeline->issued);
            *link = timeline->next;
            return timeline;
        }
    }
    return NULL;
}

static grt_timeline *registry_take(void)
{
    grt_lock_take(&registry.lock);
    grt_timeline *timeline = registry.idle;
    if (timeline) {
        registry.idle = timeline->next;
    } else {
        timeline = grt_object_allocate(sizeof(*timeline));
        if (timeline)
            timeline->slot = registry.slots++;
    }
    grt_lock_drop(&registry.lock);
    return timeline;
}

grt_status grt_timeline_open(grt_device *device, void *native, grt_timeline **out_timeline)
{
    grt_timeline *timeline = retired_take(grt_device_domain(device));
    if (!timeline)
        timeline = registry_take();
    if (!timeline)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a timeline");
    timeline->device = device;
    timeline->native = native;
    timeline->open = true;
    timeline->next = NULL;
    grt_clock_clear(&timeline->clock);
    *out_timeline = timeline;
    return GRT_OK;
}

static void timeline_shelve(grt_timeline *timeline)
{
    grt_domain *domain = grt_device_domain(timeline->device);
    timeline->open = false;
    timeline->native = NULL;
    timeline->next = domain->retired;
    domain->retired = timeline;
}

void grt_timeline_retire(grt_timeline *timeline)
{
    if (timeline->recorded < timeline->issued && timeline->completed < timeline->issued &&
        grt_timeline_record(timeline) != GRT_OK) {
        /* No event can stand for the work, so it must be over before the stream goes. An error here means the
         * context is lost: nothing runs any more. */
        grt_status ignored =
            timeline->device->ops->stream_finish(timeline->device->driver, timeline->native, true);
        (void)ignored;
        grt_timeline_complete(timeline, timeline->issued);
    }
    timeline_shelve(timeline);
}

void grt_timeline_discard(grt_timeline *timeline)
{
    timeline->recorded = timeline->issued;
    grt_timeline_complete(timeline, timeline->issued);
    timeline_shelve(timeline);
}

void grt_timeline_abandon_all(grt_domain *domain, grt_device *device)
{
    grt_timeline **link = &domain->retired;
    while (*link) {
        grt_timeline *timeline = *link;
        if (timeline->device != device) {
            link = &timeline->next;
            continue;
        }
        grt_timeline_complete(timeline, timeline->issued);
        if (domain->devices->next) { /* other devices' buffers may hold marks: keep it in this domain */
            timeline->device = domain->devices != device ? domain->devices : domain->devices->next;
            link = &timeline->next;
            continue;
        }
        *link = timeline->next;
        grt_lock_take(&registry.lock);
        timeline->next = registry.idle;
        registry.idle = timeline;
        grt_lock_drop(&registry.lock);
    }
}
