/* SPDX-License-Identifier: Apache-2.0 */
/* The contenders: the same launches, ordered by nothing, by hand, by guardrt, and by two events a buffer. */
#include "bench.h"

#include <string.h>

static void launch_bare(bench_rig *rig, CUstream stream, int buffers)
{
    void *arguments[BENCH_BUFFERS];
    for (int i = 0; i < buffers; i++)
        arguments[i] = &rig->addresses[i];
    REQUIRE_DRIVER(
        grt_cuda.cuLaunchKernel(rig->functions[buffers], 1, 1, 1, 32, 1, 1, 0, stream, arguments, NULL));
}

/* ---- Bare, and with one record ---- */

static void run_bare(bench_rig *rig, int buffers, int operations)
{
    for (int i = 0; i < operations; i++)
        launch_bare(rig, rig->native[0], buffers);
}

static CUevent hand_event(int at)
{
    static CUevent events[4];
    if (!events[at])
        REQUIRE_DRIVER(grt_cuda.cuEventCreate(&events[at], CU_EVENT_DISABLE_TIMING));
    return events[at];
}

static void run_record(bench_rig *rig, int buffers, int operations)
{
    for (int i = 0; i < operations; i++) {
        launch_bare(rig, rig->native[0], buffers);
        REQUIRE_DRIVER(grt_cuda.cuEventRecord(hand_event(0), rig->native[0]));
    }
}

/* ---- guardrt ---- */

static size_t make_args(bench_rig *rig, int buffers, grt_arg *args)
{
    for (int i = 0; i < buffers; i++) {
        args[i].as.view = rig->views[i];
        args[i].kind = i == buffers - 1 ? GRT_ARG_WRITE : GRT_ARG_READ;
    }
    return (size_t)buffers;
}

static void run_launch(bench_rig *rig, int buffers, int operations)
{
    const grt_config config = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    grt_arg args[BENCH_BUFFERS];
    for (int i = 0; i < operations; i++) {
        size_t count = make_args(rig, buffers, args);
        REQUIRE(grt_launch_at(GRT_SITE, rig->streams[0], rig->kernels[buffers], config, count, args));
    }
}

static void run_guards(bench_rig *rig, int buffers, int operations)
{
    grt_guard *guards[BENCH_BUFFERS];
    for (int i = 0; i < operations; i++) {
        void *pointers[BENCH_BUFFERS], *arguments[BENCH_BUFFERS];
        for (int b = 0; b < buffers; b++) {
            grt_view view = rig->views[b];
            REQUIRE(b == buffers - 1 ? grt_acquire_write(rig->streams[0], view, &guards[b])
                                     : grt_acquire_read(rig->streams[0], view, &guards[b]));
            pointers[b] = grt_guard_pointer(guards[b]);
            arguments[b] = &pointers[b];
        }
        REQUIRE_DRIVER(grt_cuda.cuLaunchKernel(rig->functions[buffers], 1, 1, 1, 32, 1, 1, 0, rig->native[0],
                                               arguments, NULL));
        REQUIRE(grt_release_many((size_t)buffers, guards));
    }
}

static void run_acquire_release(bench_rig *rig, int buffers, int operations)
{
    grt_view view = rig->views[buffers - 1];
    for (int i = 0; i < operations; i++) {
        grt_guard *guard;
        REQUIRE(grt_acquire_write(rig->streams[0], view, &guard));
        REQUIRE(grt_release(guard));
    }
}

/* ---- Two events a buffer: a wait and a record for every argument and access, nothing elided, the context
 * asked for before each. Written for comparison, after the pattern of a wrapper library's tracking. ---- */

static struct {
    CUevent read[BENCH_BUFFERS], write[BENCH_BUFFERS];
} two_events;

static void bind(void)
{
    CUcontext context;
    REQUIRE_DRIVER(grt_cuda.cuCtxGetCurrent(&context));
}

