// SPDX-License-Identifier: Apache-2.0
// Fuzz target for IR text: whatever parses must survive the checker, print, parse again without a complaint,
// and print the same.
#include "ir/check.h"
#include "ir/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// All units of a program as text, to be freed; NULL if the text does not parse.
static char *reprint(const char *text, size_t size, size_t *out_size, bool *out_is_sound)
{
    struct gl_strings *strings = gl_strings_create();
    struct gl_ir_program *program = gl_ir_program_create(strings);
    struct gl_diags diags = {0};
    char *printed = NULL;
    if (gl_ir_parse(program, "fuzz.gir", text, size, &diags)) {
        FILE *stream = open_memstream(&printed, out_size);
        *out_is_sound = true;
        for (size_t i = 0; i < gl_ir_unit_count(program); i++) {
            const struct gl_ir_unit *unit = gl_ir_unit_at(program, i);
            *out_is_sound = gl_ir_check_unit(unit, &diags) && *out_is_sound;
            if (!gl_ir_print_unit(program, unit, stream))
                abort();
        }
        fputs("gir 1\n", stream); // a text without a unit is a text still
        fclose(stream);
    } else if (!diags.errors) {
        abort(); // a failure must say why
    }
    gl_diags_free(&diags);
    gl_ir_program_destroy(program);
    gl_strings_destroy(strings);
    return printed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    size_t first_size, second_size;
    bool is_sound, is_sound_again;
    char *first = reprint(text, size, &first_size, &is_sound);
    if (first) {
        char *second = reprint(first, first_size, &second_size, &is_sound_again);
        if (!second || first_size != second_size || memcmp(first, second, first_size) != 0 ||
            is_sound != is_sound_again)
            abort();
        free(second);
    }
    free(first);
    free(text);
    return 0;
}
