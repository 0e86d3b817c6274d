/* SPDX-License-Identifier: Apache-2.0 */
/* The table of backends keeps its rules: full rows, few entries; and the variables choose as documented. */
#include "../support/rig.h"

#include "backend.h"

#include <string.h>

enum { MOST_ENTRIES = 20 };

static void check_table(const grt_backend_ops *ops)
{
    const size_t first = offsetof(grt_backend_ops, device_count);
    const size_t entries = (sizeof(*ops) - first) / sizeof(void (*)(void));
    ck_assert_uint_le(entries, MOST_ENTRIES);
    for (size_t i = 0; i < entries; i++) {
        void *entry;
        memcpy(&entry, (const char *)ops + first + i * sizeof(entry), sizeof(entry));
        ck_assert_msg(entry != NULL, "backend %s: entry %zu is empty", ops->name, i);
    }
}

START_TEST(tables_are_full_and_small)
{
    check_table(grt_backend_find(GRT_BACKEND_HOST));
    if (grt_backend_find(GRT_BACKEND_CUDA))
        check_table(grt_backend_find(GRT_BACKEND_CUDA));
    ck_assert_ptr_null(grt_backend_find(GRT_BACKEND_DEFAULT));
}
END_TEST

START_TEST(the_variable_chooses)
{
    const grt_backend_ops *ops = NULL;
    setenv("GUARDRT_BACKEND", "host", 1);
    OK(grt_backend_choose(GRT_BACKEND_DEFAULT, &ops));
    ck_assert_int_eq(ops->kind, GRT_BACKEND_HOST);
    setenv("GUARDRT_BACKEND", "abacus", 1);
    FAILS(GRT_NOT_FOUND, grt_backend_choose(GRT_BACKEND_DEFAULT, &ops));
    ck_assert_ptr_nonnull(strstr(grt_error_detail(), "abacus"));
    unsetenv("GUARDRT_BACKEND");
}
END_TEST

START_TEST(without_a_driver_the_host_is_the_default)
{
    int count = -1;
    grt_device *device;
    setenv("GUARDRT_CUDA_LIBRARY", "/nonexistent/driver.so", 1);
    OK(grt_device_open(GRT_BACKEND_DEFAULT, 0, &device));
    ck_assert_int_eq(grt_device_describe(device).backend, GRT_BACKEND_HOST);
    OK(grt_device_close(device));
    if (grt_device_count(GRT_BACKEND_CUDA, &count) == GRT_OK)
        ck_assert_int_eq(count, 0);
    FAILS(GRT_NOT_FOUND, grt_device_open(GRT_BACKEND_CUDA, 0, &device));
    unsetenv("GUARDRT_CUDA_LIBRARY");
}
END_TEST

Suite *suite(void)
{
    Suite *made = suite_create("backend");
    TCase *tests = tcase_create("backend");
    suite_add_tcase(made, tests);
    tcase_add_test(tests, tables_are_full_and_small);
    tcase_add_test(tests, the_variable_chooses);
    tcase_add_test(tests, without_a_driver_the_host_is_the_default);
    return made;
}
