// SPDX-License-Identifier: Apache-2.0
// Values to a column: chooses widths and references, and fills the sections.
#include "column.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail(column_error *error, const char *text)
{
    snprintf(error->text, sizeof(error->text), "%s", text);
    return false;
}

// Memory for section `i`; its size is exact, so that reading past it shows.
static bool section_allocate(column *c, unsigned i, size_t size, column_error *error)
{
    c->sections[i] = (column_section){malloc(size ? size : 1), size};
    return c->sections[i].data || fail(error, "out of memory");
}

static bool section_copy(column *c, unsigned i, const void *data, size_t size, column_error *error)
{
    if (!section_allocate(c, i, size, error))
        return false;
    if (size != 0)
        memcpy(c->sections[i].data, data, size);
    return true;
}

// Packs values of the column's packed type, relative to their minimum when `relative`.
static bool encode_packed(column *c, gk_type type, const void *values, bool relative, column_error *error)
{
    c->reference = relative ? gk_encode_minimum(type, values, c->count) : 0;
    c->width = gk_encode_width(type, values, c->count, c->reference);
    if (!section_allocate(c, 0, gk_packed_bytes(c->count, c->width), error))
        return false;
    gk_encode_pack(type, c->width, c->reference, values, c->count, c->sections[0].data);
    return true;
}

static bool encode_zigzag(column *c, const void *values, column_error *error)
{
    size_t size = c->count * gk_type_size(c->type);
    void *codes = malloc(size ? size : 1);
    if (!codes)
        return fail(error, "out of memory");
    memcpy(codes, values, size);
    gk_encode_zigzag(c->type, codes, c->count);
    bool done = encode_packed(c, column_packed_type(c), codes, false, error);
    free(codes);
    return done;
}

static bool encode_dictionary(column *c, const void *values, column_error *error)
{
    size_t size = gk_type_size(c->type);
    uint32_t *codes = malloc(c->count * sizeof(*codes) + 1);
    void *dictionary = malloc(c->count * size + 1);
    void *narrow = malloc(c->count * sizeof(*codes) + 1);
    uint64_t distinct = 0;
    bool done = codes && dictionary && narrow;
    if (done)
        distinct = gk_encode_dictionary(c->type, values, c->count, dictionary, codes);
    done = done && (distinct != 0 || c->count == 0);
    if (done) {
        c->width = gk_encode_width(GK_U32, codes, c->count, 0);
        gk_type code_type = column_packed_type(c);
        for (uint64_t i = 0; i < c->count; i++)
            gk_encode_set(code_type, narrow, i, codes[i]);
        done = encode_packed(c, code_type, narrow, false, error) &&
               section_copy(c, 1, dictionary, (size_t)distinct * size, error);
    } else {
        fail(error, "out of memory");
    }
    free(codes);
    free(dictionary);
    free(narrow);
    return done;
}

static bool encode_runs(column *c, const void *values, column_error *error)
{
    size_t size = gk_type_size(c->type);
    uint64_t *ends = malloc(c->count * sizeof(*ends) + 1);
    void *run_values = malloc(c->count * size + 1);
    bool done = ends && run_values;
    if (done) {
        uint64_t runs = gk_encode_runs(c->type, values, c->count, ends, run_values);
        c->width = c->count <= UINT32_MAX ? 32 : 64;
        gk_type end_type = c->width == 32 ? GK_U32 : GK_U64;
        // In place: an end of 4 bytes never lies after the one of 8 that it is made from.
        for (uint64_t i = 0; i < runs; i++)
            gk_encode_set(end_type, ends, i, ends[i]);
        done = section_copy(c, 0, ends, (size_t)runs * (c->width / 8), error) &&
               section_copy(c, 1, run_values, (size_t)runs * size, error);
    } else {
        fail(error, "out of memory");
    }
    free(ends);
    free(run_values);
    return done;
}

static bool encode_alp(column *c, const void *values, column_error *error)
{
    gk_alp_column alp;
    size_t size = gk_type_size(c->type);
    if (!gk_encode_alp(c->type, values, c->count, &alp))
        return fail(error, "out of memory");
    // As unsigned numbers from the smallest signed one on, integers of both signs stay close together.
    gk_type type = column_packed_type(c);
    uint64_t half = UINT64_C(1) << (size * 8 - 1);
    for (uint64_t i = 0; i < c->count; i++)
        gk_encode_set(type, alp.integers, i, gk_encode_get(type, alp.integers, i) + half);
    bool done = encode_packed(c, type, alp.integers, true, error) &&
                section_copy(c, 1, alp.starts, (GK_BLOCKS(c->count) + 1) * sizeof(*alp.starts), error) &&
                section_copy(c, 2, alp.positions, alp.exception_count * sizeof(*alp.positions), error) &&
                section_copy(c, 3, alp.exceptions, alp.exception_count * size, error);
    c->reference -= half;
    c->exponent = alp.exponent;
    c->factor = alp.factor;
    gk_encode_alp_free(&alp);
    return done;
}

static bool encode(column *c, const void *values, column_error *error)
{
    bool is_real = c->type == GK_F32 || c->type == GK_F64;
    switch (c->encoding) {
    case COLUMN_PACKED:
        return encode_packed(c, column_packed_type(c), values, true, error);
    case COLUMN_ZIGZAG:
        return encode_zigzag(c, values, error);
    case COLUMN_DICTIONARY:
        return gk_type_size(c->type) >= 4 ? encode_dictionary(c, values, error)
                                          : fail(error, "a dictionary wants values of 4 or 8 bytes");
    case COLUMN_RUNEND:
        return gk_type_size(c->type) >= 4 ? encode_runs(c, values, error)
                                          : fail(error, "runs want values of 4 or 8 bytes");
    case COLUMN_ALP:
        return is_real ? encode_alp(c, values, error) : fail(error, "ALP encodes floating point only");
    default:
        return fail(error, "unknown encoding");
    }
}

bool column_encode(gk_type type, column_encoding encoding, const void *values, uint64_t count,
                   column *out_column, column_error *error)
{
    column c = {.type = type, .encoding = encoding, .count = count};
    c.checksum = column_checksum(column_checksum_start, values, count * gk_type_size(type));
    if (!encode(&c, values, error)) {
        column_free(&c);
        return false;
    }
    *out_column = c;
    return true;
}

void column_free(column *c)
{
    for (unsigned i = 0; i < COLUMN_SECTIONS; i++)
        free(c->sections[i].data);
    *c = (column){.count = 0};
}
