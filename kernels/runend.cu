// SPDX-License-Identifier: Apache-2.0
//
// Run-end decoding: run r covers the positions [ends[r - 1], ends[r]); out[i] is the value of the run that
// covers position first + i. `ends` rises strictly; whatever it holds, nothing outside the views is touched.
//
// A thread block decodes consecutive tiles. It searches its first run once; after that each tile's ends say
// where the next one begins. In a tile, every run that starts there sets one bit in a mask of positions; the
// run of a position is then the number of bits up to it: a prefix sum over words and one popcount, whatever
// the lengths of the runs.
#include "device.cuh"

namespace gk
{

constexpr unsigned runend_tile_bytes = 16384;

template <typename Value> struct runend_tile {
    static constexpr unsigned size = runend_tile_bytes / sizeof(Value);
    static constexpr unsigned words = size / 32;
    Value values[size];     // of the tile's runs, in order
    uint32_t starts[words]; // bit p: a run starts at position p of the tile (never position 0)
    uint32_t before[words]; // runs that start in earlier words
    uint32_t total;         // runs that start in the tile
    uint32_t exact;         // a run ends where the tile ends
    uint64_t run;           // the block's first run
};

// The number of ends that are at most `position`: the run that covers it.
template <typename End>
__device__ __forceinline__ uint64_t runend_search(const End *__restrict__ ends, uint64_t runs,
                                                  uint64_t position)
{
    uint64_t low = 0;
    uint64_t high = runs;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (ends[middle] <= position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Copies the values of the runs from `run` on and marks where they start, until one reaches the end of the
// tile. Entry k of `values` is set for every k up to the number of marks: a mark's own entry and its
// successor's are written in the same round, or the loop goes on.
template <typename End, typename Value>
__device__ __forceinline__ void runend_stage(runend_tile<Value> &tile, const End *__restrict__ ends,
                                             const Value *__restrict__ values, uint64_t runs, uint64_t run,
                                             uint64_t begin, uint32_t length)
{
    constexpr unsigned per_thread = 2;
    bool inside = true;
    for (unsigned offset = 0; offset < tile.size && __syncthreads_and(inside);
         offset += per_thread * threads) {
        uint64_t end[per_thread];
        Value value[per_thread];
#pragma unroll
        for (unsigned j = 0; j < per_thread; j++) {
            const uint64_t wanted = run + offset + j * threads + threadIdx.x;
            const uint64_t at = wanted < runs ? wanted : runs - 1;
            end[j] = ends[at];
            value[j] = values[at];
        }
#pragma unroll
        for (unsigned j = 0; j < per_thread; j++) {
            const uint64_t position = end[j] - begin;
            const uint64_t wanted = run + offset + j * threads + threadIdx.x;
            tile.values[offset + j * threads + threadIdx.x] = value[j];
            if (position - 1 < length - 1u)
                atomicOr(&tile.starts[position / 32], 1u << position % 32);
            if (position == length && wanted < runs)
                tile.exact = 1;
            inside = position < length;
        }
    }
    __syncthreads();
}

// Exclusive prefix sum of the bits of the words, by one warp.
template <typename Value> __device__ __forceinline__ void runend_count(runend_tile<Value> &tile)
{
    constexpr unsigned per_lane = tile.words / 32;
    const unsigned lane = threadIdx.x;
    uint32_t own = 0;
#pragma unroll
    for (unsigned j = 0; j < per_lane; j++)
        own += __popc(tile.starts[lane * per_lane + j]);
    uint32_t sum = own;
#pragma unroll
    for (unsigned step = 1; step < 32; step *= 2) {
        const uint32_t left = __shfl_up_sync(~0u, sum, step);
        sum += lane >= step ? left : 0;
    }
    if (lane == 31)
        tile.total = sum;
    sum -= own;
#pragma unroll
    for (unsigned j = 0; j < per_lane; j++) {
        tile.before[lane * per_lane + j] = sum;
        sum += __popc(tile.starts[lane * per_lane + j]);
    }
}

template <typename Value>
__device__ __forceinline__ void runend_write(const runend_tile<Value> &tile, Value *__restrict__ out,
                                             uint32_t length, bool aligned)
{
    constexpr unsigned size = pack<Value>::size;
#pragma unroll 4
    for (unsigned p = threadIdx.x * size; p < length; p += threads * size) {
        const uint32_t word = tile.starts[p / 32] >> p % 32; // a pack never crosses a word
        uint32_t rank = tile.before[p / 32] + __popc(tile.starts[p / 32] & ((1u << p % 32) - 1));
        pack<Value> taken;
#pragma unroll
        for (unsigned j = 0; j < size; j++) {
            rank += (word >> j) & 1;
            taken.at[j] = tile.values[rank];
        }
        if (aligned && p + size <= length) {
            put(reinterpret_cast<pack<Value> *>(out + p), taken);
            continue;
        }
#pragma unroll
        for (unsigned j = 0; j < size; j++)
            if (p + j < length)
                out[p + j] = taken.at[j];
    }
}

template <typename End, typename Value>
__device__ __forceinline__ void runend(const End *__restrict__ ends, const Value *__restrict__ values,
                                       Value *__restrict__ out, uint64_t runs, uint64_t first, uint64_t count,
                                       uint32_t tiles_per_block)
{
    __shared__ runend_tile<Value> tile;
    uint64_t begin = static_cast<uint64_t>(blockIdx.x) * tiles_per_block * tile.size;
    if (threadIdx.x == 0)
        tile.run = runend_search(ends, runs, first + begin);
    __syncthreads();
    uint64_t run = tile.run;
    const bool aligned = is_aligned(out);
    for (uint32_t k = 0; k < tiles_per_block && begin < count; k++, begin += tile.size) {
        const uint32_t length = count - begin < tile.size ? static_cast<uint32_t>(count - begin) : tile.size;
        for (unsigned i = threadIdx.x; i < tile.words; i += threads)
            tile.starts[i] = 0;
        if (threadIdx.x == 0)
            tile.exact = 0;
        runend_stage(tile, ends, values, runs, run, first + begin, length);
        if (threadIdx.x < 32)
            runend_count(tile);
        __syncthreads();
        runend_write(tile, out + begin, length, aligned);
        run += tile.total + tile.exact;
        __syncthreads();
    }
}

} // namespace gk

#define GK_RUNEND(end_name, end_type, value_name, value_type)                                                \
    extern "C" __global__ void __launch_bounds__(gk::threads) gk_runend_##end_name##_##value_name(           \
        const end_type *ends, const value_type *values, value_type *out, uint64_t runs, uint64_t first,      \
        uint64_t count, uint32_t tiles_per_block)                                                            \
    {                                                                                                        \
        gk::runend(ends, values, out, runs, first, count, tiles_per_block);                                  \
    }

GK_RUNEND(u32, uint32_t, u32, uint32_t)
GK_RUNEND(u32, uint32_t, u64, uint64_t)
GK_RUNEND(u64, uint64_t, u32, uint32_t)
GK_RUNEND(u64, uint64_t, u64, uint64_t)
