/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A timeline numbers the work of one stream and knows which events cover which numbers.
 *
 * Buffers keep (timeline, number) marks, never events: publishing an access costs two stores, and an event
 * can be recorded late, dropped or reused without touching any buffer. Waiting for number n needs any event
 * recorded at or after n; the earliest one delays the waiter least.
 */
#ifndef GRT_TIMELINE_H
#define GRT_TIMELINE_H

#include <guardrt/guardrt.h>

/* Events a timeline keeps. More tell older work apart more exactly; fewer stay in the caches, the driver's
 * part of them too, which costs more to record and to wait for when it is cold. */
#ifndef GRT_TIMELINE_EVENTS
#define GRT_TIMELINE_EVENTS 16
#endif

/* Checked mode's vector clock: the newest number known of each timeline, by slot. */
typedef struct grt_clock {
    uint64_t *numbers;
    uint32_t count;
} grt_clock;

typedef struct grt_event {
    void *native;
    uint64_t number; /* covers the timeline's work up to here */
    uint32_t pins;   /* users outside the lock; a pinned event is not recorded again */
    bool listed;     /* in its timeline's list */
    grt_clock clock; /* checked mode: what the stream had followed when it was recorded */
    struct grt_event *next;
} grt_event;

typedef struct grt_timeline {
    uint32_t slot;      /* index in wait tables; unique in the process while the timeline exists */
    bool open;          /* an event can be recorded on `native` now */
    void *native;       /* the stream */
    grt_device *device; /* whose pool the events are from */
    uint64_t issued;    /* number of the newest work */
    uint64_t recorded;  /* number the newest event covers */
    uint64_t completed; /* work up to here is known to be done */
    grt_clock clock;    /* checked mode: what the stream follows */
    uint32_t event_count;
    grt_event *events[GRT_TIMELINE_EVENTS]; /* by rising number */
    struct grt_timeline *next;
} grt_timeline;

/* A timeline for a stream. Reuses a retired one whose work is done: its numbers go on from there, so old
 * marks stay complete. Errors: GRT_OUT_OF_MEMORY. */
grt_status grt_timeline_open(grt_device *device, void *native, grt_timeline **out_timeline);
/* The stream ends, its marks live on. Never fails: blocks for the work if nothing can be recorded. */
void grt_timeline_retire(grt_timeline *timeline);
/* Ends a timeline whose work never runs (a capture's). */
void grt_timeline_discard(grt_timeline *timeline);
/* A device closes, its work is done: its timelines become reusable without it. */
struct grt_domain;
void grt_timeline_abandon_all(struct grt_domain *domain, grt_device *device);
/* Records an event that covers everything issued so far. */
grt_status grt_timeline_record(grt_timeline *timeline);
/* The earliest event that covers `number`, recorded now if there is none. */
grt_status grt_timeline_event(grt_timeline *timeline, uint64_t number, grt_event **out_event);
/* Notes that work up to `number` is done; its events go back to the pool. */
void grt_timeline_complete(grt_timeline *timeline, uint64_t number);
/* Asks the driver whether `number` is done. On a lost device it is: nothing runs there any more. */
bool grt_timeline_poll(grt_timeline *timeline, uint64_t number);
/* Blocks until `number` is done. Drops the device's lock while it sleeps. */
grt_status grt_timeline_block(grt_timeline *timeline, uint64_t number);

/* The device's pool of events. */
void grt_event_give(grt_device *device, grt_event *event);
void grt_event_unpin(grt_device *device, grt_event *event);
void grt_event_pool_clear(grt_device *device);

#endif
