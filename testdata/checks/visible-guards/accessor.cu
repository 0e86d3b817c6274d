// SPDX-License-Identifier: Apache-2.0
// A guard class whose pointer comes from a method of the guard itself; its definition is visible, and no rule
// says what it does.

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

__global__ void scale(const float *in, float *out, int n);

void temporary(Column &column, float *out, cudaStream_t stream)
{
    const float *in = ReadGuard(column, stream).get(); // expect: temporary-owner
    scale<<<64, 256, 0, stream>>>(in, out, column.size);
}

void inner_scope(Column &column, float *out, cudaStream_t stream)
{
    const float *in;
    {
        ReadGuard guard(column, stream);
        in = guard.get();
    }
    scale<<<64, 256, 0, stream>>>(in, out, column.size); // expect: released-before-launch
}

void named_ok(Column &column, float *out, cudaStream_t stream)
{
    ReadGuard guard(column, stream);
    scale<<<64, 256, 0, stream>>>(guard.get(), out, column.size);
}
