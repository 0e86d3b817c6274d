/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checked mode, as the rest of the runtime sees it: what happened, at the moment it happens, device locked.
 *
 * It keeps its own record of who accessed which bytes, ordered by vector clocks over streams, events and the
 * host, and so judges the program's use of pointers independently of the marks that produced the waits.
 */
#ifndef GRT_CHECK_CHECK_H
#define GRT_CHECK_CHECK_H

#include "../buffer.h"
#include "../guard.h"

typedef struct grt_check_memory grt_check_memory;

typedef struct grt_checker {
    grt_device *device;
    grt_clock host;              /* work the host has seen to be done */
    grt_check_memory **memories; /* of live buffers, by rising address */
    size_t memory_count;
    size_t memory_capacity;
    grt_check_memory *freed[64]; /* the newest freed ones, as a ring */
    size_t freed_next;
    uint32_t quarantined; /* guards in the idle list */
    grt_guard *last_idle;
    struct grt_checker *next;
} grt_checker;

/* ---- clock.c ---- */
void grt_clock_clear(grt_clock *clock);
void grt_clock_raise(grt_clock *clock, uint32_t slot, uint64_t number);
void grt_clock_join(grt_clock *clock, const grt_clock *other);
uint64_t grt_clock_at(const grt_clock *clock, uint32_t slot);
/* An event is recorded; a wait for it passes on what the stream followed. */
void grt_check_record(grt_timeline *timeline, grt_event *event);
/* The host knows that the timeline's `completed` is done, and (`event` not NULL) all that the event followed.
 */
void grt_check_complete(grt_timeline *timeline, const grt_event *event);
/* The host has waited for the stream. */
void grt_check_host_follows(grt_stream *stream);

/* ---- device.c ---- */
grt_status grt_check_device_begin(grt_device *device, grt_check_mode mode);
void grt_check_device_end(grt_device *device);
/* Reports every live guard of the device. */
void grt_check_leaks(grt_device *device);

/* ---- use.c ---- */
void grt_check_buffer_begin(grt_buffer *buffer);
void grt_check_buffer_end(grt_buffer *buffer, const char *site);
void grt_check_guard_begin(grt_guard *guard);
void grt_check_guard_end(grt_guard *guard, const char *site);
void grt_check_guard_shelve(grt_guard *guard);
void grt_check_guard_unshelve(grt_device *device);
void grt_check_double_release(const grt_guard *guard, const char *site);
/* Work about to be enqueued whose accesses are declared. */
void grt_check_access(grt_stream *stream, const char *site, grt_view view, grt_mode mode);
void grt_check_transfer(grt_stream *stream, const char *site, grt_view reads, grt_view writes);
void grt_check_launch(grt_stream *stream, const char *site, size_t count, const grt_arg *args);
/* Sums what a launch declares to read, and compares afterwards. Both wait for the stream. */
void grt_check_launch_begin(grt_stream *stream, size_t count, const grt_arg *args, uint64_t *sums);
void grt_check_launch_end(grt_stream *stream, const char *site, size_t count, const grt_arg *args,
                          const uint64_t *sums);
/* Work about to be enqueued with arguments that may be pointers into tracked memory. */
void grt_check_raw(grt_stream *stream, const char *site, size_t count, void *const *arguments,
                   const size_t *sizes);

#endif
