// SPDX-License-Identifier: Apache-2.0
// Guards that are gone when the kernel is launched.
#include "column.cuh"

void scale_temporary(Column &column, float *out, cudaStream_t stream)
{
    const float *in = ReadGuard(column, stream).get(); // the guard dies at the semicolon
    scale<<<(column.size + 255) / 256, 256, 0, stream>>>(in, out, column.size);
}

void scale_inner_scope(Column &column, float *out, cudaStream_t stream)
{
    const float *in;
    {
        ReadGuard guard(column, stream);
        in = guard.get();
    }
    scale<<<(column.size + 255) / 256, 256, 0, stream>>>(in, out, column.size);
}
