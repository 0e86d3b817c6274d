// SPDX-License-Identifier: Apache-2.0
//
// Bit-unpacking with a fused frame of reference: one kernel for each type and width, from blocks in the
// layout of layout.h.
//
// A thread owns 16 bytes (the lanes of one eighth of a register) of eight rows: it reads the at most
// width * 8 / T + 1 packed words those rows lie in, all before it uses the first, and makes eight 16-byte
// chunks. The groups of eight rows of a block go to different warps, which keeps shifts and masks
// compile-time constants; a word on the border of two groups is read twice, the second time from L1.
//
// A thread block's values, 32 KiB whatever the type, meet in shared memory and leave in the order of memory:
// written from where they arise, 128 bytes here and there, they cost the narrow widths an eighth of the
// speed. From compute capability 9.0 on the copy engine takes them as one bulk store.
//
// Values narrower than 32 bits are treated two or four at a time in a 32-bit register: a shift drags the
// neighbour's bits in exactly where the mask drops them.
#include "device.cuh"

namespace gk
{

constexpr unsigned rows_per_thread = 8;
constexpr unsigned threads_per_register = 8;
constexpr unsigned blocks_per_warp = 32 / threads_per_register;
constexpr unsigned unpack_chunks = threads * rows_per_thread; // a thread block

// The values of `width` bits at `shift` of every lane; `high` is the lanes' next word where the value
// crosses.
template <typename T>
__device__ __forceinline__ typename lanes<T>::word
extract(typename lanes<T>::word low, typename lanes<T>::word high, unsigned shift, unsigned width)
{
    constexpr unsigned bits = lanes<T>::bits;
    if (shift + width <= bits)
        return (low >> shift) & lanes<T>::mask(width);
    const unsigned taken = bits - shift;
    return ((low >> shift) & lanes<T>::mask(taken)) |
           ((high << taken) & lanes<T>::mask(width) & ~lanes<T>::mask(taken));
}

// Rows 8 * Group to 8 * Group + 7 of one block. `packed` and `out` are this thread's 16 bytes of the block's
// first register.
template <typename T, unsigned Width, unsigned Group>
__device__ __forceinline__ void unpack_rows(const chunk<T> *__restrict__ packed,
                                            typename lanes<T>::word reference, chunk<T> *out)
{
    constexpr unsigned bits = lanes<T>::bits;
    constexpr unsigned first_bit = Group * rows_per_thread * Width;
    constexpr unsigned first = first_bit / bits;
    constexpr unsigned count = Width == 0 ? 0 : (first_bit + rows_per_thread * Width - 1) / bits - first + 1;

    chunk<T> held[count + 1];
    if constexpr (Width != 0) {
#pragma unroll
        for (unsigned i = 0; i < count; i++)
            held[i] = packed[(first + i) * threads_per_register];
    }
#pragma unroll
    for (unsigned s = 0; s < rows_per_thread; s++) {
        const unsigned bit = first_bit + s * Width;
        const unsigned at = Width == 0 ? 0 : bit / bits - first;
        chunk<T> row;
#pragma unroll
        for (unsigned j = 0; j < lanes<T>::words; j++) {
            typename lanes<T>::word value = 0;
            if constexpr (Width != 0)
                value =
                    extract<T>(held[at].at[j], held[at + 1 < count ? at + 1 : at].at[j], bit % bits, Width);
            row.at[j] = lanes<T>::add(value, reference);
        }
        out[(gk_row_order(Group) * 16 + s * 128) * sizeof(T) / 16] = row;
    }
}

// Value by value, for packed blocks that are not 16-byte aligned.
template <typename T>
__device__ __noinline__ void unpack_slowly(const T *__restrict__ packed, T *__restrict__ out, uint64_t count,
                                           unsigned width, T reference, uint64_t block, unsigned thread)
{
    constexpr unsigned bits = lanes<T>::bits;
    constexpr unsigned lane_count = GK_BLOCK / bits;
    const T *const words = packed + block * width * lane_count;
    const T mask = width == bits ? T(~T(0)) : T((T(1) << width) - 1);
    for (unsigned i = thread; i < GK_BLOCK && block * GK_BLOCK + i < count; i += bits) {
        const unsigned bit = gk_row_of(i, bits) * width;
        const unsigned lane = gk_lane_of(i, bits);
        const unsigned shift = bit % bits;
        T value = 0;
        if (width != 0)
            value = T(words[bit / bits * lane_count + lane] >> shift);
        if (shift + width > bits)
            value = T(value | T(words[(bit / bits + 1) * lane_count + lane] << (bits - shift)));
        out[block * GK_BLOCK + i] = T((value & mask) + reference);
    }
}

// The first `length` values of `staged`, which all threads have written, go to `out`.
template <typename T>
__device__ __forceinline__ void unpack_store(const chunk<T> *staged, T *__restrict__ out, uint64_t length)
{
    if (length < unpack_chunks * pack<T>::size || !is_aligned(out)) {
        __syncthreads();
        for (unsigned i = threadIdx.x; i < length; i += threads)
            out[i] = reinterpret_cast<const T *>(staged)[i];
        return;
    }
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async.shared::cta;" ::
                     : "memory"); // the copy engine sees what this thread wrote
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                         __cvta_generic_to_global(out)),
                     "r"(static_cast<uint32_t>(__cvta_generic_to_shared(staged))),
                     "r"(static_cast<uint32_t>(unpack_chunks * sizeof(chunk<T>)))
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::
                         : "memory"); // the block's memory must outlive the read
    }
