/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps, for each byte range of a buffer, the marks of the work that touched it last. */
#include "track.h"
#include "error.h"

#include <stdlib.h>
#include <string.h>

/* ---- Segments ---- */

static void segment_free(grt_segment *segment)
{
    if (segment->capacity > GRT_SEGMENT_INLINE)
        free(segment->marks.heap);
    segment->capacity = GRT_SEGMENT_INLINE;
    segment->count = 0;
}

/* Drops marks whose work is known to be done: they order nothing any more. */
static void segment_reap(grt_segment *segment)
{
    grt_mark *marks = grt_segment_marks(segment);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < segment->count; i++)
        if (marks[i].last > marks[i].timeline->completed)
            marks[kept++] = marks[i];
    segment->count = kept;
}

static grt_status segment_reserve(grt_segment *segment, uint32_t count)
{
    if (count <= segment->capacity)
        return GRT_OK;
    uint32_t capacity = count < 2 * segment->capacity ? 2 * segment->capacity : count;
    grt_mark *heap = malloc(capacity * sizeof(*heap));
    if (!heap)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a buffer's marks");
    memcpy(heap, grt_segment_marks(segment), segment->count * sizeof(*heap));
    if (segment->capacity > GRT_SEGMENT_INLINE)
        free(segment->marks.heap);
    segment->marks.heap = heap;
    segment->capacity = capacity;
    return GRT_OK;
}

static grt_mark *segment_mark_of(grt_segment *segment, const grt_timeline *timeline)
{
    grt_mark *marks = grt_segment_marks(segment);
    for (uint32_t i = 0; i < segment->count; i++)
        if (marks[i].timeline == timeline)
            return &marks[i];
    return NULL;
}

/* A full list is first rid of what is known, then of what the driver says is done. */
static grt_status segment_make_room(grt_segment *segment)
{
    if (segment->count < segment->capacity)
        return GRT_OK;
    segment_reap(segment);
    if (segment->count < segment->capacity)
        return GRT_OK;
    grt_mark *marks = grt_segment_marks(segment);
    for (uint32_t i = 0; i < segment->count; i++)
        if (!marks[i].timeline->open)
            grt_timeline_poll(marks[i].timeline, marks[i].last);
    segment_reap(segment);
    return segment_reserve(segment, segment->count + 1);
}

static grt_status segment_read(grt_segment *segment, grt_timeline *timeline)
{
    grt_mark *mark = segment_mark_of(segment, timeline);
    if (!mark) {
        grt_status status = segment_make_room(segment);
        if (status != GRT_OK)
            return status;
        mark = &grt_segment_marks(segment)[segment->count++];
        *mark = (grt_mark){.timeline = timeline};
    }
    mark->last = timeline->issued;
    return GRT_OK;
}

static void segment_write(grt_segment *segment, grt_timeline *timeline)
{
    grt_segment_marks(segment)[0] = (grt_mark){timeline, timeline->issued, timeline->issued};
    segment->count = 1;
    segment->merged = false;
}

static grt_status segment_copy(grt_segment *to, const grt_segment *from)
{
    *to = *from;
    if (from->capacity <= GRT_SEGMENT_INLINE)
        return GRT_OK;
    to->marks.heap = malloc(from->capacity * sizeof(grt_mark));
    if (!to->marks.heap)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a buffer's marks");
    memcpy(to->marks.heap, from->marks.heap, from->count * sizeof(grt_mark));
    return GRT_OK;
}

static bool segment_equal(grt_segment *a, grt_segment *b)
{
    return a->count == b->count && a->merged == b->merged &&
           memcmp(grt_segment_marks(a), grt_segment_marks(b), a->count * sizeof(grt_mark)) == 0;
}

/* Adds `from`'s marks to `into`: an access must follow whatever either segment demanded. */
static grt_status segment_absorb(grt_segment *into, grt_segment *from)
{
    grt_status status = segment_reserve(into, into->count + from->count);
    if (status != GRT_OK)
        return status;
    const grt_mark *marks = grt_segment_marks(from);
    for (uint32_t i = 0; i < from->count; i++) {
        grt_mark *own = segment_mark_of(into, marks[i].timeline);
        if (!own) {
            grt_segment_marks(into)[into->count++] = marks[i];
            continue;
        }
        own->wrote = own->wrote > marks[i].wrote ? own->wrote : marks[i].wrote;
        own->last = own->last > marks[i].last ? own->last : marks[i].last;
    }
    into->merged = true;
    return GRT_OK;
}

/* ---- The list of segments ---- */

void grt_track_init(grt_track *track, size_t size)
{
    *track = (grt_track){.size = size, .count = 1};
    track->first.end = size;
    track->first.capacity = GRT_SEGMENT_INLINE;
}

void grt_track_clear(grt_track *track)
{
    grt_segment *segments = grt_track_segments(track);
    for (uint32_t i = 0; i < track->count; i++)
        segment_free(&segments[i]);
    free(track->segments);
    grt_track_init(track, track->size);
}

