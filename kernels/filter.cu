// SPDX-License-Identifier: Apache-2.0
//
// Filter by a bit mask: the values whose bit is set, in order, and how many they are.
//
// Three launches: count, sum, move. The mask is a thirty-second of four-byte values, or less, so reading it
// twice costs less than what one pass would: waiting, tile by tile, for the sums of all tiles before.
//
//   - gk_filter_count: a block counts the bits of a chunk of 16 tiles, and where each tile begins in its
//   chunk.
//   - gk_filter_sum: one block turns the chunks' counts into where each chunk begins, and the number of all.
//   - gk_filter_TYPE: a block loads a tile of values, compacts the selected ones in shared memory, and writes
//   them
//     side by side.
//
// The workspace holds a word a chunk, then a word a tile.
#include "device.cuh"

namespace gk
{

constexpr unsigned filter_words = GK_FILTER_TILE / 32; // of mask, a tile
constexpr unsigned filter_words_per_thread = GK_FILTER_CHUNK / 32 / threads;
constexpr unsigned filter_tiles = GK_FILTER_CHUNK / GK_FILTER_TILE;
constexpr unsigned filter_threads_per_tile = threads / filter_tiles;
constexpr unsigned filter_sum_threads = 1024;

// Word `word` of a mask of `length` bits, without the bits past its end.
__device__ __forceinline__ uint32_t filter_word(const uint32_t *__restrict__ mask, uint64_t word,
                                                uint64_t length)
{
    if (word * 32 >= length)
        return 0;
    const uint32_t bits = mask[word];
    return length - word * 32 < 32 ? bits & ((1u << (length - word * 32)) - 1) : bits;
}

// The sum of `value` over the lanes up to this one, in groups of `width` lanes.
template <typename T> __device__ __forceinline__ T filter_scan(T value, unsigned width)
{
    for (unsigned step = 1; step < width; step *= 2) {
        const T left = __shfl_up_sync(~0u, value, step, static_cast<int>(width));
        value += threadIdx.x % width >= step ? left : 0;
    }
    return value;
}

__device__ __forceinline__ void filter_count(const uint32_t *__restrict__ mask, uint64_t *__restrict__ chunks,
                                             uint64_t *__restrict__ tiles, uint64_t count)
{
    __shared__ uint32_t totals[filter_tiles];
    const uint64_t chunk = blockIdx.x;
    const uint64_t first = (chunk * threads + threadIdx.x) * filter_words_per_thread;
    uint32_t set = 0;
    if (is_aligned(mask) && (first + filter_words_per_thread) * 32 <= count) {
#pragma unroll
        for (unsigned k = 0; k < filter_words_per_thread / 4; k++) {
            const uint4 words = reinterpret_cast<const uint4 *>(mask + first)[k];
            set += __popc(words.x) + __popc(words.y) + __popc(words.z) + __popc(words.w);
        }
    } else {
        for (unsigned k = 0; k < filter_words_per_thread; k++)
            set += __popc(filter_word(mask, first + k, count));
    }
    const uint32_t sum = filter_scan(set, filter_threads_per_tile);
    const unsigned tile = threadIdx.x / filter_threads_per_tile;
    if (threadIdx.x % filter_threads_per_tile == filter_threads_per_tile - 1)
        totals[tile] = sum;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    const uint32_t own = threadIdx.x < filter_tiles ? totals[threadIdx.x] : 0;
    const uint32_t to_here = filter_scan(own, 32);
    const uint64_t at = chunk * filter_tiles + threadIdx.x;
    if (threadIdx.x < filter_tiles && at * GK_FILTER_TILE < count)
        tiles[at] = to_here - own;
    if (threadIdx.x == 31)
        chunks[chunk] = to_here;
}

// Counts become the sums of all before them. Every thread takes chunks that lie side by side.
__device__ __forceinline__ void filter_sum(uint64_t *chunks, uint64_t *__restrict__ selected,
                                           uint64_t chunk_count)
{
    __shared__ uint64_t warps[32];
    const uint64_t each = (chunk_count + filter_sum_threads - 1) / filter_sum_threads;
    const uint64_t first = threadIdx.x * each;
    const uint64_t end = first + each < chunk_count ? first + each : chunk_count;
    uint64_t own = 0;
    for (uint64_t i = first; i < end; i++)
        own += chunks[i];
    const uint64_t in_warp = filter_scan(own, 32);
    if (threadIdx.x % 32 == 31)
        warps[threadIdx.x / 32] = in_warp;
    __syncthreads();
    if (threadIdx.x < 32)
        warps[threadIdx.x] = filter_scan(warps[threadIdx.x], 32);
    __syncthreads();
    uint64_t sum = in_warp - own + (threadIdx.x >= 32 ? warps[threadIdx.x / 32 - 1] : 0);
    for (uint64_t i = first; i < end; i++) {
        const uint64_t here = chunks[i];
        chunks[i] = sum;
        sum += here;
    }
    if (threadIdx.x == 0)
        *selected = warps[31];
}

template <typename T> struct filter_tile {
    T kept[GK_FILTER_TILE];
    uint32_t bits[filter_words];
    uint32_t before[filter_words]; // bits set in earlier words of the same 32
    uint32_t totals[filter_words / 32];
};

// The first `filter_words` threads take a word of the mask each.
template <typename T>
__device__ __forceinline__ void filter_rank(filter_tile<T> &tile, const uint32_t *__restrict__ mask,
                                            uint32_t length)
{
    const unsigned word = threadIdx.x;
    if (word >= filter_words)
        return;
    const uint32_t bits = filter_word(mask, word, length);
    const uint32_t own = __popc(bits);
    const uint32_t sum = filter_scan(own, 32);
    tile.bits[word] = bits;
    tile.before[word] = sum - own;
    if (word % 32 == 31)
        tile.totals[word / 32] = sum;
}

// Puts the selected ones of the pack that starts at position `p` of the tile where they belong in `kept`.
template <typename T>
__device__ __forceinline__ void filter_keep(filter_tile<T> &tile, const pack<T> &values, uint32_t p)
{
    uint32_t rank = tile.before[p / 32];
#pragma unroll
    for (unsigned w = 0; w + 1 < filter_words / 32; w++)
        rank += w < p / 1024 ? tile.totals[w] : 0;
    const uint32_t bits = tile.bits[p / 32];
    rank += __popc(bits & ((1u << p % 32) - 1));
    const uint32_t selected = bits >> p % 32; // a pack never crosses a word
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
__device__ __forceinline__ void
filter(const uint32_t *__restrict__ mask, const T *__restrict__ values, const uint64_t *__restrict__ chunks,
       const uint64_t *__restrict__ tiles, T *__restrict__ out, uint64_t count, uint64_t capacity)
{
    __shared__ filter_tile<T> tile;
    constexpr unsigned size = pack<T>::size;
    constexpr unsigned steps = GK_FILTER_TILE / (threads * size);
    const uint64_t begin = static_cast<uint64_t>(blockIdx.x) * GK_FILTER_TILE;
    const uint32_t length =
        count - begin < GK_FILTER_TILE ? static_cast<uint32_t>(count - begin) : GK_FILTER_TILE;
    const bool aligned = is_aligned(values);

    pack<T> held[steps];
#pragma unroll
    for (unsigned k = 0; k < steps; k++)
        held[k] = filter_load(values + begin, (k * threads + threadIdx.x) * size, length, aligned);
    const uint64_t base = chunks[blockIdx.x / filter_tiles] + tiles[blockIdx.x];
    filter_rank(tile, mask + begin / 32, length);
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < steps; k++)
        filter_keep(tile, held[k], (k * threads + threadIdx.x) * size);
    uint32_t total = 0;
#pragma unroll
    for (unsigned w = 0; w < filter_words / 32; w++)
        total += tile.totals[w];
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < total; i += threads)
        if (base + i < capacity)
            out[base + i] = tile.kept[i];
}

} // namespace gk

extern "C" __global__ void __launch_bounds__(gk::threads)
    gk_filter_count(const uint32_t *mask, uint64_t *chunks, uint64_t *tiles, uint64_t count)
{
    gk::filter_count(mask, chunks, tiles, count);
}

extern "C" __global__ void __launch_bounds__(gk::filter_sum_threads)
    gk_filter_sum(uint64_t *chunks, uint64_t *selected, uint64_t chunk_count)
{
    gk::filter_sum(chunks, selected, chunk_count);
}

#define GK_FILTER(name, type)                                                                                \
    extern "C" __global__ void __launch_bounds__(gk::threads)                                                \
        gk_filter_##name(const uint32_t *mask, const type *values, const uint64_t *chunks,                   \
                         const uint64_t *tiles, type *out, uint64_t count, uint64_t capacity)                \
    {                                                                                                        \
        gk::filter(mask, values, chunks, tiles, out, count, capacity);                                       \
    }

GK_FILTER(u32, uint32_t)
GK_FILTER(u64, uint64_t)
