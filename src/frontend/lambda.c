// SPDX-License-Identifier: Apache-2.0
// Lambdas → a closure record with a field for each capture, and a call operator that reads them.
#include "frontend/lower.h"

#include "frontend/operator.h"

#include <ctype.h>
#include <string.h>

enum default_capture { CAPTURE_NONE, CAPTURE_COPY, CAPTURE_REFERENCE };

struct scan {
    struct gl_lower *lower;
    struct gl_fe_closure *closure;
    struct gl_kids kids;
    enum default_capture implicit;
};

static struct gl_fe_capture *add_capture(struct scan *scan, CXCursor variable, const char *field,
                                         bool by_reference)
{
    struct gl_fe_capture capture = {.variable = variable, .field = field, .by_reference = by_reference};
    GL_VEC_PUSH(&scan->closure->captures, capture);
    return &scan->closure->captures.items[scan->closure->captures.count - 1];
}

static bool is_captured(const struct gl_fe_closure *closure, CXCursor variable)
{
    for (size_t i = 0; i < closure->captures.count; i++) {
        CXCursor known = closure->captures.items[i].variable;
        if (gl_fe_is_null(variable) ? gl_fe_is_null(known)
                                    : !gl_fe_is_null(known) && gl_fe_key(known) == gl_fe_key(variable))
            return true;
    }
    return false;
}

// ---- the capture list ------------------------------------------------------------------------------------

static CXCursor variable_named(struct scan *scan, const char *name)
{
    for (size_t i = 0; i < scan->kids.count; i++)
        if (gl_fe_kind(scan->kids.at[i]) == CXCursor_VariableRef &&
            gl_fe_spelling(scan->lower->fe, scan->kids.at[i]) == name)
            return clang_getCursorReferenced(scan->kids.at[i]);
    return clang_getNullCursor();
}

static void read_item(struct scan *scan, const char *text, size_t length)
{
    struct gl_strings *strings = gl_ir_strings(scan->lower->program);
    while (length && isspace((unsigned char)*text))
        text++, length--;
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    bool by_reference = length && *text == '&';
    size_t skip = length && (*text == '&' || *text == '*') ? 1 : 0;
    while (skip < length && isspace((unsigned char)text[skip]))
        skip++;
    size_t name_length = gl_fe_identifier_length(text + skip, length - skip);
    const char *name = gl_intern_n(strings, text + skip, name_length);
    if (!name_length) {
        if (length)
            scan->implicit = by_reference ? CAPTURE_REFERENCE : CAPTURE_COPY;
    } else if (strcmp(name, "this") == 0) {
        add_capture(scan, clang_getNullCursor(), name, false)->is_object_copy = *text == '*';
    } else {
        CXCursor variable = variable_named(scan, name);
        if (!gl_fe_is_null(variable))
            add_capture(scan, variable, name, by_reference);
    }
}

static void read_list(struct scan *scan)
{
    size_t length;
    const char *text = gl_fe_text(scan->lower->fe, scan->closure->expr, &length);
    if (!text || *text != '[') { // from a macro
        scan->implicit = CAPTURE_REFERENCE;
        return;
    }
    int depth = 0;
    size_t start = 1;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        depth += c == '[' || c == '(' || c == '{' ? 1 : c == ']' || c == ')' || c == '}' ? -1 : 0;
        if ((c == ',' && depth == 1) || !depth) {
            read_item(scan, text + start, i - start);
            start = i + 1;
        }
        if (!depth)
            break;
    }
}

// ---- implicit captures -----------------------------------------------------------------------------------

static bool is_variable_of_outer(struct scan *scan, CXCursor variable)
{
    if (gl_lower_binding(scan->lower, variable))
        return true;
    return scan->lower->closure && is_captured(scan->lower->closure, variable);
}

static bool uses_this(struct gl_lower *lower, CXCursor cursor)
{
    enum CXCursorKind kind = gl_fe_kind(cursor);
    if (kind == CXCursor_CXXThisExpr)
        return true;
    if (kind != CXCursor_MemberRefExpr || !gl_fe_is_null(gl_fe_expr_kid(lower->fe, cursor)))
        return false;
    CXCursor referenced = clang_getCursorReferenced(cursor);
    return gl_fe_kind(referenced) == CXCursor_FieldDecl ||
           (gl_fe_kind(referenced) == CXCursor_CXXMethod && !clang_CXXMethod_isStatic(referenced));
}

static enum CXChildVisitResult scan_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct scan *scan = data;
    bool by_reference = scan->implicit == CAPTURE_REFERENCE;
    CXCursor null = clang_getNullCursor();
    if (gl_fe_kind(cursor) == CXCursor_DeclRefExpr) {
        CXCursor variable = clang_getCursorReferenced(cursor);
        if (!gl_fe_is_null(variable) && is_variable_of_outer(scan, variable) &&
            !is_captured(scan->closure, variable))
            add_capture(scan, variable, gl_fe_spelling(scan->lower->fe, variable), by_reference);
    } else if (uses_this(scan->lower, cursor) && !is_captured(scan->closure, null)) {
        add_capture(scan, null, gl_intern(gl_ir_strings(scan->lower->program), "this"), false);
    }
    return CXChildVisit_Recurse;
}

