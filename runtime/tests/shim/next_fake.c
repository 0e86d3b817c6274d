/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A CUDA driver made of host threads, behind the shim: the runtime's host backend under the driver's
 * interface. It knows the test kernels only, has one device with its primary context, and is strict about the
 * current context.
 */
#include "next.h"
#include "backend.h"
#include "../support/kernels.h"

#include <cuda.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct CUstream_st {
    void *handle;
    uint64_t id;
    CUstream next; /* among those not destroyed */
};

struct CUctx_st {
    void *driver; /* of the host backend */
};

static const grt_backend_ops *const host = &grt_backend_host;
static struct CUctx_st primary;
static struct CUstream_st legacy;
static CUstream streams;
static pthread_mutex_t streams_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t started = PTHREAD_ONCE_INIT;

enum { STACK = 8 };
static _Thread_local CUcontext stack[STACK];
static _Thread_local int depth;

static CUresult result_of(grt_status status)
{
    switch (status) {
    case GRT_OK:
        return CUDA_SUCCESS;
    case GRT_NOT_READY:
        return CUDA_ERROR_NOT_READY;
    case GRT_OUT_OF_MEMORY:
        return CUDA_ERROR_OUT_OF_MEMORY;
    case GRT_CAPTURE_ISOLATION:
        return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    default:
        return CUDA_ERROR_UNKNOWN;
    }
}

static bool context_is_current(void)
{
    return depth > 0 && stack[depth - 1] == &primary;
}

static void start(void)
{
    grt_device_options options = {.struct_size = sizeof(options), .schedule = GRT_SCHEDULE_THREADS};
    grt_native_device device;
    grt_native_stream stream;
    grt_stream_spec spec = {0};
    if (host->device_open(&options, &device) != GRT_OK ||
        host->stream_create(device.driver, &spec, &stream) != GRT_OK)
        abort();
    primary.driver = device.driver;
    legacy = (struct CUstream_st){.handle = stream.handle};
}

/* When the process unloads the driver. */
__attribute__((destructor)) static void stop(void)
{
    if (!primary.driver)
        return;
    host->object_release(primary.driver, GRT_OBJECT_STREAM, legacy.handle);
    while (streams) { /* those of a context that was made to be lost */
        CUstream stream = streams;
        streams = stream->next;
        host->object_release(primary.driver, GRT_OBJECT_STREAM, stream->handle);
        free(stream);
    }
    host->device_close(primary.driver);
}

static CUstream resolve(CUstream stream)
{
    return stream == CU_STREAM_LEGACY || !stream ? &legacy : stream;
}

/* ---- Devices and contexts ---- */

