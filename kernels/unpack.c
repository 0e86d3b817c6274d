// SPDX-License-Identifier: Apache-2.0
// Bit-unpacking with a fused frame of reference: host twins of unpack.cu and its launch.
#include "library.h"

static uint64_t low_bits(unsigned width)
{
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

// One lane-parallel row at a time, as the layout is meant to be read; compilers vectorise the loop over
// lanes.
#define TWIN(name, type, bits)                                                                               \
    static void unpack_row_##name(const type *words, unsigned row, unsigned width, type reference,           \
                                  type *out, uint64_t room)                                                  \
    {                                                                                                        \
        const unsigned lanes = GK_BLOCK / bits;                                                              \
        const unsigned first = gk_index_of(row, 0);                                                          \
        const unsigned shift = row * width % bits;                                                           \
        const unsigned rest = shift + width > bits ? bits - shift : 0;                                       \
        const type mask = (type)low_bits(width);                                                             \
        const type *low = words + row * width / bits * lanes;                                                \
        for (unsigned lane = 0; lane < lanes && first + lane < room; lane++) {                               \
            type value = 0;                                                                                  \
            if (width)                                                                                       \
                value = (type)(low[lane] >> shift);                                                          \
            if (rest)                                                                                        \
                value = (type)(value | (type)(low[lanes + lane] << rest));                                   \
            out[first + lane] = (type)((value & mask) + reference);                                          \
        }                                                                                                    \
    }                                                                                                        \
    static void twin_##name(const grt_config *config, void *const *arguments)                                \
    {                                                                                                        \
        (void)config;                                                                                        \
        const type *packed = GK_ARGUMENT(const type *, 0);                                                   \
        type *out = GK_ARGUMENT(type *, 1);                                                                  \
        uint64_t count = GK_ARGUMENT(uint64_t, 2);                                                           \
        type reference = GK_ARGUMENT(type, 3);                                                               \
        uint32_t width = GK_ARGUMENT(uint32_t, 4);                                                           \
        for (uint64_t block = 0; block < GK_BLOCKS(count); block++)                                          \
            for (unsigned row = 0; row < bits; row++)                                                        \
                unpack_row_##name(packed + block * (GK_BLOCK / bits) * width, row, width, reference,         \
                                  out + block * GK_BLOCK, count - block * GK_BLOCK);                         \
    }

TWIN(u8, uint8_t, 8)
TWIN(u16, uint16_t, 16)
TWIN(u32, uint32_t, 32)
TWIN(u64, uint64_t, 64)

static const grt_host_entry entries[] = {
#define GK_UNPACK(name, bits, width) {"gk_unpack_" #name "_w" #width, twin_##name},
#include "unpack_widths.def"
#undef GK_UNPACK
};
GK_TABLE(unpack, entries);

// The rows of narrower types come first: 9 widths of 8 bits, 17 of 16, 33 of 32.
static size_t unpack_entry(gk_type type, unsigned width)
{
    static const size_t first[] = {[GK_U8] = 0, [GK_U16] = 9, [GK_U32] = 9 + 17, [GK_U64] = 9 + 17 + 33};
    return first[type] + width;
}

// A thread has 16 bytes of eight rows, so a block of values takes as many threads as its type has bits.
static grt_config unpack_config(uint64_t count, size_t size)
{
    return grt_config_linear(GK_BLOCKS(count) * size * 8, GK_THREADS);
}

grt_status gk_unpack(gk_library *library, grt_stream *stream, gk_type type, unsigned width,
                     uint64_t reference, grt_view packed, grt_view out)
{
    if (!gk_is_unsigned(type) || width > gk_type_size(type) * 8 || !gk_view_fits(out, type))
        return GRT_INVALID_ARGUMENT;
    uint64_t count = out.size / gk_type_size(type);
    if (count == 0)
        return GRT_OK;
    if (packed.size < gk_packed_bytes(count, width) ||
        (uintptr_t)grt_view_address(packed) % gk_type_size(type) != 0)
        return GRT_INVALID_ARGUMENT;
    grt_kernel *kernel;
    grt_status status = gk_kernel_get(library, GK_ID_unpack, unpack_entry(type, width), &kernel);
    if (status != GRT_OK)
        return status;
    gk_number added = gk_number_integer(type, reference);
    uint32_t dynamic_width = width;
    return grt_launch(stream, kernel, unpack_config(count, gk_type_size(type)), GRT_READ(packed),
                      GRT_WRITE(out), GRT_VALUE(count), gk_number_argument(&added, type),
                      GRT_VALUE(dynamic_width));
}
