// SPDX-License-Identifier: Apache-2.0
// WRONG ON PURPOSE: run-end decoding, a guard released before the launch. The twin of ../guarded/runend.c.
#include "stage.h"

enum { RUN = 50, RUNS = (STAGE_COUNT + RUN - 1) / RUN };
static uint32_t ends[RUNS], values[RUNS], expected[STAGE_COUNT];

static void make_columns(void)
{
    for (uint32_t i = 0; i < RUNS; i++) {
        ends[i] = (i + 1) * RUN < STAGE_COUNT ? (i + 1) * RUN : STAGE_COUNT;
        values[i] = i * 1000003;
    }
    for (uint32_t i = 0; i < STAGE_COUNT; i++)
        expected[i] = values[i / RUN];
}

static grt_status decode(const stage *s, grt_kernel *kernel)
{
    grt_guard *reading_ends = NULL, *reading_values = NULL, *writing = NULL;
    grt_status status = grt_acquire_read(s->decoding, grt_buffer_view(s->inputs[0]), &reading_ends);
    if (status == GRT_OK)
        status = grt_acquire_read(s->decoding, grt_buffer_view(s->inputs[1]), &reading_values);
    if (status == GRT_OK)
        status = grt_acquire_write(s->decoding, grt_buffer_view(s->out), &writing);
    grt_status ended = GRT_OK;
    if (status == GRT_OK) {
        const uint32_t *run_ends = grt_guard_pointer(reading_ends);
        const uint32_t *run_values = grt_guard_pointer(reading_values);
        uint32_t *to = grt_guard_pointer(writing);
        // Too early: the pointer outlives its guard, and the kernel that writes there is not enqueued yet.
        ended = grt_release(writing);
        uint64_t runs = RUNS, first = 0, count = STAGE_COUNT;
        uint32_t tiles_per_block = 1;
        void *args[] = {&run_ends, &run_values, &to, &runs, &first, &count, &tiles_per_block};
        const size_t sizes[] = {sizeof(run_ends),       sizeof(run_values), sizeof(to),
                                sizeof(runs),           sizeof(first),      sizeof(count),
                                sizeof(tiles_per_block)};
        grt_config config = grt_config_linear(256, 256);
        status =
            grt_launch_raw(s->decoding, kernel, config, 7, args, sizes); // expect: released-before-launch
    }
    ended = stage_first(ended, grt_release(reading_ends));
    ended = stage_first(ended, grt_release(reading_values));
    return stage_first(status, ended);
}

int main(void)
{
    make_columns();
    const stage_example example = {.kernel = "gk_runend_u32_u32",
                                   .inputs = {{ends, sizeof(ends)}, {values, sizeof(values)}},
                                   .expected = {expected, sizeof(expected)},
                                   .decode = decode};
    return stage_main(&example);
}
