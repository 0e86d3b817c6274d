// SPDX-License-Identifier: Apache-2.0
// One function's body: parameters, the object, initialisers, statements, the end → a gl_ir_func.
#include "frontend/lower.h"

#include "base/diag.h"
#include "ir/check.h"
#include "ir/text.h"

#include <string.h>

// ---- parameters ------------------------------------------------------------------------------------------

static void add_this(struct gl_lower *lower, struct gl_ir_record *record)
{
    struct gl_ir_type *pointer = gl_ir_type_pointer(lower->program, gl_fe_record_type(lower->fe, record));
    lower->this_var = gl_ir_var_add(lower->program, lower->func, GL_VAR_PARAM, "this", pointer, lower->loc);
}

// A class object passed by value comes as the address of the caller's temporary: the parameter is a
// reference.
static void add_parameter(struct gl_lower *lower, CXCursor parameter)
{
    CXType type = clang_getCursorType(parameter);
    struct gl_ir_type *ir_type = gl_fe_type(lower->fe, type);
    bool is_reference = gl_fe_is_reference(type), is_by_address = gl_fe_is_by_address(lower->fe, type);
    gl_fe_record_of(lower->fe, is_reference ? clang_getPointeeType(clang_getCanonicalType(type)) : type);
    if (is_by_address)
        ir_type = gl_fe_reference_to(lower->fe, ir_type);
    struct gl_ir_var *var =
        gl_ir_var_add(lower->program, lower->func, GL_VAR_PARAM, gl_fe_spelling(lower->fe, parameter),
                      ir_type, gl_fe_cursor_loc(lower->fe, parameter));
    struct gl_ir_place place = gl_ir_place_var(var);
    gl_lower_bind(lower, parameter,
                  is_reference || is_by_address ? gl_ir_place_deref(lower->program, place) : place);
}

static void add_parameters(struct gl_lower *lower, CXCursor function)
{
    int count = clang_Cursor_getNumArguments(function);
    for (int i = 0; i < count; i++)
        add_parameter(lower, clang_Cursor_getArgument(function, (unsigned)i));
    if (count >= 0)
        return; // else a template
    struct gl_kids kids = gl_fe_kids(lower->fe, function);
    for (size_t i = 0; i < kids.count; i++)
        if (gl_fe_kind(kids.at[i]) == CXCursor_ParmDecl)
            add_parameter(lower, kids.at[i]);
}

// ---- bodies ----------------------------------------------------------------------------------------------

static CXCursor body_of(struct gl_lower *lower, CXCursor function)
{
    struct gl_kids kids = gl_fe_kids(lower->fe, function);
    for (size_t i = kids.count; i-- > 0;) {
        enum CXCursorKind kind = gl_fe_kind(kids.at[i]);
        if (kind == CXCursor_CompoundStmt || kind == CXCursor_CXXTryStmt)
            return kids.at[i];
    }
    return clang_getNullCursor();
}

bool gl_fe_body_seen(struct gl_fe *fe, CXCursor function, bool note)
{
    struct gl_kids kids = gl_fe_kids(fe, function);
    CXCursor body = clang_getNullCursor();
    for (size_t i = kids.count; i-- > 0 && gl_fe_is_null(body);)
        if (clang_isStatement(gl_fe_kind(kids.at[i])))
            body = kids.at[i];
    if (gl_fe_is_null(body))
        return false;
    CXFile file;
    unsigned offset;
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(body)), &file, NULL, NULL, &offset);
    const void *position = (const void *)((uintptr_t)offset + 1);
    bool is_seen = file && gl_map_get(&fe->bodies, file, position);
    if (note && file)
        *gl_map_put(&fe->bodies, file, position) = fe;
    return is_seen;
}

// clang drops statements that do not compile: say that something is missing.
static void note_errors(struct gl_lower *lower, CXCursor function)
{
    struct gl_fe *fe = lower->fe;
    if (!clang_Location_isFromMainFile(clang_getCursorLocation(function)))
        return;
    unsigned start = gl_fe_start_offset(function), end = gl_fe_end_offset(function);
    for (size_t i = 0; i < fe->errors.count; i++) {
        if (fe->errors.items[i].offset >= start && fe->errors.items[i].offset < end) {
            lower->loc = fe->errors.items[i].loc;
            gl_lower_unknown(lower, "parse error", NULL, NULL, 0);
            return;
        }
    }
}

static void lower_body(struct gl_lower *lower, CXCursor function)
{
    CXCursor body = body_of(lower, function);
    note_errors(lower, function);
    gl_fe_body_seen(lower->fe, function, true);
    if (!gl_fe_is_null(body))
        gl_lower_stmt(lower, body);
    else
        gl_lower_unknown(lower, "coroutine", NULL, NULL, 0);
    lower->loc = gl_fe_end_loc(lower->fe, function);
    gl_lower_leave(lower, NULL);
    gl_lower_return(lower, NULL);
}

