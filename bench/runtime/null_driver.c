/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A CUDA driver that does nothing and succeeds at once: under it, time and instructions are the runtime's
 * own. Loaded through GUARDRT_CUDA_LIBRARY.
 */
#include <cuda.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uintptr_t next_handle = 0x10000;

static int null_succeed(void)
{
    return CUDA_SUCCESS;
}

/* Objects are told apart by their handles only. */
static int null_create(uintptr_t *out_handle)
{
    *out_handle = next_handle += 0x1000;
    return CUDA_SUCCESS;
}

static int null_current(CUcontext *out_context)
{
    *out_context = (CUcontext)(uintptr_t)0x1000;
    return CUDA_SUCCESS;
}

static int null_stream_id(uintptr_t stream, unsigned long long *out_id)
{
    *out_id = stream;
    return CUDA_SUCCESS;
}

static int null_count(int *out_count)
{
    *out_count = 1;
    return CUDA_SUCCESS;
}

static int null_attribute(int *out_value, int attribute, int device)
{
    (void)attribute;
    (void)device;
    *out_value = 1;
    return CUDA_SUCCESS;
}

static int null_error_name(int error, const char **out_name)
{
    (void)error;
    *out_name = "none";
    return CUDA_SUCCESS;
}

static int null_allocate_host(void **out_memory, size_t size)
{
    *out_memory = malloc(size);
    return *out_memory ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static int null_free_host(void *memory)
{
    free(memory);
    return CUDA_SUCCESS;
}

typedef void any_function(void);

static const struct {
    const char *name;
    any_function *function;
} functions[] = {
    {"cuDeviceGetCount", (any_function *)null_count},
    {"cuDeviceGetAttribute", (any_function *)null_attribute},
    {"cuDevicePrimaryCtxRetain", (any_function *)null_current},
    {"cuCtxGetCurrent", (any_function *)null_current},
    {"cuGetErrorName", (any_function *)null_error_name},
    {"cuStreamCreateWithPriority", (any_function *)null_create},
    {"cuStreamGetId", (any_function *)null_stream_id},
    {"cuEventCreate", (any_function *)null_create},
    {"cuMemAllocFromPoolAsync", (any_function *)null_create},
    {"cuMemAllocHost", (any_function *)null_allocate_host},
    {"cuMemFreeHost", (any_function *)null_free_host},
    {"cuMemPoolCreate", (any_function *)null_create},
    {"cuModuleLoadData", (any_function *)null_create},
    {"cuModuleGetFunction", (any_function *)null_create},
};

CUresult cuGetProcAddress_v2(const char *symbol, void **out_function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *out_status)
{
    (void)version;
    (void)flags;
    union {
        any_function *function;
        void *object;
    } found = {(any_function *)null_succeed};
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
        if (strcmp(functions[i].name, symbol) == 0)
            found.function = functions[i].function;
    *out_function = found.object;
    *out_status = CU_GET_PROC_ADDRESS_SUCCESS;
    return CUDA_SUCCESS;
}
