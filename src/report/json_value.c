// SPDX-License-Identifier: Apache-2.0
// Text of any bytes → valid JSON strings.
#include "report/json_value.h"

#include "base/vec.h"

#include <string.h>

// Length of the UTF-8 sequence that starts here, as its first byte says it; 0 for a byte that starts none.
static size_t sequence_length(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first < 0xe0)
        return 2;
    if (first >= 0xe0 && first < 0xf0)
        return 3;
    return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

// Adds one character, or the replacement character for one bad byte; returns how many bytes were used.
static size_t character_add(const char *text, size_t rest, char **out)
{
    size_t length = sequence_length((unsigned char)*text);
    json_t *character = length && length <= rest ? json_stringn(text, length) : NULL;
    if (character) {
        memcpy(*out, text, length);
        *out += length;
        json_decref(character);
        return length;
    }
    memcpy(*out, "\xef\xbf\xbd", 3);
    *out += 3;
    return 1;
}

json_t *gl_json_text(const char *text)
{
    if (!text)
        return json_null();
    json_t *value = json_string(text); // NULL if it is no valid UTF-8
    if (value)
        return value;
    size_t length = strlen(text);
    char *mended = gl_xmalloc(length * 3 + 1), *end = mended;
    for (size_t i = 0; i < length;)
        i += character_add(text + i, length - i, &end);
    value = json_stringn(mended, (size_t)(end - mended));
    free(mended);
    return value;
}

void gl_json_write(json_t *value, FILE *stream)
{
    json_dumpf(value, stream, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    fputc('\n', stream);
    json_decref(value);
}
