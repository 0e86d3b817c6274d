// SPDX-License-Identifier: Apache-2.0
// Running a program and taking its time; the middle and the spread of several runs.
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stddef.h>

enum { BENCH_RUNS_MAX = 101 };

struct bench_samples {
    double seconds[BENCH_RUNS_MAX];
    size_t count;
};

struct bench_spread {
    double median, least, most;
};

// What one run took.
struct bench_time {
    double wall;
    double cpu; // of it and the children it waited for
};

// Runs argv (NULL-terminated) with its output in `output` (or dropped, if NULL) and returns its exit status,
// or -1 if a signal ended it or it could not be started.
int bench_run(const char *const *argv, const char *output, struct bench_time *out_time);
void bench_add(struct bench_samples *samples, double seconds);
// Sorts the samples.
struct bench_spread bench_spread(struct bench_samples *samples);

#endif
