// SPDX-License-Identifier: Apache-2.0
// The abstract state: bindings, branch facts, guards, rounds of a loop, joins.
#include "flow/state.h"

#include <check.h>

static struct gl_values *values;
static struct gl_state *state;
static int origin_a, origin_b, block;
static struct gl_ir_var x = {.kind = GL_VAR_LOCAL, .name = "x", .id = 0};
static struct gl_ir_var y = {.kind = GL_VAR_LOCAL, .name = "y", .id = 1};

static void setup(void)
{
    values = gl_values_create();
    state = gl_state_create();
}

static void teardown(void)
{
    gl_state_destroy(state);
    gl_values_destroy(values);
}

static const struct gl_value *fresh(const void *origin)
{
    return gl_value_fresh(values, origin, 0, (struct gl_ir_loc){0});
}

START_TEST(a_store_replaces_the_parts)
{
    const struct gl_mem *whole = gl_mem_var(values, &x);
    const struct gl_mem *part = gl_mem_field(values, whole, "f");
    gl_state_store(state, part, gl_value_int(values, 3));
    ck_assert_ptr_eq(gl_state_load(state, values, part), gl_value_int(values, 3));
    gl_state_store(state, whole, gl_value_int(values, 0));
    ck_assert_ptr_eq(gl_state_load(state, values, part), gl_value_int(values, 0));
}
END_TEST

START_TEST(a_copy_takes_the_parts_along)
{
    const struct gl_mem *from = gl_mem_var(values, &x), *to = gl_mem_var(values, &y);
    gl_state_store(state, gl_mem_field(values, from, "f"), gl_value_int(values, 5));
    gl_state_copy_tree(state, values, to, state, from);
    ck_assert_ptr_eq(gl_state_load(state, values, gl_mem_field(values, to, "f")), gl_value_int(values, 5));
}
END_TEST

START_TEST(an_unknown_index_may_hit_any_element)
{
    const struct gl_mem *array = gl_mem_var(values, &x);
    const struct gl_mem *second = gl_mem_index(values, array, gl_value_int(values, 1));
    gl_state_store(state, second, gl_value_int(values, 5));
    gl_state_store(state, gl_mem_index(values, array, fresh(&origin_a)), gl_value_int(values, 6));
    ck_assert_ptr_null(gl_state_bound(state, second));
}
END_TEST

START_TEST(facts_decide_related_conditions)
{
    const struct gl_value *rc = fresh(&origin_a), *zero = gl_value_int(values, 0);
    const struct gl_value *failed = gl_value_compare(values, GL_CMP_NE, rc, zero);
    const struct gl_value *fine = gl_value_compare(values, GL_CMP_EQ, rc, zero);
    ck_assert_int_eq(gl_state_truth(state, failed), -1);
    ck_assert(gl_state_assume(state, failed, true));
    ck_assert_int_eq(gl_state_truth(state, fine), 0);
    ck_assert_int_eq(gl_state_truth(state, rc), 1);
    ck_assert(!gl_state_assume(state, fine, true));
    ck_assert(!gl_state_assume_equal(state, rc, 0, true));
}
END_TEST

START_TEST(an_order_is_remembered_with_its_opposite)
{
    const struct gl_value *a = fresh(&origin_a), *b = fresh(&origin_b);
    ck_assert(gl_state_assume(state, gl_value_compare(values, GL_CMP_LT, a, b), true));
    ck_assert_int_eq(gl_state_truth(state, gl_value_compare(values, GL_CMP_GE, a, b)), 0);
    ck_assert_int_eq(gl_state_truth(state, gl_value_compare(values, GL_CMP_GT, b, a)), 1);
}
END_TEST

START_TEST(a_null_handle_was_never_acquired)
{
    const struct gl_value *handle = fresh(&origin_a);
    gl_state_resource_add(state, handle)->status = GL_STATUS_HELD;
    ck_assert(gl_state_assume(state, handle, false));
    ck_assert_ptr_null(gl_state_resource(state, handle));
}
END_TEST

