// SPDX-License-Identifier: Apache-2.0
//
// ALP decoding in place: integer i becomes i * 10^factor * 10^-exponent, then the exceptions of the block are
// put in (A. Afroozeh, L. Kuffo and P. Boncz, "ALP: Adaptive Lossless floating-Point Compression", SIGMOD
// 2024).
//
// Exceptions are grouped by blocks of 1,024 values: those of block b are starts[b] to starts[b + 1], each
// with its position in the block. A thread block decodes whole blocks and writes their exceptions after a
// barrier, so one pass does both; positions and starts that lie outside are ignored.
#include "device.cuh"

namespace gk
{

template <typename T> struct alp_integer;
template <> struct alp_integer<float> {
    using type = int32_t;
    static __device__ __forceinline__ float decode(int32_t value, float up, float down)
    {
        return __fmul_rn(__fmul_rn(__int2float_rn(value), up), down);
    }
};
template <> struct alp_integer<double> {
    using type = int64_t;
    static __device__ __forceinline__ double decode(int64_t value, double up, double down)
    {
        return __dmul_rn(__dmul_rn(__ll2double_rn(value), up), down);
    }
};

template <typename T>
__device__ __forceinline__ void alp_patch(T *values, uint64_t count, const uint32_t *__restrict__ starts,
                                          const uint16_t *__restrict__ positions,
                                          const T *__restrict__ exceptions, uint32_t exception_count,
                                          uint64_t first_block, uint64_t end_block)
{
    for (uint64_t block = first_block; block < end_block; block++) {
        const uint32_t end = min(starts[block + 1], exception_count);
        for (uint64_t i = static_cast<uint64_t>(starts[block]) + threadIdx.x; i < end; i += threads) {
            const uint64_t at = block * GK_BLOCK + positions[i] % GK_BLOCK;
            if (at < count)
                values[at] = exceptions[i];
        }
    }
}

template <typename T>
__device__ __forceinline__ void
alp(T *memory, uint64_t count, T up, T down, const uint32_t *__restrict__ starts,
    const uint16_t *__restrict__ positions, const T *__restrict__ exceptions, uint32_t exception_count)
{
    using traits = alp_integer<T>;
    using integer = typename traits::type;
    constexpr unsigned size = pack<T>::size;
    constexpr uint64_t tile = threads * accesses * size;
    static_assert(tile % GK_BLOCK == 0, "a thread block decodes whole blocks");
    const uint64_t begin = blockIdx.x * tile;
    const uint64_t length = count - begin < tile ? count - begin : tile;
    T *const values = memory + begin;
    const unsigned packs = is_aligned(values) ? static_cast<unsigned>(length) / size : 0;

    pack<integer> held[accesses];
#pragma unroll
    for (unsigned k = 0; k < accesses; k++)
        if (threadIdx.x + k * threads < packs)
            held[k] = reinterpret_cast<const pack<integer> *>(values)[threadIdx.x + k * threads];
#pragma unroll
    for (unsigned k = 0; k < accesses; k++) {
        if (threadIdx.x + k * threads >= packs)
            continue;
        pack<T> decoded;
#pragma unroll
        for (unsigned j = 0; j < size; j++)
            decoded.at[j] = traits::decode(held[k].at[j], up, down);
        // Kept in the caches: exceptions go to the same lines.
        reinterpret_cast<pack<T> *>(values)[threadIdx.x + k * threads] = decoded;
    }
    for (uint64_t i = packs * size + threadIdx.x; i < length; i += threads)
        values[i] = traits::decode(reinterpret_cast<const integer *>(values)[i], up, down);
    if (exception_count == 0)
        return;
    __syncthreads();
    alp_patch(memory, count, starts, positions, exceptions, exception_count, begin / GK_BLOCK,
              GK_BLOCKS(begin + length));
}

} // namespace gk

#define GK_ALP(name, type)                                                                                   \
    extern "C" __global__ void __launch_bounds__(gk::threads)                                                \
        gk_alp_##name(type *values, uint64_t count, type up, type down, const uint32_t *starts,              \
                      const uint16_t *positions, const type *exceptions, uint32_t exception_count)           \
    {                                                                                                        \
        gk::alp(values, count, up, down, starts, positions, exceptions, exception_count);                    \
    }

GK_ALP(f32, float)
GK_ALP(f64, double)
