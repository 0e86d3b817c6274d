/* SPDX-License-Identifier: Apache-2.0 */
/* Judges each use of memory: by guard, by declared access, or by a pointer that came along. */
#include "check.h"
#include "contents.h"
#include "memory.h"
#include "report.h"

#include <string.h>

/* ---- Buffers and guards ---- */

void grt_check_buffer_begin(grt_buffer *buffer)
{
    buffer->shadow = grt_check_memory_add(buffer->device->checker, buffer);
}

/* The free follows everything the buffer has marks of. Loose work has none; and an owner that is merely told
 * (wrapped memory without a release function) may reuse the memory at once. */
void grt_check_buffer_end(grt_buffer *buffer, const char *site)
{
    grt_checker *checker = buffer->device->checker;
    grt_check_memory *memory = buffer->shadow;
    if (!memory)
        return;
    bool told = buffer->kind == GRT_BUFFER_WRAPPED && !buffer->release;
    for (size_t i = 0; i < memory->access_count; i++) {
        const check_access *access = &memory->accesses[i];
        if ((!told && !access->loose) || grt_check_access_over(checker, access))
            continue;
        grt_check_report report = {.check = GRT_CHECK_FREED,
                                   .message =
                                       "the memory is given back while work that uses it may still run",
                                   .use_site = access->site,
                                   .release_site = site,
                                   .address = memory->base,
                                   .size = memory->size};
        grt_check_report_send(&report);
        break;
    }
    grt_check_memory_retire(checker, memory, site);
}

void grt_check_guard_begin(grt_guard *guard)
{
    guard->checksum =
        guard->mode == GRT_MODE_READ && guard->stream ? grt_contents_sum(guard->stream, guard->view) : 0;
}

static void contents_report(const char *message, const char *use, const char *acquire, grt_view view)
{
    grt_check_report report = {.check = GRT_CHECK_MISMATCH,
                               .message = message,
                               .use_site = use,
                               .acquire_site = acquire,
                               .address = (uintptr_t)grt_view_address(view),
                               .size = view.size};
    grt_check_report_send(&report);
}

void grt_check_guard_end(grt_guard *guard, const char *site)
{
    grt_check_memory *memory = guard->view.buffer->shadow;
    if (memory) {
        memory->acquire_site = guard->site;
        memory->release_site = site;
        memory->released_mode = guard->mode;
    }
    if (guard->checksum != 0 && grt_contents_sum(guard->stream, guard->view) != guard->checksum)
        contents_report("memory under a read guard was written", site, guard->site, guard->view);
    if (guard->stream) /* work that cannot be seen was enqueued under the guard */
        grt_check_access(guard->stream, guard->site, guard->view, guard->mode);
}

/* Released guards are reused oldest first and late, so that a second release finds what it released. */
void grt_check_guard_shelve(grt_guard *guard)
{
    grt_device *device = guard->device;
    guard->next = NULL;
    if (device->idle_guards)
        device->checker->last_idle->next = guard;
    else
        device->idle_guards = guard;
    device->checker->last_idle = guard;
    device->checker->quarantined++;
}

void grt_check_guard_unshelve(grt_device *device)
{
    device->checker->quarantined--;
}

void grt_check_double_release(const grt_guard *guard, const char *site)
{
    grt_check_report report = {.check = GRT_CHECK_DOUBLE_RELEASE,
                               .message = "the guard is released a second time",
                               .use_site = site,
                               .acquire_site = guard->site,
                               .release_site = guard->release_site,
                               .address = (uintptr_t)guard->pointer,
                               .size = guard->view.size};
    grt_check_report_send(&report);
}

/* ---- Declared accesses ---- */

/* The work about to be enqueued: it has the next number, and follows what the host has seen. */
static check_access access_now(const grt_stream *stream, const char *site, size_t begin, size_t size,
                               grt_mode mode)
{
    grt_timeline *timeline = stream->lane.timeline;
    grt_clock_join(&timeline->clock, &stream->device->checker->host);
    return (check_access){.begin = begin,
                          .end = begin + size,
                          .timeline = timeline,
                          .number = timeline->issued + 1,
                          .write = mode != GRT_MODE_READ,
                          .site = site};
}

