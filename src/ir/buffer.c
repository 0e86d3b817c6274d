// SPDX-License-Identifier: Apache-2.0
// Writes numbers, words and quoted strings of the text form into a growing text.
#include "ir/buffer.h"

#include <string.h>

void gl_buffer_add(struct gl_buffer *buffer, const char *text, size_t length)
{
    if (!length)
        return;
    GL_VEC_RESERVE(buffer, buffer->count + length);
    memcpy(buffer->items + buffer->count, text, length);
    buffer->count += length;
}

void gl_buffer_text(struct gl_buffer *buffer, const char *text)
{
    gl_buffer_add(buffer, text, strlen(text));
}

void gl_buffer_uint(struct gl_buffer *buffer, uint64_t value)
{
    char digits[20];
    size_t start = sizeof digits;
    do {
        digits[--start] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    gl_buffer_add(buffer, digits + start, sizeof digits - start);
}

void gl_buffer_int(struct gl_buffer *buffer, int64_t value)
{
    if (value < 0)
        gl_buffer_text(buffer, "-");
    gl_buffer_uint(buffer, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

// Length of the well-formed UTF-8 sequence at `text`, or 0. The text is NUL-terminated, and a NUL never
// continues a sequence, so looking ahead is safe.
static size_t utf8_length(const unsigned char *text)
{
    unsigned char lead = text[0];
    size_t length = lead < 0x80 ? 1 : lead >= 0xc2 && lead < 0xe0 ? 2 : (lead & 0xf0) == 0xe0 ? 3 : 0;
    if (lead >= 0xf0 && lead < 0xf5)
        length = 4;
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    }
    bool is_overlong = (lead == 0xe0 && text[1] < 0xa0) || (lead == 0xf0 && text[1] < 0x90);
    bool is_surrogate = lead == 0xed && text[1] > 0x9f;
    bool is_too_large = lead == 0xf4 && text[1] > 0x8f;
    return is_overlong || is_surrogate || is_too_large ? 0 : length;
}

static void escape_byte(struct gl_buffer *buffer, unsigned char byte)
{
    static const char hex[] = "0123456789abcdef";
    char escape[4] = {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
    switch (byte) {
    case '"':
    case '\\':
        escape[1] = (char)byte;
        break;
    case '\n':
        escape[1] = 'n';
        break;
    case '\t':
        escape[1] = 't';
        break;
    case '\r':
        escape[1] = 'r';
        break;
    default:
        gl_buffer_add(buffer, escape, 4);
        return;
    }
    gl_buffer_add(buffer, escape, 2);
}

void gl_buffer_quoted(struct gl_buffer *buffer, const char *text)
{
    gl_buffer_text(buffer, "\"");
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        const unsigned char *plain = at;
        size_t length;
        while (*at >= 0x20 && *at != '"' && *at != '\\' && *at != 0x7f && (length = utf8_length(at)))
            at += length;
        gl_buffer_add(buffer, (const char *)plain, (size_t)(at - plain));
        if (*at)
            escape_byte(buffer, *at++);
    }
    gl_buffer_text(buffer, "\"");
}

bool gl_ir_is_identifier(const char *text)
{
    for (size_t i = 0; text[i]; i++) {
        char c = text[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
        if (!is_letter && (i == 0 || c < '0' || c > '9'))
            return false;
    }
    return text[0] != '\0';
}

void gl_buffer_word(struct gl_buffer *buffer, const char *text)
{
    if (gl_ir_is_identifier(text))
        gl_buffer_text(buffer, text);
    else
        gl_buffer_quoted(buffer, text);
}
