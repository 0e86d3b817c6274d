// SPDX-License-Identifier: Apache-2.0
//
// What every kernel needs: 16-byte packs of elements, lanes that are treated several at a time in one
// register, alignment tests, and the loop of kernels that change values in place.
//
// One thread moves 16 bytes an access and has `accesses` independent accesses in flight before it uses the
// first: that much is what keeps the memory of a large GPU busy without more than 256 threads a block.
#ifndef GUARDKERNELS_DEVICE_CUH
#define GUARDKERNELS_DEVICE_CUH

#include "layout.h"

#include <stdint.h>

namespace gk
{

constexpr unsigned threads = 256;
constexpr unsigned accesses = 4;

// Sixteen bytes of elements, moved as one access.
template <typename T> struct alignas(16) pack {
    static constexpr unsigned size = 16 / sizeof(T);
    T at[size];
};

__device__ __forceinline__ bool is_aligned(const void *address, unsigned bytes = 16)
{
    return reinterpret_cast<uintptr_t>(address) % bytes == 0;
}

// Stores 16 bytes that are not read again soon, without keeping them in the caches.
template <typename Pack> __device__ __forceinline__ void put(Pack *to, const Pack &value)
{
    static_assert(sizeof(Pack) == sizeof(uint4), "one access");
    __stcs(reinterpret_cast<uint4 *>(to), reinterpret_cast<const uint4 &>(value));
}

// Elements from `values` to the next 16-byte boundary, at most `count`.
template <typename T> __device__ __forceinline__ unsigned head_count(const T *values, uint64_t count)
{
    unsigned misaligned = static_cast<unsigned>(reinterpret_cast<uintptr_t>(values) % 16);
    unsigned head = (16 - misaligned) % 16 / static_cast<unsigned>(sizeof(T));
    return head < count ? head : static_cast<unsigned>(count);
}

// How the lanes of 16 bytes lie in machine words: `word` is what one shift works on, holding 1, 2 or 4 lanes.
template <typename T> struct lanes {
    using word = uint32_t;
    static constexpr unsigned words = 4;
    static constexpr unsigned bits = 8 * sizeof(T);
    // The low `count` bits of every lane.
    static __host__ __device__ constexpr word mask(unsigned count)
    {
        word one = count >= bits ? T(~T(0)) : T((T(1) << count) - 1);
        word all = 0;
        for (unsigned at = 0; at < 32; at += bits)
            all |= one << at;
        return all;
    }
    // Lane by lane, modulo the lane's range. `high` is the top bit of every lane.
    static __device__ __forceinline__ word add(word value, word reference)
    {
        constexpr word high = mask(bits) ^ mask(bits - 1);
        if constexpr (bits == 32)
            return value + reference;
        else
            return ((value & ~high) + (reference & ~high)) ^ ((value ^ reference) & high);
    }
    static __device__ __forceinline__ word spread(T value)
    {
        if constexpr (bits == 32)
            return value;
        else
            return word(value) * (mask(bits) / T(~T(0)));
    }
};

template <> struct lanes<uint64_t> {
    using word = uint64_t;
    static constexpr unsigned words = 2;
    static constexpr unsigned bits = 64;
    static __host__ __device__ constexpr word mask(unsigned count)
    {
        return count >= 64 ? ~word(0) : (word(1) << count) - 1;
    }
    static __device__ __forceinline__ word add(word value, word reference)
    {
        return value + reference;
    }
    static __device__ __forceinline__ word spread(uint64_t value)
    {
        return value;
    }
};

// Sixteen bytes of lanes, moved as one access.
template <typename T> struct alignas(16) chunk {
    typename lanes<T>::word at[lanes<T>::words];
};

// values[i] = change(values[i]) for the whole grid; the launch has a thread for every `accesses` chunks.
// `change` works on all lanes of a word at once. The chunks start at the first 16-byte boundary, so a view at
// any element runs at full speed; the first thread block takes the few elements around them.
template <typename T, typename Change>
__device__ __forceinline__ void change_in_place(T *values, uint64_t count, Change change)
{
    constexpr unsigned size = pack<T>::size;
    const unsigned head = head_count(values, count);
    const uint64_t chunks = (count - head) / size;
    chunk<T> *const body = reinterpret_cast<chunk<T> *>(values + head);
    const uint64_t first = static_cast<uint64_t>(blockIdx.x) * threads * accesses + threadIdx.x;

    chunk<T> held[accesses];
#pragma unroll
    for (unsigned k = 0; k < accesses; k++)
        if (first + k * threads < chunks)
            held[k] = body[first + k * threads];
#pragma unroll
    for (unsigned k = 0; k < accesses; k++) {
        if (first + k * threads >= chunks)
            continue;
#pragma unroll
        for (unsigned j = 0; j < lanes<T>::words; j++)
            held[k].at[j] = change(held[k].at[j]);
        body[first + k * threads] = held[k];
    }
    if (blockIdx.x != 0)
        return;
    for (uint64_t i = threadIdx.x; i < head; i += threads)
        values[i] = static_cast<T>(change(values[i]));
    for (uint64_t i = head + chunks * size + threadIdx.x; i < count; i += threads)
        values[i] = static_cast<T>(change(values[i]));
}

} // namespace gk

#endif
