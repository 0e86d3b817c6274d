// SPDX-License-Identifier: Apache-2.0
// The decode chain: splits of a column go from pinned memory through a ring of staging slots into unpacking
// and ALP, over several streams. Against it: its copies alone, its kernels alone, one stream, and guards
// released too early.
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    STREAMS = 4,
    SLOTS = 6, // more than the streams, so that a slot goes from stream to stream
    WIDTH = 21,
    EXPONENT = 14,
    FACTOR = 12
};

typedef enum chain_mode { CHAIN, COPIES_ALONE, KERNELS_ALONE, RELEASED_EARLY } chain_mode;

typedef struct chain {
    bench *b;
    uint64_t split; // values of one
    size_t packed_split;
    grt_buffer *pinned;
    grt_buffer *slots[SLOTS];
    grt_buffer *out;
    grt_stream *streams[STREAMS];
    grt_kernel *unpack;
    double *expected; // the values of the first split, which all others repeat, rotated by their number
} chain;

static grt_view part(grt_buffer *buffer, size_t size, unsigned i)
{
    grt_view view;
    must(grt_view_slice(grt_buffer_view(buffer), i * size, size, &view));
    return view;
}

// The wrong pattern, for comparison: the guards are gone before the kernel that uses their pointers is
// enqueued. So nothing tells the next copy into the slot that this kernel still reads it.
static void unpack_released_early(const chain *c, grt_stream *stream, grt_view slot, grt_view out)
{
    grt_guard *reading, *writing;
    must(grt_acquire_read(stream, slot, &reading));
    must(grt_acquire_write(stream, out, &writing));
    const void *from = grt_guard_pointer(reading);
    void *to = grt_guard_pointer(writing);
    uint64_t count = c->split, reference = 0;
    uint32_t width = WIDTH;
    void *arguments[] = {&from, &to, &count, &reference, &width};
    const size_t sizes[] = {sizeof(from), sizeof(to), sizeof(count), sizeof(reference), sizeof(width)};
    grt_config config = grt_config_linear(GK_BLOCKS(count) * 64, 256);
    must(grt_release(reading));
    must(grt_release(writing));
    // guardlint: allow(released-before-launch) the wrong pattern is what is measured here
    must(grt_launch_raw(stream, c->unpack, config, 5, arguments, sizes));
}

static void split_enqueue(const chain *c, unsigned i, chain_mode mode, unsigned streams)
{
    grt_stream *stream = c->streams[i % streams];
    grt_view slot = grt_buffer_view(c->slots[i % SLOTS]);
    grt_view out = part(c->out, (size_t)c->split * sizeof(double), i);
    gk_library *library = c->b->tested.library;
    if (mode != KERNELS_ALONE)
        must(grt_copy(stream, slot, part(c->pinned, c->packed_split, i)));
    if (mode == COPIES_ALONE)
        return;
    if (mode == RELEASED_EARLY)
        unpack_released_early(c, stream, slot, out);
    else
        must(gk_unpack(library, stream, GK_U64, WIDTH, 0, slot, out));
    must(gk_alp(library, stream, GK_F64, EXPONENT, FACTOR, NULL, out));
}

// Wall clock of all splits, from the first call to the last stream's end.
static double chain_pass(const chain *c, chain_mode mode, unsigned streams)
{
    struct timespec begin, end;
    must(grt_device_synchronize(c->b->tested.device));
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (unsigned i = 0; i < c->b->splits; i++)
        split_enqueue(c, i, mode, streams);
    must(grt_device_synchronize(c->b->tested.device));
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
}

// How many splits hold other values than they should; `got` has room for one split. Split i repeats the
// column's values with its number added before ALP, so no split's data can pass for another's.
static unsigned splits_wrong(const chain *c, double *got)
{
    unsigned wrong = 0;
    size_t size = (size_t)c->split * sizeof(double);
    for (unsigned i = 0; i < c->b->splits; i++) {
        grt_stream *stream = c->b->tested.stream;
        must(grt_download(stream, got, part(c->out, size, i)));
        must(grt_stream_synchronize(stream));
        wrong += memcmp(got, c->expected + i * c->split, size) != 0;
    }
    return wrong;
}

