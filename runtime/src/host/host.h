/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host backend's objects. A stream is a queue of commands; a thread works it off (threads mode), or
 * whoever waits does, choosing among the streams by a seeded generator (seeded mode). One mutex protects the
 * queues and events of all host devices, because streams may wait for events of other devices; commands run
 * without it.
 */
#ifndef GRT_HOST_H
#define GRT_HOST_H

#include "../backend.h"

#include <pthread.h>

enum {
    HOST_QUEUE_LIMIT = 1024, /* commands a stream holds before enqueueing blocks, as a GPU's queue does */
    HOST_INLINE_BYTES = 512, /* argument bytes kept inside a command */
    HOST_MAX_ARGUMENTS = 64,
    HOST_ALIGNMENT = 256, /* of memory, as cuMemAlloc's; also the room before it for its header */
    HOST_POOL_BLOCKS = 16 /* freed blocks a stream keeps for reuse */
};

typedef struct host_device host_device;
typedef struct host_stream host_stream;
typedef struct host_command host_command;

/* A freed block that its stream may use again: in stream order that is right at once, as in a driver's pool.
 */
typedef struct host_block {
    struct host_block *next;
    size_t size;
} host_block;

/* One recording of an event. A wait is for the recording that was the newest when it was enqueued: the event may be
 * recorded again meanwhile, on another stream, and that one may be reached first. */
typedef struct host_recording {
    uint32_t references; /* the event, while it is its newest, and commands */
    bool reached;
    double reached_at; /* seconds */
    struct host_recording *next;
} host_recording;

typedef struct host_event {
    host_recording *newest;      /* NULL: never recorded, which counts as reached */
    struct host_graph *captured; /* recorded last inside this capture */
} host_event;

typedef enum host_kind {
    HOST_KERNEL,
    HOST_COPY,
    HOST_FILL,
    HOST_CALL,
    HOST_POISON,
    HOST_FREE,
    HOST_RECORD,
    HOST_WAIT,
    HOST_GRAPH
} host_kind;

typedef struct host_kernel_call {
    grt_host_kernel *function;
    grt_config config;
    size_t count;
    size_t offsets[HOST_MAX_ARGUMENTS]; /* of each argument's copy */
    char *overflow;                     /* the copies, when they exceed the inline bytes */
    _Alignas(16) char bytes[HOST_INLINE_BYTES];
} host_kernel_call;

struct host_command {
    host_kind kind;
    host_command *next;
    host_recording *recording; /* of a record or a wait */
    grt_command work;
    struct host_graph *graph;
    host_kernel_call call;
};

/* A captured list of commands. Its order is the order of enqueueing, which satisfies every edge of the
 * capture. */
typedef struct host_graph {
    host_command *first;
    host_command **last;
    uint32_t references; /* the program's, and one for each launch in a queue */
} host_graph;

struct host_stream {
    host_device *device;
    pthread_t thread;
    pthread_cond_t work;
    host_command *first;
    host_command **last;
    uint32_t length;
    bool running;      /* the first command is being executed */
    bool ending;       /* released: goes when its queue is empty */
    bool ended;        /* its thread has left */
    uint32_t priority; /* seeded mode */
    host_graph *capture;
    host_block *blocks; /* freed in its order, for reuse */
    uint32_t block_count;
    host_stream *next;
};

struct host_device {
    bool seeded;
    uint64_t random;
    bool by_priority; /* seeded mode's strategy */
    host_command *idle;
};

typedef struct host_machine {
    pthread_mutex_t mutex;
    pthread_cond_t progress; /* a command finished */
    uint32_t sleepers;       /* on `progress` */
    uint64_t stream_ids;
    host_stream *streams;       /* of all devices */
    host_recording *recordings; /* for reuse */
} host_machine;

extern host_machine grt_host;

/* ---- queue.c: commands in streams. All with the mutex held. ---- */

/* A command to fill in, or NULL without memory. */
host_command *grt_host_command_take(host_device *device);
void grt_host_command_give(host_device *device, host_command *command);
/* Appends it to the stream, or to the capture the stream is part of. May block while the queue is full. */
void grt_host_enqueue(host_stream *stream, host_command *command);
/* True when the stream's first command may run now. */
bool grt_host_runnable(const host_stream *stream);
/* Runs the first command: drops the mutex while it executes. */
void grt_host_step(host_stream *stream);
void *grt_host_stream_main(void *stream);
void grt_host_graph_unref(host_device *device, host_graph *graph);
/* A recording with one reference, or NULL without memory. */
host_recording *grt_host_recording_take(void);
/* NULL is allowed. */
void grt_host_recording_unref(host_recording *recording);

/* ---- memory.c ---- */

/* Memory in the order of `stream` (NULL: of no stream), or NULL. Mutex held. */
void *grt_host_memory_take(host_stream *stream, size_t size);
/* Keeps memory for the stream, whose command that poisons it has been enqueued before. Mutex held. */
void grt_host_memory_keep(host_stream *stream, void *memory);
/* Returns what is kept for a stream that is over. Mutex held. */
void grt_host_memory_release(host_stream *stream);
/* Fills freed memory with a pattern, so that a late use shows. */
void grt_host_memory_poison(void *memory);
/* Poisons memory that nothing uses any more and gives it back. */
void grt_host_memory_end(void *memory);

/* ---- schedule.c ---- */

void grt_host_schedule_seed(host_device *device, uint64_t seed);
void grt_host_schedule_stream(host_stream *stream);
/* Seeded mode: runs one command of some stream. False when none can run. */
bool grt_host_schedule_step(host_device *device);
/* Waits until `done(object)`, by sleeping or by running commands, as the mode demands. False: it never will
 * be. */
bool grt_host_wait_until(host_device *device, bool (*done)(const void *object), const void *object);

#endif
