// SPDX-License-Identifier: Apache-2.0
// Column files: every encoding and type there and back over streams and splits, and damage of every kind.
#include "decode.h"
#include "rig.h"

#include <stdlib.h>
#include <string.h>

// Values that suit the encoding: few different ones in short runs, signed, or decimals with some odd ones.
static void make_values(gk_type type, column_encoding encoding, void *values, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t number = i / 5 * 37 % 211;
        if (encoding == COLUMN_ZIGZAG)
            number = i % 2 ? number : ~number;
        if (type == GK_F64)
            ((double *)values)[i] = i % 700 == 3 ? 1.0 / 3 : (double)number / 100;
        else if (type == GK_F32)
            ((float *)values)[i] = i % 700 == 3 ? 1e30f : (float)number / 4;
        else
            gk_encode_set(type, values, i, number);
    }
}

static bool fits(gk_type type, column_encoding encoding)
{
    bool is_real = type == GK_F32 || type == GK_F64;
    if (encoding == COLUMN_ALP)
        return is_real;
    return encoding == COLUMN_PACKED || encoding == COLUMN_ZIGZAG || gk_type_size(type) >= 4;
}

// Decodes the bytes of a column file and compares with `values`.
static void decode(rig *on, void *bytes, size_t size, const void *values, unsigned streams, unsigned splits)
{
    column c;
    column_error error;
    grt_buffer *file, *result;
    grt_guard *guard;
    ok(grt_buffer_create_host(on->device, size, &file));
    ok(grt_acquire_host_write(grt_buffer_view(file), &guard));
    memcpy(grt_guard_pointer(guard), bytes, size);
    ck_assert_msg(column_parse(grt_guard_pointer(guard), size, &c, &error), "%s", error.text);
    ok(grt_release(guard));
    size_t result_size = c.count * gk_type_size(c.type);
    ok(grt_buffer_create_host(on->device, result_size + 1, &result));
    decode_options options = {.streams = streams, .splits = splits};
    uint64_t checksum;
    ok(column_decode(on->device, on->library, &c, file, &options, result, &checksum));
    ok(grt_acquire_host_read(grt_buffer_view(result), &guard));
    rig_compare(c.type, grt_guard_pointer(guard), values, c.count, column_encoding_name(c.encoding));
    ok(grt_release(guard));
    ck_assert_uint_eq(checksum, c.checksum);
    ok(grt_buffer_destroy(file));
    ok(grt_buffer_destroy(result));
}

static void there_and_back(rig *on, gk_type type, column_encoding encoding, uint64_t count)
{
    column c;
    column_error error;
    size_t size;
    void *values = rig_memory(count * gk_type_size(type));
    make_values(type, encoding, values, count);
    ck_assert_msg(column_encode(type, encoding, values, count, &c, &error), "%s", error.text);
    void *bytes = column_serialize(&c, &size);
    ck_assert_ptr_nonnull(bytes);
    column_free(&c);
    decode(on, bytes, size, values, 1, 1);
    decode(on, bytes, size, values, 3, 7);
    decode(on, bytes, size, values, 4, 1000);
    free(bytes);
}

START_TEST(decodes_what_was_encoded)
{
    const uint64_t counts[] = {0, 1, 1024, 30001};
    for (gk_type type = GK_U8; type <= GK_F64; type++)
        for (column_encoding encoding = 0; encoding < COLUMN_ENCODINGS; encoding++)
            for (size_t c = 0; c < 4 && fits(type, encoding); c++)
                there_and_back(&rigs[_i], type, encoding, counts[c]);
}
END_TEST

START_TEST(refuses_to_encode_nonsense)
{
    column c;
    column_error error;
    const uint32_t value = 1;
    ck_assert(!column_encode(GK_U32, COLUMN_ALP, &value, 1, &c, &error));
    ck_assert(!column_encode(GK_U8, COLUMN_DICTIONARY, &value, 1, &c, &error));
    ck_assert(!column_encode(GK_U16, COLUMN_RUNEND, &value, 1, &c, &error));
    ck_assert(!column_encode(GK_U32, COLUMN_ENCODINGS, &value, 1, &c, &error));
}
END_TEST

/* ---- Damage ---- */

// A file in memory of exactly its size, so that a read past its end shows.
typedef struct file {
    unsigned char *bytes;
    size_t size;
} file;

static file file_make(column_encoding encoding)
{
    enum { COUNT = 3000 };
    column c;
    column_error error;
    file made;
    double *values = rig_memory(COUNT * sizeof(*values));
    make_values(GK_F64, encoding, values, COUNT);
    ck_assert(column_encode(GK_F64, encoding, values, COUNT, &c, &error));
    made.bytes = column_serialize(&c, &made.size);
    ck_assert_ptr_nonnull(made.bytes);
    column_free(&c);
    return made;
}

// Changes a field of the header and makes the header's checksum right again: what a careless writer would do.
static void field_set(file *of, size_t at, size_t size, uint64_t value)
{
    for (size_t i = 0; i < size; i++)
        of->bytes[at + i] = (unsigned char)(value >> 8 * i);
    uint64_t checksum = column_checksum(column_checksum_start, of->bytes, 96);
    memcpy(of->bytes + 96, &checksum, sizeof(checksum));
}

