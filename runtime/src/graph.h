/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Captures. Inside one, each stream has a second lane and each buffer a second track, so the very same code
 * orders the captured work among itself without touching what is known about work that really runs.
 */
#ifndef GRT_GRAPH_H
#define GRT_GRAPH_H

#include "buffer.h"

typedef struct grt_capture grt_capture;

/* `stream` becomes part of the capture of `member`. Device locked, as for all of these. */
grt_status grt_capture_join(grt_stream *member, grt_stream *stream);
/* The buffer's track inside the capture. */
grt_status grt_capture_track(grt_capture *capture, grt_buffer *buffer, grt_track **out_track);
/* Remembers an access for grt_graph_launch. */
grt_status grt_capture_note(grt_capture *capture, grt_view view, grt_mode mode);
/* Work was captured whose accesses could not be remembered: the end of the capture fails with `status`. */
void grt_capture_break(grt_capture *capture, grt_status status);

#endif