static void access_report(const grt_check_memory *memory, const check_access *access,
                          const check_access *conflict)
{
    grt_check_report report = {.check = GRT_CHECK_MISSING_WAIT,
                               .message = "nothing orders this work after conflicting work on another stream",
                               .use_site = access->site,
                               .acquire_site = conflict->site,
                               .address = memory->base + access->begin,
                               .size = access->end - access->begin};
    grt_check_report_send(&report);
}

/* A declared write on the guard's own stream changes what a read guard sees, and may. */
static void guards_expect_write(grt_view view)
{
    for (grt_guard *guard = view.buffer->guards; guard; guard = guard->next)
        if (guard->view.offset < view.offset + view.size &&
            view.offset < guard->view.offset + guard->view.size)
            guard->checksum = 0;
}

void grt_check_access(grt_stream *stream, const char *site, grt_view view, grt_mode mode)
{
    grt_check_memory *memory = view.buffer->shadow;
    if (!memory || view.size == 0 || stream->capture)
        return;
    check_access access = access_now(stream, site, view.offset, view.size, mode);
    const check_access *conflict = grt_check_memory_access(stream->device->checker, memory, &access);
    if (conflict)
        access_report(memory, &access, conflict);
    if (access.write)
        guards_expect_write(view);
}

void grt_check_transfer(grt_stream *stream, const char *site, grt_view reads, grt_view writes)
{
    if (reads.buffer)
        grt_check_access(stream, site, reads, GRT_MODE_READ);
    if (writes.buffer)
        grt_check_access(stream, site, writes, GRT_MODE_WRITE);
}

/* ---- Pointers that came along ---- */

static bool guard_covers(const grt_guard *guard, uintptr_t address)
{
    uintptr_t begin = (uintptr_t)guard->pointer;
    return address >= begin && address - begin < guard->view.size;
}

/* The live guard that covers the address: on this stream if there is one. */
static const grt_guard *guard_at(const grt_check_memory *memory, const grt_stream *stream, uintptr_t address)
{
    const grt_guard *other = NULL;
    for (const grt_guard *guard = memory->buffer->guards; guard; guard = guard->next) {
        if (!guard_covers(guard, address))
            continue;
        if (guard->stream == stream)
            return guard;
        other = guard;
    }
    return other;
}

static void use_report(const char *check, const char *message, const char *site,
                       const grt_check_memory *memory, const grt_guard *guard)
{
    grt_check_report report = {.check = check,
                               .message = message,
                               .use_site = site,
                               .acquire_site = guard ? guard->site : memory->acquire_site,
                               .release_site = guard            ? NULL
                                               : memory->buffer ? memory->release_site
                                                                : memory->freed_site,
                               .address = memory->base,
                               .size = memory->size};
    grt_check_report_send(&report);
}

/* `mode` 0: the use does not say what it does; the guard, or the one released last, did. */
static grt_mode use_mode(const grt_check_memory *memory, const grt_guard *guard, unsigned mode)
{
    if (mode)
        return (grt_mode)mode;
    if (guard)
        return guard->mode;
    return memory->released_mode ? memory->released_mode : GRT_MODE_UPDATE;
}

static void use_note(grt_stream *stream, const char *site, grt_check_memory *memory, uintptr_t address,
                     grt_mode mode, const grt_guard *guard)
{
    size_t begin = guard ? guard->view.offset : address - memory->base;
    size_t size = guard ? guard->view.size : memory->size - begin;
    check_access access = access_now(stream, site, begin, size, mode);
    access.loose = !guard || guard->stream != stream;
    const check_access *conflict = grt_check_memory_access(stream->device->checker, memory, &access);
    if (conflict && !access.loose) /* a loose use is reported already */
        access_report(memory, &access, conflict);
}

