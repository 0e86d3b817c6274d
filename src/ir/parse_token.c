// SPDX-License-Identifier: Apache-2.0
// The parser's small parts: tokens, words, flags, positions, and the messages about them.
#include "ir/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void gl_parse_advance(struct gl_parser *parser)
{
    gl_lexer_next(&parser->lexer, &parser->token);
}

bool gl_parse_fail(struct gl_parser *parser, const char *hint, const char *format, ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    gl_diag_add(parser->diags, GL_ERROR, parser->name, parser->token.line, parser->token.column, hint, "%s",
                message);
    parser->error_count++;
    return false;
}

bool gl_parse_expected(struct gl_parser *parser, const char *what)
{
    enum { SHOWN = 40 };
    const struct gl_token *token = &parser->token;
    int length = token->length < SHOWN ? (int)token->length : SHOWN;
    switch (token->kind) {
    case GL_TOKEN_BAD:
        return gl_parse_fail(parser, NULL, "%s", token->error);
    case GL_TOKEN_EOF:
        return gl_parse_fail(parser, NULL, "expected %s, found the end of the text", what);
    case GL_TOKEN_NEWLINE:
        return gl_parse_fail(parser, NULL, "expected %s, found the end of the line", what);
    case GL_TOKEN_STRING:
        return gl_parse_fail(parser, NULL, "expected %s, found \"%.*s\"", what, length, token->text);
    default:
        return gl_parse_fail(parser, NULL, "expected %s, found '%s%.*s'", what,
                             token->kind == GL_TOKEN_LABEL ? "%" : "", length, token->text);
    }
}

bool gl_parse_unknown_word(struct gl_parser *parser, const char *what, const char *const *known, size_t count)
{
    char word[64], hint[128];
    size_t length = parser->token.length < sizeof word ? parser->token.length : sizeof word - 1;
    memcpy(word, parser->token.text, length);
    word[length] = '\0';
    const char *nearest = gl_nearest_word(word, known, count);
    if (nearest)
        snprintf(hint, sizeof hint, "did you mean '%s'?", nearest);
    return gl_parse_fail(parser, nearest ? hint : NULL, "unknown %s '%s'", what, word);
}

bool gl_parse_at_punct(const struct gl_parser *parser, char punct)
{
    return parser->token.kind == GL_TOKEN_PUNCT && parser->token.punct == punct;
}

bool gl_parse_take_punct(struct gl_parser *parser, char punct)
{
    if (!gl_parse_at_punct(parser, punct))
        return false;
    gl_parse_advance(parser);
    return true;
}

bool gl_parse_take_word(struct gl_parser *parser, const char *word)
{
    if (!gl_token_is(&parser->token, word))
        return false;
    gl_parse_advance(parser);
    return true;
}

bool gl_parse_punct(struct gl_parser *parser, char punct)
{
    const char what[] = {'\'', punct, '\'', '\0'};
    return gl_parse_take_punct(parser, punct) || gl_parse_expected(parser, what);
}

bool gl_parse_string(struct gl_parser *parser, const char *what, const char **out_text)
{
    if (parser->token.kind != GL_TOKEN_STRING)
        return gl_parse_expected(parser, what);
    *out_text = gl_intern_n(parser->program->strings, parser->token.text, parser->token.length);
    gl_parse_advance(parser);
    return true;
}

bool gl_parse_word_or_string(struct gl_parser *parser, const char *what, const char **out_text)
{
    if (parser->token.kind != GL_TOKEN_WORD)
        return gl_parse_string(parser, what, out_text);
    *out_text = gl_intern_n(parser->program->strings, parser->token.text, parser->token.length);
    gl_parse_advance(parser);
    return true;
}

bool gl_parse_unsigned(struct gl_parser *parser, const char *what, uint64_t max, uint64_t *out_value)
{
    if (parser->token.kind != GL_TOKEN_NUMBER)
        return gl_parse_expected(parser, what);
    if (!gl_token_unsigned(&parser->token, max, out_value))
        return gl_parse_fail(parser, NULL, "%s must be between 0 and %llu", what, (unsigned long long)max);
    gl_parse_advance(parser);
    return true;
}

bool gl_parse_signed(struct gl_parser *parser, int64_t *out_value)
{
    if (parser->token.kind != GL_TOKEN_NUMBER)
        return gl_parse_expected(parser, "a number");
    if (!gl_token_signed(&parser->token, out_value))
        return gl_parse_fail(parser, NULL, "the number does not fit into 64 bits");
    gl_parse_advance(parser);
    return true;
}

static bool parse_flag(struct gl_parser *parser, const struct gl_flag_words *words, unsigned *bits)
{
    const char *known[32];
    for (size_t i = 0; i < words->count; i++) {
        if (gl_parse_take_word(parser, words->items[i].word)) {
            *bits |= words->items[i].bit;
            return true;
        }
        known[i] = words->items[i].word;
    }
    if (parser->token.kind != GL_TOKEN_WORD)
        return gl_parse_expected(parser, "a word or ']'");
    return gl_parse_unknown_word(parser, "property", known, words->count);
}

bool gl_parse_flags(struct gl_parser *parser, const struct gl_flag_words *words, unsigned *out_bits)
{
    *out_bits = 0;
    if (!gl_parse_take_punct(parser, '['))
        return true;
    while (!gl_parse_take_punct(parser, ']')) {
        if (!parse_flag(parser, words, out_bits))
            return false;
    }
    return true;
}

// ---- positions -------------------------------------------------------------------------------------------

struct gl_ir_loc gl_parse_here(const struct gl_parser *parser)
{
    return (struct gl_ir_loc){parser->name, parser->line, parser->column, NULL};
}

bool gl_parse_at_loc(const struct gl_parser *parser)
{
    return parser->token.kind == GL_TOKEN_LOC;
}

// Fills in the position from the current token.
static bool loc_resolve(struct gl_parser *parser, struct gl_ir_loc *loc)
{
    const struct gl_token *token = &parser->token;
    const unsigned *numbers = token->numbers;
    if (!token->number_count)
        return true;
    if (token->number_count == 3 && numbers[0] >= parser->files.count)
        return gl_parse_fail(parser, "name it with a line: file NUMBER \"PATH\"", "no file has the number %u",
                             numbers[0]);
    const char *short_file = parser->body.short_file ? parser->body.short_file : parser->files.items[0];
    loc->file = token->number_count == 3 ? parser->files.items[numbers[0]] : short_file;
    loc->line = numbers[token->number_count - 2];
    loc->column = numbers[token->number_count - 1];
    return true;
}

bool gl_parse_loc(struct gl_parser *parser, struct gl_ir_loc *out_loc)
{
    if (!gl_parse_at_loc(parser)) {
        *out_loc = gl_parse_here(parser);
        return true;
    }
    *out_loc = (struct gl_ir_loc){0};
    if (!loc_resolve(parser, out_loc))
        return false;
    gl_parse_advance(parser);
    return !gl_parse_take_word(parser, "from") ||
           gl_parse_word_or_string(parser, "a macro's name", &out_loc->macro);
}