static void expect_error(file of, const char *words)
{
    column c;
    column_error error = {""};
    ck_assert_msg(!column_parse(of.bytes, of.size, &c, &error), "accepted, though it should say: %s", words);
    ck_assert_msg(strstr(error.text, words), "says '%s', not '%s'", error.text, words);
}

// One changed field of an otherwise right file.
static void expect_field_error(column_encoding encoding, size_t at, size_t size, uint64_t value,
                               const char *words)
{
    file of = file_make(encoding);
    field_set(&of, at, size, value);
    expect_error(of, words);
    free(of.bytes);
}

START_TEST(names_impossible_fields)
{
    expect_field_error(COLUMN_PACKED, 8, 4, 2, "version 2");
    expect_field_error(COLUMN_PACKED, 12, 4, 6, "unknown type 6");
    expect_field_error(COLUMN_PACKED, 16, 4, 5, "unknown encoding 5");
    expect_field_error(COLUMN_PACKED, 20, 4, 65, "impossible width 65");
    expect_field_error(COLUMN_PACKED, 20, 4, UINT32_MAX, "impossible width");
    expect_field_error(COLUMN_DICTIONARY, 20, 4, 33, "impossible width 33");
    expect_field_error(COLUMN_RUNEND, 20, 4, 31, "impossible width 31");
    expect_field_error(COLUMN_RUNEND, 12, 4, GK_U8, "4 or 8 bytes");
    expect_field_error(COLUMN_ALP, 12, 4, GK_U64, "floating point");
    expect_field_error(COLUMN_ALP, 40, 4, 19, "impossible exponent 19");
    expect_field_error(COLUMN_ALP, 44, 4, 18, "impossible exponent");
}
END_TEST

START_TEST(names_counts_and_sizes_that_do_not_fit)
{
    expect_field_error(COLUMN_PACKED, 24, 8, UINT64_MAX, "more than a column may hold");
    expect_field_error(COLUMN_PACKED, 24, 8, UINT64_C(1) << 40, "do not fit");
    expect_field_error(COLUMN_PACKED, 24, 8, 3073, "do not fit");
    expect_field_error(COLUMN_ALP, 24, 8, 1024, "do not fit");
    expect_field_error(COLUMN_PACKED, 48, 8, UINT64_MAX, "truncated: section 0");
    expect_field_error(COLUMN_PACKED, 48, 8, UINT64_MAX - 63, "truncated: section 0");
    expect_field_error(COLUMN_RUNEND, 56, 8, 8, "after the last section");
    expect_field_error(COLUMN_RUNEND, 56, 8, 0, "after the last section");
}
END_TEST

START_TEST(names_broken_bytes)
{
    file of = file_make(COLUMN_DICTIONARY);
    of.bytes[of.size - 1] ^= 1;
    expect_error(of, "wrong checksum of the data");
    of.bytes[of.size - 1] ^= 1;
    of.bytes[24] ^= 1;
    expect_error(of, "wrong checksum of the header");
    of.bytes[0] = 'X';
    expect_error(of, "not a column file");
    free(of.bytes);
}
END_TEST

// Every length but the right one; each in memory of exactly that size.
START_TEST(refuses_every_truncation)
{
    file of = file_make(COLUMN_ALP);
    for (size_t size = 0; size < of.size; size += size < 200 ? 1 : 37) {
        file cut = {malloc(size ? size : 1), size};
        ck_assert_ptr_nonnull(cut.bytes);
        memcpy(cut.bytes, of.bytes, size);
        expect_error(cut, "truncated");
        free(cut.bytes);
    }
    free(of.bytes);
}
END_TEST

// Any byte of the header, any value: refused, or a column whose decoding stays inside (and mostly is wrong).
START_TEST(survives_any_header)
{
    grt_device *device = rigs[0].device;
    for (unsigned round = 0; round < 3000; round++) {
        column c;
        column_error error;
        file of = file_make((column_encoding)(rig_random() % COLUMN_ENCODINGS));
        size_t at = 8 + rig_random() % 88;
        field_set(&of, at, 1, rig_random());
        if (column_parse(of.bytes, of.size, &c, &error) && round % 16 == 0) {
            grt_buffer *bytes, *result;
            uint64_t checksum;
            decode_options options = {.streams = 2, .splits = 3};
            ok(grt_buffer_wrap(device, of.bytes, of.size, NULL, NULL, &bytes));
            ok(grt_buffer_create_host(device, c.count * gk_type_size(c.type) + 1, &result));
            ok(column_decode(device, rigs[0].library, &c, bytes, &options, result, &checksum));
            ok(grt_buffer_destroy(result));
            ok(grt_buffer_destroy(bytes));
        }
        free(of.bytes);
    }
}
END_TEST

void tests_add(TCase *tests)
{
    rig_add(tests, decodes_what_was_encoded);
    tcase_add_test(tests, refuses_to_encode_nonsense);
    tcase_add_test(tests, names_impossible_fields);
    tcase_add_test(tests, names_counts_and_sizes_that_do_not_fit);
    tcase_add_test(tests, names_broken_bytes);
    tcase_add_test(tests, refuses_every_truncation);
    tcase_add_test(tests, survives_any_header);
}
