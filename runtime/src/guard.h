/* SPDX-License-Identifier: Apache-2.0 */
/* A guard, and the pool it comes from. */
#ifndef GRT_GUARD_H
#define GRT_GUARD_H

#include "buffer.h"

enum {
    GRT_GUARD_QUARANTINE = 65536
}; /* released guards that checked mode keeps to recognise a second release */

struct grt_guard {
    grt_device *device; /* valid in an idle guard too: a second release must find the lock */
    grt_stream *stream; /* NULL: the host's, or an export's */
    struct grt_capture *capture;
    grt_view view;
    grt_mode mode;
    bool live;
    void *pointer;
    const char *site;         /* acquire */
    const char *release_site; /* of a released guard */
    uint64_t checksum;        /* checked mode: the contents a read guard saw */
    grt_guard *next;          /* among the buffer's live ones, or the device's idle ones */
    grt_guard *previous;
};

/* A live guard on the view, linked to its buffer. Device locked. */
grt_status grt_guard_make(const char *site, grt_stream *stream, grt_view view, grt_mode mode,
                          grt_guard **out_guard);
/* Unlinks it and keeps it for reuse. Device locked. */
void grt_guard_end(grt_guard *guard, const char *site);
void grt_guard_pool_clear(grt_device *device);

#endif
