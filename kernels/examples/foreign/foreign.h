// SPDX-License-Identifier: Apache-2.0
//
// What the examples with nvcc's launch syntax share: a device with two streams, columns on it, and the
// comparison, which copies on the stream that did not decode.
#ifndef GUARDKERNELS_EXAMPLES_FOREIGN_H
#define GUARDKERNELS_EXAMPLES_FOREIGN_H

#include "encode.h"

#include <guardrt/guardrt.hpp>

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace foreign
{

// Values a column: whole blocks and a bit more.
constexpr uint32_t count = 3 * 1024 + 100;

inline cudaStream_t native(const grt::stream &stream)
{
    return static_cast<cudaStream_t>(stream.native());
}

// Thread blocks of the kernels that give each of 256 threads four packs of 16 bytes.
inline unsigned blocks(std::size_t bytes)
{
    return static_cast<unsigned>(bytes / (256 * 4 * 16) + 1);
}

inline void check_launch()
{
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        throw std::runtime_error(cudaGetErrorString(error));
}

struct stage {
    grt::device device;
    grt::stream decoding;
    grt::stream copying;

    template <typename T> grt::buffer<T> room(std::size_t elements) const
    {
        return grt::buffer<T>(decoding, elements);
    }
    // `values` must live until the stream has passed.
    template <typename T> grt::buffer<T> upload(const std::vector<T> &values) const
    {
        auto buffer = room<T>(values.size());
        grt::check(grt_upload_at(nullptr, decoding.get(), buffer.all().bytes(), values.data()));
        return buffer;
    }
    template <typename T> bool equals(const grt::buffer<T> &buffer, const std::vector<T> &expected) const
    {
        std::vector<T> got(expected.size());
        grt::check(grt_download_at(nullptr, copying.get(), got.data(), buffer.all().bytes()));
        copying.synchronize();
        return std::memcmp(got.data(), expected.data(), got.size() * sizeof(T)) == 0;
    }
};

} // namespace foreign

#endif
