/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stage that the guarded examples and their wrong twins share: one stream decodes under guards, another
 * copies the result to the host. An example is one function, `decode`; its wrong twin differs in when it
 * releases.
 *
 * The program says whether the result was right. With GUARDRT_SCHEDULES=N it runs under N orders of the host
 * backend and names the first one with a wrong result.
 */
#ifndef GUARDKERNELS_EXAMPLES_STAGE_H
#define GUARDKERNELS_EXAMPLES_STAGE_H

#include "encode.h"

/* Values that are decoded; whole blocks and a bit more. */
enum { STAGE_COUNT = 3 * 1024 + 100 };

typedef struct stage {
    grt_device *device;
    grt_stream *decoding;
    grt_stream *copying;
    gk_library *library;
    grt_buffer *inputs[3]; /* filled from the example's columns */
    grt_buffer *out;
} stage;

/* One input of an example. */
typedef struct stage_input {
    const void *data;
    size_t size;
} stage_input;

/* The first of two statuses that is an error. */
static inline grt_status stage_first(grt_status first, grt_status second)
{
    return first != GRT_OK ? first : second;
}

/* An example: its inputs, what `out` must hold in the end, the kernel it launches, and its decoding: guards,
 * a launch of its own on `s->decoding`, releases. */
typedef struct stage_example {
    const char *kernel;
    stage_input inputs[3];
    stage_input initial; /* contents of `out` before; size 0: none */
    stage_input expected;
    grt_status (*decode)(const stage *s, grt_kernel *kernel);
} stage_example;

/* The program of an example: its exit status, 0 when the result was right and checked mode had nothing to
 * report. */
int stage_main(const stage_example *example);

#endif
