// SPDX-License-Identifier: Apache-2.0
// Run-end decoding: host twins of runend.cu and its launch.
#include "library.h"

enum {
    RUNEND_TILE_BYTES = 16384,   // of output (runend.cu)
    RUNEND_TILES_PER_BLOCK = 16, // at most: pays for the search of the first run
    RUNEND_BLOCKS_PER_PROCESSOR = 32
};

#define TWIN(end_name, end_type, value_name, value_type)                                                     \
    static void twin_##end_name##_##value_name(const grt_config *config, void *const *arguments)             \
    {                                                                                                        \
        (void)config;                                                                                        \
        const end_type *ends = GK_ARGUMENT(const end_type *, 0);                                             \
        const value_type *values = GK_ARGUMENT(const value_type *, 1);                                       \
        value_type *out = GK_ARGUMENT(value_type *, 2);                                                      \
        uint64_t runs = GK_ARGUMENT(uint64_t, 3);                                                            \
        uint64_t first = GK_ARGUMENT(uint64_t, 4);                                                           \
        uint64_t count = GK_ARGUMENT(uint64_t, 5);                                                           \
        uint64_t run = 0;                                                                                    \
        for (uint64_t i = 0; i < count; i++) {                                                               \
            while (run + 1 < runs && ends[run] <= first + i)                                                 \
                run++;                                                                                       \
            out[i] = values[run];                                                                            \
        }                                                                                                    \
    }

TWIN(u32, uint32_t, u32, uint32_t)
TWIN(u32, uint32_t, u64, uint64_t)
TWIN(u64, uint64_t, u32, uint32_t)
TWIN(u64, uint64_t, u64, uint64_t)

static const grt_host_entry entries[] = {{"gk_runend_u32_u32", twin_u32_u32},
                                         {"gk_runend_u32_u64", twin_u32_u64},
                                         {"gk_runend_u64_u32", twin_u64_u32},
                                         {"gk_runend_u64_u64", twin_u64_u64}};
GK_TABLE(runend, entries);

grt_status gk_runend(gk_library *library, grt_stream *stream, gk_type end_type, gk_type value_type,
                     grt_view ends, grt_view values, uint64_t first, grt_view out)
{
    size_t moved = gk_moved_entry(value_type);
    if ((end_type != GK_U32 && end_type != GK_U64) || moved > 1 || !gk_view_fits(ends, end_type) ||
        !gk_view_fits(values, value_type) || !gk_view_fits(out, value_type))
        return GRT_INVALID_ARGUMENT;
    uint64_t count = out.size / gk_type_size(value_type);
    uint64_t runs = ends.size / gk_type_size(end_type);
    if (values.size / gk_type_size(value_type) != runs || (runs == 0 && count != 0))
        return GRT_INVALID_ARGUMENT;
    if (count == 0)
        return GRT_OK;
    grt_kernel *kernel;
    grt_status status = gk_kernel_get(library, GK_ID_runend, (end_type == GK_U32 ? 0u : 2u) + moved, &kernel);
    if (status != GRT_OK)
        return status;
    uint64_t tiles = (out.size + RUNEND_TILE_BYTES - 1) / RUNEND_TILE_BYTES;
    uint64_t wanted = tiles / ((uint64_t)gk_multiprocessors(library) * RUNEND_BLOCKS_PER_PROCESSOR) + 1;
    uint32_t tiles_per_block = (uint32_t)(wanted < RUNEND_TILES_PER_BLOCK ? wanted : RUNEND_TILES_PER_BLOCK);
    uint64_t blocks = (tiles + tiles_per_block - 1) / tiles_per_block;
    return grt_launch(stream, kernel, grt_config_linear(blocks * GK_THREADS, GK_THREADS), GRT_READ(ends),
                      GRT_READ(values), GRT_WRITE(out), GRT_VALUE(runs), GRT_VALUE(first), GRT_VALUE(count),
                      GRT_VALUE(tiles_per_block));
}
