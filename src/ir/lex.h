// SPDX-License-Identifier: Apache-2.0
// Cuts IR text into tokens.
#ifndef GL_IR_LEX_H
#define GL_IR_LEX_H

#include "ir/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum gl_token_kind {
    GL_TOKEN_EOF,
    GL_TOKEN_NEWLINE,
    GL_TOKEN_WORD,   // kernel, static-method, bb0
    GL_TOKEN_LABEL,  // %x, %x~2, %7: the text is without the '%'
    GL_TOKEN_NUMBER, // digits, perhaps after a '-'
    GL_TOKEN_STRING, // the text is decoded
    GL_TOKEN_ARROW,  // ->
    GL_TOKEN_DOTS,   // .. or ...: tell by length
    GL_TOKEN_LOC,    // @12:5, @1:12:5 or @-: the numbers are in `numbers`
    GL_TOKEN_PUNCT,  // any other single character
    GL_TOKEN_BAD,    // cannot be read; `error` says why
};

struct gl_token {
    enum gl_token_kind kind;
    char punct;       // GL_TOKEN_PUNCT
    const char *text; // not NUL-terminated; of a string with escapes: valid until the next token
    size_t length;
    unsigned line, column;
    unsigned numbers[3], number_count; // GL_TOKEN_LOC; none for @-
    const char *error;
};

struct gl_lexer {
    const char *at, *end, *line_start;
    unsigned line;
    struct gl_buffer decoded;
};

void gl_lexer_init(struct gl_lexer *lexer, const char *text, size_t size);
void gl_lexer_free(struct gl_lexer *lexer);
void gl_lexer_next(struct gl_lexer *lexer, struct gl_token *token);
// The first character of the token to come, '\n' before the end of the line; reads nothing.
char gl_lexer_peek(const struct gl_lexer *lexer);

// Inline, because each line is compared with many words and most differ in their first letter.
static inline bool gl_token_is(const struct gl_token *token, const char *word)
{
    return token->kind == GL_TOKEN_WORD && token->text[0] == word[0] &&
           strncmp(token->text, word, token->length) == 0 && word[token->length] == '\0';
}

// False if the number does not fit.
bool gl_token_unsigned(const struct gl_token *token, uint64_t max, uint64_t *out_value);
bool gl_token_signed(const struct gl_token *token, int64_t *out_value);

#endif
