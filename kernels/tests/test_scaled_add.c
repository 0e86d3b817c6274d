// SPDX-License-Identifier: Apache-2.0
// Scaled add against its definition.
#include "rig.h"

#include <math.h>

static float real_f32(void)
{
    return (float)(rig_random() % 2000000) / 1000.0f - 1000.0f;
}

static void run_f32(rig *on, uint64_t count, size_t shift_x, size_t shift_y, float factor)
{
    float *x = rig_memory(count * sizeof(*x));
    float *y = rig_memory(count * sizeof(*y));
    float *expected = rig_memory(count * sizeof(*y));
    for (uint64_t i = 0; i < count; i++) {
        x[i] = real_f32();
        y[i] = real_f32();
        expected[i] = fmaf(factor, x[i], y[i]);
    }
    grt_view from = rig_bytes(on, x, count * sizeof(*x), shift_x);
    grt_view to = rig_bytes(on, y, count * sizeof(*y), shift_y);
    ok(gk_scaled_add(on->library, on->stream, GK_F32, to, from, (double)factor));
    rig_compare(GK_F32, rig_fetch(on, to), expected, count, "scaled add, f32");
    rig_compare(GK_F32, rig_fetch(on, from), x, count, "scaled add, its input");
}

START_TEST(adds_floats)
{
    for (size_t c = 0; c < rig_count_number; c++) {
        run_f32(&rigs[_i], rig_counts[c], 0, 0, 2.5f);
        run_f32(&rigs[_i], rig_counts[c], 4, 4, -1.0f);
        run_f32(&rigs[_i], rig_counts[c], 4, 12, 0.1f);
    }
}
END_TEST

START_TEST(adds_doubles)
{
    rig *on = &rigs[_i];
    for (size_t c = 0; c < rig_count_number; c++) {
        uint64_t count = rig_counts[c];
        double *x = rig_memory(count * sizeof(*x));
        double *y = rig_memory(count * sizeof(*y));
        double *expected = rig_memory(count * sizeof(*y));
        for (uint64_t i = 0; i < count; i++) {
            x[i] = (double)real_f32() / 3;
            y[i] = (double)real_f32() * 7;
            expected[i] = fma(0.3, x[i], y[i]);
        }
        grt_view from = rig_bytes(on, x, count * sizeof(*x), c % 2 * 8);
        grt_view to = rig_bytes(on, y, count * sizeof(*y), 0);
        ok(gk_scaled_add(on->library, on->stream, GK_F64, to, from, 0.3));
        rig_compare(GK_F64, rig_fetch(on, to), expected, count, "scaled add, f64");
    }
}
END_TEST

START_TEST(refuses_wrong_views)
{
    rig *on = &rigs[_i];
    grt_view four = rig_room(on, 4, 0);
    grt_view eight = rig_room(on, 8, 0);
    grt_view odd = rig_room(on, 8, 2);
    ck_assert_int_eq(gk_scaled_add(on->library, on->stream, GK_F32, four, eight, 1), GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_scaled_add(on->library, on->stream, GK_F64, four, four, 1), GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_scaled_add(on->library, on->stream, GK_F32, eight, odd, 1), GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_scaled_add(on->library, on->stream, GK_U32, eight, eight, 1), GRT_INVALID_ARGUMENT);
}
END_TEST

void tests_add(TCase *tests)
{
    rig_add(tests, adds_floats);
    rig_add(tests, adds_doubles);
    rig_add(tests, refuses_wrong_views);
}
