// SPDX-License-Identifier: Apache-2.0
// Calls: functions, methods, operators, conversions, constructors, function pointers, dependent names → CALL.
#include "frontend/lower.h"

#include "frontend/operator.h"

#include <string.h>

static struct gl_ir_type *type_of(struct gl_lower *lower, CXCursor expr)
{
    return gl_fe_type(lower->fe, clang_getCursorType(expr));
}

// ---- arguments -------------------------------------------------------------------------------------------

static unsigned access_flags(CXType parameter)
{
    CXType canonical = clang_getCanonicalType(parameter);
    if (canonical.kind != CXType_Pointer && canonical.kind != CXType_LValueReference &&
        canonical.kind != CXType_RValueReference)
        return 0;
    return clang_isConstQualifiedType(clang_getPointeeType(canonical)) ? GL_ARG_CONST : GL_ARG_MUTABLE;
}

static bool is_default_argument(CXCursor argument)
{
    return gl_fe_kind(argument) == CXCursor_UnexposedExpr &&
           clang_equalLocations(clang_getCursorLocation(argument), clang_getNullLocation());
}

static CXCursor default_of(struct gl_lower *lower, CXCursor function, unsigned index)
{
    CXCursor candidates[] = {function, clang_getCanonicalCursor(function),
                             clang_getCursorDefinition(function)};
    for (size_t i = 0; i < GL_COUNT(candidates); i++) {
        if (gl_fe_is_null(candidates[i]))
            continue;
        CXCursor parameter = clang_Cursor_getArgument(candidates[i], index);
        struct gl_kids kids =
            gl_fe_is_null(parameter) ? (struct gl_kids){0} : gl_fe_expr_kids(lower->fe, parameter);
        if (kids.count)
            return kids.at[kids.count - 1];
    }
    return clang_getNullCursor();
}

static bool is_trivial_copy(struct gl_lower *lower, CXCursor expr)
{
    CXCursor constructor;
    if (!gl_lower_is_constructor_call(expr, &constructor) || clang_Cursor_getNumArguments(expr) < 1)
        return false;
    enum gl_special kind = gl_fe_special_kind(constructor);
    if (kind != GL_SPECIAL_COPY && kind != GL_SPECIAL_MOVE)
        return false;
    return gl_fe_record_for(lower->fe, clang_getCursorSemanticParent(constructor))->is_trivial[kind];
}

static struct gl_ir_operand class_argument(struct gl_lower *lower, CXCursor argument, CXType parameter)
{
    CXCursor inner = gl_fe_strip(lower->fe, argument);
    if (!gl_fe_is_by_address(lower->fe, parameter)) {
        if (is_trivial_copy(lower, inner))
            inner = clang_Cursor_getArgument(inner, 0);
        return gl_ir_operand_place(gl_lower_place(lower, inner));
    }
    struct gl_ir_var *temp = gl_lower_temp(lower, parameter);
    gl_lower_init(lower, argument, gl_ir_place_var(temp), parameter);
    gl_lower_temp_done(lower, temp, parameter, false);
    struct gl_ir_operand address = gl_ir_operand_address(gl_ir_place_var(temp));
    address.flags = GL_ARG_BYVAL;
    return address;
}

struct gl_ir_operand gl_lower_argument(struct gl_lower *lower, CXCursor argument, CXType parameter,
                                       CXCursor callee, unsigned index)
{
    if (is_default_argument(argument) && !gl_fe_expr_kids(lower->fe, argument).count) {
        argument = gl_fe_is_null(callee) ? callee : default_of(lower, callee, index);
        if (gl_fe_is_null(argument))
            return gl_lower_undef();
    }
    CXType canonical = clang_getCanonicalType(parameter);
    struct gl_ir_operand value;
    if (gl_fe_is_reference(canonical))
        value = gl_lower_bind_reference(lower, argument, false);
    else if (canonical.kind == CXType_Record)
        return class_argument(lower, argument, parameter);
    else
        value = gl_lower_value(lower, argument);
    value.flags = access_flags(parameter);
    return value;
}

// ---- what is called --------------------------------------------------------------------------------------

struct call {
    CXCursor cursor, function; // function: null cursor unless a function declaration is known
    CXType function_type;
    struct gl_ir_instr instr;
    GL_VEC(struct gl_ir_operand) args;
    unsigned first_argument; // of libclang's arguments that is a parameter's
    bool is_unknown;         // through a pointer to member
};

