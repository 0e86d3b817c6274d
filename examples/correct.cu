// SPDX-License-Identifier: Apache-2.0
// The corrected twins of buggy.cu: the guard has a name and lives until after the launch.
#include "column.cuh"

void scale_named(const Column &column, float *out, cudaStream_t stream)
{
    Reading reading = column.read(stream);
    scale<<<(column.size() + 255) / 256, 256, 0, stream>>>(reading.data, out, column.size());
}

void scale_unpacked(const Column &column, float *out, cudaStream_t stream)
{
    auto [in, guard] = column.read(stream);
    scale<<<(column.size() + 255) / 256, 256, 0, stream>>>(in, out, column.size());
}

void scale_one_expression(const Column &column, float *out, cudaStream_t stream)
{
    scale<<<(column.size() + 255) / 256, 256, 0, stream>>>(column.read(stream).data, out, column.size());
}
