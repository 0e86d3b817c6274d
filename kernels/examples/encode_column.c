// SPDX-License-Identifier: Apache-2.0
// encode_column FILE: writes a column file, of values from a file or of made-up ones, for decode_column.
#include "column.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *path;
    const char *input;
    gk_type type;
    column_encoding encoding;
    uint64_t count;
} settings;

static const char *const types[] = {[GK_U8] = "u8",   [GK_U16] = "u16", [GK_U32] = "u32",
                                    [GK_U64] = "u64", [GK_F32] = "f32", [GK_F64] = "f64"};

static int usage(void)
{
    fprintf(stderr,
            "usage: encode_column FILE [--type u8|u16|u32|u64|f32|f64]\n"
            "       [--encoding packed|zigzag|dictionary|runend|alp] [--count N] [--values FILE]\n"
            "Writes a column file; --values takes numbers as they lie in memory, else they are made up.\n");
    return 2;
}

static bool option_read(settings *s, const char *name, const char *value)
{
    if (strcmp(name, "--values") == 0) {
        s->input = value;
        return true;
    }
    if (strcmp(name, "--count") == 0) {
        s->count = strtoull(value, NULL, 10);
        return true;
    }
    for (unsigned i = 0; i < 6 && strcmp(name, "--type") == 0; i++) {
        if (strcmp(value, types[i]) != 0)
            continue;
        s->type = (gk_type)i;
        return true;
    }
    for (unsigned i = 0; i < COLUMN_ENCODINGS && strcmp(name, "--encoding") == 0; i++) {
        if (strcmp(value, column_encoding_name((column_encoding)i)) != 0)
            continue;
        s->encoding = (column_encoding)i;
        return true;
    }
    return false;
}

// Numbers that every encoding has something to do with: few different ones, in runs, decimals where they are
// real.
static void make_up(gk_type type, void *values, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t number = 1000 + i / 20 % 90 * 7;
        if (type == GK_F32)
            ((float *)values)[i] = (float)number / 4;
        else if (type == GK_F64)
            ((double *)values)[i] = (double)number / 100;
        else
            gk_encode_set(type, values, i, number);
    }
}

// Values from the input file, whose size gives the count; or made up.
static void *values_get(settings *s)
{
    size_t size = gk_type_size(s->type);
    FILE *file = s->input ? fopen(s->input, "rb") : NULL;
    if (s->input && (!file || fseek(file, 0, SEEK_END) != 0)) {
        perror(s->input);
        return NULL;
    }
    if (file) {
        s->count = (uint64_t)ftell(file) / size;
        rewind(file);
    }
    void *values = malloc(s->count * size + 1);
    if (values && !file)
        make_up(s->type, values, s->count);
    if (values && file && fread(values, size, s->count, file) != s->count) {
        perror(s->input);
        free(values);
        values = NULL;
    }
    if (file)
        fclose(file);
    return values;
}

static bool column_save(const char *path, const column *c)
{
    size_t size;
    void *bytes = column_serialize(c, &size);
    FILE *file = bytes ? fopen(path, "wb") : NULL;
    bool saved = file && fwrite(bytes, 1, size, file) == size;
    saved = (!file || fclose(file) == 0) && saved;
    if (!saved)
        fprintf(stderr, "encode_column: %s: %s\n", path, strerror(errno));
    free(bytes);
    return saved;
}

int main(int argc, char **argv)
{
    settings s = {.type = GK_U32, .encoding = COLUMN_PACKED, .count = 1000000};
    column c;
    column_error error;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-' && !s.path)
            s.path = argv[i];
        else if (i + 1 >= argc || !option_read(&s, argv[i], argv[i + 1]))
            return usage();
        else
            i++;
    }
    if (!s.path)
        return usage();
    void *values = values_get(&s);
    if (!values)
        return 1;
    bool done = column_encode(s.type, s.encoding, values, s.count, &c, &error);
    free(values);
    if (!done) {
        fprintf(stderr, "encode_column: %s\n", error.text);
        return 1;
    }
    done = column_save(s.path, &c);
    column_free(&c);
    return done ? 0 : 1;
}
