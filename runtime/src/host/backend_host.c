/* SPDX-License-Identifier: Apache-2.0 */
/* The host backend's table of operations: each makes commands and waits for them. */
#include "host.h"
#include "../error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- Devices ---- */

static grt_status host_device_count(int *out_count)
{
    *out_count = 1;
    return GRT_OK;
}

static uint64_t seed_from(const grt_device_options *options)
{
    const char *variable = getenv("GUARDRT_SEED");
    uint64_t seed = options->seed;
    if (!seed && variable)
        seed = strtoull(variable, NULL, 0);
    return seed ? seed : 1;
}

static bool seeded_from(const grt_device_options *options)
{
    if (options->schedule == GRT_SCHEDULE_DEFAULT)
        return getenv("GUARDRT_SEED") != NULL;
    return options->schedule == GRT_SCHEDULE_SEEDED;
}

static void host_describe(grt_device_info *info)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    *info = (grt_device_info){.backend = GRT_BACKEND_HOST};
    snprintf(info->name, sizeof(info->name), "host");
    info->multiprocessors = processors > 0 ? (uint32_t)processors : 1;
    info->memory_bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

static grt_status host_device_open(const grt_device_options *options, grt_native_device *out_device)
{
    if (options->ordinal != 0)
        return grt_fail(GRT_NOT_FOUND, "the host backend has one device, not number %d", options->ordinal);
    host_device *device = calloc(1, sizeof(*device));
    if (!device)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a host device");
    device->seeded = seeded_from(options);
    grt_host_schedule_seed(device, seed_from(options));
    out_device->driver = device;
    out_device->capabilities = GRT_CAP_HOST_MEMORY | GRT_CAP_STREAM_ORDERED;
    host_describe(&out_device->info);
    return GRT_OK;
}

static void stream_free(host_stream *stream)
{
    grt_host_memory_release(stream);
    pthread_cond_destroy(&stream->work);
    free(stream);
}

/* Frees the device's released streams that have run dry. With `all`, waits for each. Mutex held. */
static void streams_collect(host_device *device, bool all)
{
    host_stream **link = &grt_host.streams;
    while (*link) {
        host_stream *stream = *link;
        bool over = device->seeded ? stream->ending && !stream->first : stream->ended;
        if (stream->device != device || (!all && !over)) {
            link = &stream->next;
            continue;
        }
        *link = stream->next;
        if (!device->seeded) {
            pthread_mutex_unlock(&grt_host.mutex);
            pthread_join(stream->thread, NULL);
            pthread_mutex_lock(&grt_host.mutex);
            link = &grt_host.streams; /* the list may have changed meanwhile */
        }
        stream_free(stream);
    }
}

static void host_device_close(void *driver)
{
    host_device *device = driver;
    pthread_mutex_lock(&grt_host.mutex);
    streams_collect(device, true);
    while (device->idle) {
        host_command *command = device->idle;
        device->idle = command->next;
        free(command);
    }
    pthread_mutex_unlock(&grt_host.mutex);
    free(device);
}

static grt_status host_device_trim(void *driver)
{
    host_device *device = driver;
    pthread_mutex_lock(&grt_host.mutex);
    streams_collect(device, false);
    pthread_mutex_unlock(&grt_host.mutex);
    return GRT_OK;
}

/* ---- Commands ---- */

/* Takes a command to be filled in, with the mutex held until command_submit. */
static grt_status command_begin(host_stream *stream, host_kind kind, host_command **out_command)
{
    pthread_mutex_lock(&grt_host.mutex);
    host_command *command = grt_host_command_take(stream->device);
    if (!command) {
        pthread_mutex_unlock(&grt_host.mutex);
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a command");
    }
    command->kind = kind;
    *out_command = command;
    return GRT_OK;
}

static grt_status command_submit(host_stream *stream, host_command *command)
{
    grt_host_enqueue(stream, command);
    pthread_mutex_unlock(&grt_host.mutex);
    return GRT_OK;
}

static grt_status host_memory_allocate(void *driver, grt_memory_kind kind, void *stream, size_t size,
                                       void **out_memory)
{
    (void)driver;
    pthread_mutex_lock(&grt_host.mutex);
    void *memory = grt_host_memory_take(kind == GRT_MEMORY_DEVICE ? stream : NULL, size);
    pthread_mutex_unlock(&grt_host.mutex);
    if (!memory)
        return grt_fail(GRT_OUT_OF_MEMORY, "no host memory for %zu bytes", size);
    *out_memory = memory;
    return GRT_OK;
}