static CXCursor lambda_body(struct gl_kids kids)
{
    for (size_t i = kids.count; i-- > 0;)
        if (gl_fe_kind(kids.at[i]) == CXCursor_CompoundStmt)
            return kids.at[i];
    return clang_getNullCursor();
}

// ---- the closure -----------------------------------------------------------------------------------------

static CXType captured_type(CXCursor variable)
{
    CXType type = clang_getCursorType(variable);
    return gl_fe_is_reference(type) ? clang_getPointeeType(clang_getCanonicalType(type)) : type;
}

static struct gl_fe_field capture_field(struct gl_lower *lower, const struct gl_fe_capture *capture)
{
    struct gl_fe_field field = {.cursor = clang_getNullCursor(), .name = capture->field};
    field.type.kind = CXType_Invalid;
    if (gl_fe_is_null(capture->variable)) {
        struct gl_ir_type *object = lower->this_record ? gl_fe_record_type(lower->fe, lower->this_record->ir)
                                                       : gl_fe_simple_type(lower->fe, GL_TYPE_UNKNOWN);
        field.ir_type = capture->is_object_copy ? object : gl_ir_type_pointer(lower->program, object);
        return field;
    }
    CXType type = captured_type(capture->variable);
    struct gl_ir_type *ir_type = gl_fe_type(lower->fe, type);
    field.ir_type = capture->by_reference ? gl_fe_reference_to(lower->fe, ir_type) : ir_type;
    if (!capture->by_reference)
        field.type = type;
    return field;
}

static CXCursor call_operator(struct gl_kids kids)
{
    for (size_t i = 0; i < kids.count; i++)
        if (gl_fe_kind(kids.at[i]) == CXCursor_ParmDecl)
            return clang_getCursorSemanticParent(kids.at[i]);
    return clang_getNullCursor();
}

static enum CXChildVisitResult find_return(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (gl_fe_kind(cursor) == CXCursor_LambdaExpr)
        return CXChildVisit_Continue;
    if (gl_fe_kind(cursor) != CXCursor_ReturnStmt)
        return CXChildVisit_Recurse;
    *(CXCursor *)data = gl_fe_expr_kid(NULL, cursor);
    return CXChildVisit_Break;
}

CXType gl_fe_lambda_result(CXCursor expr)
{
    CXCursor returned = clang_getNullCursor();
    clang_visitChildren(expr, find_return, &returned);
    return clang_getCursorType(returned);
}

static void fill_call(struct gl_lower *lower, struct gl_fe_closure *closure, struct gl_kids kids)
{
    struct gl_fe *fe = lower->fe;
    struct gl_strings *strings = gl_ir_strings(fe->program);
    struct gl_ir_decl *call = closure->call;
    if (call->name)
        return;
    call->name = gl_intern(strings, gl_arena_printf(&fe->scratch, "%s::operator()", closure->record->name));
    call->class_name = closure->record->name;
    call->record = closure->record;
    call->flags |= GL_DECL_METHOD;
    call->loc = gl_fe_start_loc(fe, closure->expr);
    CXType result = clang_getResultType(clang_getCursorType(call_operator(kids)));
    if (result.kind == CXType_Invalid)
        result = gl_fe_lambda_result(closure->expr);
    call->result =
        result.kind == CXType_Invalid ? gl_fe_simple_type(fe, GL_TYPE_VOID) : gl_fe_type(fe, result);
    for (size_t i = 0; i < kids.count; i++)
        if (gl_fe_kind(kids.at[i]) == CXCursor_ParmDecl)
            GL_VEC_PUSH(&call->params, gl_fe_type(fe, clang_getCursorType(kids.at[i])));
    if (gl_fe_kind(call_operator(kids)) == CXCursor_FunctionTemplate)
        call->flags |= GL_DECL_TEMPLATE;
}