#else
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < rows_per_thread; k++)
        put(reinterpret_cast<chunk<T> *>(out) + k * threads + threadIdx.x, staged[k * threads + threadIdx.x]);
#endif
}

// `sizeof(T)` groups of eight rows make a block of values, each the work of eight threads.
template <typename T, unsigned Width>
__device__ __forceinline__ void unpack(const T *packed, T *out, uint64_t count, T reference, unsigned width)
{
    constexpr unsigned groups = sizeof(T);
    constexpr unsigned blocks = threads / 32 / groups * blocks_per_warp; // of values, a thread block
    __shared__ alignas(128) chunk<T> staged[unpack_chunks];
    const unsigned warp = threadIdx.x / 32;
    const unsigned group = warp % groups;
    const unsigned in_register = threadIdx.x % threads_per_register;
    const unsigned place = warp / groups * blocks_per_warp + threadIdx.x % 32 / threads_per_register;
    const uint64_t first = static_cast<uint64_t>(blockIdx.x) * blocks;
    const uint64_t block = first + place;
    if (!is_aligned(packed)) {
        unpack_slowly(packed, out, count, width, reference, block,
                      group * threads_per_register + in_register);
        return;
    }
    const auto *const from =
        reinterpret_cast<const chunk<T> *>(packed) + block * (Width * threads_per_register) + in_register;
    auto *const to = staged + place * (GK_BLOCK / pack<T>::size) + in_register;
    const auto spread = lanes<T>::spread(reference);
    if (block * GK_BLOCK < count) {
        switch (group) {
#define GK_GROUP(n)                                                                                          \
    case n:                                                                                                  \
        if constexpr (n < groups)                                                                            \
            unpack_rows<T, Width, n>(from, spread, to);                                                      \
        break;
            GK_GROUP(0)
            GK_GROUP(1)
            GK_GROUP(2)
            GK_GROUP(3)
            GK_GROUP(4)
            GK_GROUP(5)
            GK_GROUP(6)
            GK_GROUP(7)
#undef GK_GROUP
        }
    }
    const uint64_t left = count - first * GK_BLOCK;
    unpack_store(staged, out + first * GK_BLOCK, left < blocks * GK_BLOCK ? left : blocks * GK_BLOCK);
}

} // namespace gk

#define GK_UNPACK(name, bits, width)                                                                         \
    extern "C" __global__ void __launch_bounds__(gk::threads)                                                \
        gk_unpack_##name##_w##width(const uint##bits##_t *packed, uint##bits##_t *out, uint64_t count,       \
                                    uint##bits##_t reference, uint32_t dynamic_width)                        \
    {                                                                                                        \
        gk::unpack<uint##bits##_t, width>(packed, out, count, reference, dynamic_width);                     \
    }
#ifndef GK_UNPACK_CHOSEN // who includes this file may want some of them only
#include "unpack_widths.def"
#endif
