// SPDX-License-Identifier: Apache-2.0
// A launch of one's own under guards: zigzag in place. The wrong twin is ../wrong/zigzag.c.
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
    if (status == GRT_OK) {
        uint32_t *to = grt_guard_pointer(updating);
        uint64_t count = STAGE_COUNT;
        void *args[] = {&to, &count};
        const size_t sizes[] = {sizeof(to), sizeof(count)};
        grt_config config = grt_config_linear(STAGE_COUNT / 16 + 1, 256);
        status = grt_launch_raw(s->decoding, kernel, config, 2, args, sizes);
    }
    // After the enqueue, whether it succeeded or not.
    grt_status ended = grt_release(updating);
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
