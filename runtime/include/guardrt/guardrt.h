/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guardrt: buffers whose accesses are ordered between streams without being asked.
 *
 * A program opens a device, makes streams and buffers, and either
 *   - launches kernels and says which views each one reads and writes (grt_launch), or
 *   - takes guards on views around work that another library enqueues (grt_acquire_*, grt_release).
 * Both make the stream wait for exactly the earlier work that conflicts, and publish the new access
 * once it is enqueued. A guard is released after the work that uses its pointer was enqueued, never before.
 *
 * Conventions, valid for every function unless its own comment says otherwise:
 *   - Functions of an object are grt_NOUN_verb; operations in stream order are grt_verb.
 *   - Sizes, offsets and counts of memory are in bytes.
 *   - A status other than GRT_OK is returned by the call that caused it, never by a later one; its `out_`
 *     parameters are then untouched. grt_error_detail() has the words.
 *   - Objects may be used from several threads at once. Destroying an object while another thread is inside a
 *     call on it is undefined. Unordered conflicting use of the same bytes from several threads is the
 *     program's race, not memory corruption: a launch is atomic, a conflicting guard is refused.
 *   - A function NAME_at has a macro NAME that fills in `site` ("file:line" of the call, a string that lives
 *     as long as the process) for the checked mode and takes the other arguments. NULL is a valid site.
 */
#ifndef GUARDRT_GUARDRT_H
#define GUARDRT_GUARDRT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GRT_VERSION_MAJOR 0
#define GRT_VERSION_MINOR 1
#define GRT_VERSION_PATCH 0

#if defined(GRT_STATIC)
#define GRT_API
#else
#define GRT_API __attribute__((visibility("default")))
#endif
#define GRT_MUST_USE __attribute__((warn_unused_result))

#define GRT_STRING_(x) #x
#define GRT_STRING(x) GRT_STRING_(x)
/* "file:line" of the place where the macro is written. */
#define GRT_SITE __FILE__ ":" GRT_STRING(__LINE__)