static enum CXCursorKind function_kind(CXCursor function)
{
    enum CXCursorKind kind = gl_fe_kind(function);
    return kind == CXCursor_FunctionTemplate ? clang_getTemplateCursorKind(function) : kind;
}

static void lower_function(struct gl_lower *lower, const struct gl_fe_job *job)
{
    CXCursor function = job->definition;
    enum CXCursorKind kind = function_kind(function);
    lower->result_type = clang_getResultType(clang_getCursorType(function));
    lower->func->loc = lower->loc = gl_fe_cursor_loc(lower->fe, function);
    lower->func->end_loc = gl_fe_end_loc(lower->fe, function);
    lower->func->is_in_main_file = clang_Location_isFromMainFile(clang_getCursorLocation(function)) != 0;
    lower->closure = job->closure;
    CXCursor parent = clang_getCursorSemanticParent(function);
    if (gl_fe_is_record_kind(gl_fe_kind(parent)) && !job->closure)
        lower->this_record = job->record ? job->record : gl_fe_record_for(lower->fe, parent);
    if (job->closure)
        lower->this_record = job->closure->this_record;
    if (job->decl->flags & GL_DECL_METHOD)
        add_this(lower, job->decl->record);
    add_parameters(lower, function);
    lower->block = gl_lower_block(lower);
    if (kind == CXCursor_Constructor)
        gl_lower_initializers(lower, function);
    if (kind == CXCursor_Destructor && lower->this_record)
        gl_lower_destructor_epilogue(lower, lower->this_record);
    lower_body(lower, function);
}

static void lower_lambda_body(struct gl_lower *lower, const struct gl_fe_job *job)
{
    lower->func->loc = lower->loc = gl_fe_start_loc(lower->fe, job->definition);
    lower->func->end_loc = gl_fe_end_loc(lower->fe, job->definition);
    lower->func->is_in_main_file =
        clang_Location_isFromMainFile(clang_getCursorLocation(job->definition)) != 0;
    lower->closure = job->closure;
    lower->this_record = job->closure->this_record;
    add_this(lower, job->closure->record);
    struct gl_kids kids = gl_fe_kids(lower->fe, job->definition);
    for (size_t i = 0; i < kids.count; i++) {
        if (gl_fe_kind(kids.at[i]) != CXCursor_ParmDecl)
            continue;
        add_parameter(lower, kids.at[i]);
        CXCursor method = clang_getCursorSemanticParent(kids.at[i]);
        lower->result_type = clang_getResultType(clang_getCursorType(method));
    }
    if (lower->result_type.kind == CXType_Invalid)
        lower->result_type = gl_fe_lambda_result(job->definition);
    lower->block = gl_lower_block(lower);
    lower_body(lower, job->definition);
}

static void lower_special(struct gl_lower *lower, const struct gl_fe_job *job)
{
    lower->func->loc = lower->func->end_loc = lower->loc = gl_fe_cursor_loc(lower->fe, job->record->decl);
    lower->func->is_in_main_file =
        clang_Location_isFromMainFile(clang_getCursorLocation(job->record->decl)) != 0;
    lower->this_record = job->record;
    add_this(lower, job->record->ir);
    for (size_t i = 0; i < job->decl->params.count; i++)
        gl_ir_var_add(lower->program, lower->func, GL_VAR_PARAM, "other", job->decl->params.items[i],
                      lower->loc);
    lower->block = gl_lower_block(lower);
    gl_lower_special_body(lower, job->record, job->special);
}

// ---- the job ---------------------------------------------------------------------------------------------

#ifndef NDEBUG
static void check(const struct gl_ir_func *func)
{
    struct gl_diags diags = {0};
    if (!gl_ir_check_func(func, &diags)) {
        fprintf(stderr, "guardlint-frontend: lowering of %s broke the IR:\n", func->decl->name);
        gl_diags_print(&diags, stderr);
        gl_ir_print_func(func, stderr);
    }
    gl_diags_free(&diags);
}
#endif

static void free_lower(struct gl_lower *lower)
{
    gl_map_free(&lower->bindings);
    GL_VEC_FREE(&lower->labels);
    GL_VEC_FREE(&lower->gotos);
    gl_arena_free(&lower->fe->scratch);
}

void gl_fe_lower_job(struct gl_fe *fe, const struct gl_fe_job *job)
{
    struct gl_ir_func *func = gl_ir_func_add(fe->program, fe->unit, job->decl);
    if (!func)
        return;
    struct gl_lower lower = {.fe = fe, .program = fe->program, .func = func, .depth = job->depth};
    lower.result_type.kind = CXType_Invalid;
    switch (job->kind) {
    case GL_JOB_BODY:
        lower_function(&lower, job);
        break;
    case GL_JOB_LAMBDA:
        lower_lambda_body(&lower, job);
        break;
    case GL_JOB_SPECIAL:
        lower_special(&lower, job);
        break;
    }
    gl_lower_resolve_gotos(&lower);
    gl_lower_simplify(func);
    free_lower(&lower);
#ifndef NDEBUG
    check(func);
#endif
}
