/* SPDX-License-Identifier: Apache-2.0 */
/* Takes commands into streams and executes them in order. */
#include "host.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

host_machine grt_host = {.mutex = PTHREAD_MUTEX_INITIALIZER, .progress = PTHREAD_COND_INITIALIZER};

/* ---- Commands ---- */

host_command *grt_host_command_take(host_device *device)
{
    host_command *command = device->idle;
    if (command)
        device->idle = command->next;
    else
        command = malloc(sizeof(*command));
    if (!command)
        return NULL;
    command->next = NULL;
    command->recording = NULL;
    command->graph = NULL;
    command->call.overflow = NULL;
    return command;
}

void grt_host_command_give(host_device *device, host_command *command)
{
    free(command->call.overflow);
    grt_host_recording_unref(command->recording);
    if (command->graph)
        grt_host_graph_unref(device, command->graph);
    command->next = device->idle;
    device->idle = command;
}

host_recording *grt_host_recording_take(void)
{
    host_recording *recording = grt_host.recordings;
    if (recording)
        grt_host.recordings = recording->next;
    else
        recording = malloc(sizeof(*recording));
    if (recording)
        *recording = (host_recording){.references = 1};
    return recording;
}

void grt_host_recording_unref(host_recording *recording)
{
    if (!recording || --recording->references > 0)
        return;
    recording->next = grt_host.recordings;
    grt_host.recordings = recording;
}

void grt_host_graph_unref(host_device *device, host_graph *graph)
{
    if (--graph->references > 0)
        return;
    while (graph->first) {
        host_command *command = graph->first;
        graph->first = command->next;
        grt_host_command_give(device, command);
    }
    free(graph);
}

static bool queue_has_room(const void *object)
{
    const host_stream *stream = object;
    return stream->length < HOST_QUEUE_LIMIT;
}

void grt_host_enqueue(host_stream *stream, host_command *command)
{
    if (stream->capture) {
        *stream->capture->last = command;
        stream->capture->last = &command->next;
        return;
    }
    if (stream->length >= HOST_QUEUE_LIMIT)
        grt_host_wait_until(stream->device, queue_has_room, stream);
    *stream->last = command;
    stream->last = &command->next;
    stream->length++;
    if (stream->length == 1 && !stream->device->seeded)
        pthread_cond_signal(&stream->work);
}

/* ---- Execution ---- */

static void kernel_run(host_kernel_call *call)
{
    void *arguments[HOST_MAX_ARGUMENTS];
    char *bytes = call->overflow ? call->overflow : call->bytes;
    for (size_t i = 0; i < call->count; i++)
        arguments[i] = bytes + call->offsets[i];
    call->function(&call->config, arguments);
}

static void command_run(host_command *command)
{
    switch (command->kind) {
    case HOST_KERNEL:
        kernel_run(&command->call);
        break;
    case HOST_COPY:
        memmove(command->work.to, command->work.from, command->work.size);
        break;
    case HOST_FILL:
        memset(command->work.to, command->work.byte, command->work.size);
        break;
    case HOST_CALL:
        command->work.function(command->work.user);
        break;
    case HOST_POISON:
        grt_host_memory_poison(command->work.to);
        break;
    case HOST_FREE:
        grt_host_memory_end(command->work.to);
        break;
    case HOST_GRAPH:
        for (host_command *each = command->graph->first; each; each = each->next)
            command_run(each);
        break;
    case HOST_RECORD: /* the event changes under the mutex, when the command ends */
    case HOST_WAIT:
        break;
    }
}

static void recording_reach(host_recording *recording)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    recording->reached = true;
    recording->reached_at = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Streams whose first command waits for an event sleep on their own condition. */
static void streams_wake(void)
{
    for (host_stream *stream = grt_host.streams; stream; stream = stream->next)
        if (stream->first && stream->first->kind == HOST_WAIT && !stream->device->seeded)
            pthread_cond_signal(&stream->work);
}

bool grt_host_runnable(const host_stream *stream)
{
    const host_command *command = stream->first;
    if (!command || stream->running)
        return false;
    return command->kind != HOST_WAIT || command->recording->reached;
}

void grt_host_step(host_stream *stream)
{
    host_device *device = stream->device;
    host_command *command = stream->first;
    stream->running = true;
    pthread_mutex_unlock(&grt_host.mutex);
    command_run(command);
    pthread_mutex_lock(&grt_host.mutex);
    stream->running = false;
    stream->first = command->next;
    if (!stream->first)
        stream->last = &stream->first;
    stream->length--;
    if (command->kind == HOST_RECORD) {
        recording_reach(command->recording);
        streams_wake();
    }
    grt_host_command_give(device, command);
    if (grt_host.sleepers > 0)
        pthread_cond_broadcast(&grt_host.progress);
}

void *grt_host_stream_main(void *object)
{
    host_stream *stream = object;
    pthread_mutex_lock(&grt_host.mutex);
    for (;;) {
        if (grt_host_runnable(stream))
            grt_host_step(stream);
        else if (stream->ending && !stream->first)
            break;
        else
            pthread_cond_wait(&stream->work, &grt_host.mutex);
    }
    stream->ended = true;
    pthread_mutex_unlock(&grt_host.mutex);
    return NULL;
}