#ifdef __cplusplus
extern "C" {
#endif

typedef enum grt_status {
#define X(name, value, text) name = value,
#include <guardrt/status.def>
#undef X
} grt_status;

/* An open device: one driver context or one host device, with its streams, buffers and event pool. */
typedef struct grt_device grt_device;
/* A queue of work that runs in order. */
typedef struct grt_stream grt_stream;
/* A range of device or pinned host memory whose accesses are tracked. */
typedef struct grt_buffer grt_buffer;
/* A held right to use a view's pointer on one stream (or on the host). */
typedef struct grt_guard grt_guard;
/* Kernels loaded from one image (CUDA) or one table of functions (host). */
typedef struct grt_module grt_module;
/* One kernel. Owned by its module, or by the caller when wrapped. */
typedef struct grt_kernel grt_kernel;
/* A captured sequence of operations that can be launched again and again. */
typedef struct grt_graph grt_graph;
/* A buffer's outstanding work as one driver event, handed to another library. */
typedef struct grt_export grt_export;
/* A pair of timing events around work on a stream. */
typedef struct grt_timer grt_timer;

/* A byte range of a buffer. A plain value: it owns nothing and keeps nothing alive. */
typedef struct grt_view {
    grt_buffer *buffer;
    size_t offset;
    size_t size;
} grt_view;

/* ---- Errors and version ------------------------------------------------------------------------------- */

/* The name of a status ("GRT_OUT_OF_MEMORY"), or "GRT_?" for a number that is none. Static storage. */
GRT_API const char *grt_status_name(grt_status status);
/* What a status means, as one English phrase. Static storage. */
GRT_API const char *grt_status_text(grt_status status);
/* What the last failing guardrt call of this thread found, e.g. "cuLaunchKernel: 700
 * (CUDA_ERROR_ILLEGAL_ADDRESS)". "" when none failed yet. Valid until this thread's next failing call. */
GRT_API const char *grt_error_detail(void);
/* major * 1000000 + minor * 1000 + patch of the library that runs. */
GRT_API uint32_t grt_version(void);

/* ---- Devices ------------------------------------------------------------------------------------------ */

typedef enum grt_backend {
    GRT_BACKEND_DEFAULT =
        0, /* GUARDRT_BACKEND if set, else CUDA where a driver and device answer, else host */
    GRT_BACKEND_HOST = 1,
    GRT_BACKEND_CUDA = 2
} grt_backend;

typedef enum grt_check_mode {
    GRT_CHECK_DEFAULT = 0, /* as the variable GUARDRT_CHECK says; off when unset */
    GRT_CHECK_OFF = 1,
    GRT_CHECK_ON = 2
} grt_check_mode;

/* How the host backend runs its streams. Other backends ignore it. */
typedef enum grt_schedule {
    GRT_SCHEDULE_DEFAULT = 0, /* GRT_SCHEDULE_SEEDED when the variable GUARDRT_SEED is set, else threads */
    GRT_SCHEDULE_THREADS = 1, /* one thread a stream */
    GRT_SCHEDULE_SEEDED = 2   /* queued work runs only when the host waits, in an order the seed determines */
} grt_schedule;

/* Zero-initialise, then set what matters. `struct_size` is sizeof(grt_device_options): fields that a newer
 * header appends are taken as zero by an older caller's struct. */
typedef struct grt_device_options {
    size_t struct_size;
    grt_backend backend;
    int ordinal;   /* which of the backend's devices, from 0 */
    void *context; /* CUDA: a CUcontext to use instead of the device's primary context, or NULL */
    grt_check_mode check;
    grt_schedule schedule;
    uint64_t seed; /* for GRT_SCHEDULE_SEEDED; 0 means GUARDRT_SEED or 1 */
} grt_device_options;

typedef struct grt_device_info {
    grt_backend backend;
    int ordinal;
    char name[128];
    uint64_t memory_bytes;    /* 0 when unknown */
    uint32_t multiprocessors; /* host backend: processors */
    uint32_t compute_major;   /* 0 on the host backend */
    uint32_t compute_minor;
    bool checked;  /* checked mode is on */
    void *context; /* the CUcontext; NULL on the host backend */
} grt_device_info;

/* Counts since the device was opened: how many calls the backend's driver got, and what was saved. */
typedef struct grt_device_stats {
    uint64_t launches;     /* kernels and graphs */
    uint64_t records;      /* event records */
    uint64_t waits;        /* stream-waits-for-event calls */
    uint64_t waits_elided; /* edges needing no call: already waited for, or known complete */
    uint64_t queries;      /* event and stream queries and blocking waits */
    uint64_t copies;       /* copies, fills and host calls */
    uint64_t allocations;  /* device and pinned memory */
    uint64_t frees;
    uint64_t events_created;
    uint64_t events_pooled;  /* idle in the pool now */
    uint64_t buffers;        /* open now */
    uint64_t deferred_frees; /* waiting for work to finish now */
} grt_device_stats;

/* How many devices a backend offers (the host backend: 1). 0 when its driver is absent.
 * Errors: GRT_NOT_FOUND when the backend is not part of this build. */
GRT_API GRT_MUST_USE grt_status grt_device_count(grt_backend backend, int *out_count);
/* Opens device `ordinal`. On CUDA the primary context is retained, which is the one the CUDA runtime API
 * uses. The caller owns the device: grt_device_close.
 * Errors: GRT_NOT_FOUND (no such backend, driver or device), GRT_OUT_OF_MEMORY, GRT_DRIVER_ERROR. */
GRT_API GRT_MUST_USE grt_status grt_device_open(grt_backend backend, int ordinal, grt_device **out_device);
/* As grt_device_open, with every choice. */
GRT_API GRT_MUST_USE grt_status grt_device_open_with(const grt_device_options *options,
                                                     grt_device **out_device);
/* Waits for the device's work, frees what was deferred, closes it. NULL is allowed.
 * Errors: GRT_GUARD_HELD while a guard lives, GRT_BUSY while a stream, buffer, module, graph, timer or export
 * lives (nothing is closed in either case). A lost device closes with GRT_OK. */
GRT_API GRT_MUST_USE grt_status grt_device_close(grt_device *device);
GRT_API grt_device_info grt_device_describe(const grt_device *device);
GRT_API grt_device_stats grt_device_measure(grt_device *device);
/* Blocks until every stream of the device is idle, then runs deferred frees.
 * Errors: what the work itself ended with (GRT_DEVICE_LOST), GRT_CAPTURE_FORBIDDEN. */
GRT_API GRT_MUST_USE grt_status grt_device_synchronize(grt_device *device);
/* Gives idle pooled events and unused pool memory back to the driver. Never blocks on work. */
GRT_API GRT_MUST_USE grt_status grt_device_trim(grt_device *device);

/* ---- Streams ------------------------------------------------------------------------------------------ */

/* A new stream that does not synchronise with the legacy default stream. `priority`: 0 is the lowest; larger
 * is more urgent, clamped to what the device has. The caller owns it: grt_stream_destroy. */
GRT_API GRT_MUST_USE grt_status grt_stream_create(grt_device *device, int priority, grt_stream **out_stream);
/* Tracks another library's stream (CUDA: a CUstream or cudaStream_t; NULL is the legacy default stream).
 * Wrapping the same live stream twice gives the same object, to be destroyed as often. The native stream
 * must live until the wrapper is destroyed, and is not destroyed with it.
 * Errors: GRT_UNSUPPORTED on the host backend. */
GRT_API GRT_MUST_USE grt_status grt_stream_wrap(grt_device *device, void *native, grt_stream **out_stream);
/* Legal while work is pending: the work finishes, and later users of its buffers still wait for it.
 * NULL is allowed. Errors: GRT_GUARD_HELD while a guard on the stream lives, GRT_CAPTURE_FORBIDDEN. */
GRT_API GRT_MUST_USE grt_status grt_stream_destroy(grt_stream *stream);
GRT_API grt_device *grt_stream_device(const grt_stream *stream);
/* CUDA: the CUstream. Host backend: an opaque token. For enqueueing foreign work under guards. */
GRT_API void *grt_stream_native(const grt_stream *stream);
/* Blocks until all work enqueued so far has finished.
 * Errors: what the work ended with (GRT_DEVICE_LOST, GRT_DRIVER_ERROR), GRT_CAPTURE_FORBIDDEN. */
GRT_API GRT_MUST_USE grt_status grt_stream_synchronize(grt_stream *stream);
/* GRT_OK when idle, GRT_NOT_READY when work is pending; never blocks. Other errors as synchronize. */
GRT_API GRT_MUST_USE grt_status grt_stream_query(grt_stream *stream);
/* Later work on `stream` runs after everything enqueued on `other` so far. Seldom needed: accesses order
 * themselves. While `other` is being captured, `stream` joins its capture (a fork).
 * Errors: GRT_CAPTURE_ISOLATION when only `stream` is being captured. */
GRT_API GRT_MUST_USE grt_status grt_stream_wait(grt_stream *stream, grt_stream *other);
/* Runs `function(user)` on a thread of the backend in stream order. The function must not call guardrt or
 * the driver. `user` must live until then. Not tracked: take guards for what it touches. */
GRT_API GRT_MUST_USE grt_status grt_stream_call(grt_stream *stream, void (*function)(void *user), void *user);

/* ---- Buffers and views -------------------------------------------------------------------------------- */

/* Device memory, allocated in the order of `stream`: the allocation counts as the first write, so a first use
 * on another stream waits for it. Contents undefined. `size` > 0. The caller owns it: grt_buffer_destroy.
 * Errors: GRT_OUT_OF_MEMORY, GRT_CAPTURE_FORBIDDEN, GRT_DEVICE_LOST. */
#define grt_buffer_create(...) grt_buffer_create_at(GRT_SITE, __VA_ARGS__)
GRT_API GRT_MUST_USE grt_status grt_buffer_create_at(const char *site, grt_stream *stream, size_t size,
                                                     grt_buffer **out_buffer);
/* Pinned host memory, addressable by the host (under a host guard) and by the device. Contents undefined. */
#define grt_buffer_create_host(...) grt_buffer_create_host_at(GRT_SITE, __VA_ARGS__)
GRT_API GRT_MUST_USE grt_status grt_buffer_create_host_at(const char *site, grt_device *device, size_t size,
                                                          grt_buffer **out_buffer);
/* Tracks memory of another library (CUDA: a CUdeviceptr as a pointer). All work on it so far must be
 * complete, or be made known with grt_buffer_import. `release(user)`, when not NULL, is called once after
 * grt_buffer_destroy when no work uses the memory any more, from any thread inside a guardrt call; it must
 * not call guardrt. */
#define grt_buffer_wrap(...) grt_buffer_wrap_at(GRT_SITE, __VA_ARGS__)
GRT_API GRT_MUST_USE grt_status grt_buffer_wrap_at(const char *site, grt_device *device, void *memory,
                                                   size_t size, void (*release)(void *user), void *user,
                                                   grt_buffer **out_buffer);
/* Frees the buffer after the work that uses it, without blocking. NULL is allowed. Afterwards every view of
 * it is invalid. A wrapped buffer without `release` is merely forgotten: its owner must know the work is
 * done. Errors (the buffer stays): GRT_GUARD_HELD while a guard on it lives, GRT_BUSY while a graph or an
 * export uses it. */
#define grt_buffer_destroy(...) grt_buffer_destroy_at(GRT_SITE, __VA_ARGS__)
GRT_API GRT_MUST_USE grt_status grt_buffer_destroy_at(const char *site, grt_buffer *buffer);
GRT_API size_t grt_buffer_size(const grt_buffer *buffer);
GRT_API grt_device *grt_buffer_device(const grt_buffer *buffer);
/* GRT_OK, or GRT_POISONED after a launch, record or copy that wrote it failed. */
GRT_API GRT_MUST_USE grt_status grt_buffer_status(const grt_buffer *buffer);
/* Makes a poisoned buffer usable again; its contents are undefined. Blocks until the work on it is over.
 * Errors: GRT_GUARD_HELD, GRT_DEVICE_LOST. */
GRT_API GRT_MUST_USE grt_status grt_buffer_restore(grt_buffer *buffer);
/* The whole buffer. */
GRT_API grt_view grt_buffer_view(grt_buffer *buffer);
/* `size` bytes of `view` from `offset` (relative to the view). Errors: GRT_OUT_OF_RANGE. */
GRT_API GRT_MUST_USE grt_status grt_view_slice(grt_view view, size_t offset, size_t size, grt_view *out_view);
/* Cuts `view` into two disjoint views: [0, at) and [at, size). Work on one never waits for work on the other.
 * Errors: GRT_OUT_OF_RANGE unless 0 < at < size. */
GRT_API GRT_MUST_USE grt_status grt_split(grt_view view, size_t at, grt_view *out_left, grt_view *out_right);
/* The address alone: no wait, no record, no guard. For printing, comparing and building tables of addresses.
 * Enqueueing work on it is only right while a guard or a launch access covers it. */
GRT_API void *grt_view_address(grt_view view);

/* Another library is about to use the buffer: one native event (CUDA: CUevent) that completes when everything
 * a reader (`write` false) or a writer (`write` true) must wait for is done. The event is valid, and the
 * buffer counts as used, until grt_export_close. *out_event is NULL when there is nothing to wait for.
 * Errors: GRT_POISONED, GRT_GUARD_HELD, GRT_DRIVER_ERROR. */
GRT_API GRT_MUST_USE grt_status grt_buffer_export(grt_buffer *buffer, bool write, grt_export **out_export,
                                                  void **out_event);
/* Ends an export. `event`, when not NULL, is a native event the other library recorded after its last use:
 * later accesses wait for it. Without it that use must be complete. The event may be destroyed after the
 * call. */
GRT_API GRT_MUST_USE grt_status grt_export_close(grt_export *handed_out, void *event);
/* Later accesses of `buffer` wait for the native `event` that another library recorded after using it
 * (`write`: it may have written). The event may be destroyed or recorded again after the call. */
GRT_API GRT_MUST_USE grt_status grt_buffer_import(grt_buffer *buffer, bool write, void *event);

/* ---- Guards: for work that another library enqueues ---------------------------------------------------- */

/* Each makes `stream` wait for the earlier conflicting work on the view and gives a guard. Enqueue the work
 * that uses grt_guard_pointer(guard) on the same stream, then release. `read`: the work only reads; `write`:
 * it overwrites; `update`: it reads and writes (ordered as a write). The caller owns the guard: grt_release
 * or grt_cancel. On failure there is no guard and no pointer. Errors: GRT_GUARD_HELD while a conflicting
 * guard for another stream or the host lives, GRT_POISONED, GRT_OUT_OF_RANGE, GRT_DRIVER_ERROR,
 * GRT_DEVICE_LOST. */
#define grt_acquire_read(...) grt_acquire_read_at(GRT_SITE, __VA_ARGS__)
#define grt_acquire_write(...) grt_acquire_write_at(GRT_SITE, __VA_ARGS__)
#define grt_acquire_update(...) grt_acquire_update_at(GRT_SITE, __VA_ARGS__)
GRT_API GRT_MUST_USE grt_status grt_acquire_read_at(const char *site, grt_stream *stream, grt_view view,
                                                    grt_guard **out_guard);
GRT_API GRT_MUST_USE grt_status grt_acquire_write_at(const char *site, grt_stream *stream, grt_view view,
                                                     grt_guard **out_guard);
GRT_API GRT_MUST_USE grt_status grt_acquire_update_at(const char *site, grt_stream *stream, grt_view view,
                                                      grt_guard **out_guard);
/* Guards for the host: block the calling thread until conflicting work is done; grt_guard_pointer is then a
 * host address. `write` may read too. For pinned, wrapped host-addressable, and all host-backend buffers.
 * Errors: GRT_NOT_HOST_ACCESSIBLE, and as above. */
#define grt_acquire_host_read(...) grt_acquire_host_read_at(GRT_SITE, __VA_ARGS__)
#define grt_acquire_host_write(...) grt_acquire_host_write_at(GRT_SITE, __VA_ARGS__)
GRT_API GRT_MUST_USE grt_status grt_acquire_host_read_at(const char *site, grt_view view,
                                                         grt_guard **out_guard);
GRT_API GRT_MUST_USE grt_status grt_acquire_host_write_at(const char *site, grt_view view,
                                                          grt_guard **out_guard);
/* The pointer of a live guard's view; NULL for NULL. It must not be used for work enqueued after the release.
 */
GRT_API void *grt_guard_pointer(const grt_guard *guard);
/* Publishes the access: later conflicting work waits for everything enqueued on the guard's stream up to now.
 * Call it after the enqueue. The guard is gone afterwards, also on error. NULL is allowed.
 * Errors: GRT_RELEASED (released before; detected while the guard's memory has not been reused, in checked
 * mode among the last 65536 released at least), GRT_DRIVER_ERROR or GRT_DEVICE_LOST when recording failed (a
 * written buffer is then poisoned). */
#define grt_release(...) grt_release_at(GRT_SITE, __VA_ARGS__)
GRT_API GRT_MUST_USE grt_status grt_release_at(const char *site, grt_guard *guard);
/* Releases `count` guards of one stream with one record: what a foreign launch with several buffers wants.
 * Errors: as grt_release; GRT_INVALID_ARGUMENT when the streams differ (nothing is released). */
#define grt_release_many(...) grt_release_many_at(GRT_SITE, __VA_ARGS__)
GRT_API GRT_MUST_USE grt_status grt_release_many_at(const char *site, size_t count, grt_guard *const *guards);
/* Gives the guard up when nothing was enqueued under it (the foreign launch failed): nothing is published. */
#define grt_cancel(...) grt_cancel_at(GRT_SITE, __VA_ARGS__)
GRT_API GRT_MUST_USE grt_status grt_cancel_at(const char *site, grt_guard *guard);

/* ---- Kernels and launches ------------------------------------------------------------------------------ */

/* Shape of a launch. Zero components count as one. */
typedef struct grt_config {
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t shared_bytes; /* dynamic shared memory a block */
} grt_config;

/* A kernel's twin on the host backend. `arguments[i]` points to the i-th argument, as cuLaunchKernel's
 * kernelParams do: to a pointer for a view, to a copy of the value otherwise. Runs once a launch, for the
 * whole grid, on a thread of the backend; it must not call guardrt. */
typedef void grt_host_kernel(const grt_config *config, void *const *arguments);

typedef struct grt_host_entry {
    const char *name;
    grt_host_kernel *function;
} grt_host_entry;

/* What a module is loaded from. Each backend takes its part, so one description serves both; what the others
 * need may be NULL. */
typedef struct grt_module_desc {
    const void *image; /* CUDA: a fatbin, cubin or zero-terminated PTX in memory; read during the load */
    const grt_host_entry *host; /* host: `host_count` kernels; must live as long as the module */
    size_t host_count;
} grt_module_desc;

/* Loads kernels. The caller owns the module: grt_module_unload.
 * Errors: GRT_INVALID_ARGUMENT when this backend's part is missing, GRT_DRIVER_ERROR when the image is
 * refused. */
GRT_API GRT_MUST_USE grt_status grt_module_load(grt_device *device, const grt_module_desc *desc,
                                                grt_module **out_module);
/* No launch of its kernels may be pending. NULL is allowed. */
GRT_API GRT_MUST_USE grt_status grt_module_unload(grt_module *module);
/* The kernel called `name` (extern "C", or mangled). It belongs to the module. Errors: GRT_NOT_FOUND. */
GRT_API GRT_MUST_USE grt_status grt_module_kernel(grt_module *module, const char *name,
                                                  grt_kernel **out_kernel);
/* Another library's kernel: CUDA a CUfunction, CUkernel or cudaKernel_t, host a grt_host_kernel. `name` is
 * copied. The caller owns it: grt_kernel_destroy. */
GRT_API GRT_MUST_USE grt_status grt_kernel_wrap(grt_device *device, const char *name, void *native,
                                                grt_kernel **out_kernel);
/* Only for wrapped kernels; the native kernel stays. NULL is allowed. */
GRT_API GRT_MUST_USE grt_status grt_kernel_destroy(grt_kernel *kernel);
/* Allows launches with up to `bytes` of dynamic shared memory a block. No effect on the host backend. */
GRT_API GRT_MUST_USE grt_status grt_kernel_allow_shared(grt_kernel *kernel, uint32_t bytes);

typedef enum grt_arg_kind {
    GRT_ARG_READ = 1,   /* the kernel gets the view's address and only reads */
    GRT_ARG_WRITE = 2,  /* ... and overwrites */
    GRT_ARG_UPDATE = 3, /* ... and reads and writes */
    GRT_ARG_VALUE = 4,  /* the kernel gets a copy of `size` bytes at `data` */
    GRT_ARG_HIDDEN_READ =
        9, /* accessed, but no argument of the kernel: the address is in a table or a struct */
    GRT_ARG_HIDDEN_WRITE = 10,
    GRT_ARG_HIDDEN_UPDATE = 11
} grt_arg_kind;

/* One argument of a launch, in the kernel's parameter order. */
typedef struct grt_arg {
    union {
        grt_view view;
        struct {
            const void *data;
            size_t size;
        } value;
    } as;
    grt_arg_kind kind;
} grt_arg;

#ifndef __cplusplus
#define GRT_READ(v) ((grt_arg){.as.view = (v), .kind = GRT_ARG_READ})
#define GRT_WRITE(v) ((grt_arg){.as.view = (v), .kind = GRT_ARG_WRITE})
#define GRT_UPDATE(v) ((grt_arg){.as.view = (v), .kind = GRT_ARG_UPDATE})
/* An lvalue, copied during the call. */
#define GRT_VALUE(x) ((grt_arg){.as.value = {&(x), sizeof(x)}, .kind = GRT_ARG_VALUE})
#define GRT_HIDDEN_READ(v) ((grt_arg){.as.view = (v), .kind = GRT_ARG_HIDDEN_READ})
#define GRT_HIDDEN_WRITE(v) ((grt_arg){.as.view = (v), .kind = GRT_ARG_HIDDEN_WRITE})
#define GRT_HIDDEN_UPDATE(v) ((grt_arg){.as.view = (v), .kind = GRT_ARG_HIDDEN_UPDATE})
/* grt_launch(stream, kernel, config, GRT_READ(a), GRT_WRITE(b), GRT_VALUE(n)) */
#define grt_launch(stream, kernel, config, ...)                                                              \
    grt_launch_at(GRT_SITE, (stream), (kernel), (config),                                                    \
                  sizeof((grt_arg[]){__VA_ARGS__}) / sizeof(grt_arg), (grt_arg[]){__VA_ARGS__})
#endif

/* Threads enough for `items` work items, `block` threads a block, in one dimension. */
GRT_API grt_config grt_config_linear(uint64_t items, uint32_t block);

/* Waits for the earlier conflicting work, launches, publishes the accesses: one call, one event at most.
 * At most 64 arguments; values of at most 4096 bytes together.
 * Errors: GRT_GUARD_HELD while a conflicting guard for another stream or the host lives; GRT_POISONED,
 * GRT_OUT_OF_RANGE; GRT_DRIVER_ERROR when a wait failed (nothing was launched); GRT_LAUNCH_FAILED (nothing
 * ran; written buffers are poisoned); GRT_DRIVER_ERROR when recording failed (the kernel runs; written
 * buffers are poisoned); GRT_DEVICE_LOST. */
GRT_API GRT_MUST_USE grt_status grt_launch_at(const char *site, grt_stream *stream, grt_kernel *kernel,
                                              grt_config config, size_t count, const grt_arg *args);
/* The launch alone, as cuLaunchKernel: no waits, no record. `arguments[i]` points to the i-th argument of
 * `sizes[i]` bytes. For work under guards, and for comparison. Checked mode looks for tracked memory among
 * the pointer-sized arguments. */
#define grt_launch_raw(...) grt_launch_raw_at(GRT_SITE, __VA_ARGS__)
GRT_API GRT_MUST_USE grt_status grt_launch_raw_at(const char *site, grt_stream *stream, grt_kernel *kernel,
                                                  grt_config config, size_t count, void *const *arguments,
                                                  const size_t *sizes);

/* ---- Copies in stream order: tracked as a launch that reads the source and writes the destination ------ */

/* Both views have the same size and do not overlap. */
#define grt_copy(...) grt_copy_at(GRT_SITE, __VA_ARGS__)
GRT_API GRT_MUST_USE grt_status grt_copy_at(const char *site, grt_stream *stream, grt_view to, grt_view from);
/* Every byte becomes `byte`. */
#define grt_fill(...) grt_fill_at(GRT_SITE, __VA_ARGS__)
GRT_API GRT_MUST_USE grt_status grt_fill_at(const char *site, grt_stream *stream, grt_view view,
                                            uint8_t byte);
/* From ordinary host memory, view.size bytes. `from` must stay valid and unchanged until the stream has
 * passed. */
#define grt_upload(...) grt_upload_at(GRT_SITE, __VA_ARGS__)
GRT_API GRT_MUST_USE grt_status grt_upload_at(const char *site, grt_stream *stream, grt_view to,
                                              const void *from);
/* To ordinary host memory, view.size bytes. `to` must stay valid, and be read only after the stream has
 * passed. */
#define grt_download(...) grt_download_at(GRT_SITE, __VA_ARGS__)
GRT_API GRT_MUST_USE grt_status grt_download_at(const char *site, grt_stream *stream, void *to,
                                                grt_view from);

/* ---- Graphs -------------------------------------------------------------------------------------------- */

/* Work enqueued on `stream` from here on is recorded, not run. Other streams join with grt_stream_wait.
 * Accesses are ordered among themselves inside the capture; grt_graph_launch orders the whole against the
 * outside. Errors: GRT_GUARD_HELD while a guard on the stream lives, GRT_UNSUPPORTED, GRT_CAPTURE_FORBIDDEN
 * when it is being captured already. */
GRT_API GRT_MUST_USE grt_status grt_stream_capture_begin(grt_stream *stream);
/* Ends the capture begun on `stream`; joined streams are joined back. The caller owns the graph, which keeps
 * its buffers from being destroyed: grt_graph_destroy. Errors: GRT_GUARD_HELD while a guard acquired inside
 * lives (the capture goes on); GRT_INVALID_ARGUMENT when no capture began here; GRT_DRIVER_ERROR or
 * GRT_OUT_OF_MEMORY when the capture became invalid (it is over then). */
GRT_API GRT_MUST_USE grt_status grt_stream_capture_end(grt_stream *stream, grt_graph **out_graph);
/* Waits, launches the graph, publishes all accesses captured in it, as one grt_launch. */
#define grt_graph_launch(...) grt_graph_launch_at(GRT_SITE, __VA_ARGS__)
GRT_API GRT_MUST_USE grt_status grt_graph_launch_at(const char *site, grt_stream *stream, grt_graph *graph);
/* Legal while it runs. NULL is allowed. */
GRT_API GRT_MUST_USE grt_status grt_graph_destroy(grt_graph *graph);

/* ---- Timing -------------------------------------------------------------------------------------------- */

/* The caller owns the timer: grt_timer_destroy. Not for use from several threads at once. */
GRT_API GRT_MUST_USE grt_status grt_timer_create(grt_device *device, grt_timer **out_timer);
GRT_API GRT_MUST_USE grt_status grt_timer_start(grt_timer *timer, grt_stream *stream);
GRT_API GRT_MUST_USE grt_status grt_timer_stop(grt_timer *timer, grt_stream *stream);
/* Blocks until stop was reached; time between start and stop in seconds. */
GRT_API GRT_MUST_USE grt_status grt_timer_read(grt_timer *timer, double *out_seconds);
/* NULL is allowed. */
GRT_API GRT_MUST_USE grt_status grt_timer_destroy(grt_timer *timer);

/* ---- Checked mode -------------------------------------------------------------------------------------- */

/* One report. All strings live during the callback only. A site that is not known is NULL. */
typedef struct grt_check_report {
    const char *check; /* the linter's check name, e.g. "released-before-launch" */
    const char *message;
    const char *use_site; /* the launch, copy, release or destroy that is wrong */
    const char *acquire_site;
    const char *release_site;
    uintptr_t address; /* of the bytes concerned */
    size_t size;
} grt_check_report;

/* Gets every report instead of stderr (or the file GUARDRT_CHECK_FILE), from any thread, inside the call that
 * is wrong; it must not call guardrt. NULL restores the variables' choice. Process-wide. Variables:
 * GUARDRT_CHECK=1 (report), abort (report, then abort), 0; GUARDRT_CHECK_FORMAT=text, json (one object a
 * line). */
GRT_API void grt_check_set_callback(void (*callback)(const grt_check_report *report, void *user), void *user);
/* Reports so far in this process. */
GRT_API uint64_t grt_check_count(void);
/* Tells checked mode that another library's call just enqueued work on `stream` that uses `pointer` (`write`:
 * and may write), which it cannot see itself. Nothing happens when checked mode is off or the memory is
 * untracked. */
#define grt_check_use(...) grt_check_use_at(GRT_SITE, __VA_ARGS__)
GRT_API void grt_check_use_at(const char *site, grt_stream *stream, const void *pointer, bool write);

/* ---- Searching for a bad order (host backend) ------------------------------------------------------------
 */

/* A test to be run under many orders: opens nothing itself, uses `device`, leaves no object behind, and
 * returns whether its result was right. */
typedef bool grt_schedule_test(grt_device *device, void *user);

/* Runs `test` under `schedules` orders (0: the variable GUARDRT_SCHEDULES, or 100), each on a fresh seeded
 * host device, and stops at the first wrong result. *out_seed is its seed (replay with GUARDRT_SEED), or 0
 * when every order was right. */
GRT_API GRT_MUST_USE grt_status grt_schedule_search(grt_schedule_test *test, void *user, uint64_t schedules,
                                                    uint64_t *out_seed);

#ifdef __cplusplus
}
#endif

#endif