static CUresult fake_init(unsigned flags)
{
    pthread_once(&started, start);
    return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult fake_error_name(CUresult error, const char **out_name)
{
    *out_name = error == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR";
    return CUDA_SUCCESS;
}

static CUresult fake_device_count(int *out_count)
{
    *out_count = 1;
    return CUDA_SUCCESS;
}

static CUresult fake_device_get(CUdevice *out_device, int ordinal)
{
    *out_device = ordinal;
    return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult fake_device_name(char *name, int size, CUdevice device)
{
    (void)device;
    strncpy(name, "host threads", (size_t)size);
    return CUDA_SUCCESS;
}

static CUresult fake_device_attribute(int *out_value, CUdevice_attribute attribute, CUdevice device)
{
    (void)attribute;
    (void)device;
    *out_value = 1;
    return CUDA_SUCCESS;
}

static CUresult fake_device_memory(size_t *out_bytes, CUdevice device)
{
    (void)device;
    *out_bytes = (size_t)1 << 30;
    return CUDA_SUCCESS;
}

static CUresult fake_context_retain(CUcontext *out_context, CUdevice device)
{
    (void)device;
    *out_context = &primary;
    return CUDA_SUCCESS;
}

static CUresult fake_context_release(CUdevice device)
{
    (void)device;
    return CUDA_SUCCESS;
}

static CUresult fake_context_current(CUcontext *out_context)
{
    *out_context = depth > 0 ? stack[depth - 1] : NULL;
    return CUDA_SUCCESS;
}

static CUresult fake_context_set(CUcontext context)
{
    if (depth == 0)
        depth = 1;
    stack[depth - 1] = context;
    return CUDA_SUCCESS;
}

static CUresult fake_context_push(CUcontext context)
{
    if (depth == STACK)
        return CUDA_ERROR_INVALID_VALUE;
    stack[depth++] = context;
    return CUDA_SUCCESS;
}

static CUresult fake_context_pop(CUcontext *out_context)
{
    if (depth == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    *out_context = stack[--depth];
    return CUDA_SUCCESS;
}

static CUresult fake_context_synchronize(void)
{
    if (!context_is_current())
        return CUDA_ERROR_INVALID_CONTEXT;
    return result_of(host->stream_finish(primary.driver, NULL, true));
}

static CUresult fake_priorities(int *out_least, int *out_greatest)
{
    *out_least = 0;
    *out_greatest = -5;
    return CUDA_SUCCESS;
}

/* ---- Memory ---- */

static CUresult allocate(grt_memory_kind kind, void *stream, size_t size, void **out_memory)
{
    if (!context_is_current())
        return CUDA_ERROR_INVALID_CONTEXT;
    return result_of(host->memory_allocate(primary.driver, kind, stream, size, out_memory));
}

static CUresult fake_allocate(CUdeviceptr *out_memory, size_t size)
{
    void *memory = NULL;
    CUresult result = allocate(GRT_MEMORY_DEVICE, NULL, size, &memory);
    *out_memory = (CUdeviceptr)(uintptr_t)memory;
    return result;
}

static CUresult fake_free(CUdeviceptr memory)
{
    return result_of(host->memory_free(primary.driver, GRT_MEMORY_DEVICE, NULL, (void *)(uintptr_t)memory));
}

static CUresult fake_allocate_host(void **out_memory, size_t size)
{
    return allocate(GRT_MEMORY_PINNED, NULL, size, out_memory);
}

static CUresult fake_free_host(void *memory)
{
    return result_of(host->memory_free(primary.driver, GRT_MEMORY_PINNED, NULL, memory));
}

static CUresult fake_pool_create(CUmemoryPool *out_pool, const CUmemPoolProps *properties)
{
    (void)properties;
    *out_pool = (CUmemoryPool)&primary;
    return CUDA_SUCCESS;
}

static CUresult fake_pool_destroy(CUmemoryPool pool)
{
    (void)pool;
    return CUDA_SUCCESS;
}

static CUresult fake_pool_set(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    (void)pool;
    (void)attribute;
    (void)value;
    return CUDA_SUCCESS;
}

static CUresult fake_pool_trim(CUmemoryPool pool, size_t keep)
{
    (void)pool;
    (void)keep;
    return CUDA_SUCCESS;
}

static CUresult fake_allocate_async(CUdeviceptr *out_memory, size_t size, CUmemoryPool pool, CUstream stream)
{
    (void)pool;
    void *memory = NULL;
    CUresult result = allocate(GRT_MEMORY_DEVICE, resolve(stream)->handle, size, &memory);
    *out_memory = (CUdeviceptr)(uintptr_t)memory;
    return result;
}

static CUresult fake_free_async(CUdeviceptr memory, CUstream stream)
{
    return result_of(host->memory_free(primary.driver, GRT_MEMORY_DEVICE, resolve(stream)->handle,
                                       (void *)(uintptr_t)memory));
}

/* ---- Streams and events ---- */

static CUresult fake_stream_create(CUstream *out_stream, unsigned flags, int priority)
{
    (void)flags;
    grt_stream_spec spec = {.priority = priority};
    grt_native_stream native;
    CUstream stream = calloc(1, sizeof(*stream));
    if (!stream || !context_is_current() || host->stream_create(primary.driver, &spec, &native) != GRT_OK) {
        free(stream);
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    pthread_mutex_lock(&streams_mutex);
    *stream = (struct CUstream_st){native.handle, native.id, streams};
    streams = stream;
    pthread_mutex_unlock(&streams_mutex);
    *out_stream = stream;
    return CUDA_SUCCESS;
}

static CUresult fake_stream_destroy(CUstream stream)
{
    pthread_mutex_lock(&streams_mutex);
    CUstream *link = &streams;
    while (*link != stream)
        link = &(*link)->next;
    *link = stream->next;
    pthread_mutex_unlock(&streams_mutex);
    host->object_release(primary.driver, GRT_OBJECT_STREAM, stream->handle);
    free(stream);
    return CUDA_SUCCESS;
}

static CUresult fake_stream_synchronize(CUstream stream)
{
    return result_of(host->stream_finish(primary.driver, resolve(stream)->handle, true));
}

static CUresult fake_stream_query(CUstream stream)
{
    return result_of(host->stream_finish(primary.driver, resolve(stream)->handle, false));
}

static CUresult fake_stream_id(CUstream stream, unsigned long long *out_id)
{
    *out_id = resolve(stream)->id;
    return CUDA_SUCCESS;
}

static CUresult fake_stream_wait(CUstream stream, CUevent event, unsigned flags)
{
    (void)flags;
    if (!context_is_current())
        return CUDA_ERROR_INVALID_CONTEXT;
    return result_of(host->event_wait(primary.driver, resolve(stream)->handle, event));
}

static CUresult fake_event_create(CUevent *out_event, unsigned flags)
{
    void *event = NULL;
    if (!context_is_current())
        return CUDA_ERROR_INVALID_CONTEXT;
    CUresult result = result_of(host->event_create(primary.driver, flags == CU_EVENT_DEFAULT, &event));
    *out_event = event;
    return result;
}

static CUresult fake_event_destroy(CUevent event)
{
    host->object_release(primary.driver, GRT_OBJECT_EVENT, event);
    return CUDA_SUCCESS;
}

static CUresult fake_event_record(CUevent event, CUstream stream)
{
    if (!context_is_current())
        return CUDA_ERROR_INVALID_CONTEXT;
    return result_of(host->event_record(primary.driver, event, resolve(stream)->handle));
}

static CUresult fake_event_query(CUevent event)
{
    return result_of(host->event_finish(primary.driver, event, false));
}

static CUresult fake_event_synchronize(CUevent event)
{
    return result_of(host->event_finish(primary.driver, event, true));
}

static CUresult fake_event_elapsed(float *out_milliseconds, CUevent start_event, CUevent stop_event)
{
    double seconds = 0;
    CUresult result = result_of(host->event_elapsed(primary.driver, start_event, stop_event, &seconds));
    *out_milliseconds = (float)(1e3 * seconds);
    return result;
}

/* ---- Work ---- */

static CUresult submit(CUstream stream, const grt_command *command)
{
    if (!context_is_current())
        return CUDA_ERROR_INVALID_CONTEXT;
    return result_of(host->submit(primary.driver, resolve(stream)->handle, command));
}

static CUresult fake_copy(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream)
{
    return submit(stream, &(grt_command){.kind = GRT_COMMAND_COPY,
                                         .to = (void *)(uintptr_t)to,
                                         .from = (void *)(uintptr_t)from,
                                         .size = size});
}

static CUresult fake_set(CUdeviceptr to, unsigned char byte, size_t size, CUstream stream)
{
    return submit(
        stream,
        &(grt_command){.kind = GRT_COMMAND_FILL, .to = (void *)(uintptr_t)to, .size = size, .byte = byte});
}

static CUresult fake_host_call(CUstream stream, CUhostFn function, void *user)
{
    return submit(stream, &(grt_command){.kind = GRT_COMMAND_CALL, .function = function, .user = user});
}

static CUresult fake_launch(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                            unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                            CUstream stream, void **parameters, void **extra)
{
    (void)extra;
    const test_kernel *kernel = (const test_kernel *)function;
    grt_config config = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared};
    union {
        grt_host_kernel *function;
        void *object;
    } twin = {kernel->function};
    size_t count = 0;
    if (!context_is_current())
        return CUDA_ERROR_INVALID_CONTEXT;
    if ((uint64_t)block_x * block_y * block_z > 1024)
        return CUDA_ERROR_INVALID_VALUE;
    while (kernel->sizes[count])
        count++;
    return result_of(host->launch(primary.driver, resolve(stream)->handle, twin.object, &config, count,
                                  parameters, kernel->sizes));
}

static CUresult fake_module_load(CUmodule *out_module, const void *image)
{
    *out_module = (CUmodule)&primary;
    return image ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult fake_module_unload(CUmodule module)
{
    (void)module;
    return CUDA_SUCCESS;
}

static CUresult fake_module_function(CUfunction *out_function, CUmodule module, const char *name)
{
    (void)module;
    for (size_t i = 0; i < test_kernel_count; i++) {
        if (strcmp(test_kernel_table[i].name, name) != 0)
            continue;
        union {
            const test_kernel *kernel;
            CUfunction function;
        } found = {&test_kernel_table[i]};
        *out_function = found.function;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_FOUND;
}

static CUresult fake_function_set(CUfunction function, CUfunction_attribute attribute, int value)
{
    (void)function;
    (void)attribute;
    return value >= 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- Captures: an executable graph is the graph, under another type ---- */

struct CUgraph_st {
    void *handle;
    bool executable; /* then the executable ends it */
};

static CUresult fake_capture_begin(CUstream stream, CUstreamCaptureMode mode)
{
    (void)mode;
    return result_of(host->capture(primary.driver, resolve(stream)->handle, NULL));
}

static CUresult fake_capture_end(CUstream stream, CUgraph *out_graph)
{
    CUgraph graph = calloc(1, sizeof(*graph));
    if (!graph)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *out_graph = graph;
    return result_of(host->capture(primary.driver, resolve(stream)->handle, &graph->handle));
}

static CUresult fake_instantiate(CUgraphExec *out_executable, CUgraph graph, unsigned long long flags)
{
    (void)flags;
    graph->executable = true;
    *out_executable = (CUgraphExec)(void *)graph;
    return CUDA_SUCCESS;
}

static void graph_end(CUgraph graph)
{
    host->object_release(primary.driver, GRT_OBJECT_GRAPH, graph->handle);
    free(graph);
}

static CUresult fake_graph_destroy(CUgraph graph)
{
    if (!graph->executable)
        graph_end(graph);
    return CUDA_SUCCESS;
}

static CUresult fake_executable_destroy(CUgraphExec executable)
{
    graph_end((CUgraph)(void *)executable);
    return CUDA_SUCCESS;
}

static CUresult fake_graph_launch(CUgraphExec executable, CUstream stream)
{
    CUgraph graph = (CUgraph)(void *)executable;
    return submit(stream, &(grt_command){.kind = GRT_COMMAND_GRAPH, .graph = graph->handle});
}

/* ---- The table ---- */

typedef void any_function(void);

static const struct {
    const char *name;
    any_function *function;
} functions[] = {
    {"cuInit", (any_function *)fake_init},
    {"cuGetErrorName", (any_function *)fake_error_name},
    {"cuDeviceGetCount", (any_function *)fake_device_count},
    {"cuDeviceGet", (any_function *)fake_device_get},
    {"cuDeviceGetName", (any_function *)fake_device_name},
    {"cuDeviceGetAttribute", (any_function *)fake_device_attribute},
    {"cuDeviceTotalMem", (any_function *)fake_device_memory},
    {"cuDevicePrimaryCtxRetain", (any_function *)fake_context_retain},
    {"cuDevicePrimaryCtxRelease", (any_function *)fake_context_release},
    {"cuCtxGetCurrent", (any_function *)fake_context_current},
    {"cuCtxSetCurrent", (any_function *)fake_context_set},
    {"cuCtxPushCurrent", (any_function *)fake_context_push},
    {"cuCtxPopCurrent", (any_function *)fake_context_pop},
    {"cuCtxSynchronize", (any_function *)fake_context_synchronize},
    {"cuCtxGetStreamPriorityRange", (any_function *)fake_priorities},
    {"cuMemAlloc", (any_function *)fake_allocate},
    {"cuMemFree", (any_function *)fake_free},
    {"cuMemAllocHost", (any_function *)fake_allocate_host},
    {"cuMemFreeHost", (any_function *)fake_free_host},
    {"cuMemPoolCreate", (any_function *)fake_pool_create},
    {"cuMemPoolDestroy", (any_function *)fake_pool_destroy},
    {"cuMemPoolSetAttribute", (any_function *)fake_pool_set},
    {"cuMemPoolTrimTo", (any_function *)fake_pool_trim},
    {"cuMemAllocFromPoolAsync", (any_function *)fake_allocate_async},
    {"cuMemFreeAsync", (any_function *)fake_free_async},
    {"cuMemcpyAsync", (any_function *)fake_copy},
    {"cuMemsetD8Async", (any_function *)fake_set},
    {"cuStreamCreateWithPriority", (any_function *)fake_stream_create},
    {"cuStreamDestroy", (any_function *)fake_stream_destroy},
    {"cuStreamSynchronize", (any_function *)fake_stream_synchronize},
    {"cuStreamQuery", (any_function *)fake_stream_query},
    {"cuStreamGetId", (any_function *)fake_stream_id},
    {"cuStreamWaitEvent", (any_function *)fake_stream_wait},
    {"cuStreamBeginCapture", (any_function *)fake_capture_begin},
    {"cuStreamEndCapture", (any_function *)fake_capture_end},
    {"cuEventCreate", (any_function *)fake_event_create},
    {"cuEventDestroy", (any_function *)fake_event_destroy},
    {"cuEventRecord", (any_function *)fake_event_record},
    {"cuEventQuery", (any_function *)fake_event_query},
    {"cuEventSynchronize", (any_function *)fake_event_synchronize},
    {"cuEventElapsedTime", (any_function *)fake_event_elapsed},
    {"cuLaunchKernel", (any_function *)fake_launch},
    {"cuLaunchHostFunc", (any_function *)fake_host_call},
    {"cuModuleLoadData", (any_function *)fake_module_load},
    {"cuModuleUnload", (any_function *)fake_module_unload},
    {"cuModuleGetFunction", (any_function *)fake_module_function},
    {"cuFuncSetAttribute", (any_function *)fake_function_set},
    {"cuGraphInstantiateWithFlags", (any_function *)fake_instantiate},
    {"cuGraphDestroy", (any_function *)fake_graph_destroy},
    {"cuGraphExecDestroy", (any_function *)fake_executable_destroy},
    {"cuGraphLaunch", (any_function *)fake_graph_launch},
};

void *next_find(const char *symbol, int version)
{
    (void)version;
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        if (strcmp(functions[i].name, symbol) != 0)
            continue;
        union {
            any_function *function;
            void *object;
        } found = {functions[i].function};
        return found.object;
    }
    return NULL;
}
