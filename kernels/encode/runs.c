// SPDX-License-Identifier: Apache-2.0
// Encoders that replace values by references to fewer values: dictionary and runs.
#include "encode.h"

#include <stdlib.h>
#include <string.h>

static int compare_bits(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

// Sorts and drops repetitions; returns what is left.
static uint64_t distinct(uint64_t *bits, uint64_t count)
{
    uint64_t kept = 0;
    qsort(bits, count, sizeof(*bits), compare_bits);
    for (uint64_t i = 0; i < count; i++)
        if (kept == 0 || bits[i] != bits[kept - 1])
            bits[kept++] = bits[i];
    return kept;
}

uint64_t gk_encode_dictionary(gk_type type, const void *values, uint64_t count, void *dictionary,
                              uint32_t *codes)
{
    uint64_t *bits = malloc((count ? count : 1) * sizeof(*bits));
    if (!bits)
        return 0;
    for (uint64_t i = 0; i < count; i++)
        bits[i] = gk_encode_get(type, values, i);
    uint64_t size = distinct(bits, count);
    for (uint64_t i = 0; i < size; i++)
        gk_encode_set(type, dictionary, i, bits[i]);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t value = gk_encode_get(type, values, i);
        const uint64_t *found = bsearch(&value, bits, size, sizeof(*bits), compare_bits);
        codes[i] = (uint32_t)(found - bits);
    }
    free(bits);
    return size;
}

uint64_t gk_encode_runs(gk_type type, const void *values, uint64_t count, uint64_t *ends, void *run_values)
{
    uint64_t runs = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t value = gk_encode_get(type, values, i);
        if (runs == 0 || value != gk_encode_get(type, run_values, runs - 1))
            gk_encode_set(type, run_values, runs++, value);
        ends[runs - 1] = i + 1;
    }
    return runs;
}