START_TEST(a_new_round_renames_the_last_ones_guard)
{
    const struct gl_value *handle = fresh(&origin_a);
    const struct gl_mem *mem = gl_mem_var(values, &x);
    gl_state_resource_add(state, handle)->status = GL_STATUS_RELEASED;
    gl_state_store(state, mem, handle);
    gl_state_refresh(state, values, handle);
    ck_assert_ptr_null(gl_state_resource(state, handle));
    const struct gl_value *old = gl_state_load(state, values, mem);
    ck_assert_ptr_ne(old, handle);
    ck_assert_int_eq(gl_state_resource(state, old)->status, GL_STATUS_RELEASED);
}
END_TEST

START_TEST(states_with_other_guards_have_other_keys)
{
    const struct gl_value *handle = fresh(&origin_a);
    gl_state_resource_add(state, handle)->status = GL_STATUS_HELD;
    struct gl_state *other = gl_state_clone(state);
    ck_assert_uint_eq(gl_state_key(state), gl_state_key(other));
    gl_state_resource(other, handle)->status = GL_STATUS_RELEASED;
    ck_assert_uint_ne(gl_state_key(state), gl_state_key(other));
    gl_state_destroy(other);
}
END_TEST

START_TEST(a_join_keeps_what_both_know)
{
    const struct gl_value *rc = fresh(&origin_a), *other_value = fresh(&origin_b);
    const struct gl_mem *mem = gl_mem_var(values, &x);
    struct gl_state *other = gl_state_clone(state);
    gl_state_assume_equal(state, rc, 3, true);
    gl_state_assume_equal(other, rc, 5, true);
    gl_state_store(state, mem, rc);
    gl_state_store(other, mem, other_value);
    ck_assert(gl_state_join(state, other, values, &block));
    ck_assert_int_eq(gl_state_truth(state, rc), 1); // 3 or 5: not 0
    const struct gl_value *phi = gl_state_load(state, values, mem);
    ck_assert_int_eq(phi->kind, GL_VALUE_PHI);
    ck_assert_uint_eq(phi->arg_count, 2);
    ck_assert(!gl_state_join(state, other, values, &block)); // nothing new the second time
    gl_state_destroy(other);
}
END_TEST

START_TEST(guards_that_differ_become_maybe)
{
    const struct gl_value *handle = fresh(&origin_a);
    gl_state_resource_add(state, handle)->status = GL_STATUS_HELD;
    struct gl_state *other = gl_state_clone(state);
    gl_state_resource(other, handle)->status = GL_STATUS_RELEASED;
    ck_assert(gl_state_join(state, other, values, &block));
    ck_assert_int_eq(gl_state_resource(state, handle)->status, GL_STATUS_MAYBE);
    gl_state_destroy(other);
}
END_TEST

START_TEST(histories_are_merged_in_an_order_that_fits_both)
{
    const struct gl_value *p = fresh(&origin_a), *g = fresh(&origin_b);
    struct gl_log_entry use = {.kind = GL_EFFECT_LAUNCH, .value = p};
    struct gl_log_entry end = {.kind = GL_EFFECT_RELEASE, .value = g};
    struct gl_state *other = gl_state_clone(state);
    gl_state_log(state, &use);
    gl_state_log(state, &end);
    gl_state_log(other, &end);
    gl_state_join(state, other, values, &block);
    ck_assert_uint_eq(state->log.count, 2);
    ck_assert_int_eq(state->log.items[0].kind, GL_EFFECT_LAUNCH);
    ck_assert(state->log.items[0].is_possible);
    ck_assert(!state->log.items[1].is_possible);
    gl_state_destroy(other);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("flow state");
    TCase *tests = tcase_create("state");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_store_replaces_the_parts);
    tcase_add_test(tests, a_copy_takes_the_parts_along);
    tcase_add_test(tests, an_unknown_index_may_hit_any_element);
    tcase_add_test(tests, facts_decide_related_conditions);
    tcase_add_test(tests, an_order_is_remembered_with_its_opposite);
    tcase_add_test(tests, a_null_handle_was_never_acquired);
    tcase_add_test(tests, a_new_round_renames_the_last_ones_guard);
    tcase_add_test(tests, states_with_other_guards_have_other_keys);
    tcase_add_test(tests, a_join_keeps_what_both_know);
    tcase_add_test(tests, guards_that_differ_become_maybe);
    tcase_add_test(tests, histories_are_merged_in_an_order_that_fits_both);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
