// SPDX-License-Identifier: Apache-2.0
// Dictionary decoding: host twins of dictionary.cu and its launch.
#include "library.h"

enum {
    DICTIONARY_ACCESSES = 8,        // packs a thread has in flight (dictionary.cu)
    DICTIONARY_STAGED_BYTES = 49152 // what a block gets without asking; leaves room for four blocks
};

#define TWIN(code_name, code_type, value_name, value_type)                                                   \
    static void twin_##code_name##_##value_name(const grt_config *config, void *const *arguments)            \
    {                                                                                                        \
        (void)config;                                                                                        \
        const code_type *codes = GK_ARGUMENT(const code_type *, 0);                                          \
        const value_type *values = GK_ARGUMENT(const value_type *, 1);                                       \
        value_type *out = GK_ARGUMENT(value_type *, 2);                                                      \
        uint64_t count = GK_ARGUMENT(uint64_t, 3);                                                           \
        uint32_t last = GK_ARGUMENT(uint32_t, 4) - 1;                                                        \
        for (uint64_t i = 0; i < count; i++)                                                                 \
            out[i] = values[codes[i] < last ? codes[i] : last];                                              \
    }

TWIN(u8, uint8_t, u32, uint32_t)
TWIN(u16, uint16_t, u32, uint32_t)
TWIN(u32, uint32_t, u32, uint32_t)
TWIN(u8, uint8_t, u64, uint64_t)
TWIN(u16, uint16_t, u64, uint64_t)
TWIN(u32, uint32_t, u64, uint64_t)

static const grt_host_entry entries[] = {
    {"gk_dictionary_u8_u32", twin_u8_u32},   {"gk_dictionary_u16_u32", twin_u16_u32},
    {"gk_dictionary_u32_u32", twin_u32_u32}, {"gk_dictionary_u8_u64", twin_u8_u64},
    {"gk_dictionary_u16_u64", twin_u16_u64}, {"gk_dictionary_u32_u64", twin_u32_u64}};
GK_TABLE(dictionary, entries);

// Enough blocks to fill the device, each with many tiles, so that the values are copied to shared memory
// seldom.
static grt_config dictionary_config(const gk_library *library, size_t out_bytes, size_t staged_bytes)
{
    const size_t tile = (size_t)GK_THREADS * DICTIONARY_ACCESSES * 16;
    size_t tiles = (out_bytes + tile - 1) / tile;
    size_t blocks = (size_t)gk_multiprocessors(library) * 8;
    return (grt_config){.grid = {(uint32_t)(tiles < blocks ? tiles : blocks)},
                        .block = {GK_THREADS},
                        .shared_bytes = (uint32_t)staged_bytes};
}

grt_status gk_dictionary(gk_library *library, grt_stream *stream, gk_type code_type, gk_type value_type,
                         grt_view codes, grt_view values, grt_view out)
{
    size_t moved = gk_moved_entry(value_type);
    if (code_type > GK_U32 || moved > 1 || !gk_view_fits(codes, code_type) ||
        !gk_view_fits(values, value_type) || !gk_view_fits(out, value_type))
        return GRT_INVALID_ARGUMENT;
    uint64_t count = out.size / gk_type_size(value_type);
    uint64_t size = values.size / gk_type_size(value_type);
    if (codes.size / gk_type_size(code_type) != count || size == 0 || size > UINT32_MAX)
        return GRT_INVALID_ARGUMENT;
    if (count == 0)
        return GRT_OK;
    grt_kernel *kernel;
    grt_status status = gk_kernel_get(library, GK_ID_dictionary, moved * 3 + code_type, &kernel);
    if (status != GRT_OK)
        return status;
    uint32_t entry_count = (uint32_t)size;
    uint32_t staged = values.size <= DICTIONARY_STAGED_BYTES;
    return grt_launch(stream, kernel, dictionary_config(library, out.size, staged ? values.size : 0),
                      GRT_READ(codes), GRT_READ(values), GRT_WRITE(out), GRT_VALUE(count),
                      GRT_VALUE(entry_count), GRT_VALUE(staged));
}
