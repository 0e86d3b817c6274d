// SPDX-License-Identifier: Apache-2.0
// The state of lowering one function: the block being filled, what is alive, where jumps go. Each function of
// this header appends to lower->block; after a terminator that is a fresh block nobody jumps to, so that code
// after `return` needs no special case (unreachable blocks are dropped at the end).
#ifndef GL_FRONTEND_LOWER_H
#define GL_FRONTEND_LOWER_H

#include "frontend/fe.h"

// Something to do when control leaves a scope, newest first. The list is the whole of what is alive at a
// point, so a jump's clean-up is the difference of two lists.
struct gl_cleanup {
    struct gl_cleanup *below;
    struct gl_ir_var *var;         // its life ends, or NULL: only the destructor runs (members)
    struct gl_ir_place place;      // the object destroyed
    uint64_t count;                // elements, if it is an array of objects; 0: one object
    struct gl_ir_decl *destructor; // or NULL
    struct gl_ir_decl *cleanup;    // __attribute__((cleanup)), or NULL
    const char *cleanup_name;      // the same, if the function is not known
    struct gl_ir_var *flag;        // set if the object exists; NULL: it does
};

// A full expression being lowered: where it begins, what was alive then.
struct gl_full {
    struct gl_full *outer;
    struct gl_cleanup *base;
    struct gl_ir_block *block; // its first instruction
    size_t index;
    unsigned conditional; // > 0 while lowering a part that may not be evaluated
};

// Where `break` and `continue` go.
struct gl_jump_target {
    struct gl_jump_target *outer;
    struct gl_ir_block *break_block, *continue_block; // continue_block NULL: a switch
    struct gl_cleanup *alive;
};

struct gl_switch {
    struct gl_switch *outer;
    struct gl_cleanup *alive;
    GL_VEC(struct gl_ir_case) cases;
    struct gl_ir_block *default_block;
    bool is_inexact; // a label's value is not known
};

struct gl_handler {
    struct gl_handler *outer;
    struct gl_ir_block *block;
    struct gl_cleanup *alive;
};

struct gl_label {
    CXCursor cursor;
    struct gl_ir_block *block;
    struct gl_cleanup *alive;
};

struct gl_goto {
    CXCursor label; // null cursor: a computed goto
    struct gl_ir_block *block;
    struct gl_cleanup *alive;
    struct gl_ir_loc loc;
};

struct gl_lower {
    struct gl_fe *fe;
    struct gl_ir_program *program;
    struct gl_ir_func *func;
    struct gl_ir_block *block;
    struct gl_ir_loc loc; // of what is appended
    unsigned depth;       // of this body from the main file
    CXType result_type;
    struct gl_ir_var *this_var;
    struct gl_fe_record *this_record;
    struct gl_fe_closure *closure; // lowering a lambda's body
    struct gl_map bindings;        // local declaration → gl_ir_place
    struct gl_cleanup *alive;
    struct gl_full *full;
    struct gl_jump_target *jumps;
    struct gl_switch *switches;
    struct gl_handler *handlers;
    GL_VEC(struct gl_label) labels;
    GL_VEC(struct gl_goto) gotos;
    unsigned expr_depth;
};

// Deeper nesting than this becomes `unknown`: it is generated code, and the C stack is finite.
enum { GL_LOWER_EXPR_DEPTH_MAX = 400 };

// ---- emitting (emit.c) -----------------------------------------------------------------------------------

struct gl_ir_block *gl_lower_block(struct gl_lower *lower);
struct gl_ir_instr *gl_lower_append(struct gl_lower *lower, struct gl_ir_instr instr);
void gl_lower_begin(struct gl_lower *lower, struct gl_ir_var *var);
void gl_lower_end(struct gl_lower *lower, struct gl_ir_var *var);
void gl_lower_copy(struct gl_lower *lower, struct gl_ir_place dst, struct gl_ir_operand value);
// A temporary that holds name(args…); args are copied.
struct gl_ir_operand gl_lower_compute(struct gl_lower *lower, const char *name, struct gl_ir_type *type,
                                      const struct gl_ir_operand *args, size_t count);
void gl_lower_compute_into(struct gl_lower *lower, struct gl_ir_place dst, const char *name,
                           const struct gl_ir_operand *args, size_t count);
struct gl_ir_operand gl_lower_compare(struct gl_lower *lower, enum gl_ir_compare compare,
                                      struct gl_ir_operand a, struct gl_ir_operand b);
