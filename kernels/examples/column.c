// SPDX-License-Identifier: Apache-2.0
// Column files: bytes to a column and back, with every check that decoding relies on.
#include "column.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The header, little-endian; what follows up to COLUMN_HEADER_BYTES is zero.
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,
    AT_TYPE = 12,
    AT_ENCODING = 16,
    AT_WIDTH = 20,
    AT_COUNT = 24,
    AT_REFERENCE = 32,
    AT_EXPONENT = 40,
    AT_FACTOR = 44,
    AT_SIZES = 48,
    AT_PAYLOAD_CHECKSUM = 80,
    AT_VALUES_CHECKSUM = 88,
    AT_HEADER_CHECKSUM = 96,
    HEADER_CHECKED = 96
};
static const char magic[8] = {'G', 'K', 'C', 'O', 'L', 'U', 'M', 'N'};
enum { VERSION = 1 };
// Far beyond memory, and far from where sizes in bytes overflow.
#define COUNT_LIMIT (UINT64_C(1) << 40)

const uint64_t column_checksum_start = UINT64_C(0xcbf29ce484222325);

// FNV-1a's step (Fowler, Noll, Vo) over words instead of bytes, and a shift that brings high bits down.
uint64_t column_checksum(uint64_t checksum, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    while (size != 0) {
        uint64_t word = 0;
        size_t taken = size < sizeof(word) ? size : sizeof(word);
        memcpy(&word, at, taken);
        checksum = (checksum ^ word) * UINT64_C(0x100000001b3);
        checksum ^= checksum >> 32;
        at += taken;
        size -= taken;
    }
    return checksum;
}

static const struct {
    const char *name;
    unsigned sections;
} encodings[COLUMN_ENCODINGS] = {
#define GK_ENCODING(name, value, text, sections) [COLUMN_##name] = {text, sections},
#include "encodings.def"
#undef GK_ENCODING
};

const char *column_encoding_name(column_encoding encoding)
{
    return encoding < COLUMN_ENCODINGS ? encodings[encoding].name : NULL;
}

gk_type column_packed_type(const column *c)
{
    if (c->encoding == COLUMN_DICTIONARY)
        return c->width <= 8 ? GK_U8 : c->width <= 16 ? GK_U16 : GK_U32;
    static const gk_type by_log[] = {GK_U8, GK_U16, GK_U32, GK_U64};
    size_t size = gk_type_size(c->type);
    return by_log[(size > 1) + (size > 2) + (size > 4)];
}

static bool fail(column_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(column_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof(error->text), format, arguments);
    va_end(arguments);
    return false;
}

static uint64_t read_number(const unsigned char *bytes, size_t at, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)bytes[at + i] << 8 * i;
    return value;
}

static void write_number(unsigned char *bytes, size_t at, size_t size, uint64_t value)
{
    for (size_t i = 0; i < size; i++)
        bytes[at + i] = (unsigned char)(value >> 8 * i);
}

static size_t aligned(size_t size)
{
    return (size + COLUMN_ALIGNMENT - 1) / COLUMN_ALIGNMENT * COLUMN_ALIGNMENT;
}

// The fields that need no other to be judged.
static bool parse_fields(const unsigned char *bytes, column *c, column_error *error)
{
    uint64_t type = read_number(bytes, AT_TYPE, 4);
    uint64_t encoding = read_number(bytes, AT_ENCODING, 4);
    if (type > GK_F64)
        return fail(error, "unknown type %llu", (unsigned long long)type);
    if (encoding >= COLUMN_ENCODINGS)
        return fail(error, "unknown encoding %llu", (unsigned long long)encoding);
    c->type = (gk_type)type;
    c->encoding = (column_encoding)encoding;
    c->width = (unsigned)read_number(bytes, AT_WIDTH, 4);
    c->count = read_number(bytes, AT_COUNT, 8);
    c->reference = read_number(bytes, AT_REFERENCE, 8);
    c->exponent = (unsigned)read_number(bytes, AT_EXPONENT, 4);
    c->factor = (unsigned)read_number(bytes, AT_FACTOR, 4);
    c->checksum = read_number(bytes, AT_VALUES_CHECKSUM, 8);
    if (c->count > COUNT_LIMIT)
        return fail(error, "count %llu is more than a column may hold", (unsigned long long)c->count);
    return true;
}

// Whether type, encoding and width go together.
static bool check_kind(const column *c, column_error *error)
{
    bool is_real = c->type == GK_F32 || c->type == GK_F64;
    size_t size = gk_type_size(c->type);
    if (c->encoding == COLUMN_ALP && !is_real)
        return fail(error, "ALP encodes floating point only");
    if (c->encoding == COLUMN_ALP && (c->exponent > gk_alp_digits(c->type) || c->factor > c->exponent))
        return fail(error, "impossible exponent %u and factor %u", c->exponent, c->factor);
    if ((c->encoding == COLUMN_DICTIONARY || c->encoding == COLUMN_RUNEND) && size < 4)
        return fail(error, "%s wants values of 4 or 8 bytes", column_encoding_name(c->encoding));
    if (c->encoding == COLUMN_RUNEND && c->width != 32 && c->width != 64)
        return fail(error, "impossible width %u of run ends: 32 or 64", c->width);
    unsigned most = c->encoding == COLUMN_DICTIONARY ? 32
                    : c->encoding == COLUMN_RUNEND   ? 64
                                                     : (unsigned)size * 8;
    if (c->width > most)
        return fail(error, "impossible width %u: at most %u", c->width, most);
    return true;
}