static void use_judge(grt_stream *stream, const char *site, uintptr_t address, unsigned mode)
{
    grt_checker *checker = stream->device->checker;
    grt_check_memory *memory = grt_check_memory_find(checker, address);
    if (!memory) {
        memory = grt_check_memory_find_freed(checker, address);
        if (memory)
            use_report(GRT_CHECK_FREED, "work uses memory that was destroyed before", site, memory, NULL);
        return;
    }
    const grt_guard *guard = guard_at(memory, stream, address);
    if (!guard)
        use_report(GRT_CHECK_RELEASED, "work uses a tracked pointer without a live guard", site, memory,
                   NULL);
    else if (guard->stream != stream)
        use_report(GRT_CHECK_WRONG_STREAM, "work uses the pointer of a guard for another stream", site,
                   memory, guard);
    else if ((mode & GRT_MODE_WRITE) && guard->mode == GRT_MODE_READ)
        use_report(GRT_CHECK_MISMATCH, "work writes through the pointer of a read guard", site, memory,
                   guard);
    use_note(stream, site, memory, address, use_mode(memory, guard, mode), guard);
}

void grt_check_raw(grt_stream *stream, const char *site, size_t count, void *const *arguments,
                   const size_t *sizes)
{
    if (stream->capture)
        return;
    for (size_t i = 0; i < count; i++) {
        uintptr_t address;
        if (sizes[i] != sizeof(address))
            continue;
        memcpy(&address, arguments[i], sizeof(address));
        use_judge(stream, site, address, 0);
    }
}

void grt_check_launch(grt_stream *stream, const char *site, size_t count, const grt_arg *args)
{
    for (size_t i = 0; i < count; i++) {
        unsigned mode = (unsigned)args[i].kind & GRT_MODE_UPDATE;
        if (mode) {
            grt_check_access(stream, site, args[i].as.view, (grt_mode)mode);
            continue;
        }
        union {
            const void *from;
            void *argument;
        } data = {args[i].as.value.data};
        grt_check_raw(stream, site, 1, &data.argument, &args[i].as.value.size);
    }
}

/* ---- What a launch declares to read ---- */

static bool arg_writes_over(const grt_arg *arg, grt_view view)
{
    return ((unsigned)arg->kind & GRT_MODE_WRITE) && arg->as.view.buffer == view.buffer &&
           arg->as.view.offset < view.offset + view.size &&
           view.offset < arg->as.view.offset + arg->as.view.size;
}

/* 0 for an argument whose contents may change. */
static uint64_t arg_sum(grt_stream *stream, size_t count, const grt_arg *args, size_t at)
{
    if (((unsigned)args[at].kind & GRT_MODE_UPDATE) != GRT_MODE_READ)
        return 0;
    for (size_t i = 0; i < count; i++)
        if (arg_writes_over(&args[i], args[at].as.view))
            return 0;
    return grt_contents_sum(stream, args[at].as.view);
}

void grt_check_launch_begin(grt_stream *stream, size_t count, const grt_arg *args, uint64_t *sums)
{
    for (size_t i = 0; i < count; i++)
        sums[i] = arg_sum(stream, count, args, i);
}

void grt_check_launch_end(grt_stream *stream, const char *site, size_t count, const grt_arg *args,
                          const uint64_t *sums)
{
    for (size_t i = 0; i < count; i++)
        if (sums[i] != 0 && arg_sum(stream, count, args, i) != sums[i])
            contents_report("the kernel writes a view it is launched to read", site, NULL, args[i].as.view);
}

void grt_check_use_at(const char *site, grt_stream *stream, const void *pointer, bool write)
{
    if (!stream || !stream->device->checked)
        return;
    grt_device_lock(stream->device);
    if (!stream->capture)
        use_judge(stream, site, (uintptr_t)pointer, write ? GRT_MODE_WRITE : GRT_MODE_READ);
    grt_device_unlock(stream->device);
}
