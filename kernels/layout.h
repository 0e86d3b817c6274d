/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where things lie in memory: the one description that kernels, host twins and encoders share.
 *
 * Bit-packed values use the unified transposed layout of FastLanes (A. Afroozeh and P. Boncz, "The FastLanes
 * Compression Layout: Decoding >100 Billion Integers per Second with Scalar Code", PVLDB 16(9), 2023), as the
 * vortex project stores it. A block is 1,024 values of T bits each. It is seen as T rows of 1,024 / T lanes:
 * row r of all lanes is a virtual register of 1,024 bits, and one shift or mask treats a whole register.
 *
 *   - Each lane is a bit stream of its own: row r occupies the bits [r * width, (r + 1) * width) of its lane.
 *   - Word w of all lanes is stored together: a packed block is `width` registers of 128 bytes.
 *   - Row r = 8 * o + s of lane l holds the value with index order[o] * 16 + s * 128 + l, where order is 0,
 * 4, 2, 6, 1, 5, 3, 7. The index does not depend on T as far as lanes allow, which is what "unified" means.
 *
 * Eight threads therefore read or write a register as 16 aligned bytes each, for every T and width.
 */
#ifndef GUARDKERNELS_LAYOUT_H
#define GUARDKERNELS_LAYOUT_H

#include <stdint.h>

#ifdef __CUDACC__
#define GK_FUNCTION __host__ __device__ __forceinline__
#else
#define GK_FUNCTION static inline
#endif

/* Values in a block, and bytes in a register of all lanes. */
#define GK_BLOCK 1024u
#define GK_REGISTER_BYTES 128u
/* Values that one thread block of the filter compacts, and that one block of its count treats. */
#define GK_FILTER_TILE 4096u
#define GK_FILTER_CHUNK 65536u

/* Bytes of a packed block. */
#define GK_PACKED_BYTES(width) (GK_REGISTER_BYTES * (width))
#define GK_BLOCKS(count) (((count) + GK_BLOCK - 1) / GK_BLOCK)

/* The FastLanes order of the eight groups of rows: the three bits of `group` reversed. */
GK_FUNCTION uint32_t gk_row_order(uint32_t group)
{
    return ((group & 1u) << 2) | (group & 2u) | (group >> 2);
}

/* The index in its block of the value at (row, lane). */
GK_FUNCTION uint32_t gk_index_of(uint32_t row, uint32_t lane)
{
    return gk_row_order(row / 8) * 16 + (row % 8) * 128 + lane;
}

/* The inverse of gk_index_of for values of `bits` bits. */
GK_FUNCTION uint32_t gk_row_of(uint32_t index, uint32_t bits)
{
    uint32_t lanes = GK_BLOCK / bits;
    uint32_t group = index % 128 / lanes * (lanes / 16);
    return gk_row_order(group) * 8 + index / 128;
}

GK_FUNCTION uint32_t gk_lane_of(uint32_t index, uint32_t bits)
{
    return index % (GK_BLOCK / bits);
}

#endif
