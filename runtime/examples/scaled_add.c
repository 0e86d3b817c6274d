/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The correct pattern in C: kernels launched with declared accesses on two streams, and a guard around work
 * that the runtime does not see. Runs on the host backend; a program for GPUs gives its module an image as
 * well.
 */
#include <guardrt/guardrt.h>

#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1 << 16 };

/* y[i] = a * x[i] + y[i] */
static void scaled_add(const grt_config *config, void *const *arguments)
{
    (void)config;
    float *y = *(float *const *)arguments[0];
    const float *x = *(const float *const *)arguments[1];
    float a = *(const float *)arguments[2];
    uint32_t count = *(const uint32_t *)arguments[3];
    for (uint32_t i = 0; i < count; i++)
        y[i] += a * x[i];
}

static const grt_host_entry kernels[] = {{"scaled_add", scaled_add}};

static void require(grt_status status)
{
    if (status == GRT_OK)
        return;
    fprintf(stderr, "%s: %s\n", grt_status_text(status), grt_error_detail());
    exit(EXIT_FAILURE);
}

/* Another library's call: enqueues work on a native stream. Here it is a raw launch. */
static void library_call(grt_stream *stream, grt_kernel *kernel, float *y, const float *x)
{
    float a = 0.5f;
    uint32_t count = COUNT;
    void *arguments[] = {&y, &x, &a, &count};
    const size_t sizes[] = {sizeof(y), sizeof(x), sizeof(a), sizeof(count)};
    require(grt_launch_raw(stream, kernel, grt_config_linear(COUNT, 256), 4, arguments, sizes));
}

/* The guards are held from before the enqueue until after it, and released together: one record. */
static void guarded_call(grt_stream *stream, grt_kernel *kernel, grt_view y, grt_view x)
{
    grt_guard *guards[2];
    require(grt_acquire_update(stream, y, &guards[0]));
    require(grt_acquire_read(stream, x, &guards[1]));
    library_call(stream, kernel, grt_guard_pointer(guards[0]), grt_guard_pointer(guards[1]));
    require(grt_release_many(2, guards));
}

static float compute(grt_device *device, grt_kernel *kernel)
{
    grt_stream *streams[2];
    grt_buffer *x, *y;
    float a = 2.0f, first = 0, ones[COUNT];
    uint32_t count = COUNT;
    for (int i = 0; i < COUNT; i++)
        ones[i] = 1.0f;
    require(grt_stream_create(device, 0, &streams[0]));
    require(grt_stream_create(device, 0, &streams[1]));
    require(grt_buffer_create(streams[0], sizeof(ones), &x));
    require(grt_buffer_create(streams[1], sizeof(ones), &y));
    require(grt_upload(streams[0], grt_buffer_view(x), ones));
    require(grt_fill(streams[1], grt_buffer_view(y), 0));
    require(grt_launch(streams[1], kernel, grt_config_linear(COUNT, 256), GRT_UPDATE(grt_buffer_view(y)),
                       GRT_READ(grt_buffer_view(x)), GRT_VALUE(a), GRT_VALUE(count)));
    guarded_call(streams[0], kernel, grt_buffer_view(y), grt_buffer_view(x));
    grt_view one;
    require(grt_view_slice(grt_buffer_view(y), 0, sizeof(first), &one));
    require(grt_download(streams[1], &first, one));
    require(grt_device_synchronize(device));
    require(grt_buffer_destroy(x));
    require(grt_buffer_destroy(y));
    require(grt_stream_destroy(streams[0]));
    require(grt_stream_destroy(streams[1]));
    return first;
}

int main(void)
{
    grt_device *device;
    grt_module *module;
    grt_kernel *kernel;
    grt_module_desc desc = {.host = kernels, .host_count = 1};
    require(grt_device_open(GRT_BACKEND_HOST, 0, &device));
    require(grt_module_load(device, &desc, &module));
    require(grt_module_kernel(module, "scaled_add", &kernel));
    float first = compute(device, kernel);
    printf("%g\n", (double)first);
    require(grt_module_unload(module));
    require(grt_device_close(device));
    return first == 2.5f ? EXIT_SUCCESS : EXIT_FAILURE;
}
