// SPDX-License-Identifier: Apache-2.0
// WRONG ON PURPOSE: bit-unpacking with a frame of reference, a guard released before the launch. The twin of
// ../guarded/unpack.c.
#include "stage.h"

enum { WIDTH = 11, REFERENCE = 100000 };
static uint32_t values[STAGE_COUNT];
static uint32_t packed[4 * GK_PACKED_BYTES(WIDTH) / 4];

static void make_columns(void)
{
    for (uint32_t i = 0; i < STAGE_COUNT; i++)
        values[i] = REFERENCE + i * 13 % 2048;
    gk_encode_pack(GK_U32, WIDTH, REFERENCE, values, STAGE_COUNT, packed);
}

static grt_status decode(const stage *s, grt_kernel *kernel)
{
    grt_guard *reading = NULL, *writing = NULL;
    grt_status status = grt_acquire_read(s->decoding, grt_buffer_view(s->inputs[0]), &reading);
    if (status == GRT_OK)
        status = grt_acquire_write(s->decoding, grt_buffer_view(s->out), &writing);
    grt_status ended = GRT_OK;
    if (status == GRT_OK) {
        const uint32_t *from = grt_guard_pointer(reading);
        uint32_t *to = grt_guard_pointer(writing);
        // Too early: the pointer outlives its guard, and the kernel that writes there is not enqueued yet.
        ended = grt_release(writing);
        uint64_t count = STAGE_COUNT;
        uint32_t reference = REFERENCE, width = WIDTH;
        void *args[] = {&from, &to, &count, &reference, &width};
        const size_t sizes[] = {sizeof(from), sizeof(to), sizeof(count), sizeof(reference), sizeof(width)};
        grt_config config = grt_config_linear(GK_BLOCKS(STAGE_COUNT) * 32, 256);
        status =
            grt_launch_raw(s->decoding, kernel, config, 5, args, sizes); // expect: released-before-launch
    }
    ended = stage_first(ended, grt_release(reading));
    return stage_first(status, ended);
}

int main(void)
{
    make_columns();
    const stage_example example = {.kernel = "gk_unpack_u32_w11",
                                   .inputs = {{packed, sizeof(packed)}},
                                   .expected = {values, sizeof(values)},
                                   .decode = decode};
    return stage_main(&example);
}
