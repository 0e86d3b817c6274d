// SPDX-License-Identifier: Apache-2.0
// Dictionary decoding against the encoder: every code type, dictionaries in shared memory and larger, wild
// codes.
#include "rig.h"

static const gk_type code_types[] = {GK_U8, GK_U16, GK_U32};

// Codes of `code_type` from codes of 32 bits.
static void *narrow(gk_type code_type, const uint32_t *codes, uint64_t count)
{
    void *narrowed = rig_memory(count * gk_type_size(code_type));
    for (uint64_t i = 0; i < count; i++)
        gk_encode_set(code_type, narrowed, i, codes[i]);
    return narrowed;
}

static void run(rig *on, gk_type code_type, gk_type type, uint64_t count, unsigned value_bits, size_t shift)
{
    size_t size = count * gk_type_size(type);
    void *values = rig_memory(size);
    void *dictionary = rig_memory(size + gk_type_size(type)); // one value even for no codes
    uint32_t *codes = rig_memory(count * sizeof(*codes));
    rig_random_values(type, values, count, value_bits, UINT64_C(0x1234567890));
    uint64_t distinct = gk_encode_dictionary(type, values, count, dictionary, codes);
    ck_assert(count == 0 || (distinct >= 1 && distinct <= UINT64_C(1) << value_bits));
    size_t code_size = gk_type_size(code_type);
    grt_view code_view =
        rig_bytes(on, narrow(code_type, codes, count), count * code_size, shift ? code_size : 0);
    grt_view dictionary_view =
        rig_bytes(on, dictionary, (distinct ? distinct : 1) * gk_type_size(type), shift);
    grt_view out = rig_room(on, size, shift);
    ok(gk_dictionary(on->library, on->stream, code_type, type, code_view, dictionary_view, out));
    rig_compare(type, rig_fetch(on, out), values, count, "dictionary");
}

START_TEST(decodes_every_type)
{
    for (size_t t = 0; t < 3; t++) {
        for (size_t c = 0; c < rig_count_number; c++) {
            run(&rigs[_i], code_types[t], GK_U32, rig_counts[c], 8, 0);
            run(&rigs[_i], code_types[t], GK_F64, rig_counts[c], 7, 0);
            run(&rigs[_i], code_types[t], GK_F32, rig_counts[c], 0, 4);
            run(&rigs[_i], code_types[t], GK_U64, rig_counts[c], 8, 8);
        }
    }
}
END_TEST

START_TEST(decodes_large_dictionaries)
{
    run(&rigs[_i], GK_U16, GK_U32, 150000, 15, 0);
    run(&rigs[_i], GK_U32, GK_U64, 150000, 17, 0);
}
END_TEST

START_TEST(stays_inside_for_wild_codes)
{
    rig *on = &rigs[_i];
    const uint32_t values[] = {10, 11, 12};
    const uint32_t codes[] = {0, 1, 2, 3, 4, 1000000, UINT32_MAX};
    const uint32_t expected[] = {10, 11, 12, 12, 12, 12, 12};
    grt_view code_view = rig_bytes(on, codes, sizeof(codes), 0);
    grt_view value_view = rig_bytes(on, values, sizeof(values), 0);
    grt_view out = rig_room(on, sizeof(expected), 0);
    ok(gk_dictionary(on->library, on->stream, GK_U32, GK_U32, code_view, value_view, out));
    rig_compare(GK_U32, rig_fetch(on, out), expected, 7, "wild codes");
}
END_TEST

START_TEST(refuses_wrong_arguments)
{
    rig *on = &rigs[_i];
    grt_view codes = rig_room(on, 8, 0);
    grt_view values = rig_room(on, 16, 0);
    grt_view none = rig_room(on, 0, 0);
    grt_view out = rig_room(on, 32, 0);
    gk_library *library = on->library;
    ck_assert_int_eq(gk_dictionary(library, on->stream, GK_U8, GK_U32, codes, none, out),
                     GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_dictionary(library, on->stream, GK_U16, GK_U32, codes, values, out),
                     GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_dictionary(library, on->stream, GK_U64, GK_U32, codes, values, out),
                     GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_dictionary(library, on->stream, GK_U8, GK_U16, codes, values, out),
                     GRT_INVALID_ARGUMENT);
}
END_TEST

void tests_add(TCase *tests)
{
    rig_add(tests, decodes_every_type);
    rig_add(tests, decodes_large_dictionaries);
    rig_add(tests, stays_inside_for_wild_codes);
    rig_add(tests, refuses_wrong_arguments);
}