static void two_events_wait(CUstream stream, CUevent *event)
{
    bind();
    if (!*event)
        REQUIRE_DRIVER(grt_cuda.cuEventCreate(event, CU_EVENT_DISABLE_TIMING));
    REQUIRE_DRIVER(grt_cuda.cuStreamWaitEvent(stream, *event, 0));
}

static void two_events_record(CUstream stream, CUevent event)
{
    bind();
    REQUIRE_DRIVER(grt_cuda.cuEventRecord(event, stream));
}

static void launch_two_events(bench_rig *rig, CUstream stream, int first, int buffers)
{
    int written = first + buffers - 1;
    for (int b = first; b < written; b++)
        two_events_wait(stream, &two_events.write[b]);
    two_events_wait(stream, &two_events.read[written]);
    two_events_wait(stream, &two_events.write[written]);
    bind();
    launch_bare(rig, stream, buffers);
    for (int b = first; b < written; b++) {
        if (!two_events.read[b])
            REQUIRE_DRIVER(grt_cuda.cuEventCreate(&two_events.read[b], CU_EVENT_DISABLE_TIMING));
        two_events_record(stream, two_events.read[b]);
    }
    two_events_record(stream, two_events.write[written]);
}

static void run_two_events(bench_rig *rig, int buffers, int operations)
{
    for (int i = 0; i < operations; i++)
        launch_two_events(rig, rig->native[0], 0, buffers);
}

/* ---- Ping-pong: two streams write one buffer in turn ---- */

static void run_pingpong_hand(bench_rig *rig, int buffers, int operations)
{
    for (int i = 0; i < operations; i++) {
        REQUIRE_DRIVER(grt_cuda.cuStreamWaitEvent(rig->native[i % 2], hand_event(2 + (i + 1) % 2), 0));
        launch_bare(rig, rig->native[i % 2], buffers);
        REQUIRE_DRIVER(grt_cuda.cuEventRecord(hand_event(2 + i % 2), rig->native[i % 2]));
    }
}

static void run_pingpong(bench_rig *rig, int buffers, int operations)
{
    const grt_config config = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    grt_arg args[BENCH_BUFFERS];
    for (int i = 0; i < operations; i++) {
        size_t count = make_args(rig, buffers, args);
        REQUIRE(grt_launch_at(GRT_SITE, rig->streams[i % 2], rig->kernels[buffers], config, count, args));
    }
}

static void run_pingpong_two_events(bench_rig *rig, int buffers, int operations)
{
    for (int i = 0; i < operations; i++)
        launch_two_events(rig, rig->native[i % 2], 0, buffers);
}

#define FOR_EACH_COUNT(name, several, run, baseline)                                                         \
    {name, 1, several, run, baseline}, {name, 2, several, run, baseline}, {name, 4, several, run, baseline}, \
        {name, 8, several, run, baseline},                                                                   \
    {                                                                                                        \
        name, 16, several, run, baseline                                                                     \
    }

const bench_case bench_cases[] = {
    FOR_EACH_COUNT("bare", false, run_bare, NULL),
    FOR_EACH_COUNT("bare+record", true, run_record, "bare"),
    FOR_EACH_COUNT("guardrt one stream", false, run_launch, "bare"),
    FOR_EACH_COUNT("guardrt several streams", true, run_launch, "bare+record"),
    FOR_EACH_COUNT("guards one stream", false, run_guards, "bare"),
    FOR_EACH_COUNT("guards several streams", true, run_guards, "bare+record"),
    FOR_EACH_COUNT("two events a buffer", true, run_two_events, "bare"),
    {"ping-pong by hand", 1, true, run_pingpong_hand, "bare"},
    {"ping-pong guardrt", 1, true, run_pingpong, "ping-pong by hand"},
    {"ping-pong two events a buffer", 1, true, run_pingpong_two_events, "ping-pong by hand"},
    {"acquire+release one stream", 1, false, run_acquire_release, NULL},
    {"acquire+release several streams", 1, true, run_acquire_release, NULL},
};

const size_t bench_case_count = sizeof(bench_cases) / sizeof(bench_cases[0]);
