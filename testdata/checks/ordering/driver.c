// SPDX-License-Identifier: Apache-2.0
// The driver API has the same edges.
#include <cuda.h>

int driver_ok(CUdeviceptr p, CUdeviceptr q, CUdeviceptr r, size_t n, CUstream a, CUstream b, CUevent e)
{
    cuMemcpyDtoDAsync(q, p, n, a);
    cuEventRecord(e, a);
    cuStreamWaitEvent(b, e, 0);
    cuMemcpyDtoDAsync(r, q, n, b);
    return cuStreamSynchronize(b);
}

int driver_bad(CUdeviceptr p, CUdeviceptr q, CUdeviceptr r, size_t n, CUstream a, CUstream b)
{
    cuMemcpyDtoDAsync(q, p, n, a);
    cuMemcpyDtoDAsync(r, q, n, b); // expect: missing-wait
    return cuStreamSynchronize(b);
}

int driver_free_ok(size_t n, CUstream a)
{
    CUdeviceptr p;
    if (cuMemAlloc(&p, n) != CUDA_SUCCESS)
        return -1;
    cuMemsetD8Async(p, 0, n, a);
    cuCtxSynchronize();
    return cuMemFree(p);
}

int driver_free_bad(size_t n, CUstream a)
{
    CUdeviceptr p;
    if (cuMemAlloc(&p, n) != CUDA_SUCCESS)
        return -1;
    cuMemsetD8Async(p, 0, n, a);
    return cuMemFree(p); // expect: freed-in-flight
}