struct gl_ir_operand gl_lower_unknown(struct gl_lower *lower, const char *why, struct gl_ir_type *type,
                                      const struct gl_ir_operand *args, size_t count);
void gl_lower_jump(struct gl_lower *lower, struct gl_ir_block *target);
void gl_lower_branch(struct gl_lower *lower, struct gl_ir_operand condition, struct gl_ir_block *yes,
                     struct gl_ir_block *no);
void gl_lower_return(struct gl_lower *lower, const struct gl_ir_operand *value);
void gl_lower_stop(struct gl_lower *lower);
// Ends the block with a jump to `next` and goes on there.
void gl_lower_continue_in(struct gl_lower *lower, struct gl_ir_block *next);
struct gl_ir_operand gl_lower_undef(void);
struct gl_ir_operand *gl_lower_operands(struct gl_lower *lower, const struct gl_ir_operand *args,
                                        size_t count);
// A scalar intermediate value: no BEGIN and END.
struct gl_ir_var *gl_lower_scalar_temp(struct gl_lower *lower, struct gl_ir_type *type);
// The address of a place: what a pointer to it holds.
struct gl_ir_operand gl_lower_address(struct gl_ir_place place);
struct gl_ir_place gl_lower_deref(struct gl_lower *lower, struct gl_ir_operand pointer,
                                  struct gl_ir_type *pointer_type);
// The value in a place of its own, so that what follows does not change it.
struct gl_ir_operand gl_lower_pin(struct gl_lower *lower, struct gl_ir_operand value,
                                  struct gl_ir_type *type);

// ---- what is alive (scope.c) -----------------------------------------------------------------------------

// Appends the clean-up of everything above `down_to`, except the object `kept`; lower->alive stays.
void gl_lower_clean(struct gl_lower *lower, struct gl_cleanup *down_to, const struct gl_ir_var *kept);
// The same, and it is over for what follows.
void gl_lower_leave(struct gl_lower *lower, struct gl_cleanup *down_to);
// The same at the end of a statement, whose last character is where it happens.
void gl_lower_leave_stmt(struct gl_lower *lower, CXCursor stmt, struct gl_cleanup *outside);
struct gl_cleanup *gl_lower_push(struct gl_lower *lower, struct gl_cleanup cleanup);
// Below the temporaries of the full expression: for what outlives it.
struct gl_cleanup *gl_lower_push_extended(struct gl_lower *lower, struct gl_cleanup cleanup);
void gl_lower_full_begin(struct gl_lower *lower, struct gl_full *full);
void gl_lower_full_end(struct gl_lower *lower, struct gl_full *full);
// An object without a name, destroyed at the end of the full expression, or with the scope if `is_extended`.
// It begins here; its destruction is only registered by gl_lower_temp_done.
struct gl_ir_var *gl_lower_temp(struct gl_lower *lower, CXType type);
void gl_lower_temp_done(struct gl_lower *lower, struct gl_ir_var *temp, CXType type, bool is_extended);
struct gl_cleanup gl_lower_object_cleanup(struct gl_lower *lower, struct gl_ir_var *var, CXType type);
void gl_lower_goto(struct gl_lower *lower, CXCursor label);
void gl_lower_label(struct gl_lower *lower, CXCursor label);
void gl_lower_resolve_gotos(struct gl_lower *lower);
// A jump from where `from` is alive to where `to` is: ends and begins what differs. Appends no terminator.
void gl_lower_cross(struct gl_lower *lower, struct gl_cleanup *from, struct gl_cleanup *to);
// Control leaves by an exception: to the handler, or out of the function.
void gl_lower_raise(struct gl_lower *lower);

// ---- statements (stmt.c, loop.c) -------------------------------------------------------------------------

void gl_lower_stmt(struct gl_lower *lower, CXCursor stmt);
// The body of an `if` or a loop: a scope of its own even without braces.
void gl_lower_substatement(struct gl_lower *lower, CXCursor stmt);
void gl_lower_loop(struct gl_lower *lower, CXCursor stmt);
void gl_lower_range_for(struct gl_lower *lower, CXCursor stmt);
void gl_lower_try(struct gl_lower *lower, CXCursor stmt);
void gl_lower_switch(struct gl_lower *lower, CXCursor stmt);
void gl_lower_case(struct gl_lower *lower, CXCursor stmt);
void gl_lower_declaration(struct gl_lower *lower, CXCursor declaration);
void gl_lower_return_stmt(struct gl_lower *lower, CXCursor stmt);
// Makes a local variable known under its declaration.
void gl_lower_bind(struct gl_lower *lower, CXCursor declaration, struct gl_ir_place place);
const struct gl_ir_place *gl_lower_binding(struct gl_lower *lower, CXCursor declaration);

