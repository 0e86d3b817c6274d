// SPDX-License-Identifier: Apache-2.0
// A column of device memory that streams share. guardlint needs no rule for it: the guard's destructor records an
// event, and read() hands out the pointer together with the guard. Both definitions are visible here.
#pragma once

#include <cuda_runtime.h>
#include <utility>

class ReadGuard {
public:
    ReadGuard(cudaEvent_t done, cudaStream_t stream) : done_(done), stream_(stream) {}
    ReadGuard(ReadGuard &&other) noexcept : done_(std::exchange(other.done_, nullptr)), stream_(other.stream_) {}
    ReadGuard(const ReadGuard &) = delete;
    ~ReadGuard()
    {
        if (done_)
            cudaEventRecord(done_, stream_); // later writers wait for this
    }

private:
    cudaEvent_t done_;
    cudaStream_t stream_;
};

struct Reading {
    const float *data;
    ReadGuard guard;
};

class Column {
public:
    Reading read(cudaStream_t stream) const
    {
        cudaStreamWaitEvent(stream, written_, 0); // earlier writers come first
        return {data_, ReadGuard(read_, stream)};
    }
    int size() const
    {
        return size_;
    }

private:
    float *data_;
    int size_;
    cudaEvent_t written_, read_;
};

__global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2.0f * in[i];
}
