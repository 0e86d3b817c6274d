/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CUDA backend's table of operations over the driver API.
 *
 * A call needs the device's context to be current. The three calls of every launch (launch, record, wait) do
 * not ask: they are made, and only if the driver refuses the context they are made again with it bound. A
 * thread without any current context keeps the device's; a thread with another one gets that back.
 */
#include "driver.h"
#include "../error.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct cuda_device {
    CUdevice device;
    CUcontext context;
    bool primary; /* retained, to be given back */
    CUmemoryPool pool;
    bool pooled;
} cuda_device;

/* ---- The current context ---- */

static CUresult context_bind(const cuda_device *device, bool *out_pushed)
{
    CUcontext current = NULL;
    *out_pushed = false;
    CUresult result = grt_cuda.cuCtxGetCurrent(&current);
    if (result != CUDA_SUCCESS || current == device->context)
        return result;
    if (!current)
        return grt_cuda.cuCtxSetCurrent(device->context);
    result = grt_cuda.cuCtxPushCurrent(device->context);
    *out_pushed = result == CUDA_SUCCESS;
    return result;
}

static void context_restore(bool pushed)
{
    CUcontext popped;
    if (pushed)
        grt_cuda.cuCtxPopCurrent(&popped);
}

/* After a refused call: true when the context was not current and is now, so that the call is worth
 * repeating. */
static bool context_was_missing(const cuda_device *device, CUresult result, bool *out_pushed)
{
    CUcontext current = NULL;
    *out_pushed = false;
    if (result != CUDA_ERROR_INVALID_CONTEXT && result != CUDA_ERROR_INVALID_HANDLE)
        return false;
    if (grt_cuda.cuCtxGetCurrent(&current) != CUDA_SUCCESS || current == device->context)
        return false;
    return context_bind(device, out_pushed) == CUDA_SUCCESS;
}

/* The handles of the default streams mean those of whatever context is current. */
static inline bool stream_is_implicit(CUstream stream)
{
    return stream == CU_STREAM_LEGACY;
}

/* ---- Devices ---- */

static grt_status cuda_device_count(int *out_count)
{
    if (grt_cuda_load() != GRT_OK) {
        *out_count = 0;
        return GRT_OK;
    }
    return grt_cuda_status(grt_cuda.cuDeviceGetCount(out_count), "cuDeviceGetCount");
}

static int device_attribute(CUdevice device, CUdevice_attribute attribute)
{
    int value = 0;
    if (grt_cuda.cuDeviceGetAttribute(&value, attribute, device) != CUDA_SUCCESS)
        return 0;
    return value;
}

