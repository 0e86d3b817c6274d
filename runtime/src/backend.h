/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a backend is: one const table of operations over its own opaque objects. The core calls it with the
 * device's lock held unless a comment says otherwise, keeps all ordering state itself, and asks the backend
 * only for what a driver does.
 */
#ifndef GRT_BACKEND_H
#define GRT_BACKEND_H

#include <guardrt/guardrt.h>

enum {
    GRT_CAP_HOST_MEMORY = 1u << 0,    /* the host can address device memory */
    GRT_CAP_STREAM_ORDERED = 1u << 1, /* allocation and free take effect in stream order */
    GRT_CAP_WRAP_STREAM = 1u << 2     /* foreign streams exist */
};

typedef enum grt_memory_kind { GRT_MEMORY_DEVICE, GRT_MEMORY_PINNED } grt_memory_kind;

typedef enum grt_object_kind {
    GRT_OBJECT_STREAM,
    GRT_OBJECT_EVENT,
    GRT_OBJECT_MODULE,
    GRT_OBJECT_GRAPH
} grt_object_kind;

typedef enum grt_command_kind {
    GRT_COMMAND_COPY,
    GRT_COMMAND_FILL,
    GRT_COMMAND_CALL,
    GRT_COMMAND_GRAPH
} grt_command_kind;

/* Work other than a kernel, for `submit`. */
typedef struct grt_command {
    grt_command_kind kind;
    void *to;
    const void *from;
    size_t size;
    uint8_t byte;
    void (*function)(void *user);
    void *user;
    void *graph;
} grt_command;

/* What a native stream is made from or recognised by. */
typedef struct grt_stream_spec {
    int priority;
    bool foreign;
    void *native; /* the foreign stream */
} grt_stream_spec;

typedef struct grt_native_stream {
    void *handle;
    uint64_t id; /* unique among all streams ever made: handles are reused */
} grt_native_stream;

/* What `device_open` hands on. `driver` is the first argument of every later operation. */
typedef struct grt_native_device {
    void *driver;
    uint32_t capabilities;
    grt_device_info info;
} grt_native_device;

typedef struct grt_backend_ops {
    const char *name;
    grt_backend kind;

    grt_status (*device_count)(int *out_count);
    grt_status (*device_open)(const grt_device_options *options, grt_native_device *out_device);
    void (*device_close)(void *driver);
    /* Gives memory kept for reuse back to the system. */
    grt_status (*device_trim)(void *driver);

    grt_status (*memory_allocate)(void *driver, grt_memory_kind kind, void *stream, size_t size,
                                  void **out_memory);
    /* In order of `stream` when the memory is stream-ordered, else at once. */
    grt_status (*memory_free)(void *driver, grt_memory_kind kind, void *stream, void *memory);

    grt_status (*stream_create)(void *driver, const grt_stream_spec *spec, grt_native_stream *out_stream);
    /* Idle? With `block`: wait until it is, without the device's lock. NULL (with `block`): every stream. */
    grt_status (*stream_finish)(void *driver, void *stream, bool block);

    grt_status (*event_create)(void *driver, bool timing, void **out_event);
    grt_status (*event_record)(void *driver, void *event, void *stream);
    grt_status (*event_wait)(void *driver, void *stream, void *event);
    /* Complete? With `block`: wait until it is, without the device's lock. */
    grt_status (*event_finish)(void *driver, void *event, bool block);
    grt_status (*event_elapsed)(void *driver, void *start, void *stop, double *out_seconds);

    /* Zero components of `config` count as one. */
    grt_status (*launch)(void *driver, void *stream, void *function, const grt_config *config, size_t count,
                         void *const *arguments, const size_t *sizes);
    grt_status (*submit)(void *driver, void *stream, const grt_command *command);

    grt_status (*module_load)(void *driver, const grt_module_desc *desc, void **out_module);
    grt_status (*module_kernel)(void *driver, void *module, const char *name, void **out_function);
    grt_status (*kernel_allow_shared)(void *driver, void *function, uint32_t bytes);

    /* Begins (out_graph NULL) or ends a capture on `stream`. */
    grt_status (*capture)(void *driver, void *stream, void **out_graph);
    /* Ends an object; work pending on it still finishes. */
    void (*object_release)(void *driver, grt_object_kind kind, void *object);
} grt_backend_ops;

extern const grt_backend_ops grt_backend_host;
#ifdef GRT_HAVE_CUDA
extern const grt_backend_ops grt_backend_cuda;
#endif

/* The table of backends, by preference. NULL for GRT_BACKEND_DEFAULT or one that is not in this build. */
const grt_backend_ops *grt_backend_find(grt_backend kind);
/* Resolves GRT_BACKEND_DEFAULT: GUARDRT_BACKEND, else the first backend that has a device.
 * Errors: GRT_NOT_FOUND. */
grt_status grt_backend_choose(grt_backend kind, const grt_backend_ops **out_ops);

#endif
