// SPDX-License-Identifier: Apache-2.0
// Filter by a bit mask: host twins of filter.cu and its launches.
#include "library.h"

enum { SUM_THREADS = 1024 };

// The number of set bits among [first, end) of the mask, `end` cut at `count`.
static uint64_t bits_count(const uint32_t *mask, uint64_t first, uint64_t end, uint64_t count)
{
    uint64_t set = 0;
    for (uint64_t i = first; i < end && i < count; i++)
        set += mask[i / 32] >> i % 32 & 1;
    return set;
}

static void twin_count(const grt_config *config, void *const *arguments)
{
    (void)config;
    const uint32_t *mask = GK_ARGUMENT(const uint32_t *, 0);
    uint64_t *chunks = GK_ARGUMENT(uint64_t *, 1);
    uint64_t *tiles = GK_ARGUMENT(uint64_t *, 2);
    uint64_t count = GK_ARGUMENT(uint64_t, 3);
    uint64_t in_chunk = 0;
    for (uint64_t first = 0; first < count; first += GK_FILTER_TILE) {
        in_chunk = first % GK_FILTER_CHUNK == 0 ? 0 : in_chunk;
        tiles[first / GK_FILTER_TILE] = in_chunk;
        in_chunk += bits_count(mask, first, first + GK_FILTER_TILE, count);
        chunks[first / GK_FILTER_CHUNK] = in_chunk;
    }
}

static void twin_sum(const grt_config *config, void *const *arguments)
{
    (void)config;
    uint64_t *chunks = GK_ARGUMENT(uint64_t *, 0);
    uint64_t *selected = GK_ARGUMENT(uint64_t *, 1);
    uint64_t chunk_count = GK_ARGUMENT(uint64_t, 2);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < chunk_count; i++) {
        uint64_t here = chunks[i];
        chunks[i] = sum;
        sum += here;
    }
    *selected = sum;
}

#define TWIN(name, type)                                                                                     \
    static void twin_##name(const grt_config *config, void *const *arguments)                                \
    {                                                                                                        \
        (void)config;                                                                                        \
        const uint32_t *mask = GK_ARGUMENT(const uint32_t *, 0);                                             \
        const type *values = GK_ARGUMENT(const type *, 1);                                                   \
        const uint64_t *chunks = GK_ARGUMENT(const uint64_t *, 2);                                           \
        const uint64_t *tiles = GK_ARGUMENT(const uint64_t *, 3);                                            \
        type *out = GK_ARGUMENT(type *, 4);                                                                  \
        uint64_t count = GK_ARGUMENT(uint64_t, 5);                                                           \
        uint64_t capacity = GK_ARGUMENT(uint64_t, 6);                                                        \
        for (uint64_t i = 0, at = 0; i < count; i++) {                                                       \
            if (i % GK_FILTER_TILE == 0)                                                                     \
                at = chunks[i / GK_FILTER_CHUNK] + tiles[i / GK_FILTER_TILE];                                \
            if (!(mask[i / 32] >> i % 32 & 1))                                                               \
                continue;                                                                                    \
            if (at < capacity)                                                                               \
                out[at] = values[i];                                                                         \
            at++;                                                                                            \
        }                                                                                                    \
    }

TWIN(u32, uint32_t)
TWIN(u64, uint64_t)

enum { ENTRY_U32, ENTRY_U64, ENTRY_COUNT, ENTRY_SUM };
static const grt_host_entry entries[] = {[ENTRY_U32] = {"gk_filter_u32", twin_u32},
                                         [ENTRY_U64] = {"gk_filter_u64", twin_u64},
                                         [ENTRY_COUNT] = {"gk_filter_count", twin_count},
                                         [ENTRY_SUM] = {"gk_filter_sum", twin_sum}};
GK_TABLE(filter, entries);

static bool filter_fits(gk_type type, uint64_t count, grt_view mask, grt_view values, grt_view workspace,
                        grt_view selected, grt_view out)
{
    return gk_view_fits(values, type) && gk_view_fits(out, type) && gk_view_fits(mask, GK_U32) &&
           mask.size / sizeof(uint32_t) >= count / 32 + (count % 32 != 0) &&
           gk_view_fits(workspace, GK_U64) && workspace.size >= gk_filter_workspace(count) &&
           gk_view_fits(selected, GK_U64) && selected.size == sizeof(uint64_t);
}

// The count and the sum: what the values' launch needs to know where each tile's go.
static grt_status enqueue_sums(gk_library *library, grt_stream *stream, uint64_t count, grt_view mask,
                               grt_view chunks, grt_view tiles, grt_view selected)
{
    grt_kernel *counting, *summing;
    grt_status status = gk_kernel_get(library, GK_ID_filter, ENTRY_COUNT, &counting);
    if (status == GRT_OK)
        status = gk_kernel_get(library, GK_ID_filter, ENTRY_SUM, &summing);
    if (status != GRT_OK)
        return status;
    uint64_t chunk_count = chunks.size / sizeof(uint64_t);
    status = grt_launch(stream, counting, grt_config_linear(chunk_count * GK_THREADS, GK_THREADS),
                        GRT_READ(mask), GRT_WRITE(chunks), GRT_WRITE(tiles), GRT_VALUE(count));
    if (status != GRT_OK)
        return status;
    return grt_launch(stream, summing, grt_config_linear(SUM_THREADS, SUM_THREADS), GRT_UPDATE(chunks),
                      GRT_WRITE(selected), GRT_VALUE(chunk_count));
}

grt_status gk_filter(gk_library *library, grt_stream *stream, gk_type type, grt_view mask, grt_view values,
                     grt_view workspace, grt_view selected, grt_view out)
{
    size_t moved = gk_moved_entry(type);
    if (moved > 1)
        return GRT_INVALID_ARGUMENT;
    uint64_t count = values.size / gk_type_size(type);
    if (!filter_fits(type, count, mask, values, workspace, selected, out))
        return GRT_INVALID_ARGUMENT;
    if (count == 0)
        return grt_fill(stream, selected, 0);
    size_t chunk_count = (size_t)((count + GK_FILTER_CHUNK - 1) / GK_FILTER_CHUNK);
    size_t tile_count = (size_t)((count + GK_FILTER_TILE - 1) / GK_FILTER_TILE);
    grt_view chunks, tiles;
    grt_kernel *kernel;
    grt_status status = grt_view_slice(workspace, 0, chunk_count * sizeof(uint64_t), &chunks);
    if (status == GRT_OK)
        status = grt_view_slice(workspace, chunks.size, tile_count * sizeof(uint64_t), &tiles);
    if (status == GRT_OK)
        status = gk_kernel_get(library, GK_ID_filter, moved == 0 ? ENTRY_U32 : ENTRY_U64, &kernel);
    if (status == GRT_OK)
        status = enqueue_sums(library, stream, count, mask, chunks, tiles, selected);
    if (status != GRT_OK)
        return status;
    uint64_t capacity = out.size / gk_type_size(type);
    return grt_launch(stream, kernel, grt_config_linear(tile_count * GK_THREADS, GK_THREADS), GRT_READ(mask),
                      GRT_READ(values), GRT_READ(chunks), GRT_READ(tiles), GRT_WRITE(out), GRT_VALUE(count),
                      GRT_VALUE(capacity));
}
