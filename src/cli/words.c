// SPDX-License-Identifier: Apache-2.0
// Splitting of command strings.
#include "cli/words.h"

#include <ctype.h>
#include <string.h>

// Copies one quoted stretch, `text` standing after the opening quote; returns what follows the closing one,
// or the end of the text.
static const char *quoted_copy(const char *text, char quote, char **out)
{
    for (; *text && *text != quote; text++) {
        if (quote == '"' && *text == '\\' && text[1] && strchr("\"\\$`", text[1]))
            text++;
        *(*out)++ = *text;
    }
    return text;
}

// Copies one word; sets *out_is_open if a quote in it is not closed.
static const char *word_copy(const char *text, char **out, bool *out_is_open)
{
    while (*text && !isspace((unsigned char)*text)) {
        if (*text == '\'' || *text == '"') {
            char quote = *text;
            text = quoted_copy(text + 1, quote, out);
            if (!*text) {
                *out_is_open = true;
                break;
            }
            text++;
            continue;
        }
        if (*text == '\\' && text[1]) {
            text++;
            if (*text == '\n') { // a continued line is no character at all
                text++;
                continue;
            }
        }
        *(*out)++ = *text++;
    }
    return text;
}

// A backslash before a line end continues the line.
static const char *blanks_skip(const char *text)
{
    while (isspace((unsigned char)*text) || (*text == '\\' && text[1] == '\n'))
        text++;
    return text;
}

bool gl_words_split(struct gl_arena *arena, const char *text, struct gl_words *out_words)
{
    bool is_open = false;
    char *out = gl_arena_alloc(arena, strlen(text) + 1); // a word is never longer than what it is written as
    while (*text) {
        text = blanks_skip(text);
        if (!*text)
            break;
        const char *word = out;
        text = word_copy(text, &out, &is_open);
        *out++ = '\0';
        GL_VEC_PUSH(&out_words->list, word);
    }
    return !is_open;
}
