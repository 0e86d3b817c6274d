// SPDX-License-Identifier: Apache-2.0
// Filter against its definition: nothing, everything, half, one, and outputs that are too small.
#include "rig.h"

#include <string.h>

typedef struct filter_case {
    gk_type type;
    uint64_t count;
    unsigned per_mille; // of the bits are set
    uint64_t capacity_missing;
    size_t shift;
} filter_case;

static uint32_t *make_mask(uint64_t count, unsigned per_mille)
{
    // Bits past the count are set: they must not count.
    uint64_t words = (count + 31) / 32;
    uint32_t *mask = rig_memory((words + 1) * sizeof(*mask));
    memset(mask, 0xff, words * sizeof(*mask));
    for (uint64_t i = 0; i < count; i++)
        if (rig_random() % 1000 >= per_mille)
            mask[i / 32] &= ~(UINT32_C(1) << i % 32);
    return mask;
}

static uint64_t select_values(const filter_case *c, const uint32_t *mask, const void *values, void *out)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < c->count; i++)
        if (mask[i / 32] >> i % 32 & 1)
            gk_encode_set(c->type, out, kept++, gk_encode_get(c->type, values, i));
    return kept;
}

static void run(rig *on, filter_case c)
{
    size_t size = gk_type_size(c.type);
    void *values = rig_memory(c.count * size);
    void *expected = rig_memory(c.count * size);
    rig_random_values(c.type, values, c.count, 64, 0);
    uint32_t *mask = make_mask(c.count, c.per_mille);
    uint64_t kept = select_values(&c, mask, values, expected);
    uint64_t capacity = kept > c.capacity_missing ? kept - c.capacity_missing : 0;
    grt_view mask_view = rig_bytes(on, mask, (c.count + 31) / 32 * sizeof(*mask), c.shift ? 4 : 0);
    grt_view value_view = rig_bytes(on, values, c.count * size, c.shift);
    grt_view workspace = rig_room(on, gk_filter_workspace(c.count), 0);
    grt_view selected = rig_room(on, sizeof(uint64_t), 0);
    grt_view out = rig_room(on, capacity * size, c.shift);
    ok(gk_filter(on->library, on->stream, c.type, mask_view, value_view, workspace, selected, out));
    rig_compare(GK_U64, rig_fetch(on, selected), &kept, 1, "filter: the number selected");
    rig_compare(c.type, rig_fetch(on, out), expected, capacity, "filter");
}

START_TEST(selects)
{
    const unsigned rates[] = {0, 1, 500, 1000};
    for (size_t r = 0; r < 4; r++) {
        for (size_t c = 0; c < rig_count_number; c++) {
            run(&rigs[_i], (filter_case){GK_U32, rig_counts[c], rates[r], 0, 0});
            run(&rigs[_i], (filter_case){GK_F64, rig_counts[c], rates[r], 0, 0});
            run(&rigs[_i], (filter_case){GK_F32, rig_counts[c], rates[r], 0, 4});
            run(&rigs[_i], (filter_case){GK_U64, rig_counts[c], rates[r], 0, 8});
        }
    }
}
END_TEST

START_TEST(selects_from_many_tiles)
{
    run(&rigs[_i], (filter_case){GK_U32, 3000001, 500, 0, 0});
    run(&rigs[_i], (filter_case){GK_U64, 1000003, 30, 0, 0});
}
END_TEST

START_TEST(stops_at_the_capacity)
{
    run(&rigs[_i], (filter_case){GK_U32, 9000, 500, 1, 0});
    run(&rigs[_i], (filter_case){GK_U64, 9000, 500, 9000, 0});
}
END_TEST

START_TEST(refuses_wrong_arguments)
{
    rig *on = &rigs[_i];
    grt_view values = rig_room(on, 4097 * 4, 0);
    grt_view mask = rig_room(on, 129 * 4, 0);
    grt_view short_mask = rig_room(on, 128 * 4, 0);
    grt_view workspace = rig_room(on, gk_filter_workspace(4097), 0);
    grt_view small = rig_room(on, gk_filter_workspace(4095), 0);
    grt_view selected = rig_room(on, 8, 0);
    gk_library *library = on->library;
    ck_assert_int_eq(gk_filter(library, on->stream, GK_U32, short_mask, values, workspace, selected, values),
                     GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_filter(library, on->stream, GK_U32, mask, values, small, selected, values),
                     GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_filter(library, on->stream, GK_U8, mask, values, workspace, selected, values),
                     GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_filter(library, on->stream, GK_U32, mask, values, workspace, small, values),
                     GRT_INVALID_ARGUMENT);
}
END_TEST

void tests_add(TCase *tests)
{
    rig_add(tests, selects);
    rig_add(tests, selects_from_many_tiles);
    rig_add(tests, stops_at_the_capacity);
    rig_add(tests, refuses_wrong_arguments);
}
