// SPDX-License-Identifier: Apache-2.0
// Run-end decoding against the encoder: lengths from 1 to everything, splits, ends that make no sense.
#include "rig.h"

#include <string.h>

// Values in runs whose lengths average `length`.
static void make_runs(gk_type type, void *values, uint64_t count, uint64_t length)
{
    uint64_t value = rig_random();
    for (uint64_t i = 0; i < count; i++) {
        if (rig_random() % length == 0)
            value = rig_random();
        gk_encode_set(type, values, i, value);
    }
}

typedef struct runs {
    gk_type end_type;
    gk_type type;
    void *values;
    uint64_t count;
    grt_view ends;
    grt_view run_values;
} runs;

static runs runs_upload(rig *on, gk_type end_type, gk_type type, uint64_t count, uint64_t length)
{
    runs all = {.end_type = end_type, .type = type, .count = count};
    size_t size = gk_type_size(type);
    all.values = rig_memory(count * size);
    make_runs(type, all.values, count, length);
    uint64_t *ends = rig_memory(count * sizeof(*ends));
    void *run_values = rig_memory(count * size);
    uint64_t number = gk_encode_runs(type, all.values, count, ends, run_values);
    void *narrowed = rig_memory(number * sizeof(uint64_t));
    for (uint64_t i = 0; i < number; i++)
        gk_encode_set(end_type, narrowed, i, ends[i]);
    all.ends = rig_bytes(on, narrowed, number * gk_type_size(end_type), 0);
    all.run_values = rig_bytes(on, run_values, number * size, 0);
    return all;
}

// Decodes positions [first, first + count).
static void decode(rig *on, const runs *all, uint64_t first, uint64_t count, size_t shift)
{
    size_t size = gk_type_size(all->type);
    grt_view out = rig_room(on, count * size, shift);
    ok(gk_runend(on->library, on->stream, all->end_type, all->type, all->ends, all->run_values, first, out));
    rig_compare(all->type, rig_fetch(on, out), (const char *)all->values + first * size, count, "run-end");
}

START_TEST(decodes_all_lengths)
{
    const uint64_t lengths[] = {1, 2, 16, 300, 100000};
    for (size_t l = 0; l < 5; l++) {
        for (size_t c = 0; c < rig_count_number; c++) {
            uint64_t count = rig_counts[c];
            runs small = runs_upload(&rigs[_i], GK_U32, GK_U32, count, lengths[l]);
            decode(&rigs[_i], &small, 0, count, 0);
            runs large = runs_upload(&rigs[_i], GK_U64, GK_F64, count, lengths[l]);
            decode(&rigs[_i], &large, 0, count, 8);
        }
    }
}
END_TEST

START_TEST(decodes_splits)
{
    const uint64_t count = 300000;
    const uint64_t split = 65536;
    runs all = runs_upload(&rigs[_i], GK_U32, GK_F32, count, 20);
    runs wide = runs_upload(&rigs[_i], GK_U64, GK_U64, count, 5);
    for (uint64_t first = 0; first < count; first += split) {
        decode(&rigs[_i], &all, first, first + split < count ? split : count - first, 0);
        decode(&rigs[_i], &wide, first, first + split < count ? split : count - first, 0);
    }
    decode(&rigs[_i], &all, 12345, 1, 4);
    decode(&rigs[_i], &all, count - 1, 1, 0);
}
END_TEST

// A run that ends exactly where a tile of 4,096 or 2,048 values does, and the next, and the one before.
START_TEST(decodes_ends_at_tiles)
{
    for (uint64_t at = 2047; at <= 4097; at += at == 2049 ? 2046 : 1) {
        uint64_t count = 3 * 4096;
        uint32_t ends[] = {(uint32_t)at, 8192, (uint32_t)count};
        uint64_t values[] = {1, 2, 3};
        uint64_t *expected = rig_memory(count * sizeof(*expected));
        for (uint64_t i = 0; i < count; i++)
            expected[i] = i < at ? 1 : i < 8192 ? 2 : 3;
        grt_view end_view = rig_bytes(&rigs[_i], ends, sizeof(ends), 0);
        grt_view value_view = rig_bytes(&rigs[_i], values, sizeof(values), 0);
        grt_view out = rig_room(&rigs[_i], count * sizeof(*expected), 0);
        ok(gk_runend(rigs[_i].library, rigs[_i].stream, GK_U32, GK_U64, end_view, value_view, 0, out));
        rig_compare(GK_U64, rig_fetch(&rigs[_i], out), expected, count, "ends at tiles");
    }
}
END_TEST

// Nothing outside the views may be touched (rig_fetch looks at the margins); the values are undefined.
START_TEST(stays_inside_for_wild_ends)
{
    rig *on = &rigs[_i];
    const uint64_t number = 9000;
    const uint64_t count = 20000;
    uint32_t *ends = rig_memory(number * sizeof(*ends));
    for (int kind = 0; kind < 4; kind++) {
        for (uint64_t i = 0; i < number; i++)
            ends[i] = kind == 0   ? 0
                      : kind == 1 ? (uint32_t)rig_random()
                      : kind == 2 ? 5
                                  : (uint32_t)(number - i);
        grt_view end_view = rig_bytes(on, ends, number * sizeof(*ends), 0);
        grt_view value_view = rig_bytes(on, ends, number * sizeof(*ends), 0);
        grt_view out = rig_room(on, count * sizeof(uint32_t), 0);
        ok(gk_runend(on->library, on->stream, GK_U32, GK_U32, end_view, value_view, 0, out));
        const uint32_t *got = rig_fetch(on, out);
        for (uint64_t i = 0; i < count && kind == 0; i++)
            ck_assert_uint_eq(got[i], 0); // whichever run is taken, its value is 0
    }
}
END_TEST

START_TEST(refuses_wrong_arguments)
{
    rig *on = &rigs[_i];
    grt_view ends = rig_room(on, 8, 0);
    grt_view values = rig_room(on, 12, 0);
    grt_view none = rig_room(on, 0, 0);
    grt_view out = rig_room(on, 32, 0);
    gk_library *library = on->library;
    ck_assert_int_eq(gk_runend(library, on->stream, GK_U32, GK_U32, ends, values, 0, out),
                     GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_runend(library, on->stream, GK_U32, GK_U32, none, none, 0, out),
                     GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_runend(library, on->stream, GK_U16, GK_U32, ends, ends, 0, out),
                     GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_runend(library, on->stream, GK_U32, GK_U8, ends, ends, 0, out), GRT_INVALID_ARGUMENT);
}
END_TEST

void tests_add(TCase *tests)
{
    rig_add(tests, decodes_all_lengths);
    rig_add(tests, decodes_splits);
    rig_add(tests, decodes_ends_at_tiles);
    rig_add(tests, stays_inside_for_wild_ends);
    rig_add(tests, refuses_wrong_arguments);
}