// ---- expressions -----------------------------------------------------------------------------------------

// The value of an expression (a class object: the place of a temporary). Side effects are appended.
struct gl_ir_operand gl_lower_value(struct gl_lower *lower, CXCursor expr);
// The place an lvalue means; a prvalue is put into a temporary first.
struct gl_ir_place gl_lower_place(struct gl_lower *lower, CXCursor expr);
// For its side effects.
void gl_lower_effects(struct gl_lower *lower, CXCursor expr);
// Constructs an object of `type` in `place`.
void gl_lower_init(struct gl_lower *lower, CXCursor expr, struct gl_ir_place place, CXType type);
// What a reference is bound to; a temporary lives on to the end of the scope if `is_extended`.
struct gl_ir_operand gl_lower_bind_reference(struct gl_lower *lower, CXCursor expr, bool is_extended);
// The same object reached by a path of members from one that is extended.
struct gl_ir_place gl_lower_extended_place(struct gl_lower *lower, CXCursor expr);
void gl_lower_default_init(struct gl_lower *lower, struct gl_ir_place place, CXType type);
// A condition as control flow; full expression of its own.
void gl_lower_condition(struct gl_lower *lower, CXCursor expr, struct gl_ir_block *yes,
                        struct gl_ir_block *no);
// The same within a full expression.
void gl_lower_test(struct gl_lower *lower, CXCursor expr, struct gl_ir_block *yes, struct gl_ir_block *no);
// Whether an expression makes a new object (as opposed to meaning one that exists).
bool gl_lower_is_prvalue(struct gl_lower *lower, CXCursor expr);
bool gl_lower_is_class(struct gl_lower *lower, CXType type);

// ---- calls (call.c, launch.c, object.c, lambda.c) --------------------------------------------------------

// Lowers a call. A result of class type goes to `dst` if given, else to a temporary; returns the value.
struct gl_ir_operand gl_lower_call(struct gl_lower *lower, CXCursor call, const struct gl_ir_place *dst,
                                   bool is_discarded);
bool gl_lower_is_launch(struct gl_lower *lower, CXCursor call, CXCursor *out_config);
void gl_lower_launch(struct gl_lower *lower, CXCursor call, CXCursor config);
// One argument for a parameter of this type (CXType_Invalid: not known).
struct gl_ir_operand gl_lower_argument(struct gl_lower *lower, CXCursor argument, CXType parameter,
                                       CXCursor callee, unsigned index);
// Calls a constructor, destructor or assignment with the object's address and at most one more argument.
void gl_lower_member_call(struct gl_lower *lower, struct gl_ir_decl *decl, struct gl_ir_place object,
                          const struct gl_ir_operand *argument);
// What a call expression calls by name. libclang would look through `f(x)(y)` and name f; a null cursor then.
CXCursor gl_lower_called(struct gl_lower *lower, CXCursor call);
bool gl_lower_is_constructor_call(CXCursor expr, CXCursor *out_constructor);
void gl_lower_construct(struct gl_lower *lower, CXCursor call, CXCursor constructor,
                        struct gl_ir_place place);
struct gl_ir_operand gl_lower_new(struct gl_lower *lower, CXCursor expr);
void gl_lower_delete(struct gl_lower *lower, CXCursor expr);
void gl_lower_lambda(struct gl_lower *lower, CXCursor expr, struct gl_ir_place place);
// Bodies of special members, constructors' initialisers, destructors' epilogues.
void gl_lower_special_body(struct gl_lower *lower, struct gl_fe_record *record, enum gl_special special);
void gl_lower_initializers(struct gl_lower *lower, CXCursor constructor);
void gl_lower_destructor_epilogue(struct gl_lower *lower, struct gl_fe_record *record);

// ---- simplify.c ------------------------------------------------------------------------------------------

// Drops empty and unreachable blocks, joins straight lines, renumbers.
void gl_lower_simplify(struct gl_ir_func *func);

#endif
