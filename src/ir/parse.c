// SPDX-License-Identifier: Apache-2.0
// Reads IR text into a program, line by line: the lines of a unit's head here, the others through a table.
#include "ir/parse.h"

#include <string.h>

static void unit_start(struct gl_parser *parser, const char *path)
{
    parser->unit = gl_ir_unit_add(parser->program, path);
    parser->files.count = 0;
    GL_VEC_PUSH(&parser->files, parser->unit->path);
}

// gir VERSION
static bool parse_version(struct gl_parser *parser)
{
    uint64_t version = GL_IR_FORMAT_VERSION;
    if (parser->token.kind == GL_TOKEN_NUMBER && gl_token_unsigned(&parser->token, UINT32_MAX, &version) &&
        version != GL_IR_FORMAT_VERSION)
        return gl_parse_fail(parser, "lower the source again with this version of guardlint",
                             "the text has format %llu, this program reads format %d",
                             (unsigned long long)version, GL_IR_FORMAT_VERSION);
    return gl_parse_unsigned(parser, "the format's version", UINT32_MAX, &version);
}

// unit "path" [language]
static bool parse_unit(struct gl_parser *parser)
{
    const char *path;
    if (!gl_parse_string(parser, "the unit's path", &path))
        return false;
    unit_start(parser, path);
    return parser->token.kind == GL_TOKEN_NEWLINE || parser->token.kind == GL_TOKEN_EOF ||
           gl_parse_word_or_string(parser, "a language", &parser->unit->language);
}

// file NUMBER "path"
static bool parse_file(struct gl_parser *parser)
{
    uint64_t number;
    const char *path;
    if (parser->token.kind == GL_TOKEN_NUMBER &&
        (!gl_token_unsigned(&parser->token, UINT32_MAX, &number) || number != parser->files.count))
        return gl_parse_fail(parser, NULL, "files are numbered in order, from 1; the next is %zu",
                             parser->files.count);
    if (!gl_parse_unsigned(parser, "the file's number", UINT32_MAX, &number) ||
        !gl_parse_string(parser, "the file's path", &path))
        return false;
    GL_VEC_PUSH(&parser->files, path);
    return true;
}

static bool parse_option(struct gl_parser *parser)
{
    static const char *const known[] = {"per-thread-default-stream"};
    if (parser->token.kind != GL_TOKEN_WORD)
        return gl_parse_expected(parser, "an option");
    if (!gl_parse_take_word(parser, known[0]))
        return gl_parse_unknown_word(parser, "option", known, GL_COUNT(known));
    parser->unit->per_thread_default_stream = true;
    return true;
}

static bool parse_status(struct gl_parser *parser)
{
    for (size_t i = 0; i < GL_COUNT(gl_status_words); i++) {
        if (gl_parse_take_word(parser, gl_status_words[i])) {
            parser->unit->status = (enum gl_ir_status)i;
            return true;
        }
    }
    return gl_parse_expected(parser, "a status (ok, partial or failed)");
}

// time PARSE LOWER, in microseconds
static bool parse_time(struct gl_parser *parser)
{
    const uint64_t longest = UINT64_C(1000000) * 86400 * 365; // what a double still holds exactly
    uint64_t parse, lower;
    if (!gl_parse_unsigned(parser, "a time in microseconds", longest, &parse) ||
        !gl_parse_unsigned(parser, "a time in microseconds", longest, &lower))
        return false;
    parser->unit->parse_seconds = (double)parse * 1e-6;
    parser->unit->lower_seconds = (double)lower * 1e-6;
    return true;
}

// problem "kind" "message" [hint "hint"] [@loc]
static bool parse_problem(struct gl_parser *parser)
{
    struct gl_ir_problem problem = {0};
    if (!gl_parse_string(parser, "the problem's kind", &problem.kind) ||
        !gl_parse_string(parser, "the problem's message", &problem.message))
        return false;
    if (gl_parse_take_word(parser, "hint") && !gl_parse_string(parser, "the hint", &problem.hint))
        return false;
    if (!gl_parse_loc(parser, &problem.loc))
        return false;
    GL_VEC_PUSH(&parser->unit->problems, problem);
    return true;
}

// comment "text" [@loc]
static bool parse_comment(struct gl_parser *parser)
{
    struct gl_ir_comment comment;
    if (!gl_parse_string(parser, "the comment", &comment.text) || !gl_parse_loc(parser, &comment.loc))
        return false;
    GL_VEC_PUSH(&parser->unit->comments, comment);
    return true;
}

// ---- lines -----------------------------------------------------------------------------------------------

enum context { IN_TEXT, IN_UNIT, IN_RECORD, IN_FUNC };

// Which lines there are, and what they are part of.
static const struct line {
    const char *word;
    enum context context;
    bool (*parse)(struct gl_parser *);
} lines[] = {
    {"var", IN_FUNC, gl_parse_var},
    {"temp", IN_FUNC, gl_parse_temp},
    {"param", IN_FUNC, gl_parse_param},
    {"func", IN_UNIT, gl_parse_func},
    {"decl", IN_UNIT, gl_parse_decl},
    {"record", IN_UNIT, gl_parse_record},
    {"field", IN_RECORD, gl_parse_record_field},
    {"base", IN_RECORD, gl_parse_record_base},
    {"targ", IN_RECORD, gl_parse_record_targ},
    {"dtor", IN_RECORD, gl_parse_record_dtor},
    {"global", IN_UNIT, gl_parse_global},
    {"comment", IN_UNIT, parse_comment},
    {"problem", IN_UNIT, parse_problem},
    {"file", IN_UNIT, parse_file},
    {"option", IN_UNIT, parse_option},
    {"status", IN_UNIT, parse_status},
    {"time", IN_UNIT, parse_time},
    {"unit", IN_TEXT, parse_unit},
    {"gir", IN_TEXT, parse_version},
};

