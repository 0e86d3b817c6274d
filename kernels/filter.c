// SPDX-License-Identifier: Apache-2.0
// Filter by a bit mask: host twins of filter.cu and its launch.
#include "library.h"

#define TWIN(name, type)                                                                                       \
    static void twin_##name(const grt_config *config, void *const *arguments)                                  \
    {                                                                                                          \
        (void)config;                                                                                          \
        const uint32_t *mask = GK_ARGUMENT(const uint32_t *, 0);                                               \
        const type *values = GK_ARGUMENT(const type *, 1);                                                     \
        uint64_t *selected = GK_ARGUMENT(uint64_t *, 3);                                                       \
        type *out = GK_ARGUMENT(type *, 4);                                                                    \
        uint64_t count = GK_ARGUMENT(uint64_t, 5);                                                             \
        uint64_t capacity = GK_ARGUMENT(uint64_t, 6);                                                          \
        uint64_t kept = 0;                                                                                     \
        for (uint64_t i = 0; i < count; i++) {                                                                 \
            if (!(mask[i / 32] >> i % 32 & 1))                                                                 \
                continue;                                                                                      \
            if (kept < capacity)                                                                               \
                out[kept] = values[i];                                                                         \
            kept++;                                                                                            \
        }                                                                                                      \
        *selected = kept;                                                                                      \
    }

TWIN(u32, uint32_t)
TWIN(u64, uint64_t)

static const grt_host_entry entries[] = {{"gk_filter_u32", twin_u32}, {"gk_filter_u64", twin_u64}};
GK_TABLE(filter, entries);

static bool filter_fits(gk_type type, uint64_t count, grt_view mask, grt_view values, grt_view workspace,
                        grt_view selected, grt_view out)
{
    return gk_view_fits(values, type) && gk_view_fits(out, type) && gk_view_fits(mask, GK_U32) &&
           mask.size / sizeof(uint32_t) >= count / 32 + (count % 32 != 0) && gk_view_fits(workspace, GK_U64) &&
           workspace.size >= gk_filter_workspace(count) && gk_view_fits(selected, GK_U64) &&
           selected.size == sizeof(uint64_t);
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
    grt_kernel *kernel;
    grt_status status = gk_kernel_get(library, GK_ID_filter, moved, &kernel);
    if (status == GRT_OK)
        status = grt_view_slice(workspace, 0, gk_filter_workspace(count), &workspace);
    if (status == GRT_OK)
        status = grt_fill(stream, workspace, 0);
    if (status != GRT_OK)
        return status;
    uint64_t capacity = out.size / gk_type_size(type);
    uint64_t tiles = (count + GK_FILTER_TILE - 1) / GK_FILTER_TILE;
    return grt_launch(stream, kernel, grt_config_linear(tiles * GK_THREADS, GK_THREADS), GRT_READ(mask),
                      GRT_READ(values), GRT_UPDATE(workspace), GRT_WRITE(selected), GRT_WRITE(out),
                      GRT_VALUE(count), GRT_VALUE(capacity));
}
