// SPDX-License-Identifier: Apache-2.0
// A launch of one's own under guards: ALP. The wrong twin is ../wrong/alp.c.
#include "stage.h"

static int64_t integers[STAGE_COUNT];
static double expected[STAGE_COUNT];

static void make_columns(void)
{
    for (int i = 0; i < STAGE_COUNT; i++) {
        integers[i] = i * 25;
        expected[i] = (double)integers[i] * gk_alp_power(12) * gk_alp_power(-14);
    }
}

static grt_status decode(const stage *s, grt_kernel *kernel)
{
    grt_guard *updating = NULL;
    grt_status status = grt_acquire_update(s->decoding, grt_buffer_view(s->out), &updating);
    if (status == GRT_OK) {
        double *to = grt_guard_pointer(updating);
        uint64_t count = STAGE_COUNT;
        double up = gk_alp_power(12), down = gk_alp_power(-14);
        const void *none = NULL;
        uint32_t exceptions = 0;
        void *args[] = {&to, &count, &up, &down, &none, &none, &none, &exceptions};
        const size_t sizes[] = {sizeof(to),   sizeof(count), sizeof(up),   sizeof(down),
                                sizeof(none), sizeof(none),  sizeof(none), sizeof(exceptions)};
        grt_config config = grt_config_linear(STAGE_COUNT / 8 + 1, 256);
        status = grt_launch_raw(s->decoding, kernel, config, 8, args, sizes);
    }
    // After the enqueue, whether it succeeded or not.
    grt_status ended = grt_release(updating);
    return stage_first(status, ended);
}

int main(void)
{
    make_columns();
    const stage_example example = {.kernel = "gk_alp_f64",
                                   .initial = {integers, sizeof(integers)},
                                   .expected = {expected, sizeof(expected)},
                                   .decode = decode};
    return stage_main(&example);
}
