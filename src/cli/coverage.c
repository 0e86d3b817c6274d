// SPDX-License-Identifier: Apache-2.0
// A C header and the rules → how many of the functions it declares a rule, or the list of irrelevant ones,
// covers. Headers of C libraries declare functions plainly enough to be read token by token; C++ headers are
// not.
#include "base/file.h"
#include "base/strings.h"
#include "base/vec.h"
#include "cli/commands.h"
#include "rules/rules.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

struct token {
    const char *text;
    size_t length;
};

struct reader {
    const char *at, *end;
    bool is_line_start;
};

static void skip_line(struct reader *reader)
{
    while (reader->at < reader->end && *reader->at != '\n') {
        bool is_continued = *reader->at == '\\' && reader->at + 1 < reader->end;
        reader->at += is_continued ? 2 : 1;
    }
}

static void skip_comment(struct reader *reader)
{
    const char *close = NULL;
    for (const char *p = reader->at + 2; p + 1 < reader->end && !close; p++)
        if (p[0] == '*' && p[1] == '/')
            close = p + 2;
    reader->at = close ? close : reader->end;
}

// The next token outside comments, directives and literals: a word, or one character. False at the end.
static bool next_token(struct reader *reader, struct token *out_token)
{
    while (reader->at < reader->end) {
        char c = *reader->at;
        bool has_next = reader->at + 1 < reader->end;
        if (c == '\n' || isspace((unsigned char)c)) {
            reader->is_line_start |= c == '\n';
            reader->at++;
        } else if (c == '#' && reader->is_line_start) {
            skip_line(reader);
        } else if (c == '/' && has_next && reader->at[1] == '/') {
            skip_line(reader);
        } else if (c == '/' && has_next && reader->at[1] == '*') {
            skip_comment(reader);
        } else {
            break;
        }
    }
    if (reader->at >= reader->end)
        return false;
    reader->is_line_start = false;
    const char *start = reader->at;
    while (reader->at < reader->end && (isalnum((unsigned char)*reader->at) || *reader->at == '_'))
        reader->at++;
    if (reader->at == start)
        reader->at++;
    *out_token = (struct token){start, (size_t)(reader->at - start)};
    return true;
}

static bool is_char(const struct token *token, char c)
{
    return token->length == 1 && *token->text == c;
}

static bool is_word(const struct token *token)
{
    return token->length && (isalpha((unsigned char)*token->text) || *token->text == '_');
}

// Reads on to the parenthesis that closes the one just read; returns how many parameters stand between.
static size_t read_params(struct reader *reader)
{
    struct token token;
    size_t commas = 0, words = 0;
    bool is_void = false;
    for (int depth = 1; depth > 0 && next_token(reader, &token);) {
        depth += is_char(&token, '(') - is_char(&token, ')');
        commas += depth == 1 && is_char(&token, ',');
        words += depth > 0;
        is_void = words == 1 && token.length == 4 && memcmp(token.text, "void", 4) == 0;
    }
    return words == 0 || (is_void && words == 1) ? 0 : commas + 1;
}

struct coverage {
    const struct gl_rules *rules;
    struct gl_strings *names;
    GL_VEC(const char *) seen;
    size_t ruled, irrelevant, missing;
};

static void count_function(struct coverage *coverage, const struct token *name, size_t params)
{
    const char *text = gl_intern_n(coverage->names, name->text, name->length);
    for (size_t i = 0; i < coverage->seen.count; i++)
        if (coverage->seen.items[i] == text)
            return;
    GL_VEC_PUSH(&coverage->seen, text);
    if (gl_rules_find_call(coverage->rules, text, params)) {
        coverage->ruled++;
    } else if (gl_rules_is_irrelevant(coverage->rules, text)) {
        coverage->irrelevant++;
    } else {
        coverage->missing++;
        printf("no rule: %s\n", text);
    }
}

// TYPE NAME ( … ) ;   outside braces other than those of extern "C".
static void read_header(struct coverage *coverage, struct reader *reader)
{
    struct token token, before = {0}, before_that = {0};
    int body_depth = 0; // braces of structs, enums and inline bodies
    bool is_typedef = false, is_linkage = false;
    while (next_token(reader, &token)) {
        if (is_char(&token, '{')) {
            body_depth += !is_linkage || body_depth;
            is_linkage = false;
        } else if (is_char(&token, '}')) {
            body_depth -= body_depth > 0;
        } else if (is_char(&token, '"')) {
            is_linkage = true; // extern "C"
        } else if (is_char(&token, ';')) {
            is_typedef = is_linkage = false;
        } else if (is_word(&token) && token.length == 7 && memcmp(token.text, "typedef", 7) == 0) {
            is_typedef = true;
        } else if (is_char(&token, '(') && !body_depth && is_word(&before)) {
            bool is_function =
                !is_typedef && before.text[0] != '_' && (is_word(&before_that) || is_char(&before_that, '*'));
            size_t params = read_params(reader);
            if (is_function)
                count_function(coverage, &before, params);
        }
        before_that = before;
        before = token;
    }
}

int gl_rules_coverage(const struct gl_rules *rules, const char *header)
{
    size_t size;
    char *text = gl_file_read(header, &size);
    if (!text) {
        fprintf(stderr, "%s: error: cannot be read: %s\n", header, strerror(errno));
        return GL_EXIT_USAGE;
    }
    struct coverage coverage = {.rules = rules, .names = gl_strings_create()};
    struct reader reader = {text, text + size, true};
    read_header(&coverage, &reader);
    size_t total = coverage.ruled + coverage.irrelevant + coverage.missing;
    printf("%s: %zu functions declared: %zu with a rule, %zu irrelevant, %zu without\n", header, total,
           coverage.ruled, coverage.irrelevant, coverage.missing);
    GL_VEC_FREE(&coverage.seen);
    gl_strings_destroy(coverage.names);
    free(text);
    return coverage.missing ? GL_EXIT_FINDINGS : GL_EXIT_CLEAN;
}
