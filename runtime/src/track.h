/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which work touched which bytes last: segments of a buffer, each with one mark a stream.
 *
 * A buffer used as a whole is one segment. Disjoint views split it; a write over several segments joins them.
 * Past a bound neighbours are merged, which can only order more than necessary.
 */
#ifndef GRT_TRACK_H
#define GRT_TRACK_H

#include "timeline.h"

typedef enum grt_mode { GRT_MODE_READ = 1, GRT_MODE_WRITE = 2, GRT_MODE_UPDATE = 3 } grt_mode;

/* What one stream last did to a segment. */
typedef struct grt_mark {
    grt_timeline *timeline;
    uint64_t wrote; /* number of its last write, 0: none since the segment's last writer changed */
    uint64_t last;  /* number of its last access of either kind */
} grt_mark;

enum { GRT_SEGMENT_INLINE = 2, GRT_TRACK_SEGMENTS = 256 };

typedef struct grt_segment {
    uint32_t count;
    uint32_t capacity; /* above GRT_SEGMENT_INLINE: `heap` is in use */
    union {
        grt_mark inplace[GRT_SEGMENT_INLINE];
        grt_mark *heap;
    } marks;
    size_t end;  /* begins where its predecessor ends */
    bool merged; /* readers are not known to be ordered after the writers */
} grt_segment;

/* What a launch looks at comes first: it shares a cache line with the head of the buffer. */
typedef struct grt_track {
    uint32_t capacity; /* 0: `first` is the only segment */
    uint32_t count;
    grt_segment first;
    grt_segment *segments;
    size_t size;
} grt_track;

static inline grt_segment *grt_track_segments(grt_track *track)
{
    return track->capacity ? track->segments : &track->first;
}

static inline grt_mark *grt_segment_marks(grt_segment *segment)
{
    return segment->capacity > GRT_SEGMENT_INLINE ? segment->marks.heap : segment->marks.inplace;
}

void grt_track_init(grt_track *track, size_t size);
void grt_track_clear(grt_track *track);
/* Index of the segment that holds byte `offset`. */
uint32_t grt_track_find(grt_track *track, size_t offset);
/* Notes that `timeline`'s newest work accesses [begin, end). Errors: GRT_OUT_OF_MEMORY (nothing is noted). */
grt_status grt_track_publish(grt_track *track, size_t begin, size_t end, grt_mode mode,
                             grt_timeline *timeline);
/* Finds a mark whose work is not known to be done and that an access in `mode` of [begin, end) must follow.
 */
bool grt_track_pending(grt_track *track, size_t begin, size_t end, grt_mode mode, grt_mark *out_mark);

#endif
