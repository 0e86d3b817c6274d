/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels' benchmark: cases that fill a device's memory bus, each timed against the copy bandwidth of the
 * same run and then verified against the host twins.
 */
#ifndef BENCH_KERNELS_BENCH_H
#define BENCH_KERNELS_BENCH_H

#include "encode.h"

#include <stdio.h>

/* A device with the kernels loaded. */
typedef struct bench_device {
    grt_device *device;
    grt_stream *stream;
    gk_library *library;
} bench_device;

typedef struct bench {
    bench_device tested;
    bench_device host; /* runs the twins */
    uint64_t bytes;    /* of output a case */
    unsigned runs;
    unsigned launches; /* a run */
    unsigned splits;   /* of the chain's column */
    bool has_wrong;    /* the chain's wrong pattern is run too */
    const char *only;  /* cases whose names begin so; NULL: all */
    double copy_rate;  /* bytes a second, read plus written */
    FILE *json;
    unsigned json_rows;
    bool failed;
} bench;

/* How a case's operand lies against the values: `bits` a value, or 0 for an operand that is not cut. */
typedef struct bench_operand {
    grt_buffer *buffer;
    unsigned bits;
    grt_arg_kind access; /* GRT_ARG_READ, WRITE or UPDATE */
} bench_operand;

enum { BENCH_OPERANDS = 5, BENCH_RUNS = 16 };

typedef struct bench_case bench_case;
/* Enqueues the case's kernel over `views`, which hold the values from `first` on. */
typedef grt_status bench_launch(const bench_case *c, bench_device *on, const grt_view *views, uint64_t first);
/* Checks the result itself where cutting operands does not do. Returns whether it was right. */
typedef bool bench_verify(bench *b, bench_case *c);

struct bench_case {
    const char *name;
    double target; /* of the copy bandwidth; 0 for context */
    gk_type type;
    gk_type second_type;
    unsigned width;
    uint64_t count;
    double moved; /* bytes read and written a launch */
    bench_operand operands[BENCH_OPERANDS];
    bench_launch *launch;
    bench_verify *verify; /* NULL: operands are cut */
};

/* Makes the cases of the table and runs them one after the other. */
void bench_kernels_run(bench *b);
/* The decode chain over streams. */
void bench_chain_run(bench *b);

/* Ends the program with a message unless `status` is GRT_OK. */
void bench_check(grt_status status, const char *what);
#define must(call) bench_check((call), #call)
/* Memory or the end of the program. */
void *bench_memory(size_t size);
uint64_t bench_random(void);
double bench_median(const double *values, unsigned count);

/* A buffer of `size` bytes that repeats the `pattern_size` bytes of `pattern`. */
grt_buffer *bench_repeat(bench_device *on, size_t size, const void *pattern, size_t pattern_size);
/* Times, verifies and reports one case; its operands are then destroyed. `refill` restores what launches
 * changed. */
void bench_case_run(bench *b, bench_case *c, void (*refill)(bench *b, bench_case *c));
/* Whether the windows of the tested device's result equal the host twins' on the same inputs. */
bool bench_windows_equal(bench *b, bench_case *c);
/* Starts a row of the JSON file's array; the caller writes the members and "}". */
void bench_json_row(bench *b, const char *name);

#endif
