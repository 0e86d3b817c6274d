// SPDX-License-Identifier: Apache-2.0
// The lexer of the text form: one pass over the characters, no allocation but for strings with escapes.
#include "ir/lex.h"

#include <string.h>

enum { CLASS_SPACE = 1, CLASS_WORD_START = 2, CLASS_DIGIT = 4, CLASS_WORD = CLASS_WORD_START | CLASS_DIGIT };

static unsigned char_class(char c)
{
    enum { S = CLASS_SPACE, W = CLASS_WORD_START, D = CLASS_DIGIT };
    static const unsigned char classes[128] = {
        ['\t'] = S, ['\r'] = S, [' '] = S, ['$'] = W, ['_'] = W, ['0'] = D, ['1'] = D, ['2'] = D, ['3'] = D,
        ['4'] = D,  ['5'] = D,  ['6'] = D, ['7'] = D, ['8'] = D, ['9'] = D, ['A'] = W, ['B'] = W, ['C'] = W,
        ['D'] = W,  ['E'] = W,  ['F'] = W, ['G'] = W, ['H'] = W, ['I'] = W, ['J'] = W, ['K'] = W, ['L'] = W,
        ['M'] = W,  ['N'] = W,  ['O'] = W, ['P'] = W, ['Q'] = W, ['R'] = W, ['S'] = W, ['T'] = W, ['U'] = W,
        ['V'] = W,  ['W'] = W,  ['X'] = W, ['Y'] = W, ['Z'] = W, ['a'] = W, ['b'] = W, ['c'] = W, ['d'] = W,
        ['e'] = W,  ['f'] = W,  ['g'] = W, ['h'] = W, ['i'] = W, ['j'] = W, ['k'] = W, ['l'] = W, ['m'] = W,
        ['n'] = W,  ['o'] = W,  ['p'] = W, ['q'] = W, ['r'] = W, ['s'] = W, ['t'] = W, ['u'] = W, ['v'] = W,
        ['w'] = W,  ['x'] = W,  ['y'] = W, ['z'] = W};
    return (unsigned char)c < 128 ? classes[(unsigned char)c] : 0;
}

void gl_lexer_init(struct gl_lexer *lexer, const char *text, size_t size)
{
    *lexer = (struct gl_lexer){.at = text, .end = text + size, .line_start = text, .line = 1};
}

void gl_lexer_free(struct gl_lexer *lexer)
{
    GL_VEC_FREE(&lexer->decoded);
}

static const char *skip_blank(const struct gl_lexer *lexer)
{
    const char *at = lexer->at;
    while (at < lexer->end && char_class(*at) == CLASS_SPACE)
        at++;
    if (lexer->end - at >= 2 && at[0] == '/' && at[1] == '/') {
        const char *newline = memchr(at, '\n', (size_t)(lexer->end - at));
        at = newline ? newline : lexer->end;
    }
    return at;
}

