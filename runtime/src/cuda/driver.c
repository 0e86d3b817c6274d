/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the CUDA driver and its functions, and translates its results. */
#include "driver.h"
#include "../error.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One version of every function, whatever the installed driver offers beyond it: plain names bind old
 * interfaces. */
enum { DRIVER_VERSION = 12000 };

typedef CUresult get_function(const char *symbol, void **out_function, int version, cuuint64_t flags,
                              CUdriverProcAddressQueryResult *out_status);

cuda_driver grt_cuda;

static pthread_once_t loaded = PTHREAD_ONCE_INIT;
static char load_error[256] = "";

static const struct {
    const char *name;
    size_t offset;
} symbols[] = {
#define X(name, arguments) {#name, offsetof(cuda_driver, name)},
#include "symbols.def"
#undef X
};

static void driver_resolve(get_function *get)
{
    for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
        void *function = NULL;
        CUdriverProcAddressQueryResult found;
        CUresult result =
            get(symbols[i].name, &function, DRIVER_VERSION, CU_GET_PROC_ADDRESS_DEFAULT, &found);
        if (result != CUDA_SUCCESS || !function) {
            snprintf(load_error, sizeof(load_error), "the driver has no %s of CUDA 12.0", symbols[i].name);
            return;
        }
        memcpy((char *)&grt_cuda + symbols[i].offset, &function, sizeof(function));
    }
}

static void driver_load(void)
{
    const char *name = getenv("GUARDRT_CUDA_LIBRARY");
    if (!name || !*name)
        name = "libcuda.so.1";
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(load_error, sizeof(load_error), "%s", dlerror());
        return;
    }
    union {
        void *object;
        get_function *function;
    } get = {dlsym(library, "cuGetProcAddress_v2")};
    if (!get.object) {
        snprintf(load_error, sizeof(load_error), "%s is older than CUDA 12.0", name);
        return;
    }
    driver_resolve(get.function);
    if (load_error[0])
        return;
    CUresult result = grt_cuda.cuInit(0);
    if (result != CUDA_SUCCESS)
        snprintf(load_error, sizeof(load_error), "cuInit: %d", (int)result);
}

grt_status grt_cuda_load(void)
{
    pthread_once(&loaded, driver_load);
    if (load_error[0])
        return grt_fail(GRT_NOT_FOUND, "%s", load_error);
    return GRT_OK;
}

/* After these the context is unusable: every later call on it fails too. */
static bool result_is_sticky(CUresult result)
{
    switch ((int)result) {
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
        return true;
    default:
        return false;
    }
}

static grt_status status_of(CUresult result)
{
    if (result_is_sticky(result))
        return GRT_DEVICE_LOST;
    switch ((int)result) {
    case CUDA_ERROR_OUT_OF_MEMORY:
        return GRT_OUT_OF_MEMORY;
    case CUDA_ERROR_NOT_FOUND:
    case CUDA_ERROR_INVALID_DEVICE:
    case CUDA_ERROR_NO_DEVICE:
        return GRT_NOT_FOUND;
    case CUDA_ERROR_NOT_SUPPORTED:
        return GRT_UNSUPPORTED;
    case CUDA_ERROR_STREAM_CAPTURE_ISOLATION:
        return GRT_CAPTURE_ISOLATION;
    case CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED:
    case CUDA_ERROR_STREAM_CAPTURE_IMPLICIT:
    case CUDA_ERROR_CAPTURED_EVENT:
        return GRT_CAPTURE_FORBIDDEN;
    default:
        return GRT_DRIVER_ERROR;
    }
}

grt_status grt_cuda_status(CUresult result, const char *call)
{
    if (GRT_LIKELY(result == CUDA_SUCCESS))
        return GRT_OK;
    if (result == CUDA_ERROR_NOT_READY)
        return GRT_NOT_READY;
    const char *name = NULL;
    if (grt_cuda.cuGetErrorName(result, &name) != CUDA_SUCCESS)
        name = "?";
    return grt_fail(status_of(result), "%s: %d (%s)", call, (int)result, name);
}