static void chain_report(chain *c, const char *name, chain_mode mode, unsigned streams, double against,
                         double *out_median)
{
    bench *b = c->b;
    double seconds[BENCH_RUNS];
    size_t size = (size_t)c->split * sizeof(double);
    (void)chain_pass(c, mode, streams);
    must(grt_fill(b->tested.stream, grt_buffer_view(c->out), 0xa5));
    for (unsigned run = 0; run < b->runs; run++)
        seconds[run] = chain_pass(c, mode, streams);
    double *got = bench_memory(size);
    bool decodes = mode == CHAIN || mode == RELEASED_EARLY;
    unsigned wrong = decodes ? splits_wrong(c, got) : 0;
    free(got);
    *out_median = bench_median(seconds, b->runs);
    b->failed |= mode == CHAIN && wrong != 0;
    printf("%-28s %9.3f ms", name, *out_median * 1e3);
    if (against > 0)
        printf("  %5.3f of the slower of copy and compute", *out_median / against);
    if (decodes)
        printf("  %u of %u splits wrong", wrong, c->b->splits);
    printf("\n");
    bench_json_row(b, name);
    fprintf(b->json,
            "\"splits\": %u, \"streams\": %u, \"slots\": %u, \"packed_bytes\": %zu, \"out_bytes\": %zu, ",
            c->b->splits, streams, (unsigned)SLOTS, c->packed_split * b->splits, size * b->splits);
    if (decodes)
        fprintf(b->json, "\"ratio\": %.4f, \"splits_wrong\": %u, ", *out_median / against, wrong);
    fprintf(b->json, "\"seconds\": [");
    for (unsigned i = 0; i < b->runs; i++)
        fprintf(b->json, "%s%.9f", i ? ", " : "", seconds[i]);
    fprintf(b->json, "]}");
}

// Fills one split's pinned bytes and its expected values.
static void split_encode(chain *c, unsigned i, int64_t *integers)
{
    for (uint64_t k = 0; k < c->split; k++) {
        integers[k] = (int64_t)((k * 2654435761u + i * 40503u) % (1u << WIDTH));
        c->expected[i * c->split + k] = (double)integers[k] * gk_alp_power(FACTOR) * gk_alp_power(-EXPONENT);
    }
    grt_guard *filling;
    must(grt_acquire_host_write(part(c->pinned, c->packed_split, i), &filling));
    gk_encode_pack(GK_U64, WIDTH, 0, integers, c->split, grt_guard_pointer(filling));
    must(grt_release(filling));
}

static void chain_open(chain *c, bench *b)
{
    *c = (chain){.b = b};
    c->split = b->bytes / sizeof(double) / b->splits / GK_BLOCK * GK_BLOCK;
    c->packed_split = gk_packed_bytes(c->split, WIDTH);
    c->expected = bench_memory(c->split * b->splits * sizeof(double));
    must(grt_buffer_create_host(b->tested.device, c->packed_split * b->splits, &c->pinned));
    must(grt_buffer_create(b->tested.stream, c->split * b->splits * sizeof(double), &c->out));
    for (unsigned i = 0; i < SLOTS; i++) {
        must(grt_buffer_create(b->tested.stream, c->packed_split, &c->slots[i]));
        must(grt_fill(b->tested.stream, grt_buffer_view(c->slots[i]), 0));
    }
    for (unsigned i = 0; i < STREAMS; i++)
        must(grt_stream_create(b->tested.device, 0, &c->streams[i]));
    must(gk_library_kernel(b->tested.library, "gk_unpack_u64_w21", &c->unpack));
    int64_t *integers = bench_memory(c->split * sizeof(*integers));
    for (unsigned i = 0; i < c->b->splits; i++)
        split_encode(c, i, integers);
    free(integers);
}

static void chain_close(chain *c)
{
    for (unsigned i = 0; i < STREAMS; i++)
        must(grt_stream_destroy(c->streams[i]));
    for (unsigned i = 0; i < SLOTS; i++)
        must(grt_buffer_destroy(c->slots[i]));
    must(grt_buffer_destroy(c->out));
    must(grt_buffer_destroy(c->pinned));
    must(grt_device_synchronize(c->b->tested.device));
    free(c->expected);
}

void bench_chain_run(bench *b)
{
    chain c;
    double copies, kernels, ignored;
    if (b->only && strncmp("chain", b->only, strlen(b->only)) != 0)
        return;
    chain_open(&c, b);
    chain_report(&c, "chain_copies_alone", COPIES_ALONE, STREAMS, 0, &copies);
    chain_report(&c, "chain_kernels_alone", KERNELS_ALONE, STREAMS, 0, &kernels);
    double slower = copies > kernels ? copies : kernels;
    chain_report(&c, "chain_4_streams", CHAIN, STREAMS, slower, &ignored);
    chain_report(&c, "chain_1_stream", CHAIN, 1, slower, &ignored);
    if (b->has_wrong)
        chain_report(&c, "chain_released_early", RELEASED_EARLY, STREAMS, slower, &ignored);
    chain_close(&c);
}
