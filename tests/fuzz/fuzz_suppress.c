// SPDX-License-Identifier: Apache-2.0
// Any text as a suppression comment: it is understood in full or called malformed, and never crashes the
// parser.
#include "report/suppress.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gl_arena arena = {0};
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    struct gl_allow allow = gl_allow_parse(&arena, text);
    bool is_complete = allow.names.count > 0 && allow.reason && *allow.reason;
    if (!allow.command || (allow.status == GL_ALLOW_OK) != is_complete)
        abort();
    for (size_t i = 0; i < allow.names.count; i++) {
        if (!*allow.names.items[i])
            abort();
    }
    GL_VEC_FREE(&allow.names);
    gl_arena_free(&arena);
    free(text);
    return 0;
}
