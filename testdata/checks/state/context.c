// SPDX-License-Identifier: Apache-2.0
// Driver contexts that are popped before the launch that needs them.
#include <cuda.h>
#include <stddef.h>

int popped_too_early(CUcontext context, CUfunction f, CUdeviceptr p, unsigned n, CUstream s)
{
    void *args[] = {&p, &n};
    if (cuCtxPushCurrent(context) != CUDA_SUCCESS)
        return -1;
    cuMemsetD8Async(p, 0, n, s);
    cuCtxPopCurrent(NULL);
    return cuLaunchKernel(f, 1, 1, 1, 256, 1, 1, 0, s, args, NULL); // expect: guard-scope-too-narrow
}

int popped_ok(CUcontext context, CUfunction f, CUdeviceptr p, unsigned n, CUstream s)
{
    void *args[] = {&p, &n};
    if (cuCtxPushCurrent(context) != CUDA_SUCCESS)
        return -1;
    cuMemsetD8Async(p, 0, n, s);
    int rc = cuLaunchKernel(f, 1, 1, 1, 256, 1, 1, 0, s, args, NULL);
    cuCtxPopCurrent(NULL);
    return rc;
}
