/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every kernel test stands on: the devices there are (the host backend, and CUDA where a driver and GPU
 * code are), device memory with watched margins, and random numbers. A test is run once a device: `rigs[_i]`.
 */
#ifndef GUARDKERNELS_TESTS_RIG_H
#define GUARDKERNELS_TESTS_RIG_H

#include "encode.h"

#include <check.h>
#include <stdio.h>

typedef struct rig {
    grt_device *device;
    grt_stream *stream;
    gk_library *library;
    bool is_gpu;
} rig;

extern rig rigs[2];
extern int rig_count;

/* Each test file defines this: adds its tests to `tests`, once for every rig (rig_add). */
void tests_add(TCase *tests);
/* Tests too large for sanitizers: the test case "large" (CK_RUN_CASE=all leaves them out). */
extern TCase *rig_large;
#define rig_add(tests, function) tcase_add_loop_test(tests, function, 0, rig_count)

#define ok(call) ck_assert_int_eq((call), GRT_OK)

/* Device memory holding a copy of `size` bytes, `shift` bytes past a 16-byte boundary. Lives to the end of
 * the test. */
grt_view rig_bytes(rig *on, const void *data, size_t size, size_t shift);
/* Device memory for results, with margins around it that rig_fetch finds changed by writes outside. */
grt_view rig_room(rig *on, size_t size, size_t shift);
/* The contents of a view of rig_bytes or rig_room when the stream has passed. Lives to the end of the test.
 */
void *rig_fetch(rig *on, grt_view view);
/* Host memory, zeroed, to the end of the test. Never NULL. */
void *rig_memory(size_t size);
/* Fails the test unless `count` elements are equal, naming the first that is not. */
void rig_compare(gk_type type, const void *got, const void *expected, uint64_t count, const char *what);

/* The next of a sequence of random 64-bit numbers (the same in every run). */
uint64_t rig_random(void);
/* Fills an array with random elements below 2^width, plus `reference` modulo the range. */
void rig_random_values(gk_type type, void *values, uint64_t count, unsigned width, uint64_t reference);

/* Counts around the block and tile sizes, ascending. */
extern const uint64_t rig_counts[];
extern const size_t rig_count_number;

#endif