static bool is_function_kind(enum CXCursorKind kind)
{
    return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
           kind == CXCursor_ConversionFunction || kind == CXCursor_Constructor ||
           kind == CXCursor_Destructor || kind == CXCursor_FunctionTemplate;
}

static bool has_object(CXCursor function)
{
    enum CXCursorKind kind = gl_fe_kind(function);
    if (kind == CXCursor_FunctionTemplate)
        kind = clang_getTemplateCursorKind(function);
    return kind == CXCursor_ConversionFunction || kind == CXCursor_Destructor ||
           (kind == CXCursor_CXXMethod && !clang_CXXMethod_isStatic(function));
}

static CXType pointed_function(CXType type)
{
    CXType canonical = clang_getCanonicalType(type);
    if (canonical.kind == CXType_Pointer || gl_fe_is_reference(canonical))
        canonical = clang_getCanonicalType(clang_getPointeeType(canonical));
    return canonical;
}

static bool is_callable_type(CXType type)
{
    return type.kind == CXType_FunctionProto || type.kind == CXType_FunctionNoProto;
}

static void add_object(struct gl_lower *lower, struct call *call, struct gl_ir_place object, bool is_const)
{
    (void)lower;
    struct gl_ir_operand address = gl_lower_address(object);
    address.flags = is_const ? GL_ARG_CONST : GL_ARG_MUTABLE;
    GL_VEC_PUSH(&call->args, address);
}

// `a + b`, `f(x)` on objects: the object is the first argument.
static void add_operator_object(struct gl_lower *lower, struct call *call)
{
    CXCursor object = clang_Cursor_getArgument(call->cursor, 0);
    if (gl_fe_is_null(object))
        return;
    add_object(lower, call, gl_lower_place(lower, object), clang_CXXMethod_isConst(call->function) != 0);
    call->first_argument = 1;
}

static CXCursor written_callee(struct gl_lower *lower, CXCursor cursor)
{
    return gl_fe_strip(lower->fe, gl_fe_expr_kid(lower->fe, cursor));
}

static void find_method(struct gl_lower *lower, struct call *call)
{
    CXCursor callee = written_callee(lower, call->cursor);
    bool is_member_call = gl_fe_kind(callee) == CXCursor_MemberRefExpr &&
                          clang_equalCursors(clang_getCursorReferenced(callee), call->function);
    if (!is_member_call) {
        add_operator_object(lower, call);
        return;
    }
    bool is_const = clang_CXXMethod_isConst(call->function) != 0;
    add_object(lower, call, gl_lower_member_base(lower, callee), is_const);
    CXCursor base = gl_fe_expr_kid(lower->fe, callee);
    call->instr.is_implicit = gl_fe_kind(call->function) == CXCursor_ConversionFunction &&
                              !gl_fe_is_null(base) && gl_fe_end_offset(base) == gl_fe_end_offset(callee);
}

static void find_function(struct gl_lower *lower, struct call *call, CXCursor function)
{
    call->function = function;
    call->function_type = clang_getCursorType(function);
    if (has_object(function))
        find_method(lower, call);
    call->instr.callee = gl_fe_callee(lower->fe, function, lower->depth + 1);
    call->instr.is_virtual =
        (call->instr.callee->flags & GL_DECL_VIRTUAL) && clang_Cursor_isDynamicCall(call->cursor);
}

// The one function an overloaded name can mean; a null cursor if there are several.
CXCursor gl_lower_only_candidate(struct gl_lower *lower, CXCursor callee)
{
    struct gl_kids kids = gl_fe_kids(lower->fe, callee);
    for (size_t i = 0; i < kids.count; i++)
        if (gl_fe_kind(kids.at[i]) == CXCursor_OverloadedDeclRef &&
            clang_getNumOverloadedDecls(kids.at[i]) == 1)
            return clang_getOverloadedDecl(kids.at[i], 0);
    return clang_getNullCursor();
}

static void set_name(struct gl_lower *lower, struct call *call, const char *name)
{
    call->instr.name = gl_intern(gl_ir_strings(lower->program), name ? name : "?");
}

// A dependent call: by name, or by the only candidate.
static void find_by_name(struct gl_lower *lower, struct call *call, CXCursor callee)
{
    CXCursor candidate = gl_lower_only_candidate(lower, callee);
    if (gl_fe_kind(callee) == CXCursor_MemberRefExpr)
        add_object(lower, call, gl_lower_member_base(lower, callee), false);
    if (!gl_fe_is_null(candidate) && is_function_kind(gl_fe_kind(candidate)) &&
        has_object(candidate) == (call->args.count > 0))
        call->instr.callee = gl_fe_decl(lower->fe, candidate);
    else
        set_name(lower, call, gl_fe_written_name(lower->fe, callee));
}

