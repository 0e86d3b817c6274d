// SPDX-License-Identifier: Apache-2.0
// WRONG ON PURPOSE: a frame of reference in place, a guard released before the launch. The twin of
// ../guarded/reference.c.
#include "stage.h"

enum { REFERENCE = 1700000000 };
static uint64_t offsets[STAGE_COUNT], expected[STAGE_COUNT];

static void make_columns(void)
{
    for (uint64_t i = 0; i < STAGE_COUNT; i++) {
        offsets[i] = i * i;
        expected[i] = REFERENCE + offsets[i];
    }
}

static grt_status decode(const stage *s, grt_kernel *kernel)
{
    grt_guard *updating = NULL;
    grt_status status = grt_acquire_update(s->decoding, grt_buffer_view(s->out), &updating);
    grt_status ended = GRT_OK;
    if (status == GRT_OK) {
        uint64_t *to = grt_guard_pointer(updating);
        // Too early: the pointer outlives its guard, and the kernel that writes there is not enqueued yet.
        ended = grt_release(updating);
        uint64_t reference = REFERENCE, count = STAGE_COUNT;
        void *args[] = {&to, &reference, &count};
        const size_t sizes[] = {sizeof(to), sizeof(reference), sizeof(count)};
        grt_config config = grt_config_linear(STAGE_COUNT / 8 + 1, 256);
        status =
            grt_launch_raw(s->decoding, kernel, config, 3, args, sizes); // expect: released-before-launch
    }
    return stage_first(status, ended);
}

int main(void)
{
    make_columns();
    const stage_example example = {.kernel = "gk_reference_u64",
                                   .initial = {offsets, sizeof(offsets)},
                                   .expected = {expected, sizeof(expected)},
                                   .decode = decode};
    return stage_main(&example);
}
