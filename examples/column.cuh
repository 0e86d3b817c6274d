// SPDX-License-Identifier: Apache-2.0
// A column of device memory with a read guard. guardlint needs no rule for it: the constructor waits, the
// destructor records, and both are visible here.
#pragma once

#include <cuda_runtime.h>

struct Column {
    float *data;
    int size;
    cudaEvent_t written, read;
};

class ReadGuard {
public:
    ReadGuard(Column &column, cudaStream_t stream) : column_(column), stream_(stream)
    {
        cudaStreamWaitEvent(stream_, column_.written, 0);
    }
    ~ReadGuard()
    {
        cudaEventRecord(column_.read, stream_);
    }
    ReadGuard(const ReadGuard &) = delete;
    ReadGuard &operator=(const ReadGuard &) = delete;

    const float *get() const
    {
        return column_.data;
    }

private:
    Column &column_;
    cudaStream_t stream_;
};

__global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2.0f * in[i];
}