CXCursor gl_lower_called(struct gl_lower *lower, CXCursor call)
{
    CXCursor written = gl_fe_expr_kid(lower->fe, call), callee = gl_fe_strip(lower->fe, written);
    if (gl_fe_kind(callee) == CXCursor_UnexposedExpr) // a function's name decays to a pointer
        callee = gl_fe_strip(lower->fe, gl_fe_expr_kid(lower->fe, callee));
    bool is_name = gl_fe_kind(callee) == CXCursor_DeclRefExpr || gl_fe_kind(callee) == CXCursor_MemberRefExpr;
    if (!is_name && is_callable_type(pointed_function(clang_getCursorType(written))))
        return clang_getNullCursor();
    return clang_getCursorReferenced(call);
}

static void find_callee(struct gl_lower *lower, struct call *call)
{
    CXCursor referenced = gl_lower_called(lower, call->cursor);
    if (is_function_kind(gl_fe_kind(referenced))) {
        find_function(lower, call, referenced);
        return;
    }
    CXCursor callee = written_callee(lower, call->cursor);
    CXType type = pointed_function(clang_getCursorType(gl_fe_expr_kid(lower->fe, call->cursor)));
    if (is_callable_type(type)) {
        call->function_type = type;
        call->instr.target = gl_lower_value(lower, gl_fe_expr_kid(lower->fe, call->cursor));
        if (call->instr.target.kind == GL_OPERAND_FUNCTION) {
            call->instr.callee = call->instr.target.function;
            call->instr.target = gl_lower_undef();
        } else if (call->instr.target.kind == GL_OPERAND_UNDEF) {
            set_name(lower, call, "?");
        }
    } else if (gl_fe_kind(referenced) == CXCursor_FieldDecl || gl_fe_kind(referenced) == CXCursor_VarDecl ||
               gl_fe_kind(referenced) == CXCursor_ParmDecl) {
        add_object(lower, call, gl_lower_place(lower, callee), false);
        set_name(lower, call, "operator()");
    } else if (gl_fe_kind(callee) == CXCursor_BinaryOperator) {
        struct gl_kids kids = gl_fe_expr_kids(lower->fe, callee);
        for (size_t i = 0; i < kids.count; i++)
            GL_VEC_PUSH(&call->args, gl_lower_value(lower, kids.at[i]));
        set_name(lower, call, "member pointer");
        call->is_unknown = true;
    } else {
        find_by_name(lower, call, callee);
    }
}

// ---- the call --------------------------------------------------------------------------------------------

static void add_arguments(struct gl_lower *lower, struct call *call)
{
    int count = clang_Cursor_getNumArguments(call->cursor);
    int parameters = clang_getNumArgTypes(call->function_type);
    for (int i = (int)call->first_argument; i < count; i++) {
        int position = i - (int)call->first_argument;
        CXType parameter = {.kind = CXType_Invalid};
        if (position < parameters)
            parameter = clang_getArgType(call->function_type, (unsigned)position);
        CXCursor argument = clang_Cursor_getArgument(call->cursor, (unsigned)i);
        GL_VEC_PUSH(&call->args,
                    gl_lower_argument(lower, argument, parameter, call->function, (unsigned)position));
    }
}

static void append_call(struct gl_lower *lower, struct call *call)
{
    call->instr.op = call->is_unknown ? GL_IR_UNKNOWN : GL_IR_CALL;
    call->instr.args = gl_lower_operands(lower, call->args.items, call->args.count);
    call->instr.arg_count = call->args.count;
    struct gl_ir_decl *callee = call->instr.callee;
    gl_lower_append(lower, call->instr);
    GL_VEC_FREE(&call->args);
    if (callee && (callee->flags & GL_DECL_NORETURN))
        gl_lower_stop(lower);
}

static void set_dst(struct call *call, struct gl_ir_place place)
{
    call->instr.has_dst = true;
    call->instr.dst = place;
}

static bool needs_destruction(struct gl_lower *lower, CXType type)
{
    struct gl_fe_record *record = gl_fe_record_of(lower->fe, type);
    return record && !record->is_trivial[GL_SPECIAL_DESTRUCTOR];
}

