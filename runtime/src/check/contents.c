/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a view back in stream order and sums it. */
#include "contents.h"

#include <stdlib.h>

enum { DEFAULT_LIMIT = 16 << 20 };

static size_t size_limit(void)
{
    const char *variable = getenv("GUARDRT_CHECK_BYTES");
    return variable ? strtoull(variable, NULL, 0) : DEFAULT_LIMIT;
}

/* FNV-1a with 64 bits (Fowler, Noll, Vo). */
static uint64_t sum_bytes(const unsigned char *bytes, size_t size)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * 0x100000001b3u;
    return sum ? sum : 1;
}

static uint64_t sum_copied(grt_device *device, void *native, const void *memory, size_t size)
{
    unsigned char *copy = malloc(size);
    if (!copy)
        return 0;
    grt_command command = {.kind = GRT_COMMAND_COPY, .to = copy, .from = memory, .size = size};
    uint64_t sum = 0;
    if (device->ops->submit(device->driver, native, &command) == GRT_OK &&
        device->ops->stream_finish(device->driver, native, true) == GRT_OK)
        sum = sum_bytes(copy, size);
    free(copy);
    return sum;
}

uint64_t grt_contents_sum(grt_stream *stream, grt_view view)
{
    grt_device *device = stream->device;
    if (stream->capture || view.size == 0 || view.size > size_limit())
        return 0;
    return sum_copied(device, stream->native, view.buffer->memory + view.offset, view.size);
}