static struct gl_fe_closure *make_closure(struct gl_lower *lower, CXCursor expr)
{
    struct gl_fe *fe = lower->fe;
    CXCursor class_decl = clang_getTypeDeclaration(clang_getCursorType(expr));
    struct gl_fe_closure *known = gl_map_get(&fe->closures, gl_fe_key(class_decl), NULL);
    if (known)
        return known;
    struct gl_fe_closure *closure = GL_ARENA_NEW(&fe->arena, struct gl_fe_closure);
    *gl_map_put(&fe->closures, gl_fe_key(class_decl), NULL) = closure;
    GL_VEC_PUSH(&fe->all_closures, closure);
    closure->expr = expr;
    closure->this_record = lower->this_record;
    struct scan scan = {lower, closure, gl_fe_kids(fe, expr), CAPTURE_NONE};
    read_list(&scan);
    CXCursor body = lambda_body(scan.kids);
    if (scan.implicit != CAPTURE_NONE && !gl_fe_is_null(body))
        clang_visitChildren(body, scan_body, &scan);
    struct gl_fe_field *fields =
        GL_ARENA_ARRAY(&fe->scratch, struct gl_fe_field, closure->captures.count + 1);
    for (size_t i = 0; i < closure->captures.count; i++)
        fields[i] = capture_field(lower, &closure->captures.items[i]);
    closure->record = gl_fe_closure_record(fe, class_decl, fields, closure->captures.count)->ir;
    const char *usr = gl_arena_printf(&fe->scratch, "%s@F@operator()", closure->record->usr);
    bool is_main = clang_Location_isFromMainFile(clang_getCursorLocation(expr)) != 0;
    closure->call = gl_ir_decl_get(fe->program, fe->unit, usr, is_main);
    fill_call(lower, closure, scan.kids);
    struct gl_fe_job job = {.kind = GL_JOB_LAMBDA,
                            .depth = lower->depth,
                            .definition = expr,
                            .decl = closure->call,
                            .closure = closure};
    if (closure->call->flags & GL_DECL_TEMPLATE)
        GL_VEC_PUSH(&fe->late, job);
    else
        GL_VEC_PUSH(&fe->queue, job);
    return closure;
}

// ---- the expression --------------------------------------------------------------------------------------

static struct gl_ir_place captured_place(struct gl_lower *lower, CXCursor variable)
{
    const struct gl_ir_place *bound = gl_lower_binding(lower, variable);
    if (bound)
        return *bound;
    struct gl_fe_closure *outer = lower->closure;
    for (size_t i = 0; outer && i < outer->captures.count; i++) {
        struct gl_fe_capture *capture = &outer->captures.items[i];
        if (gl_fe_is_null(capture->variable) || gl_fe_key(capture->variable) != gl_fe_key(variable))
            continue;
        struct gl_ir_place place = gl_ir_place_deref(lower->program, gl_ir_place_var(lower->this_var));
        place = gl_ir_place_field(lower->program, place, capture->field);
        return capture->by_reference ? gl_ir_place_deref(lower->program, place) : place;
    }
    return gl_ir_place_var(gl_lower_scalar_temp(lower, gl_fe_type(lower->fe, clang_getCursorType(variable))));
}

static void copy_captured(struct gl_lower *lower, struct gl_ir_place field, CXCursor variable)
{
    CXType type = captured_type(variable);
    struct gl_fe_record *record = gl_lower_is_class(lower, type) ? gl_fe_record_of(lower->fe, type) : NULL;
    struct gl_ir_decl *copy =
        record ? gl_fe_special(lower->fe, record, GL_SPECIAL_COPY, lower->depth + 1) : NULL;
    struct gl_ir_place from = captured_place(lower, variable);
    if (!copy) {
        gl_lower_copy(lower, field, gl_ir_operand_place(from));
        return;
    }
    struct gl_ir_operand argument = gl_lower_address(from);
    argument.flags = GL_ARG_CONST;
    gl_lower_member_call(lower, copy, field, &argument);
}

static void init_capture(struct gl_lower *lower, const struct gl_fe_capture *capture,
                         struct gl_ir_place closure)
{
    struct gl_ir_place field = gl_ir_place_field(lower->program, closure, capture->field);
    if (gl_fe_is_null(capture->variable)) {
        struct gl_ir_operand self = gl_lower_this(lower);
        if (capture->is_object_copy)
            self = gl_ir_operand_place(
                gl_lower_deref(lower, self, gl_fe_simple_type(lower->fe, GL_TYPE_UNKNOWN)));
        gl_lower_copy(lower, field, self);
        return;
    }
    bool is_known = gl_lower_binding(lower, capture->variable) ||
                    (lower->closure && is_captured(lower->closure, capture->variable));
    CXCursor init = is_known || gl_fe_kind(capture->variable) != CXCursor_VarDecl
                        ? clang_getNullCursor()
                        : clang_Cursor_getVarDeclInitializer(capture->variable);
    if (!gl_fe_is_null(init)) { // [name = init]
        if (capture->by_reference)
            gl_lower_copy(lower, field, gl_lower_bind_reference(lower, init, false));
        else
            gl_lower_init(lower, init, field, clang_getCursorType(capture->variable));
    } else if (capture->by_reference) {
        gl_lower_copy(lower, field, gl_lower_address(captured_place(lower, capture->variable)));
    } else {
        copy_captured(lower, field, capture->variable);
    }
}

void gl_lower_lambda(struct gl_lower *lower, CXCursor expr, struct gl_ir_place place)
{
    struct gl_fe_closure *closure = make_closure(lower, expr);
    for (size_t i = 0; i < closure->captures.count; i++)
        init_capture(lower, &closure->captures.items[i], place);
}