char gl_lexer_peek(const struct gl_lexer *lexer)
{
    const char *at = skip_blank(lexer);
    return at < lexer->end ? *at : '\n';
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Decodes the escape after a backslash at lexer->at; returns what is wrong with it, or NULL.
static const char *escape_decode(struct gl_lexer *lexer)
{
    static const char names[] = "\"\\ntr", values[] = "\"\\\n\t\r";
    char c = *lexer->at++;
    const char *name = c ? strchr(names, c) : NULL;
    if (name) {
        gl_buffer_add(&lexer->decoded, &values[name - names], 1);
        return NULL;
    }
    if (c != 'x' || lexer->end - lexer->at < 2)
        return "unknown escape in a string; known are \\\" \\\\ \\n \\t \\r \\xHH";
    int high = hex_value(lexer->at[0]), low = hex_value(lexer->at[1]);
    if (high < 0 || low < 0)
        return "\\x needs two hexadecimal digits";
    if (high == 0 && low == 0)
        return "a string cannot hold a zero byte";
    lexer->at += 2;
    gl_buffer_add(&lexer->decoded, &(char){(char)(high * 16 + low)}, 1);
    return NULL;
}

static void bad_token(struct gl_token *token, const char *error)
{
    token->kind = GL_TOKEN_BAD;
    token->error = error;
}

// The rest of a string that has escapes; what came before the first is decoded already.
static void lex_escaped(struct gl_lexer *lexer, struct gl_token *token)
{
    while (lexer->at < lexer->end && *lexer->at != '"' && *lexer->at != '\n' && *lexer->at != '\0') {
        char c = *lexer->at++;
        if (c != '\\') {
            gl_buffer_add(&lexer->decoded, &c, 1);
            continue;
        }
        const char *error = lexer->at < lexer->end ? escape_decode(lexer) : "string without end";
        if (error) {
            bad_token(token, error);
            return;
        }
    }
    token->text = lexer->decoded.items;
    token->length = lexer->decoded.count;
}

static void lex_string(struct gl_lexer *lexer, struct gl_token *token)
{
    const char *start = ++lexer->at;
    while (lexer->at < lexer->end && *lexer->at != '"' && *lexer->at != '\\' && *lexer->at != '\n' &&
           *lexer->at)
        lexer->at++;
    token->kind = GL_TOKEN_STRING;
    token->text = start;
    token->length = (size_t)(lexer->at - start);
    if (lexer->at < lexer->end && *lexer->at == '\\') {
        lexer->decoded.count = 0;
        gl_buffer_add(&lexer->decoded, start, token->length);
        lex_escaped(lexer, token);
    }
    if (token->kind == GL_TOKEN_BAD)
        return;
    if (lexer->at < lexer->end && *lexer->at == '"')
        lexer->at++;
    else
        bad_token(token, "string without end");
}

static void lex_word(struct gl_lexer *lexer, struct gl_token *token)
{
    const char *at = lexer->at + 1;
    while (at < lexer->end) {
        bool is_hyphen = *at == '-' && lexer->end - at >= 2 && char_class(at[1]) == CLASS_WORD_START;
        if (!(char_class(*at) & CLASS_WORD) && !is_hyphen)
            break;
        at++;
    }
    token->kind = GL_TOKEN_WORD;
    token->length = (size_t)(at - lexer->at);
    lexer->at = at;
}

static void lex_label(struct gl_lexer *lexer, struct gl_token *token)
{
    const char *at = lexer->at + 1;
    while (at < lexer->end && ((char_class(*at) & CLASS_WORD) || *at == '~'))
        at++;
    token->kind = GL_TOKEN_LABEL;
    token->text = lexer->at + 1;
    token->length = (size_t)(at - token->text);
    lexer->at = at;
    if (!token->length)
        bad_token(token, "'%' needs a name or a number");
}

static void lex_number(struct gl_lexer *lexer, struct gl_token *token)
{
    const char *at = lexer->at + 1;
    while (at < lexer->end && char_class(*at) == CLASS_DIGIT)
        at++;
    token->kind = GL_TOKEN_NUMBER;
    token->length = (size_t)(at - lexer->at);
    lexer->at = at;
}

// After an '@' that a digit follows: up to three numbers with colons between them.
static void lex_loc(struct gl_lexer *lexer, struct gl_token *token)
{
    const char *at = lexer->at;
    bool is_too_large = false;
    token->kind = GL_TOKEN_LOC;
    do {
        uint64_t value = 0;
        for (at++; at < lexer->end && char_class(*at) == CLASS_DIGIT; at++) {
            value = value * 10 + (uint64_t)(*at - '0');
            is_too_large = is_too_large || value > UINT32_MAX;
        }
        token->numbers[token->number_count++] = (unsigned)value;
    } while (token->number_count < 3 && lexer->end - at >= 2 && *at == ':' &&
             char_class(at[1]) == CLASS_DIGIT);
    token->length = (size_t)(at - lexer->at);
    lexer->at = at;
    if (is_too_large)
        bad_token(token, "a line, column or file number is too large");
    else if (token->number_count == 1)
        bad_token(token, "a position is @line:column, @file:line:column or @-");
}

static void lex_punct(struct gl_lexer *lexer, struct gl_token *token)
{
    const char *at = lexer->at;
    size_t left = (size_t)(lexer->end - at);
    token->kind = GL_TOKEN_PUNCT;
    token->punct = *at;
    token->length = 1;
    if (left >= 2 && at[0] == '-' && at[1] == '>') {
        token->kind = GL_TOKEN_ARROW;
        token->length = 2;
    } else if (left >= 2 && at[0] == '@' && at[1] == '-') {
        token->kind = GL_TOKEN_LOC;
        token->length = 2;
    } else if (left >= 2 && at[0] == '.' && at[1] == '.') {
        token->kind = GL_TOKEN_DOTS;
        token->length = left >= 3 && at[2] == '.' ? 3 : 2;
    } else if ((unsigned char)*at < 0x20 || (unsigned char)*at >= 0x7f) {
        bad_token(token, "unexpected byte");
    }
    lexer->at += token->length;
}

void gl_lexer_next(struct gl_lexer *lexer, struct gl_token *token)
{
    lexer->at = skip_blank(lexer);
    *token = (struct gl_token){
        .text = lexer->at, .line = lexer->line, .column = (unsigned)(lexer->at - lexer->line_start) + 1};
    if (lexer->at == lexer->end)
        return;
    char c = *lexer->at;
    if (c == '\n') {
        token->kind = GL_TOKEN_NEWLINE;
        lexer->line_start = ++lexer->at;
        lexer->line++;
    } else if (char_class(c) == CLASS_WORD_START) {
        lex_word(lexer, token);
    } else if (c == '%') {
        lex_label(lexer, token);
    } else if (char_class(c) == CLASS_DIGIT ||
               (c == '-' && lexer->end - lexer->at >= 2 && char_class(lexer->at[1]) == CLASS_DIGIT)) {
        lex_number(lexer, token);
    } else if (c == '@' && lexer->end - lexer->at >= 2 && char_class(lexer->at[1]) == CLASS_DIGIT) {
        lex_loc(lexer, token);
    } else if (c == '"') {
        lex_string(lexer, token);
    } else {
        lex_punct(lexer, token);
    }
}

static bool digits_value(const char *digits, size_t length, uint64_t max, uint64_t *out_value)
{
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        uint64_t digit = (uint64_t)(digits[i] - '0');
        if (value > (max - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out_value = value;
    return true;
}

bool gl_token_unsigned(const struct gl_token *token, uint64_t max, uint64_t *out_value)
{
    return token->text[0] != '-' && digits_value(token->text, token->length, max, out_value);
}

bool gl_token_signed(const struct gl_token *token, int64_t *out_value)
{
    uint64_t size;
    bool is_negative = token->text[0] == '-';
    uint64_t max = (uint64_t)INT64_MAX + (is_negative ? 1 : 0);
    if (!digits_value(token->text + is_negative, token->length - is_negative, max, &size))
        return false;
    *out_value = is_negative ? (int64_t)(0 - size) : (int64_t)size;
    return true;
}