static struct gl_ir_operand class_result(struct gl_lower *lower, struct call *call, CXType type,
                                         bool is_discarded)
{
    if (is_discarded && !needs_destruction(lower, type)) {
        append_call(lower, call);
        return gl_lower_undef();
    }
    struct gl_ir_var *temp = gl_lower_temp(lower, type);
    set_dst(call, gl_ir_place_var(temp));
    append_call(lower, call);
    gl_lower_temp_done(lower, temp, type, false);
    return gl_ir_operand_place(gl_ir_place_var(temp));
}

static struct gl_ir_operand finish_call(struct gl_lower *lower, struct call *call,
                                        const struct gl_ir_place *dst, bool is_discarded)
{
    CXType result = clang_getResultType(call->function_type);
    if (result.kind == CXType_Invalid)
        result = clang_getCursorType(call->cursor);
    CXType canonical = clang_getCanonicalType(result);
    if (canonical.kind == CXType_Void || (is_discarded && canonical.kind != CXType_Record)) {
        append_call(lower, call);
        return gl_lower_undef();
    }
    if (dst && !gl_fe_is_reference(canonical)) {
        set_dst(call, *dst);
        append_call(lower, call);
        return gl_ir_operand_place(*dst);
    }
    if (canonical.kind == CXType_Record)
        return class_result(lower, call, result, is_discarded);
    struct gl_ir_place temp = gl_ir_place_var(gl_lower_scalar_temp(lower, gl_fe_type(lower->fe, result)));
    set_dst(call, temp);
    append_call(lower, call);
    if (gl_fe_is_reference(canonical))
        temp = gl_ir_place_deref(lower->program, temp);
    return gl_ir_operand_place(temp);
}

// Compiler built-ins that only pass their first argument on.
static bool is_transparent_builtin(CXCursor function)
{
    static const char *const names[] = {"__builtin_expect", "__builtin_expect_with_probability",
                                        "__builtin_assume_aligned", "__builtin_launder"};
    CXString spelling = clang_getCursorSpelling(function);
    const char *text = clang_getCString(spelling);
    bool found = false;
    for (size_t i = 0; text && text[0] == '_' && i < GL_COUNT(names); i++)
        found |= strcmp(text, names[i]) == 0;
    clang_disposeString(spelling);
    return found;
}

// `a = b` of a class whose bytes are copied.
static bool is_trivial_assignment(struct gl_lower *lower, CXCursor cursor)
{
    CXCursor function = clang_getCursorReferenced(cursor);
    enum gl_special kind = gl_fe_special_kind(function);
    if ((kind != GL_SPECIAL_COPY_ASSIGN && kind != GL_SPECIAL_MOVE_ASSIGN) ||
        clang_Cursor_getNumArguments(cursor) != 2)
        return false;
    return gl_fe_record_for(lower->fe, clang_getCursorSemanticParent(function))->is_trivial[kind];
}

static struct gl_ir_operand assign_bytes(struct gl_lower *lower, CXCursor cursor)
{
    struct gl_ir_place from = gl_lower_place(lower, clang_Cursor_getArgument(cursor, 1));
    struct gl_ir_place to = gl_lower_place(lower, clang_Cursor_getArgument(cursor, 0));
    gl_lower_copy(lower, to, gl_ir_operand_place(from));
    return gl_ir_operand_place(to);
}

static struct gl_ir_loc call_loc(struct gl_lower *lower, CXCursor cursor)
{
    CXCursor callee = gl_fe_expr_kid(lower->fe, cursor);
    if (gl_fe_kind(callee) == CXCursor_MemberRefExpr) {
        struct gl_ir_loc loc = gl_fe_cursor_loc(lower->fe, callee);
        if (loc.file)
            return loc;
    }
    struct gl_ir_loc loc = gl_fe_start_loc(lower->fe, cursor);
    return loc.file ? loc : lower->loc;
}

