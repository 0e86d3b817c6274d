// SPDX-License-Identifier: Apache-2.0
// Frame of reference and zigzag in place, against their definitions.
#include "rig.h"

static const gk_type types[] = {GK_U8, GK_U16, GK_U32, GK_U64};

static void run_reference(rig *on, gk_type type, uint64_t count, size_t shift, uint64_t reference)
{
    void *values = rig_memory(count * gk_type_size(type));
    void *expected = rig_memory(count * gk_type_size(type));
    rig_random_values(type, values, count, 64, 0);
    for (uint64_t i = 0; i < count; i++)
        gk_encode_set(type, expected, i, gk_encode_get(type, values, i) + reference);
    grt_view view = rig_bytes(on, values, count * gk_type_size(type), shift);
    ok(gk_reference(on->library, on->stream, type, reference, view));
    rig_compare(type, rig_fetch(on, view), expected, count, "frame of reference");
}

START_TEST(adds_a_reference)
{
    for (size_t t = 0; t < 4; t++) {
        for (size_t c = 0; c < rig_count_number; c++) {
            run_reference(&rigs[_i], types[t], rig_counts[c], 0, 1);
            run_reference(&rigs[_i], types[t], rig_counts[c], gk_type_size(types[t]),
                          UINT64_C(0x80ff7f0180818283));
            run_reference(&rigs[_i], types[t], rig_counts[c], 16 - gk_type_size(types[t]), UINT64_MAX);
        }
    }
}
END_TEST

static void run_zigzag(rig *on, gk_type type, uint64_t count, size_t shift)
{
    void *values = rig_memory(count * gk_type_size(type));
    void *encoded = rig_memory(count * gk_type_size(type));
    rig_random_values(type, values, count, 64, 0);
    for (uint64_t i = 0; i < count; i++)
        gk_encode_set(type, encoded, i, gk_encode_get(type, values, i));
    gk_encode_zigzag(type, encoded, count);
    grt_view view = rig_bytes(on, encoded, count * gk_type_size(type), shift);
    ok(gk_zigzag(on->library, on->stream, type, view));
    rig_compare(type, rig_fetch(on, view), values, count, "zigzag");
}

START_TEST(decodes_zigzag)
{
    for (size_t t = 0; t < 4; t++) {
        for (size_t c = 0; c < rig_count_number; c++) {
            run_zigzag(&rigs[_i], types[t], rig_counts[c], 0);
            run_zigzag(&rigs[_i], types[t], rig_counts[c], gk_type_size(types[t]));
        }
    }
}
END_TEST

// The smallest and largest values, written out.
START_TEST(decodes_the_ends)
{
    rig *on = &rigs[_i];
    const uint8_t encoded[] = {0, 1, 2, 3, 4, 253, 254, 255};
    const int8_t expected[] = {0, -1, 1, -2, 2, -127, 127, -128};
    grt_view view = rig_bytes(on, encoded, sizeof(encoded), 3);
    ok(gk_zigzag(on->library, on->stream, GK_U8, view));
    rig_compare(GK_U8, rig_fetch(on, view), expected, sizeof(expected), "zigzag of bytes");
}
END_TEST

START_TEST(refuses_wrong_arguments)
{
    rig *on = &rigs[_i];
    grt_view odd = rig_room(on, 6, 0);
    ck_assert_int_eq(gk_zigzag(on->library, on->stream, GK_U32, odd), GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_zigzag(on->library, on->stream, GK_F32, odd), GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_reference(on->library, on->stream, GK_U64, 1, odd), GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_reference(on->library, on->stream, GK_F64, 1, odd), GRT_INVALID_ARGUMENT);
}
END_TEST

void tests_add(TCase *tests)
{
    rig_add(tests, adds_a_reference);
    rig_add(tests, decodes_zigzag);
    rig_add(tests, decodes_the_ends);
    rig_add(tests, refuses_wrong_arguments);
}
