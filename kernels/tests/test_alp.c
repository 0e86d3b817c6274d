// SPDX-License-Identifier: Apache-2.0
// ALP decoding against the encoder: decimals, exceptions from none to everywhere, values no decimal gives.
#include "rig.h"

#include <math.h>
#include <string.h>

// `per_mille` of the values are no decimals.
static void make_values(gk_type type, void *values, uint64_t count, unsigned per_mille)
{
    const double odd[] = {NAN, INFINITY, -INFINITY, -0.0, 1.0 / 3, 1e300, 5e-324};
    for (uint64_t i = 0; i < count; i++) {
        double value = (double)((int64_t)(rig_random() % 200000) - 100000) / 100.0;
        if (rig_random() % 1000 < per_mille)
            value = odd[rig_random() % 7];
        if (type == GK_F32)
            ((float *)values)[i] = (float)value;
        else
            ((double *)values)[i] = value;
    }
}

static gk_exceptions exceptions_upload(rig *on, gk_type type, uint64_t count, const gk_alp_column *column)
{
    size_t number = column->exception_count;
    return (gk_exceptions){
        .starts = rig_bytes(on, column->starts, (GK_BLOCKS(count) + 1) * sizeof(*column->starts), 0),
        .positions = rig_bytes(on, column->positions, number * sizeof(*column->positions), 0),
        .values = rig_bytes(on, column->exceptions, number * gk_type_size(type), 0)};
}

static void run(rig *on, gk_type type, uint64_t count, unsigned per_mille, size_t shift)
{
    void *values = rig_memory(count * gk_type_size(type));
    make_values(type, values, count, per_mille);
    gk_alp_column column;
    ck_assert(gk_encode_alp(type, values, count, &column));
    // Floats have too few digits for some decimals; one that underflows to 0 has an integer.
    ck_assert(per_mille != 0 || column.exception_count <= (type == GK_F64 ? 0 : count / 5 + 1));
    ck_assert(per_mille != 1000 || count < 1000 || column.exception_count > count / 2);
    gk_exceptions exceptions = exceptions_upload(on, type, count, &column);
    grt_view view = rig_bytes(on, column.integers, count * gk_type_size(type), shift);
    ok(gk_alp(on->library, on->stream, type, column.exponent, column.factor, &exceptions, view));
    rig_compare(type, rig_fetch(on, view), values, count, "ALP");
    gk_encode_alp_free(&column);
}

START_TEST(decodes_exactly)
{
    const unsigned rates[] = {0, 2, 300, 1000};
    for (size_t r = 0; r < 4; r++) {
        for (size_t c = 0; c < rig_count_number; c++) {
            run(&rigs[_i], GK_F64, rig_counts[c], rates[r], 0);
            run(&rigs[_i], GK_F32, rig_counts[c], rates[r], 0);
            run(&rigs[_i], GK_F64, rig_counts[c], rates[r], 8);
            run(&rigs[_i], GK_F32, rig_counts[c], rates[r], 4);
        }
    }
}
END_TEST

START_TEST(decodes_without_exceptions)
{
    rig *on = &rigs[_i];
    const int64_t integers[] = {0, 1, -1, 314159265, INT64_MAX, INT64_MIN};
    double expected[6];
    for (size_t i = 0; i < 6; i++)
        expected[i] = (double)integers[i] * 1e3 * 1e-14;
    grt_view view = rig_bytes(on, integers, sizeof(integers), 0);
    ok(gk_alp(on->library, on->stream, GK_F64, 14, 3, NULL, view));
    rig_compare(GK_F64, rig_fetch(on, view), expected, 6, "ALP without exceptions");
}
END_TEST

// Starts that point past the exceptions, and positions past the block, write nothing outside.
START_TEST(stays_inside_for_wild_exceptions)
{
    rig *on = &rigs[_i];
    const uint32_t starts[] = {0, UINT32_MAX, 3};
    const uint16_t positions[] = {65535, 1023, 900};
    const double values[] = {1, 2, 3};
    uint64_t count = 1024 + 10;
    grt_view view = rig_bytes(on, rig_memory(count * sizeof(double)), count * sizeof(double), 0);
    gk_exceptions exceptions = {rig_bytes(on, starts, sizeof(starts), 0),
                                rig_bytes(on, positions, sizeof(positions), 0),
                                rig_bytes(on, values, sizeof(values), 0)};
    ok(gk_alp(on->library, on->stream, GK_F64, 0, 0, &exceptions, view));
    const double *got = rig_fetch(on, view);
    ck_assert_double_eq(got[900], 3);
    ck_assert_double_eq(got[1024], 0);
}
END_TEST

START_TEST(refuses_wrong_arguments)
{
    rig *on = &rigs[_i];
    grt_view values = rig_room(on, 1025 * 8, 0);
    gk_exceptions exceptions = {rig_room(on, 8, 0), rig_room(on, 2, 0), rig_room(on, 8, 0)};
    ck_assert_int_eq(gk_alp(on->library, on->stream, GK_F64, 19, 0, NULL, values), GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_alp(on->library, on->stream, GK_F32, 11, 0, NULL, values), GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_alp(on->library, on->stream, GK_F64, 2, 3, NULL, values), GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_alp(on->library, on->stream, GK_U64, 2, 1, NULL, values), GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_alp(on->library, on->stream, GK_F64, 2, 1, &exceptions, values),
                     GRT_INVALID_ARGUMENT);
}
END_TEST

void tests_add(TCase *tests)
{
    rig_add(tests, decodes_exactly);
    rig_add(tests, decodes_without_exceptions);
    rig_add(tests, stays_inside_for_wild_exceptions);
    rig_add(tests, refuses_wrong_arguments);
}
