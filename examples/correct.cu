// SPDX-License-Identifier: Apache-2.0
// The corrected twins of buggy.cu: the guard has a name and lives until after the launch.
#include "column.cuh"

void scale_named(Column &column, float *out, cudaStream_t stream)
{
    ReadGuard guard(column, stream);
    scale<<<(column.size + 255) / 256, 256, 0, stream>>>(guard.get(), out, column.size);
}

void scale_same_scope(Column &column, float *out, cudaStream_t stream)
{
    const float *in;
    {
        ReadGuard guard(column, stream);
        in = guard.get();
        scale<<<(column.size + 255) / 256, 256, 0, stream>>>(in, out, column.size);
    }
}
