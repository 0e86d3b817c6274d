// SPDX-License-Identifier: Apache-2.0
// Runs an example: uploads its inputs, lets it decode on one stream, copies from another, compares.
#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static grt_status stage_fill(stage *s, const stage_example *example)
{
    for (size_t i = 0; i < 3; i++) {
        const stage_input *input = &example->inputs[i];
        if (input->size == 0)
            continue;
        grt_status status = grt_buffer_create(s->decoding, input->size, &s->inputs[i]);
        if (status == GRT_OK)
            status = grt_upload(s->decoding, grt_buffer_view(s->inputs[i]), input->data);
        if (status != GRT_OK)
            return status;
    }
    grt_status status = grt_buffer_create(s->decoding, example->expected.size, &s->out);
    if (status == GRT_OK)
        status = grt_fill(s->decoding, grt_buffer_view(s->out), 0xee);
    if (status == GRT_OK && example->initial.size != 0)
        status = grt_upload(s->decoding, grt_buffer_view(s->out), example->initial.data);
    return status;
}

// The other stream knows nothing of the example: it copies `out`, and guardrt makes it wait for whoever wrote
// it.
static grt_status stage_copy_out(const stage *s, void *result)
{
    grt_status status = grt_download(s->copying, result, grt_buffer_view(s->out));
    if (status == GRT_OK)
        status = grt_stream_synchronize(s->copying);
    return status;
}

static grt_status stage_run(stage *s, const stage_example *example, void *result)
{
    grt_kernel *kernel;
    grt_status status = grt_stream_create(s->device, 0, &s->decoding);
    if (status == GRT_OK)
        status = grt_stream_create(s->device, 0, &s->copying);
    if (status == GRT_OK)
        status = gk_library_open(s->device, &s->library);
    if (status == GRT_OK)
        status = gk_library_kernel(s->library, example->kernel, &kernel);
    if (status == GRT_OK)
        status = stage_fill(s, example);
    if (status == GRT_OK)
        status = example->decode(s, kernel);
    if (status == GRT_OK)
        status = stage_copy_out(s, result);
    return status;
}

static void must(grt_status status, const char *what)
{
    if (status == GRT_OK)
        return;
    fprintf(stderr, "%s: %s (%s) %s\n", what, grt_status_name(status), grt_status_text(status),
            grt_error_detail());
    exit(2);
}

static void stage_end(stage *s)
{
    must(grt_device_synchronize(s->device), "the work's end");
    for (size_t i = 0; i < 3; i++)
        must(grt_buffer_destroy(s->inputs[i]), "an input's end");
    must(grt_buffer_destroy(s->out), "the output's end");
    must(gk_library_close(s->library), "the library's end");
    must(grt_stream_destroy(s->copying), "a stream's end");
    must(grt_stream_destroy(s->decoding), "a stream's end");
}

// A grt_schedule_test.
static bool stage_right(grt_device *device, void *user)
{
    const stage_example *example = user;
    stage s = {.device = device};
    void *result = malloc(example->expected.size);
    if (!result)
        exit(2);
    must(stage_run(&s, example, result), "the example");
    bool right = memcmp(result, example->expected.data, example->expected.size) == 0;
    stage_end(&s);
    free(result);
    return right;
}

// Under many orders of the host backend.
static int search(stage_example *example)
{
    uint64_t seed;
    must(grt_schedule_search(stage_right, example, 0, &seed), "the search");
    if (seed == 0)
        printf("%s: right under every order tried\n", example->kernel);
    else
        printf("%s: WRONG under an order of the streams (replay: GUARDRT_BACKEND=host GUARDRT_SEED=%llu)\n",
               example->kernel, (unsigned long long)seed);
    return seed == 0 ? 0 : 1;
}

int stage_main(const stage_example *of)
{
    stage_example example = *of;
    if (getenv("GUARDRT_SCHEDULES"))
        return search(&example);
    grt_device *device;
    must(grt_device_open(GRT_BACKEND_DEFAULT, 0, &device), "the device");
    bool right = stage_right(device, &example);
    must(grt_device_close(device), "the device's end");
    uint64_t reports = grt_check_count();
    printf("%s: %s this time", example.kernel, right ? "right" : "WRONG");
    if (reports != 0)
        printf(", %llu reports of checked mode", (unsigned long long)reports);
    printf("\n");
    return right && reports == 0 ? 0 : 1;
}