/* Memory freed in stream order is the stream's to allocate again at once; beyond a few blocks it goes back to
 * the system when the stream gets there. */
static grt_status host_memory_free(void *driver, grt_memory_kind kind, void *object, void *memory)
{
    (void)driver;
    host_stream *stream = object;
    host_command *command = NULL;
    if (kind != GRT_MEMORY_DEVICE || !stream) {
        grt_host_memory_end(memory);
        return GRT_OK;
    }
    grt_status status = command_begin(stream, HOST_FREE, &command);
    if (status != GRT_OK)
        return status;
    bool kept = stream->block_count < HOST_POOL_BLOCKS;
    command->kind = kept ? HOST_POISON : HOST_FREE;
    command->work.to = memory;
    grt_host_enqueue(stream, command);
    if (kept)
        grt_host_memory_keep(stream, memory);
    pthread_mutex_unlock(&grt_host.mutex);
    return GRT_OK;
}

/* ---- Streams ---- */

static grt_status stream_start(host_stream *stream)
{
    host_device *device = stream->device;
    if (!device->seeded && pthread_create(&stream->thread, NULL, grt_host_stream_main, stream) != 0)
        return grt_fail(GRT_OUT_OF_MEMORY, "no thread for a stream");
    return GRT_OK;
}

static grt_status host_stream_create(void *driver, const grt_stream_spec *spec, grt_native_stream *out_stream)
{
    (void)spec; /* threads have no priorities worth having */
    host_device *device = driver;
    host_stream *stream = calloc(1, sizeof(*stream));
    if (!stream)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a stream");
    stream->device = device;
    stream->last = &stream->first;
    pthread_cond_init(&stream->work, NULL);
    pthread_mutex_lock(&grt_host.mutex);
    streams_collect(device, false);
    grt_status status = stream_start(stream);
    if (status == GRT_OK) {
        grt_host_schedule_stream(stream);
        stream->next = grt_host.streams;
        grt_host.streams = stream;
        *out_stream = (grt_native_stream){.handle = stream, .id = ++grt_host.stream_ids};
    }
    pthread_mutex_unlock(&grt_host.mutex);
    if (status != GRT_OK)
        stream_free(stream);
    return status;
}

static bool stream_idle(const void *object)
{
    return ((const host_stream *)object)->length == 0;
}

static bool device_idle(const void *object)
{
    const host_device *device = object;
    for (const host_stream *stream = grt_host.streams; stream; stream = stream->next)
        if (stream->device == device && !stream_idle(stream))
            return false;
    return true;
}

/* Waits for `done(object)`, or asks once. A poll in seeded mode lets one command run, or polling would never
 * end. */
static grt_status host_finish(host_device *device, bool (*done)(const void *object), const void *object,
                              bool block)
{
    grt_status status = GRT_OK;
    pthread_mutex_lock(&grt_host.mutex);
    if (!block && device->seeded && !done(object))
        grt_host_schedule_step(device);
    if (block && !grt_host_wait_until(device, done, object))
        status = grt_fail(GRT_DRIVER_ERROR, "the streams wait for each other");
    else if (!done(object))
        status = GRT_NOT_READY;
    pthread_mutex_unlock(&grt_host.mutex);
    return status;
}

static grt_status host_stream_finish(void *driver, void *stream, bool block)
{
    if (stream)
        return host_finish(driver, stream_idle, stream, block);
    return host_finish(driver, device_idle, driver, block);
}

/* ---- Events ---- */

static grt_status host_event_create(void *driver, bool timing, void **out_event)
{
    (void)driver;
    (void)timing; /* every recording knows when it was reached */
    host_event *event = calloc(1, sizeof(*event));
    if (!event)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for an event");
    *out_event = event;
    return GRT_OK;
}

