// SPDX-License-Identifier: Apache-2.0
// ALP encoder: decimal floating point numbers to integers, exponent and factor chosen on a sample.
#include "encode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 256 };

// 10^exponent, rounded once to the type the decoder multiplies in.
static double power_of_ten(gk_type type, int exponent)
{
    double power = gk_alp_power(exponent);
    return type == GK_F32 ? (double)(float)power : power;
}

static double real_at(gk_type type, const void *values, uint64_t i)
{
    if (type == GK_F32)
        return ((const float *)values)[i];
    return ((const double *)values)[i];
}

// What the kernels compute, with their roundings.
static double decode(gk_type type, int64_t integer, unsigned exponent, unsigned factor)
{
    double up = power_of_ten(type, (int)factor);
    double down = power_of_ten(type, -(int)exponent);
    if (type == GK_F32)
        return (float)((float)((float)integer * (float)up) * (float)down);
    return (double)integer * up * down;
}

// Whether `value` survives encoding bit by bit; -0.0 and NaN do not.
static bool encode_one(gk_type type, double value, unsigned exponent, unsigned factor, int64_t *out_integer)
{
    double scaled = value * power_of_ten(type, (int)exponent) * power_of_ten(type, -(int)factor);
    double limit = type == GK_F32 ? 2147483520.0 : 9223372036854774784.0;
    if (!(fabs(scaled) <= limit))
        return false;
    int64_t integer = llrint(scaled);
    double decoded = decode(type, integer, exponent, factor);
    if (memcmp(&decoded, &value, sizeof(value)) != 0)
        return false;
    *out_integer = integer;
    return true;
}

// How many of some values spread over the column survive.
static unsigned sample_survivors(gk_type type, const void *values, uint64_t count, unsigned exponent,
                                 unsigned factor)
{
    unsigned survivors = 0;
    uint64_t samples = count < SAMPLES ? count : SAMPLES;
    int64_t integer;
    for (uint64_t i = 0; i < samples; i++)
        survivors += encode_one(type, real_at(type, values, i * count / samples), exponent, factor, &integer);
    return survivors;
}

// The pair that most of the sample survives; among equals the one with the smallest integers.
static void choose(gk_type type, const void *values, uint64_t count, gk_alp_column *column)
{
    unsigned best = 0;
    column->exponent = column->factor = 0;
    for (unsigned exponent = 0; exponent <= gk_alp_digits(type); exponent++) {
        for (unsigned factor = 0; factor <= exponent; factor++) {
            unsigned survivors = sample_survivors(type, values, count, exponent, factor);
            bool smaller = exponent - factor < column->exponent - column->factor;
            if (survivors < best || (survivors == best && !smaller))
                continue;
            best = survivors;
            column->exponent = exponent;
            column->factor = factor;
        }
    }
}

static bool column_allocate(gk_type type, uint64_t count, gk_alp_column *column)
{
    size_t size = gk_type_size(type);
    column->integers = malloc(count * size + 1);
    column->starts = malloc((GK_BLOCKS(count) + 1) * sizeof(*column->starts));
    column->positions = malloc(count * sizeof(*column->positions) + 1);
    column->exceptions = malloc(count * size + 1);
    return column->integers && column->starts && column->positions && column->exceptions;
}

// An exception's integer is free to choose: one of the block's own keeps the block's range, so its width,
// small.
static void block_encode(gk_type type, const void *values, uint64_t begin, uint64_t end,
                         gk_alp_column *column)
{
    int64_t filler = 0;
    for (uint64_t i = begin; i < end; i++)
        if (encode_one(type, real_at(type, values, i), column->exponent, column->factor, &filler))
            break;
    for (uint64_t i = begin; i < end; i++) {
        int64_t integer = filler;
        if (!encode_one(type, real_at(type, values, i), column->exponent, column->factor, &integer)) {
            uint32_t at = column->exception_count++;
            column->positions[at] = (uint16_t)(i - begin);
            gk_encode_set(type, column->exceptions, at, gk_encode_get(type, values, i));
        }
        gk_encode_set(type, column->integers, i, (uint64_t)integer);
    }
}

bool gk_encode_alp(gk_type type, const void *values, uint64_t count, gk_alp_column *out_column)
{
    *out_column = (gk_alp_column){.exponent = 0};
    if (!column_allocate(type, count, out_column)) {
        gk_encode_alp_free(out_column);
        return false;
    }
    choose(type, values, count, out_column);
    for (uint64_t block = 0; block < GK_BLOCKS(count); block++) {
        uint64_t end = (block + 1) * GK_BLOCK;
        out_column->starts[block] = out_column->exception_count;
        block_encode(type, values, block * GK_BLOCK, end < count ? end : count, out_column);
    }
    out_column->starts[GK_BLOCKS(count)] = out_column->exception_count;
    return true;
}

void gk_encode_alp_free(gk_alp_column *column)
{
    free(column->integers);
    free(column->starts);
    free(column->positions);
    free(column->exceptions);
    *column = (gk_alp_column){.exponent = 0};
}
