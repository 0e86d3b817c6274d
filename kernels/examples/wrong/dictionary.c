// SPDX-License-Identifier: Apache-2.0
// WRONG ON PURPOSE: dictionary decoding, a guard released before the launch. The twin of
// ../guarded/dictionary.c.
#include "stage.h"

enum { WORDS = 200 };
static uint64_t words[WORDS], expected[STAGE_COUNT];
static uint8_t codes[STAGE_COUNT];

static void make_columns(void)
{
    for (uint64_t i = 0; i < WORDS; i++)
        words[i] = i * UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t i = 0; i < STAGE_COUNT; i++) {
        codes[i] = (uint8_t)(i * 31 % WORDS);
        expected[i] = words[codes[i]];
    }
}

static grt_status decode(const stage *s, grt_kernel *kernel)
{
    grt_guard *reading_codes = NULL, *reading_words = NULL, *writing = NULL;
    grt_status status = grt_acquire_read(s->decoding, grt_buffer_view(s->inputs[0]), &reading_codes);
    if (status == GRT_OK)
        status = grt_acquire_read(s->decoding, grt_buffer_view(s->inputs[1]), &reading_words);
    if (status == GRT_OK)
        status = grt_acquire_write(s->decoding, grt_buffer_view(s->out), &writing);
    grt_status ended = GRT_OK;
    if (status == GRT_OK) {
        const uint8_t *from = grt_guard_pointer(reading_codes);
        const uint64_t *dictionary = grt_guard_pointer(reading_words);
        uint64_t *to = grt_guard_pointer(writing);
        // Too early: the pointer outlives its guard, and the kernel that writes there is not enqueued yet.
        ended = grt_release(writing);
        uint64_t count = STAGE_COUNT;
        uint32_t size = WORDS, staged = 0;
        void *args[] = {&from, &dictionary, &to, &count, &size, &staged};
        const size_t sizes[] = {sizeof(from),  sizeof(dictionary), sizeof(to),
                                sizeof(count), sizeof(size),       sizeof(staged)};
        grt_config config = grt_config_linear(256, 256);
        status =
            grt_launch_raw(s->decoding, kernel, config, 6, args, sizes); // expect: released-before-launch
    }
    ended = stage_first(ended, grt_release(reading_codes));
    ended = stage_first(ended, grt_release(reading_words));
    return stage_first(status, ended);
}

int main(void)
{
    make_columns();
    const stage_example example = {.kernel = "gk_dictionary_u8_u64",
                                   .inputs = {{codes, sizeof(codes)}, {words, sizeof(words)}},
                                   .expected = {expected, sizeof(expected)},
                                   .decode = decode};
    return stage_main(&example);
}
