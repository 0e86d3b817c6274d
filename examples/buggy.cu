// SPDX-License-Identifier: Apache-2.0
// Guards that are gone when the kernel is launched.
#include "column.cuh"

void scale_temporary(const Column &column, float *out, cudaStream_t stream)
{
    const float *in = column.read(stream).data; // the guard dies at the semicolon
    scale<<<(column.size() + 255) / 256, 256, 0, stream>>>(in, out, column.size());
}

void scale_inner_scope(const Column &column, float *out, cudaStream_t stream)
{
    const float *in;
    {
        Reading reading = column.read(stream);
        in = reading.data;
    }
    scale<<<(column.size() + 255) / 256, 256, 0, stream>>>(in, out, column.size());
}
