// SPDX-License-Identifier: Apache-2.0
// Parses the text of one suppression comment.
#include "report/suppress.h"

#include <ctype.h>
#include <string.h>

static const char *blanks_skip(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

// Length of the text without the blanks at its end.
static size_t length_trimmed(const char *text, size_t length)
{
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    return length;
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '-' || text[length] == '_')
        length++;
    return length;
}

// Reads "name, name)"; returns what follows the bracket, or NULL if this is no such list.
static const char *names_parse(struct gl_arena *arena, struct gl_allow *allow, const char *text)
{
    for (;;) {
        text = blanks_skip(text);
        size_t length = word_length(text);
        if (!length)
            return NULL;
        GL_VEC_PUSH(&allow->names, gl_arena_strndup(arena, text, length));
        text = blanks_skip(text + length);
        if (*text == ')')
            return text + 1;
        if (*text++ != ',')
            return NULL;
    }
}

// The rest of the line or block comment; a dash or colon before it is decoration.
static const char *reason_parse(struct gl_arena *arena, const char *text)
{
    while (isspace((unsigned char)*text) || *text == '-' || *text == ':')
        text++;
    size_t length = length_trimmed(text, strlen(text));
    return length ? gl_arena_strndup(arena, text, length) : NULL;
}

struct gl_allow gl_allow_parse(struct gl_arena *arena, const char *text)
{
    static const char prefix[] = "guardlint:";
    struct gl_allow allow = {.status = GL_ALLOW_NO_COMMAND, .command = ""};
    text = blanks_skip(text);
    if (strncmp(text, prefix, sizeof prefix - 1) != 0)
        return allow;
    text = blanks_skip(text + sizeof prefix - 1);
    size_t length = word_length(text);
    allow.command = gl_arena_strndup(arena, text, length);
    if (strcmp(allow.command, "allow") != 0)
        return allow;
    allow.status = GL_ALLOW_NO_LIST;
    text = blanks_skip(text + length);
    text = *text == '(' ? names_parse(arena, &allow, text + 1) : NULL;
    if (!text)
        return allow;
    allow.reason = reason_parse(arena, text);
    allow.status = allow.reason ? GL_ALLOW_OK : GL_ALLOW_NO_REASON;
    return allow;
}
