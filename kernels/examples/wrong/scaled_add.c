// SPDX-License-Identifier: Apache-2.0
// WRONG ON PURPOSE: scaled add, a guard released before the launch. The twin of ../guarded/scaled_add.c.
#include "stage.h"

#include <math.h>

static float x[STAGE_COUNT], y[STAGE_COUNT], expected[STAGE_COUNT];

static void make_columns(void)
{
    for (int i = 0; i < STAGE_COUNT; i++) {
        x[i] = (float)i;
        y[i] = (float)(i % 7);
        expected[i] = fmaf(0.5f, x[i], y[i]);
    }
}

static grt_status decode(const stage *s, grt_kernel *kernel)
{
    grt_guard *reading = NULL, *updating = NULL;
    grt_status status = grt_acquire_read(s->decoding, grt_buffer_view(s->inputs[0]), &reading);
    if (status == GRT_OK)
        status = grt_acquire_update(s->decoding, grt_buffer_view(s->out), &updating);
    grt_status ended = GRT_OK;
    if (status == GRT_OK) {
        const float *from = grt_guard_pointer(reading);
        float *to = grt_guard_pointer(updating);
        // Too early: the pointer outlives its guard, and the kernel that writes there is not enqueued yet.
        ended = grt_release(updating);
        float factor = 0.5f;
        uint64_t count = STAGE_COUNT;
        void *args[] = {&to, &from, &factor, &count};
        const size_t sizes[] = {sizeof(to), sizeof(from), sizeof(factor), sizeof(count)};
        grt_config config = grt_config_linear(STAGE_COUNT / 16 + 1, 256);
        status =
            grt_launch_raw(s->decoding, kernel, config, 4, args, sizes); // expect: released-before-launch
    }
    ended = stage_first(ended, grt_release(reading));
    return stage_first(status, ended);
}

int main(void)
{
    make_columns();
    const stage_example example = {.kernel = "gk_scaled_add_f32",
                                   .inputs = {{x, sizeof(x)}},
                                   .initial = {y, sizeof(y)},
                                   .expected = {expected, sizeof(expected)},
                                   .decode = decode};
    return stage_main(&example);
}
