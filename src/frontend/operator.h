// SPDX-License-Identifier: Apache-2.0
// Between the files that lower expressions (expr.c, operator.c, place.c, init.c): what only they call.
#ifndef GL_FRONTEND_OPERATOR_H
#define GL_FRONTEND_OPERATOR_H

#include "frontend/lower.h"

struct gl_ir_operand gl_lower_operator(struct gl_lower *lower, CXCursor expr);
// `x++;` and `*p;` as statements: the old value is not needed.
void gl_lower_unary_effects(struct gl_lower *lower, CXCursor expr);
struct gl_ir_operand gl_lower_cast(struct gl_lower *lower, CXCursor expr);
struct gl_ir_operand gl_lower_gnu_conditional(struct gl_lower *lower, CXCursor expr, struct gl_kids kids);
// Code that did not compile, or a dependent expression of unknown shape: a call by name if it looks like one.
struct gl_ir_operand gl_lower_recovered_call(struct gl_lower *lower, CXCursor expr, struct gl_kids kids);
struct gl_ir_operand gl_lower_this(struct gl_lower *lower);
struct gl_ir_place gl_lower_materialize(struct gl_lower *lower, CXCursor expr);
// The same, and it lives to the end of the scope.
struct gl_ir_place gl_lower_block_object(struct gl_lower *lower, CXCursor expr);
// Lowers a GNU statement expression whose value is constructed in `place`.
void gl_lower_statement_expression(struct gl_lower *lower, CXCursor expr, struct gl_ir_place place);
// The place a `?:` between lvalues means.
struct gl_ir_place gl_lower_conditional_place(struct gl_lower *lower, CXCursor expr);
// Lowers both arms of a `?:`, each by `arm`, which is told the arm's expression.
typedef void gl_lower_arm(struct gl_lower *lower, CXCursor expr, void *context);
void gl_lower_conditional(struct gl_lower *lower, CXCursor expr, gl_lower_arm *arm, void *context);
// The object of a member expression: what stands before `.` or `->`, or `*this`.
struct gl_ir_place gl_lower_member_base(struct gl_lower *lower, CXCursor member);
// A member of an object, by the way through anonymous structs and unions.
struct gl_ir_place gl_lower_field(struct gl_lower *lower, struct gl_ir_place object, CXCursor field);
struct gl_ir_step gl_lower_index_step(struct gl_lower *lower, struct gl_ir_operand index,
                                      struct gl_ir_type *type);
// The one function an overloaded name can mean; a null cursor if there are several.
CXCursor gl_lower_only_candidate(struct gl_lower *lower, CXCursor callee);
struct gl_ir_place gl_lower_assign(struct gl_lower *lower, CXCursor expr);
struct gl_ir_place gl_lower_compound_assign(struct gl_lower *lower, CXCursor expr);
struct gl_ir_place gl_lower_step_by_one(struct gl_lower *lower, CXCursor expr);

#endif
