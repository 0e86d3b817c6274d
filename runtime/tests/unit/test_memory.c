/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations of the host made to fail, one after the other: every error is returned, nothing leaks or is
 * lost. */
#include "../support/rig.h"

#include <stdatomic.h>

/* The linker replaces the allocator's functions by these in this program (see CMakeLists.txt). */
static _Thread_local bool counting;
static _Thread_local long fail_at = -1;
static _Thread_local long allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static bool allocation_fails(void)
{
    return counting && allocations++ == fail_at;
}

void *__wrap_malloc(size_t size)
{
    return allocation_fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return allocation_fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return allocation_fails() ? NULL : __real_realloc(memory, size);
}

/* The first error of a sequence; what was made before it is ended all the same. */
typedef struct run {
    grt_status first;
    grt_device *device;
    grt_stream *streams[3];
    grt_buffer *buffers[2];
    grt_module *module;
    grt_kernel *fill, *copy;
    grt_graph *graph;
} run;

static bool going(run *me, grt_status status)
{
    if (me->first == GRT_OK)
        me->first = status;
    return me->first == GRT_OK;
}

static grt_status launch_fill(run *me, int stream, grt_view to, uint32_t value)
{
    uint32_t count = (uint32_t)(to.size / 4), micros = 0;
    return grt_launch(me->streams[stream], me->fill, grt_config_linear(1, 32), GRT_WRITE(to),
                      GRT_VALUE(value), GRT_VALUE(count), GRT_VALUE(micros));
}

static grt_status launch_copy(run *me, int stream, grt_view to, grt_view from)
{
    uint32_t count = (uint32_t)(to.size / 4), micros = 0;
    return grt_launch(me->streams[stream], me->copy, grt_config_linear(1, 32), GRT_WRITE(to), GRT_READ(from),
                      GRT_VALUE(count), GRT_VALUE(micros));
}

static bool run_open(run *me)
{
    grt_device_options options = {.struct_size = sizeof(options), .backend = GRT_BACKEND_HOST};
    options.schedule = GRT_SCHEDULE_SEEDED; /* all work runs in this thread, under the counting allocator */
    grt_module_desc kernels = test_kernels();
    bool ok = going(me, grt_device_open_with(&options, &me->device)) &&
              going(me, grt_module_load(me->device, &kernels, &me->module)) &&
              going(me, grt_module_kernel(me->module, "word_fill", &me->fill)) &&
              going(me, grt_module_kernel(me->module, "word_copy", &me->copy));
    for (int i = 0; ok && i < 3; i++)
        ok = going(me, grt_stream_create(me->device, 0, &me->streams[i]));
    for (int i = 0; ok && i < 2; i++)
        ok = going(me, grt_buffer_create(me->streams[i], BYTES, &me->buffers[i]));
    return ok;
}

/* No assertions in here: Check's own allocations would count. Segments, marks beyond the inline ones, guards,
 * a capture: whatever allocates. */
static void run_work(run *me)
{
    grt_view a = grt_buffer_view(me->buffers[0]), b = grt_buffer_view(me->buffers[1]), left, right;
    if (!going(me, grt_split(a, BYTES / 2, &left, &right)) || !going(me, launch_fill(me, 0, a, 1)) ||
        !going(me, launch_fill(me, 1, left, 2)) || !going(me, launch_fill(me, 2, right, 2)))
        return;
    for (int i = 0; i < 3; i++)
        if (!going(me, launch_copy(me, i, b, a)))
            return;
    grt_guard *guards[3] = {NULL};
    for (int i = 0; i < 3 && going(me, grt_acquire_read(me->streams[i], a, &guards[i])); i++)
        continue;
    for (int i = 0; i < 3; i++)
        going(me, grt_release(guards[i]));
    if (me->first != GRT_OK || !going(me, grt_stream_capture_begin(me->streams[0])))
        return;
    going(me, launch_copy(me, 0, b, a));
    going(me, grt_stream_capture_end(me->streams[0], &me->graph));
    if (me->graph)
        going(me, grt_graph_launch(me->streams[1], me->graph));
}

static uint32_t run_result(run *me)
{
    uint32_t word = 0;
    grt_view last;
    OK(grt_view_slice(grt_buffer_view(me->buffers[1]), BYTES - 4, 4, &last));
    OK(grt_download(me->streams[2], &word, last));
    OK(grt_stream_synchronize(me->streams[2]));
    return word;
}

static void run_close(run *me)
{
    OK(grt_graph_destroy(me->graph));
    for (int i = 0; i < 2; i++)
        OK(grt_buffer_destroy(me->buffers[i]));
    for (int i = 0; i < 3; i++)
        OK(grt_stream_destroy(me->streams[i]));
    OK(grt_module_unload(me->module));
    OK(grt_device_close(me->device));
}

static grt_status run_failing(long at)
{
    run me = {0};
    fail_at = at;
    allocations = 0;
    counting = true;
    if (run_open(&me))
        run_work(&me);
    counting = false;
    if (me.first == GRT_OK)
        ck_assert_uint_eq(run_result(&me), 2);
    run_close(&me);
    return me.first;
}

START_TEST(every_allocation_may_fail)
{
    OK(run_failing(-1));
    long total = allocations;
    int failures = 0;
    ck_assert_int_gt((int)total, 20);
    for (long at = 0; at < total; at++) {
        grt_status status = run_failing(at);
        failures += status != GRT_OK;
        ck_assert_msg(status == GRT_OK || status == GRT_OUT_OF_MEMORY, "allocation %ld: %s", at,
                      grt_status_name(status));
    }
    ck_assert_int_gt(failures, 10);
}
END_TEST

Suite *suite(void)
{
    Suite *made = suite_create("memory");
    TCase *tests = tcase_create("memory");
    suite_add_tcase(made, tests);
    tcase_add_test(tests, every_allocation_may_fail);
    return made;
}
