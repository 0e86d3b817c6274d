/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a suite against the backend that GUARDRT_TEST_BACKEND names: host, seeded, cuda. */
#include "rig.h"

#include <stdio.h>
#include <string.h>

enum { SKIPPED = 77, TIMEOUT = 120 };

test_rig rig;

static const char *backend_name(void)
{
    const char *name = getenv("GUARDRT_TEST_BACKEND");
    return name ? name : "host";
}

grt_device *rig_open(grt_check_mode check)
{
    grt_device *device;
    grt_device_options options = {.struct_size = sizeof(options), .check = check};
    bool cuda = strcmp(backend_name(), "cuda") == 0;
    options.backend = cuda ? GRT_BACKEND_CUDA : GRT_BACKEND_HOST;
    options.schedule = strcmp(backend_name(), "seeded") == 0 ? GRT_SCHEDULE_SEEDED : GRT_SCHEDULE_THREADS;
    OK(grt_device_open_with(&options, &device));
    return device;
}

/* The stand-in driver of the tests takes any image. */
static grt_module_desc rig_kernels(void)
{
    grt_module_desc kernels = test_kernels();
    if (!kernels.image && getenv("GUARDRT_TEST_FAKE"))
        kernels.image = "";
    return kernels;
}

static void rig_open_all(grt_check_mode check)
{
    memset(&rig, 0, sizeof(rig));
    rig.seeded = strcmp(backend_name(), "seeded") == 0;
    rig.real_time = !rig.seeded;
#ifdef __SANITIZE_THREAD__
    rig.sanitized = true;
#endif
    test_kernels_hold(rig.real_time);
    rig.device = rig_open(check);
    grt_module_desc kernels = rig_kernels();
    OK(grt_module_load(rig.device, &kernels, &rig.module));
    OK(grt_module_kernel(rig.module, "word_fill", &rig.fill));
    OK(grt_module_kernel(rig.module, "word_copy", &rig.copy));
    OK(grt_module_kernel(rig.module, "word_add", &rig.add));
    OK(grt_module_kernel(rig.module, "word_sum3", &rig.sum3));
    OK(grt_module_kernel(rig.module, "word_nothing", &rig.nothing));
    rig_streams(1);
}

void rig_begin(void)
{
    rig_open_all(GRT_CHECK_DEFAULT);
}

void rig_begin_checked(void)
{
    rig_open_all(GRT_CHECK_ON);
}

void rig_end(void)
{
    for (int i = 0; i < rig.stream_count; i++)
        OK(grt_stream_destroy(rig.streams[i]));
    OK(grt_module_unload(rig.module));
    OK(grt_device_close(rig.device));
}

void rig_streams(int count)
{
    for (; rig.stream_count < count; rig.stream_count++)
        OK(grt_stream_create(rig.device, 0, &rig.streams[rig.stream_count]));
}

grt_buffer *make_buffer(grt_stream *stream, size_t words)
{
    grt_buffer *buffer;
    OK(grt_buffer_create(stream, 4 * words, &buffer));
    return buffer;
}

static grt_config one_block(void)
{
    return (grt_config){.grid = {1, 1, 1}, .block = {128, 1, 1}};
}

void fill(grt_stream *stream, grt_view to, uint32_t value, uint32_t micros)
{
    uint32_t count = (uint32_t)(to.size / 4);
    OK(grt_launch(stream, rig.fill, one_block(), GRT_WRITE(to), GRT_VALUE(value), GRT_VALUE(count),
                  GRT_VALUE(micros)));
}

void add(grt_stream *stream, grt_view to, uint32_t value, uint32_t micros)
{
    uint32_t count = (uint32_t)(to.size / 4);
    OK(grt_launch(stream, rig.add, one_block(), GRT_UPDATE(to), GRT_VALUE(value), GRT_VALUE(count),
                  GRT_VALUE(micros)));
}

void copy(grt_stream *stream, grt_view to, grt_view from, uint32_t micros)
{
    uint32_t count = (uint32_t)(to.size / 4);
    OK(grt_launch(stream, rig.copy, one_block(), GRT_WRITE(to), GRT_READ(from), GRT_VALUE(count),
                  GRT_VALUE(micros)));
}

/* The read-back uses a stream of its own, so that it is ordered by the runtime or not at all. */
static void read_back(grt_view view, uint32_t *words)
{
    grt_stream *reader;
    OK(grt_stream_create(rig.device, 0, &reader));
    OK(grt_download(reader, words, view));
    OK(grt_stream_synchronize(reader));
    OK(grt_stream_destroy(reader));
}

void expect_words(grt_view view, uint32_t value)
{
    size_t count = view.size / 4;
    uint32_t *words = malloc(view.size);
    ck_assert_ptr_nonnull(words);
    read_back(view, words);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(words[i] == value, "word %zu is %u, not %u", i, words[i], value);
    free(words);
}

uint32_t read_word(grt_view view, size_t at)
{
    grt_view part;
    uint32_t value;
    OK(grt_view_slice(view, 4 * at, 4, &part));
    read_back(part, &value);
    return value;
}

void raw_fill(grt_stream *stream, void *to, uint32_t value, uint32_t words, uint32_t micros)
{
    void *arguments[] = {&to, &value, &words, &micros};
    const size_t sizes[] = {sizeof(to), sizeof(value), sizeof(words), sizeof(micros)};
    OK(grt_launch_raw(stream, rig.fill, one_block(), 4, arguments, sizes));
}

void raw_copy(grt_stream *stream, void *to, const void *from, uint32_t words, uint32_t micros)
{
    void *arguments[] = {&to, &from, &words, &micros};
    const size_t sizes[] = {sizeof(to), sizeof(from), sizeof(words), sizeof(micros)};
    OK(grt_launch_raw(stream, rig.copy, one_block(), 4, arguments, sizes));
}

TCase *rig_case(Suite *to, const char *name)
{
    TCase *made = tcase_create(name);
    tcase_add_checked_fixture(made, rig_begin, rig_end);
    tcase_set_timeout(made, TIMEOUT);
    suite_add_tcase(to, made);
    return made;
}

/* One process a suite: a driver takes longer to start than most tests to run. */
int main(void)
{
    int devices = 0;
    if (strcmp(backend_name(), "cuda") == 0) {
        if (grt_device_count(GRT_BACKEND_CUDA, &devices) != GRT_OK || devices == 0) {
            printf("skipped: no CUDA driver or device (%s)\n", grt_error_detail());
            return SKIPPED;
        }
        if (!rig_kernels().image) {
            printf("skipped: the test kernels were built without nvcc\n");
            return SKIPPED;
        }
    }
    SRunner *runner = srunner_create(suite());
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
