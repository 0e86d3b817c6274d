// SPDX-License-Identifier: Apache-2.0
//
// Dictionary decoding: out[i] = values[codes[i]]. A code beyond the dictionary gives the last value, so that
// no content of `codes` reaches outside.
//
// The values are the only random reads. Where they fit, each thread block copies them to shared memory once
// and then treats many tiles (a persistent grid); otherwise L1 and L2 serve them.
#include "device.cuh"

namespace gk
{

constexpr unsigned dictionary_accesses = 8;

// The codes of one pack of values, moved as one access.
template <typename Code, typename Value> struct alignas(sizeof(Code) * pack<Value>::size) code_pack {
    Code at[pack<Value>::size];
};

// `take(code)` gives the value of a code.
template <typename Code, typename Value, typename Take>
__device__ __forceinline__ void dictionary_packs(const Code *__restrict__ codes, Value *__restrict__ out,
                                                 uint64_t packs, Take take)
{
    using code_group = code_pack<Code, Value>;
    constexpr uint64_t tile = threads * dictionary_accesses;
    const auto *const from = reinterpret_cast<const code_group *>(codes);
    auto *const to = reinterpret_cast<pack<Value> *>(out);
    for (uint64_t first = blockIdx.x * tile + threadIdx.x; first < packs; first += gridDim.x * tile) {
        code_group held[dictionary_accesses];
#pragma unroll
        for (unsigned k = 0; k < dictionary_accesses; k++)
            if (first + k * threads < packs)
                held[k] = from[first + k * threads];
#pragma unroll
        for (unsigned k = 0; k < dictionary_accesses; k++) {
            if (first + k * threads >= packs)
                continue;
            pack<Value> taken;
#pragma unroll
            for (unsigned j = 0; j < pack<Value>::size; j++)
                taken.at[j] = take(held[k].at[j]);
            put(to + first + k * threads, taken);
        }
    }
}

template <typename Code, typename Value, typename Take>
__device__ __forceinline__ void dictionary_all(const Code *__restrict__ codes, Value *__restrict__ out,
                                               uint64_t count, Take take)
{
    const bool whole = is_aligned(codes, alignof(code_pack<Code, Value>)) && is_aligned(out);
    const uint64_t packs = whole ? count / pack<Value>::size : 0;
    dictionary_packs(codes, out, packs, take);
    for (uint64_t i = packs * pack<Value>::size + static_cast<uint64_t>(blockIdx.x) * threads + threadIdx.x;
         i < count; i += static_cast<uint64_t>(gridDim.x) * threads)
        out[i] = take(codes[i]);
}

// `staged`: the launch has shared memory for all `size` values.
template <typename Code, typename Value>
__device__ __forceinline__ void dictionary(const Code *__restrict__ codes, const Value *__restrict__ values,
                                           Value *__restrict__ out, uint64_t count, uint32_t size,
                                           uint32_t staged)
{
    extern __shared__ uint4 shared[];
    const uint32_t last = size - 1;
    if (!staged) {
        dictionary_all(codes, out, count,
                       [=](Code code) { return __ldg(values + (code < last ? code : last)); });
        return;
    }
    Value *const cache = reinterpret_cast<Value *>(shared);
    for (uint32_t i = threadIdx.x; i < size; i += threads)
        cache[i] = values[i];
    __syncthreads();
    dictionary_all(codes, out, count, [=](Code code) { return cache[code < last ? code : last]; });
}

} // namespace gk

#define GK_DICTIONARY(code_name, code_type, value_name, value_type)                                          \
    extern "C" __global__ void __launch_bounds__(gk::threads) gk_dictionary_##code_name##_##value_name(      \
        const code_type *codes, const value_type *values, value_type *out, uint64_t count, uint32_t size,    \
        uint32_t staged)                                                                                     \
    {                                                                                                        \
        gk::dictionary(codes, values, out, count, size, staged);                                             \
    }

GK_DICTIONARY(u8, uint8_t, u32, uint32_t)
GK_DICTIONARY(u16, uint16_t, u32, uint32_t)
GK_DICTIONARY(u32, uint32_t, u32, uint32_t)
GK_DICTIONARY(u8, uint8_t, u64, uint64_t)
GK_DICTIONARY(u16, uint16_t, u64, uint64_t)
GK_DICTIONARY(u32, uint32_t, u64, uint64_t)