static grt_status host_event_record(void *driver, void *object, void *native)
{
    (void)driver;
    host_event *event = object;
    host_stream *stream = native;
    host_command *command = NULL;
    grt_status status = command_begin(stream, HOST_RECORD, &command);
    if (status != GRT_OK)
        return status;
    event->captured = stream->capture;
    if (stream->capture) {
        grt_host_command_give(stream->device, command);
        pthread_mutex_unlock(&grt_host.mutex);
        return GRT_OK; /* the capture's order says it all */
    }
    host_recording *recording = grt_host_recording_take();
    if (!recording) {
        grt_host_command_give(stream->device, command);
        pthread_mutex_unlock(&grt_host.mutex);
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a recording");
    }
    grt_host_recording_unref(event->newest);
    event->newest = recording;
    command->recording = recording;
    recording->references++;
    return command_submit(stream, command);
}

static bool event_reached(const void *object)
{
    const host_event *event = object;
    return !event->newest || event->newest->reached;
}

static grt_status host_wait_captured(host_stream *stream, host_event *event)
{
    if (stream->capture && stream->capture != event->captured)
        return grt_fail(GRT_CAPTURE_ISOLATION, "the event was recorded outside the capture");
    stream->capture = event->captured;
    return GRT_OK;
}

static grt_status host_event_wait(void *driver, void *native, void *object)
{
    host_device *device = driver;
    host_event *event = object;
    host_stream *stream = native;
    host_command *command = NULL;
    grt_status status = command_begin(stream, HOST_WAIT, &command);
    if (status != GRT_OK)
        return status;
    if (stream->capture || event->captured || event_reached(event)) {
        grt_host_command_give(device, command);
        if (stream->capture || event->captured)
            status = host_wait_captured(stream, event);
        pthread_mutex_unlock(&grt_host.mutex);
        return status;
    }
    command->recording = event->newest;
    event->newest->references++;
    return command_submit(stream, command);
}

static grt_status host_event_finish(void *driver, void *event, bool block)
{
    return host_finish(driver, event_reached, event, block);
}

static grt_status host_event_elapsed(void *driver, void *start, void *stop, double *out_seconds)
{
    (void)driver;
    pthread_mutex_lock(&grt_host.mutex);
    const host_recording *from = ((host_event *)start)->newest, *to = ((host_event *)stop)->newest;
    bool recorded = from && to;
    if (recorded)
        *out_seconds = to->reached_at - from->reached_at;
    pthread_mutex_unlock(&grt_host.mutex);
    return recorded ? GRT_OK : grt_fail(GRT_INVALID_ARGUMENT, "an event was never recorded");
}

/* ---- Work ---- */

static grt_status call_copy_arguments(host_kernel_call *call, size_t count, void *const *arguments,
                                      const size_t *sizes)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        call->offsets[i] = total;
        total += (sizes[i] + 15) / 16 * 16;
    }
    if (total > sizeof(call->bytes) && !(call->overflow = malloc(total)))
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a launch's arguments");
    char *bytes = call->overflow ? call->overflow : call->bytes;
    for (size_t i = 0; i < count; i++)
        memcpy(bytes + call->offsets[i], arguments[i], sizes[i]);
    call->count = count;
    return GRT_OK;
}

static grt_config config_normal(grt_config config)
{
    for (int i = 0; i < 3; i++) {
        config.grid[i] += config.grid[i] == 0;
        config.block[i] += config.block[i] == 0;
    }
    return config;
}

static grt_status host_launch(void *driver, void *native, void *function, const grt_config *config,
                              size_t count, void *const *arguments, const size_t *sizes)
{
    host_device *device = driver;
    host_stream *stream = native;
    host_command *command = NULL;
    grt_status status = command_begin(stream, HOST_KERNEL, &command);
    if (status != GRT_OK)
        return status;
    status = call_copy_arguments(&command->call, count, arguments, sizes);
    if (status != GRT_OK) {
        grt_host_command_give(device, command);
        pthread_mutex_unlock(&grt_host.mutex);
        return status;
    }
    union {
        void *object;
        grt_host_kernel *function; /* POSIX: function pointers fit into void * */
    } kernel = {function};
    command->call.function = kernel.function;
    command->call.config = config_normal(*config);
    return command_submit(stream, command);
}

