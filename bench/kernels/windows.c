// SPDX-License-Identifier: Apache-2.0
// Verifies a case: windows of its operands go through the host twin, whose results must be the tested
// device's.
#include "bench.h"

#include <stdlib.h>

enum { WINDOWS = 12, WINDOW = 65536 };

// One operand's part for one window: what the tested device had before the launch, and has after it.
typedef struct part {
    size_t offset;
    size_t size;
    void *before;
} part;

typedef struct window {
    uint64_t first;
    uint64_t count;
    part parts[BENCH_OPERANDS];
} window;

static void fetch(bench_device *on, grt_buffer *buffer, size_t offset, size_t size, void *to)
{
    grt_view view;
    must(grt_view_slice(grt_buffer_view(buffer), offset, size, &view));
    must(grt_download(on->stream, to, view));
    must(grt_stream_synchronize(on->stream));
}

static part part_of(bench *b, const bench_operand *operand, const window *w)
{
    part p = {0, grt_buffer_size(operand->buffer), NULL};
    if (operand->bits) {
        p.offset = (size_t)(w->first * operand->bits / 8);
        p.size = (size_t)(w->count * operand->bits / 8);
    }
    p.before = bench_memory(p.size);
    fetch(&b->tested, operand->buffer, p.offset, p.size, p.before);
    return p;
}

// The first, the last, and some between.
static window window_choose(bench *b, const bench_case *c, unsigned i)
{
    uint64_t places = c->count / WINDOW;
    uint64_t at = i == 0 ? 0 : i == 1 ? places - 1 : bench_random() % places;
    window w = {.first = at * WINDOW, .count = WINDOW};
    for (unsigned k = 0; k < BENCH_OPERANDS; k++)
        if (c->operands[k].buffer)
            w.parts[k] = part_of(b, &c->operands[k], &w);
    return w;
}

static bool operand_equal(bench *b, const bench_case *c, const window *w, unsigned k, grt_buffer *twin)
{
    size_t size = w->parts[k].size;
    unsigned char *expected = bench_memory(size);
    unsigned char *got = bench_memory(size);
    fetch(&b->host, twin, 0, size, expected);
    fetch(&b->tested, c->operands[k].buffer, w->parts[k].offset, size, got);
    size_t i = 0;
    while (i < size && expected[i] == got[i])
        i++;
    if (i < size)
        fprintf(stderr, "%s: byte %zu of the window at value %llu is %#x instead of %#x\n", c->name, i,
                (unsigned long long)w->first, got[i], expected[i]);
    free(expected);
    free(got);
    return i == size;
}

static bool window_equal(bench *b, const bench_case *c, const window *w)
{
    grt_buffer *twins[BENCH_OPERANDS] = {NULL};
    grt_view views[BENCH_OPERANDS] = {{NULL, 0, 0}};
    for (unsigned k = 0; k < BENCH_OPERANDS; k++) {
        if (!c->operands[k].buffer)
            continue;
        must(grt_buffer_create(b->host.stream, w->parts[k].size, &twins[k]));
        views[k] = grt_buffer_view(twins[k]);
        must(grt_upload(b->host.stream, views[k], w->parts[k].before));
    }
    must(c->launch(c, &b->host, views, w->first));
    bool equal = true;
    for (unsigned k = 0; k < BENCH_OPERANDS && equal; k++)
        if (twins[k] && c->operands[k].access != GRT_ARG_READ)
            equal = operand_equal(b, c, w, k, twins[k]);
    must(grt_stream_synchronize(b->host.stream));
    for (unsigned k = 0; k < BENCH_OPERANDS; k++)
        must(grt_buffer_destroy(twins[k]));
    return equal;
}

bool bench_windows_equal(bench *b, bench_case *c)
{
    window windows[WINDOWS];
    grt_view views[BENCH_OPERANDS] = {{NULL, 0, 0}};
    for (unsigned k = 0; k < BENCH_OPERANDS; k++) {
        if (!c->operands[k].buffer)
            continue;
        views[k] = grt_buffer_view(c->operands[k].buffer);
        if (c->operands[k].access ==
            GRT_ARG_WRITE) // so that the right values of an earlier launch do not count
            must(grt_fill(b->tested.stream, views[k], 0xa5));
    }
    for (unsigned i = 0; i < WINDOWS; i++)
        windows[i] = window_choose(b, c, i);
    must(c->launch(c, &b->tested, views, 0));
    bool equal = true;
    for (unsigned i = 0; i < WINDOWS; i++) {
        equal = equal && window_equal(b, c, &windows[i]);
        for (unsigned k = 0; k < BENCH_OPERANDS; k++)
            free(windows[i].parts[k].before);
    }
    return equal;
}