// Whether the sections have the sizes that count and width ask for.
static bool check_sizes(const column *c, column_error *error)
{
    size_t size = gk_type_size(c->type);
    size_t packed = gk_packed_bytes(c->count, c->width);
    const column_section *s = c->sections;
    bool right = true;
    for (unsigned i = encodings[c->encoding].sections; i < COLUMN_SECTIONS; i++)
        right &= s[i].size == 0;
    if (c->encoding != COLUMN_RUNEND)
        right &= s[0].size == packed;
    if (c->encoding == COLUMN_DICTIONARY)
        right &= s[1].size % size == 0 && (c->count == 0 || s[1].size != 0) && s[1].size / size <= UINT32_MAX;
    if (c->encoding == COLUMN_RUNEND)
        right &= s[0].size % (c->width / 8) == 0 && s[1].size % size == 0 &&
                 s[0].size / (c->width / 8) == s[1].size / size && (c->count == 0 || s[1].size != 0);
    if (c->encoding == COLUMN_ALP)
        right &= s[1].size == (GK_BLOCKS(c->count) + 1) * sizeof(uint32_t) &&
                 s[2].size % sizeof(uint16_t) == 0 && s[3].size % size == 0 &&
                 s[2].size / sizeof(uint16_t) == s[3].size / size && s[3].size / size <= UINT32_MAX;
    return right || fail(error, "section sizes do not fit %llu values of width %u",
                         (unsigned long long)c->count, c->width);
}

// Finds the sections in a file of `size` bytes; their sizes may be anything.
static bool parse_sections(unsigned char *bytes, size_t size, column *c, column_error *error)
{
    size_t at = COLUMN_HEADER_BYTES;
    for (unsigned i = 0; i < COLUMN_SECTIONS; i++) {
        uint64_t section = read_number(bytes, AT_SIZES + 8 * i, 8);
        if (section > size - at || aligned((size_t)section) > size - at)
            return fail(error, "truncated: section %u of %llu bytes at %zu, in a file of %zu", i,
                        (unsigned long long)section, at, size);
        c->sections[i] = (column_section){bytes + at, (size_t)section};
        at += aligned((size_t)section);
    }
    return at == size || fail(error, "%zu bytes after the last section", size - at);
}

bool column_parse(void *file, size_t size, column *out_column, column_error *error)
{
    unsigned char *bytes = file;
    column c = {.count = 0};
    if (size < COLUMN_HEADER_BYTES)
        return fail(error, "truncated: %zu bytes, the header has %d", size, COLUMN_HEADER_BYTES);
    if (memcmp(bytes + AT_MAGIC, magic, sizeof(magic)) != 0)
        return fail(error, "not a column file");
    if (read_number(bytes, AT_VERSION, 4) != VERSION)
        return fail(error, "version %llu is not known",
                    (unsigned long long)read_number(bytes, AT_VERSION, 4));
    if (read_number(bytes, AT_HEADER_CHECKSUM, 8) !=
        column_checksum(column_checksum_start, bytes, HEADER_CHECKED))
        return fail(error, "wrong checksum of the header");
    if (!parse_fields(bytes, &c, error) || !check_kind(&c, error) ||
        !parse_sections(bytes, size, &c, error) || !check_sizes(&c, error))
        return false;
    uint64_t payload =
        column_checksum(column_checksum_start, bytes + COLUMN_HEADER_BYTES, size - COLUMN_HEADER_BYTES);
    if (payload != read_number(bytes, AT_PAYLOAD_CHECKSUM, 8))
        return fail(error, "wrong checksum of the data");
    *out_column = c;
    return true;
}

void *column_serialize(const column *c, size_t *out_size)
{
    size_t size = COLUMN_HEADER_BYTES;
    for (unsigned i = 0; i < COLUMN_SECTIONS; i++)
        size += aligned(c->sections[i].size);
    unsigned char *bytes = calloc(1, size);
    if (!bytes)
        return NULL;
    memcpy(bytes + AT_MAGIC, magic, sizeof(magic));
    write_number(bytes, AT_VERSION, 4, VERSION);
    write_number(bytes, AT_TYPE, 4, c->type);
    write_number(bytes, AT_ENCODING, 4, c->encoding);
    write_number(bytes, AT_WIDTH, 4, c->width);
    write_number(bytes, AT_COUNT, 8, c->count);
    write_number(bytes, AT_REFERENCE, 8, c->reference);
    write_number(bytes, AT_EXPONENT, 4, c->exponent);
    write_number(bytes, AT_FACTOR, 4, c->factor);
    for (size_t i = 0, at = COLUMN_HEADER_BYTES; i < COLUMN_SECTIONS; i++) {
        write_number(bytes, AT_SIZES + 8 * i, 8, c->sections[i].size);
        if (c->sections[i].size != 0)
            memcpy(bytes + at, c->sections[i].data, c->sections[i].size);
        at += aligned(c->sections[i].size);
    }
    write_number(
        bytes, AT_PAYLOAD_CHECKSUM, 8,
        column_checksum(column_checksum_start, bytes + COLUMN_HEADER_BYTES, size - COLUMN_HEADER_BYTES));
    write_number(bytes, AT_VALUES_CHECKSUM, 8, c->checksum);
    write_number(bytes, AT_HEADER_CHECKSUM, 8, column_checksum(column_checksum_start, bytes, HEADER_CHECKED));
    *out_size = size;
    return bytes;
}
