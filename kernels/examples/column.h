/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Column files: one column of numbers, encoded, with checksums (docs/kernels.md has the format byte by byte).
 * Reading checks everything that decoding relies on, so that a damaged file ends in a message and not in a
 * launch.
 */
#ifndef GUARDKERNELS_EXAMPLES_COLUMN_H
#define GUARDKERNELS_EXAMPLES_COLUMN_H

#include "encode.h"

typedef enum column_encoding {
#define GK_ENCODING(name, value, text, sections) COLUMN_##name = value,
#include "encodings.def"
#undef GK_ENCODING
    COLUMN_ENCODINGS
} column_encoding;

enum { COLUMN_SECTIONS = 4, COLUMN_HEADER_BYTES = 128, COLUMN_ALIGNMENT = 64 };

typedef struct column_section {
    void *data; /* at a multiple of COLUMN_ALIGNMENT in the file */
    size_t size;
} column_section;

typedef struct column {
    gk_type type;
    column_encoding encoding;
    unsigned width; /* bits a packed value; of run ends: 32 or 64 */
    uint64_t count;
    uint64_t reference; /* added to packed values */
    unsigned exponent;  /* of ALP */
    unsigned factor;
    column_section sections[COLUMN_SECTIONS];
    uint64_t checksum; /* of the decoded values */
} column;

/* What went wrong, in one line for the user. */
typedef struct column_error {
    char text[200];
} column_error;

/* The checksum of the format. Starts with column_checksum_start; `size` is a multiple of 8 but in the last
 * part. */
enum { COLUMN_CHECKSUM_WORD = 8 };
extern const uint64_t column_checksum_start;
uint64_t column_checksum(uint64_t checksum, const void *bytes, size_t size);

/* The name of an encoding, as in the programs' options; NULL for none. */
const char *column_encoding_name(column_encoding encoding);
/* The type in which packed values of a column are decoded: the codes' type for a dictionary. */
gk_type column_packed_type(const column *c);

/* Checks `size` bytes of a file and finds the sections in them: they point into `bytes`. */
bool column_parse(void *bytes, size_t size, column *out_column, column_error *error);
/* The bytes of a file; malloc'd, NULL when memory ran out. */
void *column_serialize(const column *c, size_t *out_size);

/* Encodes `count` values. Its sections are malloc'd: column_free. Signed and float types count as their bits
 * but for ALP, which wants GK_F32 or GK_F64, and zigzag, which takes the values as signed. */
bool column_encode(gk_type type, column_encoding encoding, const void *values, uint64_t count,
                   column *out_column, column_error *error);
void column_free(column *c);

#endif
