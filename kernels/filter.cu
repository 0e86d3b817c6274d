// SPDX-License-Identifier: Apache-2.0
//
// Filter by a bit mask: the values whose bit is set, in order, and how many they are.
//
// One pass: every tile counts its bits, publishes the count, and finds the sum of all tiles before it by looking
// back at what they published (D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan with Decoupled
// Look-back", NVIDIA technical report NVR-2016-002). The counts depend on the mask alone, so the values are on
// their way meanwhile. They are compacted in shared memory and written side by side.
//
// The workspace is zero at the launch: a ticket counter, then one word a tile. Tickets, not block numbers, name the
// tiles: a tile only ever waits for tiles that have begun.
#include "device.cuh"

namespace gk
{

constexpr unsigned filter_words = GK_FILTER_TILE / 32;
constexpr uint64_t filter_sum_known = 1ull << 63;   // the word holds the sum of all tiles up to this one
constexpr uint64_t filter_count_known = 1ull << 62; // the word holds this tile's count
constexpr uint64_t filter_value = filter_count_known - 1;

template <typename T> struct filter_tile {
    T kept[GK_FILTER_TILE];
    uint32_t bits[filter_words];
    uint32_t before[filter_words]; // bits set in earlier words
    uint32_t warp_totals[filter_words / 32];
    uint64_t ticket;
    uint64_t base; // values kept by earlier tiles
};

// The sum of the counts of all tiles before `tile`, by one warp. A word is published whole, so it needs no fence.
__device__ __forceinline__ uint64_t filter_look_back(volatile uint64_t *states, uint64_t tile, uint32_t count)
{
    const unsigned lane = threadIdx.x;
    if (tile == 0) {
        if (lane == 0)
            states[0] = filter_sum_known | count;
        return 0;
    }
    if (lane == 0)
        states[tile] = filter_count_known | count;
    uint64_t sum = 0;
    for (uint64_t behind = lane + 1;; behind += 32) {
        uint64_t state = filter_sum_known; // before the first tile: a sum of nothing
        if (behind <= tile)
            while ((state = states[tile - behind]) == 0)
                ;
        const unsigned known = __ballot_sync(~0u, (state & filter_sum_known) != 0);
        const unsigned nearest = known ? static_cast<unsigned>(__ffs(static_cast<int>(known))) - 1 : 31;
        uint64_t part = lane <= nearest ? state & filter_value : 0;
#pragma unroll
        for (unsigned step = 16; step > 0; step /= 2)
            part += __shfl_xor_sync(~0u, part, step);
        sum += part;
        if (known)
            break;
    }
    if (lane == 0)
        states[tile] = filter_sum_known | (sum + count);
    return sum;
}

// The first `filter_words` threads each take one word of the mask; bits from `length` on do not count.
template <typename T>
__device__ __forceinline__ void filter_count(filter_tile<T> &tile, const uint32_t *__restrict__ mask,
                                             uint32_t length)
{
    const unsigned word = threadIdx.x;
    if (word >= filter_words)
        return;
    uint32_t bits = word * 32 < length ? mask[word] : 0;
    if (length - word * 32 < 32)
        bits &= (1u << (length - word * 32)) - 1;
    const uint32_t own = __popc(bits);
    uint32_t sum = own;
#pragma unroll
    for (unsigned step = 1; step < 32; step *= 2) {
        const uint32_t left = __shfl_up_sync(~0u, sum, step);
        sum += word % 32 >= step ? left : 0;
    }
    tile.bits[word] = bits;
    tile.before[word] = sum - own;
    if (word % 32 == 31)
        tile.warp_totals[word / 32] = sum;
}

// Puts the selected ones of the pack that starts at position `p` of the tile where they belong in `kept`.
template <typename T>
__device__ __forceinline__ void filter_keep(filter_tile<T> &tile, const pack<T> &values, uint32_t p)
{
    uint32_t rank = tile.before[p / 32];
#pragma unroll
    for (unsigned w = 0; w + 1 < filter_words / 32; w++)
        rank += w < p / 1024 ? tile.warp_totals[w] : 0;
    rank += __popc(tile.bits[p / 32] & ((1u << p % 32) - 1));
    const uint32_t selected = tile.bits[p / 32] >> p % 32; // a pack never crosses a word
#pragma unroll
    for (unsigned j = 0; j < pack<T>::size; j++) {
        if ((selected >> j) & 1)
            tile.kept[rank++] = values.at[j];
    }
}

template <typename T>
__device__ __forceinline__ pack<T> filter_load(const T *__restrict__ values, uint32_t p, uint32_t length,
                                               bool aligned)
{
    if (aligned && p + pack<T>::size <= length)
        return *reinterpret_cast<const pack<T> *>(values + p);
    pack<T> loaded;
#pragma unroll
    for (unsigned j = 0; j < pack<T>::size; j++)
        loaded.at[j] = p + j < length ? values[p + j] : T(0);
    return loaded;
}

template <typename T>
__device__ __forceinline__ void filter(const uint32_t *__restrict__ mask, const T *__restrict__ values,
                                       uint64_t *workspace, uint64_t *__restrict__ selected, T *__restrict__ out,
                                       uint64_t count, uint64_t capacity)
{
    __shared__ filter_tile<T> tile;
    constexpr unsigned size = pack<T>::size;
    constexpr unsigned steps = GK_FILTER_TILE / (threads * size);
    if (threadIdx.x == 0)
        tile.ticket = atomicAdd(reinterpret_cast<unsigned long long *>(workspace), 1ull);
    __syncthreads();
    const uint64_t begin = tile.ticket * GK_FILTER_TILE;
    const uint32_t length = count - begin < GK_FILTER_TILE ? static_cast<uint32_t>(count - begin) : GK_FILTER_TILE;
    const bool aligned = is_aligned(values);

    pack<T> held[steps];
#pragma unroll
    for (unsigned k = 0; k < steps; k++)
        held[k] = filter_load(values + begin, (k * threads + threadIdx.x) * size, length, aligned);
    filter_count(tile, mask + begin / 32, length);
    __syncthreads();
    uint32_t total = 0;
#pragma unroll
    for (unsigned w = 0; w < filter_words / 32; w++)
        total += tile.warp_totals[w];
    if (threadIdx.x < 32) {
        const uint64_t base = filter_look_back(workspace + 1, tile.ticket, total);
        if (threadIdx.x == 0)
            tile.base = base;
    }
#pragma unroll
    for (unsigned k = 0; k < steps; k++)
        filter_keep(tile, held[k], (k * threads + threadIdx.x) * size);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < total; i += threads)
        if (tile.base + i < capacity)
            out[tile.base + i] = tile.kept[i];
    if (threadIdx.x == 0 && begin + length == count)
        *selected = tile.base + total;
}

} // namespace gk

#define GK_FILTER(name, type)                                                                                  \
    extern "C" __global__ void __launch_bounds__(gk::threads)                                                  \
        gk_filter_##name(const uint32_t *mask, const type *values, uint64_t *workspace, uint64_t *selected,    \
                         type *out, uint64_t count, uint64_t capacity)                                         \
    {                                                                                                          \
        gk::filter(mask, values, workspace, selected, out, count, capacity);                                   \
    }

GK_FILTER(u32, uint32_t)
GK_FILTER(u64, uint64_t)