static grt_status host_submit(void *driver, void *native, const grt_command *work)
{
    (void)driver;
    static const host_kind kinds[] = {[GRT_COMMAND_COPY] = HOST_COPY,
                                      [GRT_COMMAND_FILL] = HOST_FILL,
                                      [GRT_COMMAND_CALL] = HOST_CALL,
                                      [GRT_COMMAND_GRAPH] = HOST_GRAPH};
    host_command *command = NULL;
    grt_status status = command_begin(native, kinds[work->kind], &command);
    if (status != GRT_OK)
        return status;
    command->work = *work;
    if (work->kind == GRT_COMMAND_GRAPH) {
        command->graph = work->graph;
        command->graph->references++;
    }
    return command_submit(native, command);
}

/* ---- Modules: the caller's table of functions, borrowed ---- */

typedef struct host_module {
    const grt_host_entry *entries;
    size_t count;
} host_module;

static grt_status host_module_load(void *driver, const grt_module_desc *desc, void **out_module)
{
    (void)driver;
    if (!desc->host)
        return grt_fail(GRT_INVALID_ARGUMENT, "the module has no host functions");
    host_module *module = calloc(1, sizeof(*module));
    if (!module)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a module");
    *module = (host_module){desc->host, desc->host_count};
    *out_module = module;
    return GRT_OK;
}

static grt_status host_module_kernel(void *driver, void *object, const char *name, void **out_function)
{
    (void)driver;
    const host_module *module = object;
    for (size_t i = 0; i < module->count; i++) {
        if (strcmp(module->entries[i].name, name) != 0)
            continue;
        union {
            grt_host_kernel *function;
            void *object;
        } kernel = {module->entries[i].function};
        *out_function = kernel.object;
        return GRT_OK;
    }
    return grt_fail(GRT_NOT_FOUND, "the module has no host function '%s'", name);
}

static grt_status host_kernel_allow_shared(void *driver, void *function, uint32_t bytes)
{
    (void)driver;
    (void)function;
    (void)bytes;
    return GRT_OK;
}

/* ---- Captures ---- */

static grt_status capture_begin(host_stream *stream)
{
    host_graph *graph = calloc(1, sizeof(*graph));
    if (!graph)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a graph");
    graph->last = &graph->first;
    graph->references = 1;
    stream->capture = graph;
    return GRT_OK;
}

static void *capture_end(const host_stream *origin)
{
    host_graph *graph = origin->capture;
    for (host_stream *stream = grt_host.streams; stream; stream = stream->next)
        if (stream->capture == graph)
            stream->capture = NULL;
    return graph;
}

static grt_status host_capture(void *driver, void *native, void **out_graph)
{
    (void)driver;
    grt_status status = GRT_OK;
    pthread_mutex_lock(&grt_host.mutex);
    if (out_graph)
        *out_graph = capture_end(native);
    else
        status = capture_begin(native);
    pthread_mutex_unlock(&grt_host.mutex);
    return status;
}

/* ---- Ends ---- */

static void stream_release(host_stream *stream)
{
    stream->ending = true;
    pthread_cond_signal(&stream->work);
}

static void event_release(host_event *event)
{
    grt_host_recording_unref(event->newest);
    free(event);
}

static void host_object_release(void *driver, grt_object_kind kind, void *object)
{
    host_device *device = driver;
    pthread_mutex_lock(&grt_host.mutex);
    switch (kind) {
    case GRT_OBJECT_STREAM:
        stream_release(object);
        break;
    case GRT_OBJECT_EVENT:
        event_release(object);
        break;
    case GRT_OBJECT_MODULE:
        free(object);
        break;
    case GRT_OBJECT_GRAPH:
        grt_host_graph_unref(device, object);
        break;
    }
    pthread_mutex_unlock(&grt_host.mutex);
}

const grt_backend_ops grt_backend_host = {
    .name = "host",
    .kind = GRT_BACKEND_HOST,
    .device_count = host_device_count,
    .device_open = host_device_open,
    .device_close = host_device_close,
    .device_trim = host_device_trim,
    .memory_allocate = host_memory_allocate,
    .memory_free = host_memory_free,
    .stream_create = host_stream_create,
    .stream_finish = host_stream_finish,
    .event_create = host_event_create,
    .event_record = host_event_record,
    .event_wait = host_event_wait,
    .event_finish = host_event_finish,
    .event_elapsed = host_event_elapsed,
    .launch = host_launch,
    .submit = host_submit,
    .module_load = host_module_load,
    .module_kernel = host_module_kernel,
    .kernel_allow_shared = host_kernel_allow_shared,
    .capture = host_capture,
    .object_release = host_object_release,
};
