/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills in stream order, with the same tracking as a launch. */
#include "check/check.h"
#include "order.h"
#include "stream.h"

/* One copy or fill: the views it reads and writes (a NULL buffer: none), and the driver's command. */
typedef struct transfer {
    grt_view reads;
    grt_view writes;
    grt_command command;
} transfer;

static grt_status transfer_begin(grt_stream *stream, const transfer *work)
{
    grt_status status = GRT_OK;
    if (work->reads.buffer)
        status = grt_order_begin(stream, &work->reads, GRT_MODE_READ);
    if (status == GRT_OK && work->writes.buffer)
        status = grt_order_begin(stream, &work->writes, GRT_MODE_WRITE);
    return status;
}

static grt_status transfer_publish(grt_stream *stream, const transfer *work)
{
    grt_status status = grt_stream_advance(stream), published = GRT_OK;
    if (work->reads.buffer)
        published = grt_order_publish(stream, &work->reads, GRT_MODE_READ);
    status = status != GRT_OK ? status : published;
    if (work->writes.buffer)
        published = grt_order_publish(stream, &work->writes, GRT_MODE_WRITE);
    return status != GRT_OK ? status : published;
}

static grt_status transfer_locked(const char *site, grt_stream *stream, const transfer *work)
{
    grt_device *device = stream->device;
    grt_status status = transfer_begin(stream, work);
    if (status != GRT_OK || work->command.size == 0)
        return status;
    if (grt_device_checked(device))
        grt_check_transfer(stream, site, work->reads, work->writes);
    status = device->ops->submit(device->driver, stream->native, &work->command);
    if (status == GRT_OK) {
        device->stats.copies++;
        status = transfer_publish(stream, work);
    }
    if (status != GRT_OK && work->writes.buffer)
        grt_order_poison(&work->writes, GRT_MODE_WRITE);
    return status;
}

static grt_status transfer_enqueue(const char *site, grt_stream *stream, const transfer *work)
{
    if (!stream)
        return grt_fail(GRT_INVALID_ARGUMENT, "stream is NULL");
    const grt_buffer *buffers[2] = {work->reads.buffer, work->writes.buffer};
    for (int i = 0; i < 2; i++) {
        if (!buffers[i] || buffers[i]->device == stream->device)
            continue;
        grt_status status = grt_device_join(stream->device, buffers[i]->device);
        if (status != GRT_OK)
            return status;
    }
    grt_device_lock(stream->device);
    grt_status status = transfer_locked(site, stream, work);
    grt_device_unlock(stream->device);
    return status;
}

static bool views_overlap(grt_view a, grt_view b)
{
    return a.buffer == b.buffer && a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

grt_status grt_copy_at(const char *site, grt_stream *stream, grt_view to, grt_view from)
{
    if (!to.buffer || !from.buffer || to.size != from.size || views_overlap(to, from))
        return grt_fail(GRT_INVALID_ARGUMENT, "the views differ in size, overlap, or have no buffer");
    transfer work = {.reads = from, .writes = to};
    work.command = (grt_command){.kind = GRT_COMMAND_COPY,
                                 .to = grt_view_address(to),
                                 .from = grt_view_address(from),
                                 .size = to.size};
    return transfer_enqueue(site, stream, &work);
}

grt_status grt_fill_at(const char *site, grt_stream *stream, grt_view view, uint8_t byte)
{
    if (!view.buffer)
        return grt_fail(GRT_INVALID_ARGUMENT, "the view has no buffer");
    transfer work = {.writes = view};
    work.command = (grt_command){
        .kind = GRT_COMMAND_FILL, .to = grt_view_address(view), .size = view.size, .byte = byte};
    return transfer_enqueue(site, stream, &work);
}

grt_status grt_upload_at(const char *site, grt_stream *stream, grt_view to, const void *from)
{
    if (!to.buffer || !from)
        return grt_fail(GRT_INVALID_ARGUMENT, "the view has no buffer, or from is NULL");
    transfer work = {.writes = to};
    work.command =
        (grt_command){.kind = GRT_COMMAND_COPY, .to = grt_view_address(to), .from = from, .size = to.size};
    return transfer_enqueue(site, stream, &work);
}

grt_status grt_download_at(const char *site, grt_stream *stream, void *to, grt_view from)
{
    if (!from.buffer || !to)
        return grt_fail(GRT_INVALID_ARGUMENT, "the view has no buffer, or to is NULL");
    transfer work = {.reads = from};
    work.command =
        (grt_command){.kind = GRT_COMMAND_COPY, .to = to, .from = grt_view_address(from), .size = from.size};
    return transfer_enqueue(site, stream, &work);
}
