/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a conformance test stands on: a device of the backend under test, streams, the test kernels, and short
 * words for what the tests do all the time.
 */
#ifndef TEST_RIG_H
#define TEST_RIG_H

#include "kernels.h"

#include <check.h>
#include <stdlib.h>

enum { RIG_STREAMS = 17, WORDS = 1024, BYTES = 4 * WORDS };

typedef struct test_rig {
    grt_device *device;
    grt_stream *streams[RIG_STREAMS]; /* made by rig_streams */
    int stream_count;
    grt_module *module;
    grt_kernel *fill, *copy, *add, *sum3, *nothing;
    bool seeded;    /* the host backend's deterministic mode */
    bool real_time; /* kernels hold their stream for the time they are told */
    bool sanitized; /* under ThreadSanitizer, which reports deliberate races of kernels */
} test_rig;

extern test_rig rig;

/* How long kernels hold a stream so that a missing wait is sure to show, in microseconds. */
enum { HOLD = 4000 };
/* Where a test expects to find the work still running: long enough for this thread to be kept waiting meanwhile. */
enum { LONG_HOLD = 60000 };

/* Fails the test unless the call succeeds. */
#define OK(call)                                                                                             \
    do {                                                                                                     \
        grt_status ok_status = (call);                                                                       \
        ck_assert_msg(ok_status == GRT_OK, "%s: %s (%s)", #call, grt_status_name(ok_status),                 \
                      grt_error_detail());                                                                   \
    } while (0)
/* Fails the test unless the call fails like this. */
#define FAILS(expected, call)                                                                                \
    do {                                                                                                     \
        grt_status is_status = (call);                                                                       \
        ck_assert_msg(is_status == (expected), "%s: %s instead of %s (%s)", #call,                           \
                      grt_status_name(is_status), grt_status_name(expected), grt_error_detail());            \
    } while (0)

/* Check fixtures: rig_begin opens the device with the kernels and one stream; rig_end destroys what the rig
 * made and requires that the test left nothing behind. */
void rig_begin(void);
void rig_end(void);
/* As rig_begin, in checked mode. */
void rig_begin_checked(void);
/* Makes streams until there are `count`. */
void rig_streams(int count);
/* Opens one more device of the backend under test; NULL when it is to use the same context options. */
grt_device *rig_open(grt_check_mode check);

grt_buffer *make_buffer(grt_stream *stream, size_t words);
void fill(grt_stream *stream, grt_view to, uint32_t value, uint32_t micros);
void add(grt_stream *stream, grt_view to, uint32_t value, uint32_t micros);
void copy(grt_stream *stream, grt_view to, grt_view from, uint32_t micros);
/* Waits for the device's conflicting work by the runtime's own rules, and requires every word of `view` to be
 * `value`. */
void expect_words(grt_view view, uint32_t value);
/* One word, read the same way. */
uint32_t read_word(grt_view view, size_t at);
/* word_fill on a pointer, without tracking: what another library would enqueue. */
void raw_fill(grt_stream *stream, void *to, uint32_t value, uint32_t words, uint32_t micros);
void raw_copy(grt_stream *stream, void *to, const void *from, uint32_t words, uint32_t micros);

/* Each test program defines its suite; main is the rig's. Exit 77: the backend under test is absent
 * (skipped). */
Suite *suite(void);
/* A case whose tests run on the rig. */
TCase *rig_case(Suite *to, const char *name);

#endif