uint32_t grt_track_find(grt_track *track, size_t offset)
{
    const grt_segment *segments = grt_track_segments(track);
    uint32_t low = 0, high = track->count - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (segments[middle].end > offset)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static grt_status track_reserve(grt_track *track, uint32_t count)
{
    if (count <= track->capacity)
        return GRT_OK;
    uint32_t capacity = track->capacity ? 2 * track->capacity : 8;
    grt_segment *segments = realloc(track->segments, capacity * sizeof(*segments));
    if (!segments)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a buffer's segments");
    if (!track->capacity)
        segments[0] = track->first;
    track->segments = segments;
    track->capacity = capacity;
    return GRT_OK;
}

static void track_remove(grt_track *track, uint32_t at, uint32_t count)
{
    grt_segment *segments = grt_track_segments(track);
    for (uint32_t i = at; i < at + count; i++)
        segment_free(&segments[i]);
    memmove(&segments[at], &segments[at + count], (track->count - at - count) * sizeof(*segments));
    track->count -= count;
}

/* Makes a segment begin at `offset`. */
static grt_status track_cut(grt_track *track, size_t offset)
{
    if (offset == 0 || offset == track->size)
        return GRT_OK;
    uint32_t at = grt_track_find(track, offset);
    grt_segment *segments = grt_track_segments(track);
    if (at > 0 && segments[at - 1].end == offset)
        return GRT_OK;
    grt_status status = track_reserve(track, track->count + 1);
    if (status != GRT_OK)
        return status;
    grt_segment copy;
    segments = track->segments;
    status = segment_copy(&copy, &segments[at]);
    if (status != GRT_OK)
        return status;
    memmove(&segments[at + 1], &segments[at], (track->count - at) * sizeof(*segments));
    track->count++;
    segments[at] = copy;
    segments[at].end = offset;
    return GRT_OK;
}

/* Joins segment `at` with its successor when both say the same. */
static void track_join_equal(grt_track *track, uint32_t at)
{
    grt_segment *segments = grt_track_segments(track);
    if (at + 1 >= track->count)
        return;
    segment_reap(&segments[at]);
    segment_reap(&segments[at + 1]);
    if (!segment_equal(&segments[at], &segments[at + 1]))
        return;
    track_remove(track, at, 1);
}

/* Past the bound: every pair of neighbours becomes one segment with the marks of both. */
static grt_status track_coarsen(grt_track *track)
{
    for (uint32_t at = 0; at + 1 < track->count; at++)
        track_join_equal(track, at);
    if (track->count < GRT_TRACK_SEGMENTS)
        return GRT_OK;
    for (uint32_t at = 0; at + 1 < track->count; at++) {
        grt_segment *segments = grt_track_segments(track);
        grt_status status = segment_absorb(&segments[at + 1], &segments[at]);
        if (status != GRT_OK)
            return status;
        track_remove(track, at, 1);
    }
    return GRT_OK;
}

static grt_status track_publish_part(grt_track *track, size_t begin, size_t end, grt_mode mode,
                                     grt_timeline *timeline)
{
    grt_status status = track->count >= GRT_TRACK_SEGMENTS ? track_coarsen(track) : GRT_OK;
    if (status == GRT_OK)
        status = track_cut(track, begin);
    if (status == GRT_OK)
        status = track_cut(track, end);
    if (status != GRT_OK)
        return status;
    uint32_t first = grt_track_find(track, begin);
    uint32_t last = grt_track_find(track, end - 1);
    if (mode != GRT_MODE_READ) {
        segment_write(&grt_track_segments(track)[last], timeline);
        track_remove(track, first, last - first);
        last = first;
    } else {
        for (uint32_t at = first; at <= last && status == GRT_OK; at++)
            status = segment_read(&grt_track_segments(track)[at], timeline);
    }
    track_join_equal(track, last);
    if (first > 0)
        track_join_equal(track, first - 1);
    return status;
}

grt_status grt_track_publish(grt_track *track, size_t begin, size_t end, grt_mode mode,
                             grt_timeline *timeline)
{
    if (track->count > 1 || begin > 0 || end < track->size)
        return track_publish_part(track, begin, end, mode, timeline);
    grt_segment *only = grt_track_segments(track);
    if (mode == GRT_MODE_READ)
        return segment_read(only, timeline);
    segment_write(only, timeline);
    return GRT_OK;
}

bool grt_track_pending(grt_track *track, size_t begin, size_t end, grt_mode mode, grt_mark *out_mark)
{
    grt_segment *segments = grt_track_segments(track);
    for (uint32_t at = grt_track_find(track, begin); at < track->count; at++) {
        const grt_mark *marks = grt_segment_marks(&segments[at]);
        for (uint32_t i = 0; i < segments[at].count; i++) {
            uint64_t number = mode == GRT_MODE_READ ? marks[i].wrote : marks[i].last;
            if (number > marks[i].timeline->completed) {
                *out_mark = marks[i];
                return true;
            }
        }
        if (segments[at].end >= end)
            return false;
    }
    return false;
}
