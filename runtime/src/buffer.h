/* SPDX-License-Identifier: Apache-2.0 */
/* A buffer: memory, its track, and what forbids ending it. */
#ifndef GRT_BUFFER_H
#define GRT_BUFFER_H

#include "device.h"

typedef enum grt_buffer_kind { GRT_BUFFER_DEVICE, GRT_BUFFER_PINNED, GRT_BUFFER_WRAPPED } grt_buffer_kind;

/* Why an access needs a closer look. */
enum {
    GRT_BUFFER_POISONED = 1u << 0,
    GRT_BUFFER_GUARDED = 1u << 1 /* `guards` is not empty */
};

struct grt_buffer {
    char *memory;
    size_t size;
    uint32_t attention;
    uint32_t holders; /* graphs and captures that use it */
    grt_track track;
    grt_device *device;
    grt_guard *guards; /* live ones, exports included */
    bool host_visible;
    grt_buffer_kind kind;
    void (*release)(void *user);
    void *user;
    const char *site;
    struct grt_check_memory *shadow; /* checked mode's record of it */
    grt_buffer *next;                /* among deferred ones */
};

/* Ends deferred buffers whose work is done, or all of them when `all`. Device locked. */
void grt_buffer_reap(grt_device *device, bool all);
/* GRT_OK if [offset, offset + size) lies in the buffer. */
grt_status grt_view_validate(const grt_view *view);

static inline bool grt_view_is_inside(const grt_view *view)
{
    return view->offset <= view->buffer->size && view->size <= view->buffer->size - view->offset;
}

static inline void *grt_view_pointer(const grt_view *view)
{
    return view->buffer->memory + view->offset;
}

#endif
