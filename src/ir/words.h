// SPDX-License-Identifier: Apache-2.0
// The words of the text form that stand for closed sets; the printer and the parser share these tables.
#ifndef GL_IR_WORDS_H
#define GL_IR_WORDS_H

#include <stddef.h>

enum { GL_IR_FORMAT_VERSION = 1 };

// A word that sets a bit. A table of them is written in brackets: [kernel noreturn].
struct gl_flag_word {
    const char *word;
    unsigned bit;
};

struct gl_flag_words {
    const struct gl_flag_word *items;
    size_t count;
};

enum {
    GL_RECORD_COMPLETE = 1,
    GL_RECORD_INCOMPLETE = 2, // said of a record that has members all the same
    GL_RECORD_UNION = 4,
    GL_RECORD_CLOSURE = 8,
    GL_RECORD_TRIVIAL = 16,
};
enum { GL_GLOBAL_INTERNAL = 1, GL_GLOBAL_STATIC = 2 };
enum { GL_FUNC_HEADER = 1 };
enum { GL_CALL_IMPLICIT = 1, GL_CALL_VIRTUAL = 2, GL_CALL_CLEANUP = 4 };

extern const struct gl_flag_words gl_decl_words;   // GL_DECL_*; variadic is written as "..."
extern const struct gl_flag_words gl_record_words; // GL_RECORD_*
extern const struct gl_flag_words gl_global_words; // GL_GLOBAL_*
extern const struct gl_flag_words gl_func_words;   // GL_FUNC_*
extern const struct gl_flag_words gl_arg_words;    // GL_ARG_*
extern const struct gl_flag_words gl_call_words;   // GL_CALL_*

extern const char *const gl_compare_words[6]; // by enum gl_ir_compare
extern const char *const gl_status_words[3];  // by enum gl_ir_status
extern const char *const gl_var_words[3];     // by enum gl_ir_var_kind, without globals

#endif
