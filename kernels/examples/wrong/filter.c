// SPDX-License-Identifier: Apache-2.0
// WRONG ON PURPOSE: the last of the filter's launches, a guard released before the launch. The twin of
// ../guarded/filter.c.
#include "stage.h"

enum { KEPT = STAGE_COUNT / 4 };
static uint32_t mask[(STAGE_COUNT + 31) / 32], values[STAGE_COUNT], expected[KEPT];
// Where the only chunk's and the only tile's values go: the sums that gk_filter has computed before.
static const uint64_t sums[2];

static void make_columns(void)
{
    for (uint32_t i = 0; i < STAGE_COUNT; i++) {
        values[i] = i * 3;
        if (i % 4 == 3) {
            mask[i / 32] |= UINT32_C(1) << i % 32;
            expected[i / 4] = values[i];
        }
    }
}

static grt_status decode(const stage *s, grt_kernel *kernel)
{
    grt_guard *reading_mask = NULL, *reading_values = NULL, *reading_sums = NULL, *writing = NULL;
    grt_status status = grt_acquire_read(s->decoding, grt_buffer_view(s->inputs[0]), &reading_mask);
    if (status == GRT_OK)
        status = grt_acquire_read(s->decoding, grt_buffer_view(s->inputs[1]), &reading_values);
    if (status == GRT_OK)
        status = grt_acquire_read(s->decoding, grt_buffer_view(s->inputs[2]), &reading_sums);
    if (status == GRT_OK)
        status = grt_acquire_write(s->decoding, grt_buffer_view(s->out), &writing);
    grt_status ended = GRT_OK;
    if (status == GRT_OK) {
        const uint32_t *bits = grt_guard_pointer(reading_mask);
        const uint32_t *from = grt_guard_pointer(reading_values);
        const uint64_t *chunks = grt_guard_pointer(reading_sums);
        uint32_t *to = grt_guard_pointer(writing);
        // Too early: the pointer outlives its guard, and the kernel that writes there is not enqueued yet.
        ended = grt_release(writing);
        const uint64_t *tiles = chunks + 1;
        uint64_t count = STAGE_COUNT, capacity = KEPT;
        void *args[] = {&bits, &from, &chunks, &tiles, &to, &count, &capacity};
        const size_t sizes[] = {sizeof(bits), sizeof(from),  sizeof(chunks),  sizeof(tiles),
                                sizeof(to),   sizeof(count), sizeof(capacity)};
        grt_config config = grt_config_linear(256, 256);
        status =
            grt_launch_raw(s->decoding, kernel, config, 7, args, sizes); // expect: released-before-launch
    }
    ended = stage_first(ended, grt_release(reading_mask));
    ended = stage_first(ended, grt_release(reading_values));
    ended = stage_first(ended, grt_release(reading_sums));
    return stage_first(status, ended);
}

int main(void)
{
    make_columns();
    const stage_example example = {
        .kernel = "gk_filter_u32",
        .inputs = {{mask, sizeof(mask)}, {values, sizeof(values)}, {sums, sizeof(sums)}},
        .expected = {expected, sizeof(expected)},
        .decode = decode};
    return stage_main(&example);
}
