// SPDX-License-Identifier: Apache-2.0
// WRONG ON PURPOSE: zigzag in place, a guard released before the launch. The twin of ../guarded/zigzag.c.
#include "stage.h"

#include <string.h>

static int32_t values[STAGE_COUNT];
static uint32_t encoded[STAGE_COUNT];

static void make_columns(void)
{
    for (int32_t i = 0; i < STAGE_COUNT; i++)
        values[i] = i % 2 ? -i * 7 : i * 7;
    memcpy(encoded, values, sizeof(encoded));
    gk_encode_zigzag(GK_U32, encoded, STAGE_COUNT);
}

static grt_status decode(const stage *s, grt_kernel *kernel)
{
    grt_guard *updating = NULL;
    grt_status status = grt_acquire_update(s->decoding, grt_buffer_view(s->out), &updating);
    grt_status ended = GRT_OK;
    if (status == GRT_OK) {
        uint32_t *to = grt_guard_pointer(updating);
        // Too early: the pointer outlives its guard, and the kernel that writes there is not enqueued yet.
        ended = grt_release(updating);
        uint64_t count = STAGE_COUNT;
        void *args[] = {&to, &count};
        const size_t sizes[] = {sizeof(to), sizeof(count)};
        grt_config config = grt_config_linear(STAGE_COUNT / 16 + 1, 256);
        status =
            grt_launch_raw(s->decoding, kernel, config, 2, args, sizes); // expect: released-before-launch
    }
    return stage_first(status, ended);
}

int main(void)
{
    make_columns();
    const stage_example example = {.kernel = "gk_zigzag_u32",
                                   .initial = {encoded, sizeof(encoded)},
                                   .expected = {values, sizeof(values)},
                                   .decode = decode};
    return stage_main(&example);
}
