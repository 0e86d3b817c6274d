/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmark: cases, what they stand on, and how they are measured. */
#ifndef BENCH_H
#define BENCH_H

#include <guardrt/guardrt.h>

#include "cuda/driver.h"

enum { BENCH_BUFFERS = 16, BENCH_BATCH = 256 };

/* One device's worth of things. Two of them exist: one with a single stream, one with two. */
typedef struct bench_rig {
    grt_device *device;
    grt_stream *streams[2];
    grt_buffer *buffers[BENCH_BUFFERS];
    grt_view views[BENCH_BUFFERS]; /* of the whole buffers: programs keep views as they keep addresses */
    void *addresses[BENCH_BUFFERS];
    grt_module *module;
    grt_kernel *kernels[BENCH_BUFFERS + 1]; /* by number of pointers */
    grt_kernel *hold, *set, *check;
    CUfunction functions[BENCH_BUFFERS + 1]; /* the same ones, for the contenders without the runtime */
    CUstream native[2];
} bench_rig;

typedef struct bench_case {
    const char *name;
    int buffers; /* accessed by an operation; the last one is written */
    bool several_streams;
    void (*run)(bench_rig *rig, int buffers, int operations);
    /* The case of as many buffers that it takes turns with inside a batch; NULL: none. */
    const char *baseline;
} bench_case;

extern const bench_case bench_cases[];
extern const size_t bench_case_count;

/* Ends the program with the words of the failure unless the call succeeded. */
void bench_require(grt_status status, const char *call);
void bench_require_driver(CUresult result, const char *call);
#define REQUIRE(call) bench_require((call), #call)
#define REQUIRE_DRIVER(call) bench_require_driver((call), #call)

double bench_now(void);

/* The measurements that need a GPU's time: written as JSON members. */
void bench_halves(bench_rig *rig);
void bench_readers(bench_rig *rig, int rounds);

#endif
