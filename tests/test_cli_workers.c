// SPDX-License-Identifier: Apache-2.0
// The worker pool against a front end that crashes, hangs and runs out of memory: each costs its own unit
// only.
#include "cli/workers.h"
#include "suite.h"

static struct gl_arena arena;
static struct gl_unit_list units;
static struct gl_lowered *lowered;
static size_t reported;

static void setup(void)
{
    arena = (struct gl_arena){0};
    units = (struct gl_unit_list){0};
    reported = 0;
}

static void teardown(void)
{
    gl_lowered_free(lowered, units.list.count);
    gl_units_free(&units);
    gl_arena_free(&arena);
}

static void unit_add(const char *name)
{
    GL_VEC_PUSH(&units.list, (struct gl_unit){.source = name, .shown = name, .directory = ""});
}

static void progress_count(void *context, size_t done, size_t count, const char *shown)
{
    (void)context;
    ck_assert_uint_eq(done, ++reported);
    ck_assert_uint_eq(count, units.list.count);
    ck_assert_ptr_nonnull(shown);
}

static void run(unsigned jobs, unsigned timeout, unsigned memory)
{
    const struct gl_worker_limits limits = {GL_FAKE_FRONTEND, jobs, timeout, memory};
    const struct gl_progress progress = {progress_count, NULL};
    lowered = gl_arena_alloc(&arena, units.list.count * sizeof *lowered);
    gl_workers_run(&limits, &units, &arena, &progress, lowered);
    ck_assert_uint_eq(reported, units.list.count);
}

static void is_lowered(size_t index)
{
    ck_assert_msg(lowered[index].text != NULL, "unit %zu: %s", index,
                  lowered[index].failure.message ? lowered[index].failure.message : "");
    char line[256];
    snprintf(line, sizeof line, "unit \"%s\"", units.list.items[index].shown);
    ck_assert_ptr_nonnull(strstr(lowered[index].text, line));
    ck_assert_uint_eq(strlen(lowered[index].text), lowered[index].size);
}

static void has_failed(size_t index, const char *kind, const char *words)
{
    ck_assert_ptr_null(lowered[index].text);
    ck_assert_str_eq(lowered[index].failure.kind, kind);
    ck_assert_msg(strstr(lowered[index].failure.message, words) != NULL, "unit %zu: %s", index,
                  lowered[index].failure.message);
}

START_TEST(many_units_keep_their_order)
{
    for (int i = 0; i < 200; i++)
        unit_add(gl_arena_printf(&arena, "unit-%d.c", i));
    run((unsigned)_i, 60, 4096);
    for (size_t i = 0; i < 200; i++)
        is_lowered(i);
}
END_TEST

START_TEST(one_that_crashes_costs_itself)
{
    const char *const names[] = {"a.c", "crash.c", "b.c", "c.c", "crash-2.c", "d.c"};
    for (size_t i = 0; i < GL_COUNT(names); i++)
        unit_add(names[i]);
    run((unsigned)_i, 60, 4096);
    for (size_t i = 0; i < GL_COUNT(names); i++) {
        if (strstr(names[i], "crash"))
            has_failed(i, "crash", "Segmentation fault");
        else
            is_lowered(i);
    }
}
END_TEST

START_TEST(one_that_hangs_is_given_up)
{
    unit_add("a.c");
    unit_add("hang.c");
    unit_add("b.c");
    run(1, 1, 4096);
    is_lowered(0);
    has_failed(1, "timeout", "within 1 s");
    is_lowered(2);
}
END_TEST

START_TEST(one_that_eats_memory_is_given_up)
{
    unit_add("a.c");
    unit_add("memory.c");
    unit_add("b.c");
    run(1, 60, 512);
    is_lowered(0);
    has_failed(1, "memory", "limit: 512 MiB");
    is_lowered(2);
}
END_TEST

START_TEST(one_that_dies_after_others_gets_a_second_try)
{
    unit_add("a.c");
    unit_add("second.c"); // crashes in a process that has served before
    unit_add("b.c");
    run(1, 60, 4096);
    for (size_t i = 0; i < 3; i++)
        is_lowered(i);
}
END_TEST

START_TEST(answers_that_are_none)
{
    unit_add("half.c");
    unit_add("garbage.c");
    unit_add("exit.c");
    unit_add("refuse.c");
    unit_add("a.c");
    run(2, 60, 4096);
    has_failed(0, "crash", "before it answered");
    has_failed(1, "crash", "broke off");
    has_failed(2, "crash", "cannot load libclang");
    has_failed(3, "front-end", "no room left");
    is_lowered(4);
}
END_TEST

START_TEST(long_requests_and_many_arguments)
{
    unit_add("a.c");
    for (int i = 0; i < 20000; i++)
        GL_VEC_PUSH(&units.list.items[0].args.list, "-DAN_ARGUMENT_OF_SOME_LENGTH=1");
    run(1, 60, 4096);
    is_lowered(0);
}
END_TEST

START_TEST(no_front_end)
{
    unit_add("a.c");
    unit_add("b.c");
    const struct gl_worker_limits limits = {"/no/such/front-end", 2, 60, 4096};
    const struct gl_progress progress = {progress_count, NULL};
    lowered = gl_arena_alloc(&arena, units.list.count * sizeof *lowered);
    gl_workers_run(&limits, &units, &arena, &progress, lowered);
    has_failed(0, "front-end", "cannot be started");
    has_failed(1, "front-end", "/no/such/front-end");
}
END_TEST

START_TEST(ir_files_and_known_failures_need_no_process)
{
    folder_enter();
    text_write("a.gir", "gir 1\nunit \"a.c\" c\n");
    unit_add("a.gir");
    unit_add("missing.gir");
    unit_add("x.c");
    units.list.items[0].is_ir = units.list.items[1].is_ir = true;
    units.list.items[2].failure = (struct gl_failure){"unreadable", "known before", NULL};
    run(1, 60, 4096);
    ck_assert_str_eq(lowered[0].text, "gir 1\nunit \"a.c\" c\n");
    has_failed(1, "unreadable", "No such file");
    has_failed(2, "unreadable", "known before");
    folder_leave();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cli_workers");
    TCase *cases = tcase_create("workers");
    tcase_set_timeout(cases, 60);
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_loop_test(cases, many_units_keep_their_order, 1, 5);
    tcase_add_loop_test(cases, one_that_crashes_costs_itself, 1, 4);
    tcase_add_test(cases, one_that_hangs_is_given_up);
    tcase_add_test(cases, one_that_eats_memory_is_given_up);
    tcase_add_test(cases, one_that_dies_after_others_gets_a_second_try);
    tcase_add_test(cases, answers_that_are_none);
    tcase_add_test(cases, long_requests_and_many_arguments);
    tcase_add_test(cases, no_front_end);
    tcase_add_test(cases, ir_files_and_known_failures_need_no_process);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
