// SPDX-License-Identifier: Apache-2.0
// Inside of a program, for the files of this stage only: what ir.h keeps opaque.
#ifndef GL_IR_PROGRAM_H
#define GL_IR_PROGRAM_H

#include "base/map.h"
#include "ir/ir.h"

enum { GL_IR_TYPE_DEPTH_MAX = 64 }; // levels of one type; what is deeper is the unknown type

struct gl_ir_program {
    struct gl_arena arena;
    struct gl_strings *strings;
    struct gl_ir_type **types; // interning table, open addressing
    size_t type_capacity, type_count;
    GL_VEC(struct gl_ir_unit *) units;
    GL_VEC(struct gl_ir_decl *) decls;
    GL_VEC(struct gl_ir_record *) records;
    GL_VEC(struct gl_ir_var *) globals;
    struct gl_map decl_map, record_map, global_map; // by USR, and unit for internal linkage
};

// What ir.h shows of these objects comes first in each, so that the pointers convert.
struct gl_ir_block_node {
    struct gl_ir_block block;
    struct gl_ir_func *func;
};

// How the parser came to know an object: which unit used or declared it last.
struct gl_ir_origin {
    bool is_implied; // used, but not declared by any unit yet
    const struct gl_ir_unit *used_in, *declared_in;
};

struct gl_ir_decl_node {
    struct gl_ir_decl decl;
    struct gl_ir_origin origin;
    const struct gl_ir_unit *defined_in; // the last unit with a body for it
};

struct gl_ir_record_node {
    struct gl_ir_record record;
    struct gl_ir_origin origin;
};

struct gl_ir_global_node {
    struct gl_ir_var var;
    bool is_internal;
    struct gl_ir_origin origin;
};

bool gl_ir_global_is_internal(const struct gl_ir_var *global);

// The object that `usr` means in this unit, or NULL: an internal one hides an external one.
struct gl_ir_decl *gl_ir_decl_find(const struct gl_ir_program *program, const struct gl_ir_unit *unit,
                                   const char *usr);
struct gl_ir_var *gl_ir_global_find(const struct gl_ir_program *program, const struct gl_ir_unit *unit,
                                    const char *usr);

// Parts of a function in an arena of the caller's choice: the parser reads bodies that it then drops.
struct gl_ir_func *gl_ir_func_new(struct gl_arena *arena, struct gl_ir_unit *unit, struct gl_ir_decl *decl);
struct gl_ir_var *gl_ir_var_new(struct gl_arena *arena, struct gl_ir_func *func, enum gl_ir_var_kind kind,
                                const char *interned_name, struct gl_ir_type *type, struct gl_ir_loc loc);
// The block belongs to the function but has no place in its order yet.
struct gl_ir_block *gl_ir_block_new(struct gl_arena *arena, struct gl_ir_func *func);
void gl_ir_block_place(struct gl_ir_block *block);
// Frees the function's vectors; its parts are the arena's.
void gl_ir_func_clear(struct gl_ir_func *func);

void gl_ir_types_free(struct gl_ir_program *program);

#endif
