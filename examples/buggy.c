/* SPDX-License-Identifier: Apache-2.0 */
/* Two guards that end too early. Both functions work with one stream, and give wrong data with several. */
#include "slices.h"

extern const void *scale_kernel;

static cudaError_t launch_scale(const float *in, float *out, cudaStream_t stream)
{
    dim3 grid = {64, 1, 1}, block = {256, 1, 1};
    void *args[] = {(void *)&in, (void *)&out};
    return cudaLaunchKernel(scale_kernel, grid, block, args, 0, stream);
}

cudaError_t scale(slice *input, float *out, cudaStream_t stream)
{
    slice_guard guard;
    const float *in = slice_read_begin(input, stream, &guard);
    slice_end(&guard); /* records its event now, before the kernel is on the stream */
    return launch_scale(in, out, stream);
}

cudaError_t scale_checked(slice *input, float *out, int n, cudaStream_t stream)
{
    slice_guard guard;
    const float *in = slice_read_begin(input, stream, &guard);
    if (n == 0)
        return cudaSuccess; /* the guard is never released: later writers do not wait, or wait for ever */
    cudaError_t err = launch_scale(in, out, stream);
    slice_end(&guard);
    return err;
}