static bool fail_unknown_line(struct gl_parser *parser)
{
    const char *known[GL_COUNT(lines) + GL_IR_OP_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < GL_COUNT(lines); i++)
        known[count++] = lines[i].word;
    for (size_t i = 0; i < GL_IR_OP_COUNT; i++)
        known[count++] = gl_ir_op_names[i];
    return gl_parse_unknown_word(parser, "line or operation", known, count);
}

static bool parse_body_line(struct gl_parser *parser)
{
    if (parser->token.kind != GL_TOKEN_WORD)
        return gl_parse_expected(parser, "a line of the IR");
    if (gl_lexer_peek(&parser->lexer) == ':') {
        if (parser->body.func)
            return gl_parse_block_label(parser);
        return gl_parse_fail(parser, NULL, "a block outside of a function");
    }
    enum gl_ir_op op = gl_parse_op(parser);
    if (op == GL_IR_OP_COUNT)
        return fail_unknown_line(parser);
    if (!parser->body.func)
        return gl_parse_fail(parser, NULL, "'%s' outside of a function", gl_ir_op_names[op]);
    return gl_parse_instr(parser, op);
}

// A line of a text or a unit ends what comes before; one of a record or a function needs it.
static bool context_enter(struct gl_parser *parser, const struct line *line)
{
    if (line->context == IN_FUNC && !parser->body.func)
        return gl_parse_fail(parser, NULL, "'%s' outside of a function", line->word);
    if (line->context == IN_RECORD && !parser->record.record)
        return gl_parse_fail(parser, NULL, "'%s' outside of a record", line->word);
    if (line->context <= IN_UNIT) {
        gl_parse_func_end(parser);
        parser->record.record = NULL;
        parser->is_skipping = false;
    }
    if (line->context == IN_UNIT && !parser->unit)
        unit_start(parser, parser->name);
    return true;
}

static bool parse_table_line(struct gl_parser *parser, const struct line *line)
{
    if (!context_enter(parser, line))
        return false;
    gl_parse_advance(parser);
    bool is_read = line->parse(parser);
    if (!is_read && line->context == IN_UNIT)
        parser->is_skipping = !parser->body.func && !parser->record.record;
    return is_read;
}

static bool parse_line(struct gl_parser *parser)
{
    bool is_label = gl_lexer_peek(&parser->lexer) == ':';
    parser->line = parser->token.line;
    parser->column = parser->token.column;
    for (size_t i = 0; i < GL_COUNT(lines); i++) {
        bool is_part = lines[i].context > IN_UNIT;
        if (!is_label && gl_token_is(&parser->token, lines[i].word) && !(is_part && parser->is_skipping))
            return parse_table_line(parser, &lines[i]);
    }
    return parser->is_skipping || parse_body_line(parser);
}

static bool at_line_end(const struct gl_parser *parser)
{
    return parser->token.kind == GL_TOKEN_NEWLINE || parser->token.kind == GL_TOKEN_EOF;
}

// The first line tells what the text is, so that a source given by mistake gets one message instead of many.
static bool parse_header(struct gl_parser *parser)
{
    while (parser->token.kind == GL_TOKEN_NEWLINE)
        gl_parse_advance(parser);
    if (gl_token_is(&parser->token, "gir"))
        return true;
    return gl_parse_fail(parser, "IR text begins with the line: gir 1", "this is not IR text");
}

static void parse_lines(struct gl_parser *parser)
{
    while (parser->token.kind != GL_TOKEN_EOF && parser->error_count < GL_PARSE_ERROR_MAX) {
        bool is_read = at_line_end(parser) || parse_line(parser);
        if (is_read && !at_line_end(parser) && !parser->is_skipping)
            gl_parse_expected(parser, "the end of the line");
        while (!at_line_end(parser))
            gl_parse_advance(parser);
        if (parser->token.kind == GL_TOKEN_NEWLINE)
            gl_parse_advance(parser);
    }
    gl_parse_func_end(parser);
}

static void parser_free(struct gl_parser *parser)
{
    gl_lexer_free(&parser->lexer);
    gl_labels_free(&parser->body.var_labels);
    gl_labels_free(&parser->body.block_labels);
    GL_VEC_FREE(&parser->body.blocks);
    GL_VEC_FREE(&parser->body.instrs);
    GL_VEC_FREE(&parser->files);
    GL_VEC_FREE(&parser->steps);
    GL_VEC_FREE(&parser->operands);
    GL_VEC_FREE(&parser->cases);
    gl_arena_free(&parser->scratch);
}

bool gl_ir_parse(struct gl_ir_program *program, const char *name, const char *text, size_t size,
                 struct gl_diags *diags)
{
    struct gl_parser parser = {.program = program, .diags = diags, .name = gl_intern(program->strings, name)};
    gl_lexer_init(&parser.lexer, text, size);
    gl_parse_advance(&parser);
    if (parse_header(&parser))
        parse_lines(&parser);
    parser_free(&parser);
    return parser.error_count == 0;
}
