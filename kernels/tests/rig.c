// SPDX-License-Identifier: Apache-2.0
// Opens the devices, keeps what a test allocated, and runs the suite of the file it is linked with.
#include "rig.h"

#include <stdlib.h>
#include <string.h>

enum { MARGIN = 256, MARGIN_BYTE = 0xa5 };

// What ends with the test: a buffer, host memory, or both.
typedef struct kept {
    struct kept *next;
    void *memory;
    grt_buffer *buffer;
    grt_view inner;
} kept;

rig rigs[2];
int rig_count;
TCase *rig_large;
static kept *all_kept;
static uint64_t random_state;

const uint64_t rig_counts[] = {0, 1, 7, 1023, 1024, 1025, 4095, 4097, 9000, 70001};
const size_t rig_count_number = sizeof(rig_counts) / sizeof(rig_counts[0]);

static kept *keep(void)
{
    kept *item = calloc(1, sizeof(*item));
    ck_assert_ptr_nonnull(item);
    item->next = all_kept;
    all_kept = item;
    return item;
}

void *rig_memory(size_t size)
{
    kept *item = keep();
    item->memory = calloc(1, size + 1);
    ck_assert_ptr_nonnull(item->memory);
    return item->memory;
}

grt_view rig_room(rig *on, size_t size, size_t shift)
{
    kept *item = keep();
    ok(grt_buffer_create(on->stream, size + shift + 2 * MARGIN, &item->buffer));
    ok(grt_fill(on->stream, grt_buffer_view(item->buffer), MARGIN_BYTE));
    ok(grt_view_slice(grt_buffer_view(item->buffer), MARGIN + shift, size, &item->inner));
    return item->inner;
}

grt_view rig_bytes(rig *on, const void *data, size_t size, size_t shift)
{
    grt_view view = rig_room(on, size, shift);
    if (size != 0)
        ok(grt_upload(on->stream, view, data));
    return view;
}

void *rig_fetch(rig *on, grt_view view)
{
    grt_view whole = grt_buffer_view(view.buffer);
    unsigned char *copy = rig_memory(whole.size);
    ok(grt_download(on->stream, copy, whole));
    ok(grt_stream_synchronize(on->stream));
    for (size_t i = 0; i < whole.size; i++) {
        bool inside = i >= view.offset && i < view.offset + view.size;
        if (!inside && copy[i] != MARGIN_BYTE)
            ck_abort_msg("byte %zd outside a view of %zu bytes was written",
                         (ssize_t)i - (ssize_t)view.offset, view.size);
    }
    return memmove(copy, copy + view.offset, view.size);
}

void rig_compare(gk_type type, const void *got, const void *expected, uint64_t count, const char *what)
{
    if (count == 0 || memcmp(got, expected, count * gk_type_size(type)) == 0)
        return;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t have = gk_encode_get(type, got, i);
        uint64_t want = gk_encode_get(type, expected, i);
        if (have != want)
            ck_abort_msg("%s: value %llu of %llu is %#llx instead of %#llx", what, (unsigned long long)i,
                         (unsigned long long)count, (unsigned long long)have, (unsigned long long)want);
    }
}

// splitmix64.
uint64_t rig_random(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void rig_random_values(gk_type type, void *values, uint64_t count, unsigned width, uint64_t reference)
{
    uint64_t mask = width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    for (uint64_t i = 0; i < count; i++)
        gk_encode_set(type, values, i, (rig_random() & mask) + reference);
}

static void test_begin(void)
{
    random_state = 1;
}

static void test_end(void)
{
    for (int i = 0; i < rig_count; i++)
        ok(grt_stream_synchronize(rigs[i].stream));
    while (all_kept) {
        kept *item = all_kept;
        all_kept = item->next;
        ok(grt_buffer_destroy(item->buffer));
        free(item->memory);
        free(item);
    }
}

static bool rig_open(grt_backend backend)
{
    rig *opened = &rigs[rig_count];
    if (grt_device_open(backend, 0, &opened->device) != GRT_OK)
        return false;
    if (grt_stream_create(opened->device, 0, &opened->stream) != GRT_OK ||
        gk_library_open(opened->device, &opened->library) != GRT_OK) {
        fprintf(stderr, "a device opens, but its kernels do not load: %s\n", grt_error_detail());
        exit(1);
    }
    opened->is_gpu = backend == GRT_BACKEND_CUDA;
    rig_count++;
    return true;
}

static bool rigs_close(void)
{
    bool closed = true;
    for (int i = 0; i < rig_count; i++) {
        closed &= gk_library_close(rigs[i].library) == GRT_OK;
        closed &= grt_stream_destroy(rigs[i].stream) == GRT_OK;
        closed &= grt_device_close(rigs[i].device) == GRT_OK;
    }
    return closed;
}

static TCase *case_add(Suite *suite, const char *name)
{
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, 300);
    tcase_add_checked_fixture(tests, test_begin, test_end);
    suite_add_tcase(suite, tests);
    return tests;
}

int main(void)
{
    if (!rig_open(GRT_BACKEND_HOST)) {
        fprintf(stderr, "the host backend does not open: %s\n", grt_error_detail());
        return 1;
    }
    if (!gk_has_gpu_code())
        printf("GPU: skipped, this build has no GPU code\n");
    else if (!rig_open(GRT_BACKEND_CUDA))
        printf("GPU: skipped, no CUDA device (%s)\n", grt_error_detail());
    Suite *suite = suite_create("kernels");
    TCase *tests = case_add(suite, "all");
    rig_large = case_add(suite, "large");
    tests_add(tests);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK); // a CUDA context does not survive a fork
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return rigs_close() && failed == 0 ? 0 : 1;
}
