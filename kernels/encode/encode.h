/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encoders for the kernels' formats, on the host: what tests, benchmarks and the column writer feed the
 * decoders. They are written for clarity and take values one at a time. No function keeps a pointer.
 */
#ifndef GUARDKERNELS_ENCODE_H
#define GUARDKERNELS_ENCODE_H

#include "kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Element `i` of an array of `type`, its bits as an integer; and the store of its low bits. */
uint64_t gk_encode_get(gk_type type, const void *values, uint64_t i);
void gk_encode_set(gk_type type, void *values, uint64_t i, uint64_t bits);

/* The smallest of the values as unsigned integers; 0 for none. */
uint64_t gk_encode_minimum(gk_type type, const void *values, uint64_t count);
/* The bits that every value minus `reference` (modulo the range) fits in. */
unsigned gk_encode_width(gk_type type, const void *values, uint64_t count, uint64_t reference);
/* Packs the low `width` bits of values minus `reference` to gk_packed_bytes(count, width) bytes; what fills
 * up the last block is 0. `packed` is aligned for the type. */
void gk_encode_pack(gk_type type, unsigned width, uint64_t reference, const void *values, uint64_t count,
                    void *packed);

/* Signed values to zigzag, in place. */
void gk_encode_zigzag(gk_type type, void *values, uint64_t count);

/* Distinct values in ascending order of their bits to `dictionary` (room for `count`), and each value's index
 * to `codes`. Returns how many are distinct; 0 when memory ran out. */
uint64_t gk_encode_dictionary(gk_type type, const void *values, uint64_t count, void *dictionary,
                              uint32_t *codes);

/* The runs of equal values: their ends and values (room for `count`). Returns how many. */
uint64_t gk_encode_runs(gk_type type, const void *values, uint64_t count, uint64_t *ends, void *run_values);

/* An ALP column before packing. The caller frees it with gk_encode_alp_free. */
typedef struct gk_alp_column {
    unsigned exponent;
    unsigned factor;
    void *integers;   /* int32_t or int64_t, `count` of them; an exception's is its block's first good one */
    uint32_t *starts; /* as gk_exceptions */
    uint16_t *positions;
    void *exceptions;
    uint32_t exception_count;
} gk_alp_column;

/* Chooses exponent and factor on a sample, encodes, and keeps as exceptions all values that would not decode
 * to the same bits. Returns false when memory ran out. `count` <= 2^32 - 1. */
bool gk_encode_alp(gk_type type, const void *values, uint64_t count, gk_alp_column *out_column);
void gk_encode_alp_free(gk_alp_column *column);

#ifdef __cplusplus
}
#endif

#endif