struct gl_ir_operand gl_lower_call(struct gl_lower *lower, CXCursor cursor, const struct gl_ir_place *dst,
                                   bool is_discarded)
{
    CXCursor config, constructor;
    struct gl_ir_loc outer = lower->loc;
    if (gl_lower_is_constructor_call(cursor, &constructor))
        return gl_ir_operand_place(gl_lower_materialize(lower, cursor));
    if (is_transparent_builtin(clang_getCursorReferenced(cursor)))
        return gl_lower_value(lower, clang_Cursor_getArgument(cursor, 0));
    if (is_trivial_assignment(lower, cursor))
        return assign_bytes(lower, cursor);
    lower->loc = call_loc(lower, cursor);
    struct gl_ir_operand result = gl_lower_undef();
    if (gl_lower_is_launch(lower, cursor, &config)) {
        gl_lower_launch(lower, cursor, config);
    } else {
        struct call call = {.cursor = cursor, .function = clang_getNullCursor()};
        struct gl_ir_loc loc = lower->loc;
        find_callee(lower, &call);
        add_arguments(lower, &call);
        lower->loc = loc;
        result = finish_call(lower, &call, dst, is_discarded);
    }
    lower->loc = outer;
    return result;
}

// ---- constructors ----------------------------------------------------------------------------------------

bool gl_lower_is_constructor_call(CXCursor expr, CXCursor *out_constructor)
{
    if (gl_fe_kind(expr) != CXCursor_CallExpr)
        return false;
    *out_constructor = clang_getCursorReferenced(expr);
    return gl_fe_kind(*out_constructor) == CXCursor_Constructor;
}

void gl_lower_member_call(struct gl_lower *lower, struct gl_ir_decl *decl, struct gl_ir_place object,
                          const struct gl_ir_operand *argument)
{
    struct gl_ir_operand args[2] = {gl_lower_address(object)};
    args[0].flags = GL_ARG_MUTABLE;
    if (argument)
        args[1] = *argument;
    size_t count = argument ? 2 : 1;
    struct gl_ir_instr instr = {.op = GL_IR_CALL,
                                .callee = decl,
                                .is_implicit = true,
                                .args = gl_lower_operands(lower, args, count),
                                .arg_count = count};
    gl_lower_append(lower, instr);
}

void gl_lower_construct(struct gl_lower *lower, CXCursor cursor, CXCursor constructor,
                        struct gl_ir_place place)
{
    enum gl_special special = gl_fe_special_kind(constructor);
    struct gl_fe_record *record = gl_fe_record_for(lower->fe, clang_getCursorSemanticParent(constructor));
    if (is_trivial_copy(lower, cursor)) {
        struct gl_ir_place from = gl_lower_place(lower, clang_Cursor_getArgument(cursor, 0));
        gl_lower_copy(lower, place, gl_ir_operand_place(from));
        return;
    }
    if (special == GL_SPECIAL_DEFAULT && record->is_trivial[special])
        return;
    struct gl_ir_loc outer = lower->loc, loc = gl_fe_start_loc(lower->fe, cursor);
    if (loc.file)
        lower->loc = loc;
    struct call call = {.cursor = cursor, .function = constructor};
    call.function_type = clang_getCursorType(constructor);
    add_object(lower, &call, place, false);
    add_arguments(lower, &call);
    call.instr.callee = gl_fe_callee(lower->fe, constructor, lower->depth + 1);
    call.instr.is_implicit = special == GL_SPECIAL_COPY || special == GL_SPECIAL_MOVE;
    lower->loc = loc.file ? loc : outer;
    append_call(lower, &call);
    lower->loc = outer;
}

// ---- code that did not compile ---------------------------------------------------------------------------

struct gl_ir_operand gl_lower_recovered_call(struct gl_lower *lower, CXCursor expr, struct gl_kids kids)
{
    struct call call = {.cursor = expr, .function = clang_getNullCursor()};
    CXCursor callee = gl_fe_strip(lower->fe, kids.at[0]);
    enum CXCursorKind kind = gl_fe_kind(callee);
    bool is_call = kind == CXCursor_MemberRefExpr || kind == CXCursor_DeclRefExpr;
    const char *name = is_call ? gl_fe_written_name(lower->fe, callee) : NULL;
    for (size_t i = name ? 1 : 0; i < kids.count; i++)
        GL_VEC_PUSH(&call.args, gl_lower_value(lower, kids.at[i]));
    if (!name) {
        struct gl_ir_operand value =
            gl_lower_unknown(lower, "expression", type_of(lower, expr), call.args.items, call.args.count);
        GL_VEC_FREE(&call.args);
        return value;
    }
    set_name(lower, &call, name);
    set_dst(&call, gl_ir_place_var(gl_lower_scalar_temp(lower, type_of(lower, expr))));
    struct gl_ir_place dst = call.instr.dst;
    append_call(lower, &call);
    return gl_ir_operand_place(dst);
}
