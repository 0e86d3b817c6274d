// SPDX-License-Identifier: Apache-2.0
// Encoders of integers: bit-packing with a frame of reference, and zigzag.
#include "encode.h"

#include <string.h>

uint64_t gk_encode_get(gk_type type, const void *values, uint64_t i)
{
    size_t size = gk_type_size(type);
    const unsigned char *at = (const unsigned char *)values + i * size;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    switch (size) {
    case 1:
        memcpy(&u8, at, sizeof(u8));
        return u8;
    case 2:
        memcpy(&u16, at, sizeof(u16));
        return u16;
    case 4:
        memcpy(&u32, at, sizeof(u32));
        return u32;
    default:
        memcpy(&u64, at, sizeof(u64));
        return u64;
    }
}

void gk_encode_set(gk_type type, void *values, uint64_t i, uint64_t bits)
{
    size_t size = gk_type_size(type);
    unsigned char *at = (unsigned char *)values + i * size;
    uint8_t u8 = (uint8_t)bits;
    uint16_t u16 = (uint16_t)bits;
    uint32_t u32 = (uint32_t)bits;
    const void *from = size == 1   ? (const void *)&u8
                       : size == 2 ? (const void *)&u16
                       : size == 4 ? &u32
                                   : (const void *)&bits;
    memcpy(at, from, size);
}

static unsigned type_bits(gk_type type)
{
    return (unsigned)gk_type_size(type) * 8;
}

static uint64_t low_bits(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

uint64_t gk_encode_minimum(gk_type type, const void *values, uint64_t count)
{
    uint64_t least = count ? UINT64_MAX : 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t value = gk_encode_get(type, values, i);
        least = value < least ? value : least;
    }
    return least;
}

unsigned gk_encode_width(gk_type type, const void *values, uint64_t count, uint64_t reference)
{
    uint64_t used = 0;
    for (uint64_t i = 0; i < count; i++)
        used |= (gk_encode_get(type, values, i) - reference) & low_bits(type_bits(type));
    unsigned width = 0;
    while (width < 64 && used >> width != 0)
        width++;
    return width;
}

// Adds one value's bits to its lane of a block that was zero.
static void pack_value(gk_type type, unsigned width, uint64_t value, unsigned index, void *block)
{
    unsigned bits = type_bits(type);
    unsigned lanes = GK_BLOCK / bits;
    unsigned bit = gk_row_of(index, bits) * width;
    unsigned at = bit / bits * lanes + gk_lane_of(index, bits);
    unsigned shift = bit % bits;
    gk_encode_set(type, block, at, gk_encode_get(type, block, at) | value << shift);
    if (shift + width > bits)
        gk_encode_set(type, block, at + lanes,
                      gk_encode_get(type, block, at + lanes) | value >> (bits - shift));
}

void gk_encode_pack(gk_type type, unsigned width, uint64_t reference, const void *values, uint64_t count,
                    void *packed)
{
    memset(packed, 0, gk_packed_bytes(count, width));
    if (width == 0)
        return;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t value = (gk_encode_get(type, values, i) - reference) & low_bits(width);
        pack_value(type, width, value, (unsigned)(i % GK_BLOCK),
                   (unsigned char *)packed + i / GK_BLOCK * GK_PACKED_BYTES(width));
    }
}

void gk_encode_zigzag(gk_type type, void *values, uint64_t count)
{
    unsigned bits = type_bits(type);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t value = gk_encode_get(type, values, i);
        bool negative = value >> (bits - 1) & 1;
        gk_encode_set(type, values, i, negative ? ~(value << 1) : value << 1);
    }
}