static void device_describe(const cuda_device *device, int ordinal, grt_device_info *info)
{
    size_t bytes = 0;
    *info = (grt_device_info){.backend = GRT_BACKEND_CUDA, .ordinal = ordinal, .context = device->context};
    if (grt_cuda.cuDeviceGetName(info->name, (int)sizeof(info->name), device->device) != CUDA_SUCCESS)
        snprintf(info->name, sizeof(info->name), "?");
    if (grt_cuda.cuDeviceTotalMem(&bytes, device->device) == CUDA_SUCCESS)
        info->memory_bytes = bytes;
    info->multiprocessors =
        (uint32_t)device_attribute(device->device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    info->compute_major =
        (uint32_t)device_attribute(device->device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    info->compute_minor =
        (uint32_t)device_attribute(device->device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

/* A pool of our own that keeps what is freed: the default pool gives memory back at every synchronisation,
 * and its settings are the program's business. */
static grt_status pool_create(cuda_device *device)
{
    if (!device_attribute(device->device, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED))
        return GRT_OK;
    CUmemPoolProps properties = {
        .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = (int)device->device}};
    CUresult result = grt_cuda.cuMemPoolCreate(&device->pool, &properties);
    if (result != CUDA_SUCCESS)
        return grt_cuda_status(result, "cuMemPoolCreate");
    device->pooled = true;
    cuuint64_t threshold = UINT64_MAX;
    result = grt_cuda.cuMemPoolSetAttribute(device->pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold);
    return grt_cuda_status(result, "cuMemPoolSetAttribute");
}

static void device_free(cuda_device *device)
{
    if (device->pooled)
        grt_cuda.cuMemPoolDestroy(device->pool);
    if (device->primary)
        grt_cuda.cuDevicePrimaryCtxRelease(device->device);
    free(device);
}

static grt_status context_obtain(cuda_device *device, const grt_device_options *options)
{
    CUresult result = grt_cuda.cuDeviceGet(&device->device, options->ordinal);
    if (result != CUDA_SUCCESS)
        return grt_cuda_status(result, "cuDeviceGet");
    device->context = options->context;
    if (device->context)
        return GRT_OK;
    result = grt_cuda.cuDevicePrimaryCtxRetain(&device->context, device->device);
    device->primary = result == CUDA_SUCCESS;
    return grt_cuda_status(result, "cuDevicePrimaryCtxRetain");
}

static grt_status cuda_device_open(const grt_device_options *options, grt_native_device *out_device)
{
    grt_status status = grt_cuda_load();
    if (status != GRT_OK)
        return status;
    cuda_device *device = calloc(1, sizeof(*device));
    if (!device)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a CUDA device");
    status = context_obtain(device, options);
    if (status == GRT_OK)
        status = pool_create(device);
    if (status != GRT_OK) {
        device_free(device);
        return status;
    }
    out_device->driver = device;
    out_device->capabilities = GRT_CAP_WRAP_STREAM | (device->pooled ? GRT_CAP_STREAM_ORDERED : 0u);
    device_describe(device, options->ordinal, &out_device->info);
    return GRT_OK;
}

static void cuda_device_close(void *driver)
{
    bool pushed;
    cuda_device *device = driver;
    CUresult result = context_bind(device, &pushed);
    device_free(device);
    if (result == CUDA_SUCCESS)
        context_restore(pushed);
}

static grt_status cuda_device_trim(void *driver)
{
    cuda_device *device = driver;
    return device->pooled ? grt_cuda_status(grt_cuda.cuMemPoolTrimTo(device->pool, 0), "cuMemPoolTrimTo")
                          : GRT_OK;
}

/* ---- Memory ---- */

static grt_status device_allocate(cuda_device *device, void *stream, size_t size, void **out_memory)
{
    CUdeviceptr memory;
    CUresult result;
    if (device->pooled)
        result = grt_cuda.cuMemAllocFromPoolAsync(&memory, size, device->pool, stream);
    else
        result = grt_cuda.cuMemAlloc(&memory, size);
    if (result != CUDA_SUCCESS)
        return grt_cuda_status(result, device->pooled ? "cuMemAllocFromPoolAsync" : "cuMemAlloc");
    *out_memory = (void *)(uintptr_t)memory;
    return GRT_OK;
}

static grt_status cuda_memory_allocate(void *driver, grt_memory_kind kind, void *stream, size_t size,
                                       void **out_memory)
{
    bool pushed;
    CUresult result = context_bind(driver, &pushed);
    if (result != CUDA_SUCCESS)
        return grt_cuda_status(result, "cuCtxPushCurrent");
    grt_status status = kind == GRT_MEMORY_PINNED
                            ? grt_cuda_status(grt_cuda.cuMemAllocHost(out_memory, size), "cuMemAllocHost")
                            : device_allocate(driver, stream, size, out_memory);
    context_restore(pushed);
    return status;
}

static grt_status cuda_memory_free(void *driver, grt_memory_kind kind, void *stream, void *memory)
{
    bool pushed;
    cuda_device *device = driver;
    CUresult result = context_bind(device, &pushed);
    if (result != CUDA_SUCCESS)
        return grt_cuda_status(result, "cuCtxPushCurrent");
    if (kind == GRT_MEMORY_PINNED)
        result = grt_cuda.cuMemFreeHost(memory);
    else if (stream && device->pooled)
        result = grt_cuda.cuMemFreeAsync((CUdeviceptr)(uintptr_t)memory, stream);
    else
        result = grt_cuda.cuMemFree((CUdeviceptr)(uintptr_t)memory);
    context_restore(pushed);
    return grt_cuda_status(result, "cuMemFree");
}

/* ---- Streams ---- */

static CUresult stream_make(const grt_stream_spec *spec, CUstream *out_stream)
{
    int least = 0, greatest = 0;
    CUresult result = grt_cuda.cuCtxGetStreamPriorityRange(&least, &greatest);
    int priority = least - spec->priority; /* the driver counts downwards */
    if (priority < greatest)
        priority = greatest;
    if (priority > least)
        priority = least;
    if (result != CUDA_SUCCESS)
        return result;
    return grt_cuda.cuStreamCreateWithPriority(out_stream, CU_STREAM_NON_BLOCKING, priority);
}

static grt_status stream_identify(const grt_stream_spec *spec, grt_native_stream *out_stream)
{
    CUstream stream = spec->native ? spec->native : CU_STREAM_LEGACY;
    if (!spec->foreign) {
        CUresult result = stream_make(spec, &stream);
        if (result != CUDA_SUCCESS)
            return grt_cuda_status(result, "cuStreamCreateWithPriority");
    } else if (stream == CU_STREAM_PER_THREAD) {
        return grt_fail(GRT_UNSUPPORTED, "the per-thread default stream is another stream in each thread");
    }
    unsigned long long id = 0;
    CUresult result = grt_cuda.cuStreamGetId(stream, &id);
    if (result != CUDA_SUCCESS && !spec->foreign)
        grt_cuda.cuStreamDestroy(stream);
    *out_stream = (grt_native_stream){.handle = stream, .id = id};
    return grt_cuda_status(result, "cuStreamGetId");
}

static grt_status cuda_stream_create(void *driver, const grt_stream_spec *spec, grt_native_stream *out_stream)
{
    bool pushed;
    CUresult result = context_bind(driver, &pushed);
    if (result != CUDA_SUCCESS)
        return grt_cuda_status(result, "cuCtxPushCurrent");
    grt_status status = stream_identify(spec, out_stream);
    context_restore(pushed);
    return status;
}

static grt_status cuda_stream_finish(void *driver, void *stream, bool block)
{
    bool pushed;
    CUresult result = context_bind(driver, &pushed);
    if (result != CUDA_SUCCESS)
        return grt_cuda_status(result, "cuCtxPushCurrent");
    grt_status status;
    if (!stream)
        status = grt_cuda_status(grt_cuda.cuCtxSynchronize(), "cuCtxSynchronize");
    else if (block)
        status = grt_cuda_status(grt_cuda.cuStreamSynchronize(stream), "cuStreamSynchronize");
    else
        status = grt_cuda_status(grt_cuda.cuStreamQuery(stream), "cuStreamQuery");
    context_restore(pushed);
    return status;
}

/* ---- Events ---- */

static grt_status cuda_event_create(void *driver, bool timing, void **out_event)
{
    bool pushed;
    CUresult result = context_bind(driver, &pushed);
    if (result != CUDA_SUCCESS)
        return grt_cuda_status(result, "cuCtxPushCurrent");
    CUevent event;
    result = grt_cuda.cuEventCreate(&event, timing ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING);
    context_restore(pushed);
    if (result == CUDA_SUCCESS)
        *out_event = event;
    return grt_cuda_status(result, "cuEventCreate");
}

/* The three hot calls have a second half: for the default stream, which belongs to whatever context is
 * current, and for a context that turned out to be missing. */

GRT_COLD static grt_status record_again(const cuda_device *device, CUevent event, CUstream stream,
                                        CUresult result)
{
    bool pushed = false;
    if (stream_is_implicit(stream) ? (result = context_bind(device, &pushed)) == CUDA_SUCCESS
                                   : context_was_missing(device, result, &pushed)) {
        result = grt_cuda.cuEventRecord(event, stream);
        context_restore(pushed);
    }
    return grt_cuda_status(result, "cuEventRecord");
}

GRT_HOT static grt_status cuda_event_record(void *driver, void *event, void *stream)
{
    CUresult result = CUDA_ERROR_INVALID_CONTEXT;
    if (GRT_LIKELY(!stream_is_implicit(stream)))
        result = grt_cuda.cuEventRecord(event, stream);
    return GRT_LIKELY(result == CUDA_SUCCESS) ? GRT_OK : record_again(driver, event, stream, result);
}

GRT_COLD static grt_status wait_again(const cuda_device *device, CUstream stream, CUevent event,
                                      CUresult result)
{
    bool pushed = false;
    if (stream_is_implicit(stream) ? (result = context_bind(device, &pushed)) == CUDA_SUCCESS
                                   : context_was_missing(device, result, &pushed)) {
        result = grt_cuda.cuStreamWaitEvent(stream, event, CU_EVENT_WAIT_DEFAULT);
        context_restore(pushed);
    }
    return grt_cuda_status(result, "cuStreamWaitEvent");
}

GRT_HOT static grt_status cuda_event_wait(void *driver, void *stream, void *event)
{
    CUresult result = CUDA_ERROR_INVALID_CONTEXT;
    if (GRT_LIKELY(!stream_is_implicit(stream)))
        result = grt_cuda.cuStreamWaitEvent(stream, event, CU_EVENT_WAIT_DEFAULT);
    return GRT_LIKELY(result == CUDA_SUCCESS) ? GRT_OK : wait_again(driver, stream, event, result);
}

static grt_status cuda_event_finish(void *driver, void *event, bool block)
{
    bool pushed;
    CUresult result = context_bind(driver, &pushed);
    if (result != CUDA_SUCCESS)
        return grt_cuda_status(result, "cuCtxPushCurrent");
    grt_status status = block ? grt_cuda_status(grt_cuda.cuEventSynchronize(event), "cuEventSynchronize")
                              : grt_cuda_status(grt_cuda.cuEventQuery(event), "cuEventQuery");
    context_restore(pushed);
    return status;
}

static grt_status cuda_event_elapsed(void *driver, void *start, void *stop, double *out_seconds)
{
    (void)driver;
    float milliseconds = 0;
    CUresult result = grt_cuda.cuEventElapsedTime(&milliseconds, start, stop);
    if (result == CUDA_SUCCESS)
        *out_seconds = 1e-3 * (double)milliseconds;
    return grt_cuda_status(result, "cuEventElapsedTime");
}

/* ---- Work ---- */

static inline unsigned at_least_one(uint32_t n)
{
    return n + (n == 0);
}

static CUresult launch_call(CUfunction function, const grt_config *c, CUstream stream, void *const *arguments)
{
    union {
        void *const *from;
        void **parameters; /* the driver only reads the list */
    } list = {arguments};
    return grt_cuda.cuLaunchKernel(function, at_least_one(c->grid[0]), at_least_one(c->grid[1]),
                                   at_least_one(c->grid[2]), at_least_one(c->block[0]),
                                   at_least_one(c->block[1]), at_least_one(c->block[2]), c->shared_bytes,
                                   stream, list.parameters, NULL);
}

GRT_COLD static grt_status launch_again(const cuda_device *device, CUfunction function,
                                        const grt_config *config, CUstream stream, void *const *arguments,
                                        CUresult result)
{
    bool pushed = false;
    if (stream_is_implicit(stream) ? (result = context_bind(device, &pushed)) == CUDA_SUCCESS
                                   : context_was_missing(device, result, &pushed)) {
        result = launch_call(function, config, stream, arguments);
        context_restore(pushed);
    }
    grt_status status = grt_cuda_status(result, "cuLaunchKernel");
    return status == GRT_DRIVER_ERROR ? GRT_LAUNCH_FAILED : status;
}

GRT_HOT static grt_status cuda_launch(void *driver, void *stream, void *function, const grt_config *config,
                                      size_t count, void *const *arguments, const size_t *sizes)
{
    (void)count;
    (void)sizes; /* the kernel's signature has them */
    CUresult result = CUDA_ERROR_INVALID_CONTEXT;
    if (GRT_LIKELY(!stream_is_implicit(stream)))
        result = launch_call(function, config, stream, arguments);
    return GRT_LIKELY(result == CUDA_SUCCESS)
               ? GRT_OK
               : launch_again(driver, function, config, stream, arguments, result);
}

static grt_status command_submit(CUstream stream, const grt_command *command)
{
    CUdeviceptr to = (CUdeviceptr)(uintptr_t)command->to, from = (CUdeviceptr)(uintptr_t)command->from;
    switch (command->kind) {
    case GRT_COMMAND_COPY:
        return grt_cuda_status(grt_cuda.cuMemcpyAsync(to, from, command->size, stream), "cuMemcpyAsync");
    case GRT_COMMAND_FILL:
        return grt_cuda_status(grt_cuda.cuMemsetD8Async(to, command->byte, command->size, stream),
                               "cuMemsetD8Async");
    case GRT_COMMAND_CALL:
        return grt_cuda_status(grt_cuda.cuLaunchHostFunc(stream, command->function, command->user),
                               "cuLaunchHostFunc");
    case GRT_COMMAND_GRAPH:
        break;
    }
    return grt_cuda_status(grt_cuda.cuGraphLaunch(command->graph, stream), "cuGraphLaunch");
}

static grt_status cuda_submit(void *driver, void *stream, const grt_command *command)
{
    bool pushed;
    CUresult result = context_bind(driver, &pushed);
    if (result != CUDA_SUCCESS)
        return grt_cuda_status(result, "cuCtxPushCurrent");
    grt_status status = command_submit(stream, command);
    context_restore(pushed);
    return status;
}

/* ---- Modules ---- */

static grt_status cuda_module_load(void *driver, const grt_module_desc *desc, void **out_module)
{
    bool pushed;
    if (!desc->image)
        return grt_fail(GRT_INVALID_ARGUMENT, "the module has no image for CUDA");
    CUresult result = context_bind(driver, &pushed);
    if (result != CUDA_SUCCESS)
        return grt_cuda_status(result, "cuCtxPushCurrent");
    CUmodule module;
    result = grt_cuda.cuModuleLoadData(&module, desc->image);
    context_restore(pushed);
    if (result == CUDA_SUCCESS)
        *out_module = module;
    return grt_cuda_status(result, "cuModuleLoadData");
}

static grt_status cuda_module_kernel(void *driver, void *module, const char *name, void **out_function)
{
    bool pushed;
    CUresult result = context_bind(driver, &pushed);
    if (result != CUDA_SUCCESS)
        return grt_cuda_status(result, "cuCtxPushCurrent");
    CUfunction function;
    result = grt_cuda.cuModuleGetFunction(&function, module, name);
    context_restore(pushed);
    if (result == CUDA_SUCCESS)
        *out_function = function;
    return grt_cuda_status(result, "cuModuleGetFunction");
}

static grt_status cuda_kernel_allow_shared(void *driver, void *function, uint32_t bytes)
{
    bool pushed;
    CUresult result = context_bind(driver, &pushed);
    if (result != CUDA_SUCCESS)
        return grt_cuda_status(result, "cuCtxPushCurrent");
    result =
        grt_cuda.cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)bytes);
    context_restore(pushed);
    return grt_cuda_status(result, "cuFuncSetAttribute");
}

/* ---- Captures ---- */

static grt_status capture_end(CUstream stream, void **out_graph)
{
    CUgraph graph = NULL;
    CUgraphExec executable;
    CUresult result = grt_cuda.cuStreamEndCapture(stream, &graph);
    if (result != CUDA_SUCCESS)
        return grt_cuda_status(result, "cuStreamEndCapture");
    result = grt_cuda.cuGraphInstantiateWithFlags(&executable, graph, 0);
    grt_cuda.cuGraphDestroy(graph);
    if (result == CUDA_SUCCESS)
        *out_graph = executable;
    return grt_cuda_status(result, "cuGraphInstantiateWithFlags");
}

/* Relaxed: the runtime's own calls in this or another thread must not void the capture. What is not allowed
 * inside one, it refuses itself. */
static grt_status cuda_capture(void *driver, void *stream, void **out_graph)
{
    bool pushed;
    CUresult result = context_bind(driver, &pushed);
    if (result != CUDA_SUCCESS)
        return grt_cuda_status(result, "cuCtxPushCurrent");
    grt_status status =
        out_graph ? capture_end(stream, out_graph)
                  : grt_cuda_status(grt_cuda.cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED),
                                    "cuStreamBeginCapture");
    context_restore(pushed);
    return status;
}

