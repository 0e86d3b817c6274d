/* SPDX-License-Identifier: Apache-2.0 */
/* Streams as the rest of the runtime uses them: making one stream's later work follow other work. */
#ifndef GRT_STREAM_H
#define GRT_STREAM_H

#include "device.h"

/* Room for one more entry is made here or not at all: without it a repeated edge merely costs a second wait.
 */
void grt_lane_note_wait(grt_lane *lane, uint32_t slot, uint64_t number);
void grt_lane_end(grt_lane *lane);

static inline bool grt_lane_has(const grt_lane *lane, const grt_timeline *timeline, uint64_t number)
{
    if (timeline == lane->timeline || number <= timeline->completed)
        return true;
    return timeline->slot < lane->waited_count && number <= lane->waited[timeline->slot];
}

/* Later work of `stream` follows `timeline`'s work up to `number`. Device locked. */
grt_status grt_stream_follow(grt_stream *stream, grt_timeline *timeline, uint64_t number);
/* The work just enqueued gets the next number; recorded at once if another stream may want to wait for it. */
grt_status grt_stream_advance(grt_stream *stream);
/* Ends a stream that the program or the runtime made. Device locked. */
void grt_stream_end(grt_stream *stream);
grt_status grt_stream_make(grt_device *device, const grt_stream_spec *spec, grt_stream **out_stream);

#endif
