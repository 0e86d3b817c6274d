// SPDX-License-Identifier: Apache-2.0
// Inside of the parser: its state and what its files share. Every parse_… function reads from the current
// token on, leaves the token after what it read, and on an error reports it and returns false; the line is
// then skipped.
#ifndef GL_IR_PARSE_H
#define GL_IR_PARSE_H

#include "ir/labels.h"
#include "ir/lex.h"
#include "ir/program.h"
#include "ir/text.h"
#include "ir/words.h"

enum { GL_PARSE_ERROR_MAX = 20 };

// A block that was named, defined or not.
struct gl_parsed_block {
    struct gl_ir_block *block;
    bool is_defined;
    const char *name; // not NUL-terminated
    size_t name_length;
    unsigned line, column; // where it was first named
};

// The function being read.
struct gl_parsed_func {
    struct gl_ir_func *func;   // NULL: none
    bool is_dropped;           // the program has a body already; everything goes to the scratch arena
    struct gl_arena *arena;    // where its parts live
    struct gl_ir_block *block; // being filled, or NULL
    const char *short_file;    // of positions without file index
    struct gl_labels var_labels, block_labels;
    GL_VEC(struct gl_parsed_block) blocks;
    GL_VEC(struct gl_ir_instr) instrs; // of the current block: moved there in one piece
};

// The record whose members follow.
struct gl_parsed_record {
    struct gl_ir_record *record; // NULL: none
    bool is_kept;                // no earlier unit knew all of it
    bool is_incomplete;          // its line says so
    bool has_targs, has_bases, has_fields;
};

struct gl_parser {
    struct gl_ir_program *program;
    struct gl_diags *diags;
    const char *name;
    struct gl_lexer lexer;
    struct gl_token token;
    unsigned line, column;      // of the first token of the line
    struct gl_ir_unit *unit;    // NULL before the first
    GL_VEC(const char *) files; // of the unit; [0] is its path
    struct gl_parsed_record record;
    bool is_skipping; // the lines of a function or record whose first line has an error
    struct gl_parsed_func body;
    struct gl_arena scratch;
    GL_VEC(struct gl_ir_step) steps;
    GL_VEC(struct gl_ir_operand) operands;
    GL_VEC(struct gl_ir_case) cases;
    size_t error_count;
};

// ---- tokens and messages (parse_token.c)

void gl_parse_advance(struct gl_parser *parser);
bool gl_parse_fail(struct gl_parser *parser, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// "expected WHAT, found …" at the current token.
bool gl_parse_expected(struct gl_parser *parser, const char *what);
// "unknown WHAT 'word'" with the nearest of the known words as hint.
bool gl_parse_unknown_word(struct gl_parser *parser, const char *what, const char *const *known,
                           size_t count);
bool gl_parse_at_punct(const struct gl_parser *parser, char punct);
bool gl_parse_take_punct(struct gl_parser *parser, char punct); // true if it was there
bool gl_parse_take_word(struct gl_parser *parser, const char *word);
bool gl_parse_punct(struct gl_parser *parser, char punct);
bool gl_parse_string(struct gl_parser *parser, const char *what, const char **out_text); // interned
bool gl_parse_word_or_string(struct gl_parser *parser, const char *what, const char **out_text);
bool gl_parse_unsigned(struct gl_parser *parser, const char *what, uint64_t max, uint64_t *out_value);
bool gl_parse_signed(struct gl_parser *parser, int64_t *out_value);
// Words in brackets, if there are any.
bool gl_parse_flags(struct gl_parser *parser, const struct gl_flag_words *words, unsigned *out_bits);
// A position, if there is one; else the current place in the text itself.
bool gl_parse_loc(struct gl_parser *parser, struct gl_ir_loc *out_loc);
bool gl_parse_at_loc(const struct gl_parser *parser);
// The start of the line in the text itself, for what has no position of its own.
struct gl_ir_loc gl_parse_here(const struct gl_parser *parser);

// ---- declarations (parse_decl.c)

bool gl_parse_type(struct gl_parser *parser, struct gl_ir_type **out_type);
bool gl_parse_at_type(const struct gl_parser *parser);
bool gl_parse_decl(struct gl_parser *parser);
bool gl_parse_record(struct gl_parser *parser);
bool gl_parse_record_targ(struct gl_parser *parser);
bool gl_parse_record_base(struct gl_parser *parser);
bool gl_parse_record_field(struct gl_parser *parser);
bool gl_parse_record_dtor(struct gl_parser *parser);
bool gl_parse_global(struct gl_parser *parser);
// What a USR means in this unit; made up if nothing has declared it.
struct gl_ir_decl *gl_parse_decl_ref(struct gl_parser *parser, const char *usr);
struct gl_ir_var *gl_parse_global_ref(struct gl_parser *parser, const char *usr);
struct gl_ir_type *gl_parse_unknown_type(struct gl_parser *parser);

// ---- functions (parse_func.c, parse_instr.c)

bool gl_parse_func(struct gl_parser *parser);
bool gl_parse_param(struct gl_parser *parser);
bool gl_parse_var(struct gl_parser *parser);
bool gl_parse_temp(struct gl_parser *parser);
// At "name:" or at an operation.
bool gl_parse_block_label(struct gl_parser *parser);
bool gl_parse_instr(struct gl_parser *parser, enum gl_ir_op op);
// The operation that the current word names, or GL_IR_OP_COUNT.
enum gl_ir_op gl_parse_op(const struct gl_parser *parser);
struct gl_ir_var *gl_parse_local_find(struct gl_parser *parser);
struct gl_ir_block *gl_parse_block_ref(struct gl_parser *parser);
// Ends the function being read, if there is one.
void gl_parse_func_end(struct gl_parser *parser);

#endif