/* ---- Ends ---- */

static void cuda_object_release(void *driver, grt_object_kind kind, void *object)
{
    bool pushed;
    if (context_bind(driver, &pushed) != CUDA_SUCCESS)
        return; /* the context is gone, and the object with it */
    switch (kind) {
    case GRT_OBJECT_STREAM:
        grt_cuda.cuStreamDestroy(object);
        break;
    case GRT_OBJECT_EVENT:
        grt_cuda.cuEventDestroy(object);
        break;
    case GRT_OBJECT_MODULE:
        grt_cuda.cuModuleUnload(object);
        break;
    case GRT_OBJECT_GRAPH:
        grt_cuda.cuGraphExecDestroy(object);
        break;
    }
    context_restore(pushed);
}

const grt_backend_ops grt_backend_cuda = {
    .name = "cuda",
    .kind = GRT_BACKEND_CUDA,
    .device_count = cuda_device_count,
    .device_open = cuda_device_open,
    .device_close = cuda_device_close,
    .device_trim = cuda_device_trim,
    .memory_allocate = cuda_memory_allocate,
    .memory_free = cuda_memory_free,
    .stream_create = cuda_stream_create,
    .stream_finish = cuda_stream_finish,
    .event_create = cuda_event_create,
    .event_record = cuda_event_record,
    .event_wait = cuda_event_wait,
    .event_finish = cuda_event_finish,
    .event_elapsed = cuda_event_elapsed,
    .launch = cuda_launch,
    .submit = cuda_submit,
    .module_load = cuda_module_load,
    .module_kernel = cuda_module_kernel,
    .kernel_allow_shared = cuda_kernel_allow_shared,
    .capture = cuda_capture,
    .object_release = cuda_object_release,
};
