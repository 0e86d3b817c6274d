// SPDX-License-Identifier: Apache-2.0
// Values, memory and provenance: what folds to the same symbol, and on which guards a pointer must depend.
#include "flow/value.h"

#include <check.h>

static struct gl_values *values;
static int origin_a, origin_b;

static void setup(void)
{
    values = gl_values_create();
}

static void teardown(void)
{
    gl_values_destroy(values);
}

static const struct gl_value *fresh(const void *origin)
{
    return gl_value_fresh(values, origin, 0, (struct gl_ir_loc){0});
}

static const struct gl_value *add(const struct gl_value *a, const struct gl_value *b)
{
    const struct gl_value *args[] = {a, b};
    return gl_value_compute(values, "+", args, 2);
}

START_TEST(equal_values_are_one)
{
    ck_assert_ptr_eq(gl_value_int(values, 7), gl_value_int(values, 7));
    ck_assert_ptr_ne(gl_value_int(values, 7), gl_value_int(values, 8));
    const struct gl_value *p = fresh(&origin_a);
    ck_assert_ptr_eq(add(p, gl_value_int(values, 4)), add(p, gl_value_int(values, 4)));
    ck_assert_ptr_eq(add(p, gl_value_int(values, 0)), p);
    ck_assert_ptr_eq(add(gl_value_int(values, 3), gl_value_int(values, 4)), gl_value_int(values, 7));
}
END_TEST

START_TEST(comparisons_have_one_form)
{
    const struct gl_value *a = fresh(&origin_a), *b = fresh(&origin_b), *zero = gl_value_int(values, 0);
    ck_assert_ptr_eq(gl_value_compare(values, GL_CMP_GT, a, b), gl_value_compare(values, GL_CMP_LT, b, a));
    ck_assert_ptr_eq(gl_value_compare(values, GL_CMP_EQ, a, b), gl_value_compare(values, GL_CMP_EQ, b, a));
    const struct gl_value *less = gl_value_compare(values, GL_CMP_LT, a, b);
    const struct gl_value *not_less = gl_value_compare(values, GL_CMP_EQ, less, zero);
    ck_assert_ptr_eq(not_less, gl_value_compare(values, GL_CMP_GE, a, b));
    ck_assert_ptr_eq(gl_value_compare(values, GL_CMP_EQ, not_less, zero), less);
    ck_assert_ptr_eq(gl_value_compare(values, GL_CMP_LE, zero, zero), gl_value_int(values, 1));
}
END_TEST

START_TEST(an_address_is_not_null)
{
    struct gl_ir_var var = {.kind = GL_VAR_LOCAL, .name = "v"};
    const struct gl_value *address = gl_value_address(values, gl_mem_var(values, &var));
    ck_assert_ptr_eq(gl_value_compare(values, GL_CMP_EQ, address, gl_value_int(values, 0)), gl_value_int(values, 0));
}
END_TEST

START_TEST(pointers_and_memory_meet)
{
    const struct gl_value *p = fresh(&origin_a);
    ck_assert_ptr_eq(gl_value_address(values, gl_mem_deref(values, p)), p);
    const struct gl_mem *element = gl_mem_deref(values, add(p, gl_value_int(values, 3)));
    ck_assert_ptr_eq(element, gl_mem_index(values, gl_mem_deref(values, p), gl_value_int(values, 3)));
    ck_assert_ptr_eq(gl_mem_index(values, gl_mem_deref(values, p), gl_value_int(values, 0)), gl_mem_deref(values, p));
}
END_TEST

static bool depends(const struct gl_value *value, const struct gl_value *handle, bool *out_loaded)
{
    struct gl_value_set set;
    gl_value_handles(value, &set);
    for (unsigned i = 0; i < set.count; i++) {
        if (set.items[i] != handle)
            continue;
        *out_loaded = set.loaded[i];
        return true;
    }
    return false;
}

START_TEST(arithmetic_keeps_the_guard)
{
    bool loaded = true;
    const struct gl_value *guard = fresh(&origin_a);
    const struct gl_value *pointer = gl_value_guarded(values, fresh(&origin_b), guard);
    ck_assert(depends(add(pointer, gl_value_int(values, 64)), guard, &loaded));
    ck_assert(!loaded);
    ck_assert(!depends(fresh(&origin_b), guard, &loaded));
}
END_TEST

START_TEST(what_is_loaded_through_a_handle_is_marked)
{
    bool loaded = false;
    const struct gl_value *handle = fresh(&origin_a);
    const struct gl_mem *member = gl_mem_field(values, gl_mem_deref(values, handle), "p");
    ck_assert(depends(gl_value_init(values, member), handle, &loaded));
    ck_assert(loaded);
}
END_TEST

START_TEST(a_phi_depends_on_what_all_arguments_share)
{
    bool loaded;
    const struct gl_value *one = fresh(&origin_a), *two = fresh(&origin_b);
    const struct gl_value *phi = gl_value_phi(values, values, NULL, 1);
    gl_value_phi_add(values, phi, gl_value_guarded(values, fresh(&values), one));
    gl_value_phi_add(values, phi, gl_value_int(values, 0)); // null does not weaken it
    gl_value_phi_add(values, phi, add(phi, gl_value_int(values, 4))); // nor does a loop
    ck_assert(depends(phi, one, &loaded));
    gl_value_phi_add(values, phi, gl_value_guarded(values, fresh(&values), two));
    ck_assert(!depends(phi, one, &loaded));
    ck_assert(!depends(phi, two, &loaded));
}
END_TEST

START_TEST(a_sharing_owner_does_not_depend_on_the_other)
{
    bool loaded;
    const struct gl_value *other = fresh(&origin_b);
    const struct gl_value *copy = gl_value_shares(values, fresh(&origin_a), other);
    ck_assert(depends(copy, copy, &loaded));
    ck_assert(!depends(copy, other, &loaded));
    ck_assert_ptr_eq(gl_value_shared_with(copy), other);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("flow values");
    TCase *tests = tcase_create("values");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, equal_values_are_one);
    tcase_add_test(tests, comparisons_have_one_form);
    tcase_add_test(tests, an_address_is_not_null);
    tcase_add_test(tests, pointers_and_memory_meet);
    tcase_add_test(tests, arithmetic_keeps_the_guard);
    tcase_add_test(tests, what_is_loaded_through_a_handle_is_marked);
    tcase_add_test(tests, a_phi_depends_on_what_all_arguments_share);
    tcase_add_test(tests, a_sharing_owner_does_not_depend_on_the_other);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
