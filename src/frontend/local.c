// SPDX-License-Identifier: Apache-2.0
// Declarations inside functions: variables, references, structured bindings, cleanup attributes.
#include "frontend/lower.h"

#include <ctype.h>
#include <string.h>

// ---- __attribute__((cleanup(f))) -------------------------------------------------------------------------

static const char *word_after(struct gl_fe *fe, const char *text, size_t size, const char *word)
{
    size_t length = strlen(word);
    if (size < length || memcmp(text, word, length) != 0)
        return NULL;
    size_t i = length;
    while (i < size && (isspace((unsigned char)text[i]) || text[i] == '(' || text[i] == '&'))
        i++;
    size_t name = gl_fe_identifier_length(text + i, size - i);
    return name && i > length ? gl_intern_n(gl_ir_strings(fe->program), text + i, name) : NULL;
}

// In `#define AUTO(f) __attribute__((cleanup(f)))` the name is a parameter: its argument is taken from where
// the macro is used.
static const char *macro_argument(struct gl_fe *fe, CXSourceLocation location, const char *parameter)
{
    unsigned spelled, used;
    CXFile use_file;
    struct gl_fe_file *file = gl_fe_spelled_at(fe, location, &spelled);
    clang_getExpansionLocation(location, &use_file, NULL, NULL, &used);
    struct gl_fe_file *use = gl_fe_file(fe, use_file);
    if (!file || !use || !use->text || (file == use && spelled == used))
        return NULL;
    unsigned line = spelled;
    while (line > 0 && (file->text[line - 1] != '\n' || (line > 1 && file->text[line - 2] == '\\')))
        line--;
    const char *open = memchr(file->text + line, '(', spelled - line);
    if (!open || memcmp(file->text + line, "#define", 7) != 0)
        return NULL;
    size_t length = strlen(parameter);
    const char *first = open + 1;
    while (isspace((unsigned char)*first))
        first++;
    if (strncmp(first, parameter, length) != 0 || gl_fe_identifier_length(first, length + 1) != length)
        return NULL;
    const char *call = use->text + used;
    size_t name = gl_fe_identifier_length(call, use->size - used);
    return word_after(fe, call, use->size - used, gl_intern_n(gl_ir_strings(fe->program), call, name));
}

struct cleanup_search {
    struct gl_fe *fe;
    const char *name;
};

static enum CXChildVisitResult find_cleanup(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct cleanup_search *search = data;
    if (gl_fe_kind(cursor) != CXCursor_UnexposedAttr)
        return CXChildVisit_Continue;
    unsigned offset;
    CXSourceLocation start = clang_getRangeStart(clang_getCursorExtent(cursor));
    struct gl_fe_file *file = gl_fe_spelled_at(search->fe, start, &offset);
    if (!file)
        return CXChildVisit_Continue;
    const char *text = file->text + offset;
    const char *name = word_after(search->fe, text, file->size - offset, "cleanup");
    if (!name)
        name = word_after(search->fe, text, file->size - offset, "__cleanup__");
    const char *argument = name ? macro_argument(search->fe, start, name) : NULL;
    if (name)
        search->name = argument ? argument : name;
    return CXChildVisit_Continue;
}

static void add_cleanup_attribute(struct gl_lower *lower, CXCursor variable, struct gl_cleanup *cleanup)
{
    if (!clang_Cursor_hasAttrs(variable))
        return;
    struct cleanup_search search = {lower->fe, NULL};
    clang_visitChildren(variable, find_cleanup, &search);
    if (!search.name)
        return;
    CXCursor function = gl_fe_function_by_name(lower->fe, search.name);
    cleanup->cleanup_name = search.name;
    if (!gl_fe_is_null(function))
        cleanup->cleanup = gl_fe_callee(lower->fe, function, lower->depth + 1);
}

// ---- variables -------------------------------------------------------------------------------------------

static struct gl_ir_var *add_local(struct gl_lower *lower, CXCursor variable, const char *name)
{
    return gl_ir_var_add(lower->program, lower->func, GL_VAR_LOCAL, name,
                         gl_fe_type(lower->fe, clang_getCursorType(variable)),
                         gl_fe_cursor_loc(lower->fe, variable));
}

static void declare_reference(struct gl_lower *lower, CXCursor variable, CXCursor init)
{
    struct gl_full full;
    gl_lower_full_begin(lower, &full);
    struct gl_ir_var *var = add_local(lower, variable, gl_fe_spelling(lower->fe, variable));
    struct gl_ir_operand address =
        gl_fe_is_null(init) ? gl_lower_undef() : gl_lower_bind_reference(lower, init, true);
    gl_lower_begin(lower, var);
    gl_lower_copy(lower, gl_ir_place_var(var), address);
    gl_lower_push_extended(lower, (struct gl_cleanup){.var = var, .place = gl_ir_place_var(var)});
    gl_lower_full_end(lower, &full);
    gl_lower_bind(lower, variable, gl_ir_place_deref(lower->program, gl_ir_place_var(var)));
}

static struct gl_ir_var *declare_object(struct gl_lower *lower, CXCursor variable, CXCursor init)
{
    CXType type = clang_getCursorType(variable);
    struct gl_ir_var *var = add_local(lower, variable, gl_fe_spelling(lower->fe, variable));
    gl_lower_begin(lower, var);
    gl_lower_bind(lower, variable, gl_ir_place_var(var));
    struct gl_full full;
    gl_lower_full_begin(lower, &full);
    if (!gl_fe_is_null(init))
        gl_lower_init(lower, init, gl_ir_place_var(var), type);
    gl_lower_full_end(lower, &full);
    struct gl_cleanup cleanup = gl_lower_object_cleanup(lower, var, type);
    add_cleanup_attribute(lower, variable, &cleanup);
    gl_lower_push(lower, cleanup);
    return var;
}

// Initialised once, the first time control comes by.
static void declare_static(struct gl_lower *lower, CXCursor variable, CXCursor init)
{
    struct gl_ir_place place = gl_ir_place_var(gl_fe_global(lower->fe, variable));
    if (gl_fe_is_null(init))
        return;
    struct gl_ir_block *first = gl_lower_block(lower), *after = gl_lower_block(lower);
    gl_lower_branch(lower, gl_lower_undef(), first, after);
    lower->block = first;
    struct gl_full full;
    gl_lower_full_begin(lower, &full);
    if (gl_fe_is_reference(clang_getCursorType(variable)))
        gl_lower_copy(lower, place, gl_lower_bind_reference(lower, init, false));
    else
        gl_lower_init(lower, init, place, clang_getCursorType(variable));
    gl_lower_full_end(lower, &full);
    gl_lower_continue_in(lower, after);
}

static bool outlives_call(CXCursor variable)
{
    enum CX_StorageClass storage = clang_Cursor_getStorageClass(variable);
    return storage == CX_SC_Static || storage == CX_SC_Extern ||
           clang_getCursorTLSKind(variable) != CXTLS_None;
}

static void declare_variable(struct gl_lower *lower, CXCursor variable)
{
    CXCursor init = clang_Cursor_getVarDeclInitializer(variable);
    if (outlives_call(variable))
        declare_static(lower, variable, init);
    else if (gl_fe_is_reference(clang_getCursorType(variable)))
        declare_reference(lower, variable, init);
    else
        declare_object(lower, variable, init);
}

// ---- structured bindings ---------------------------------------------------------------------------------

static void bind_through_get(struct gl_lower *lower, CXCursor binding, struct gl_ir_place object)
{
    struct gl_ir_operand argument = gl_lower_address(object);
    struct gl_ir_type *type =
        gl_fe_reference_to(lower->fe, gl_fe_type(lower->fe, clang_getCursorType(binding)));
    struct gl_ir_var *var = gl_ir_var_add(lower->program, lower->func, GL_VAR_TEMP,
                                          gl_fe_spelling(lower->fe, binding), type, lower->loc);
    struct gl_ir_instr call = {.op = GL_IR_CALL,
                               .name = gl_intern(gl_ir_strings(lower->program), "get"),
                               .is_implicit = true,
                               .has_dst = true,
                               .dst = gl_ir_place_var(var),
                               .args = gl_lower_operands(lower, &argument, 1),
                               .arg_count = 1};
    gl_lower_append(lower, call);
    gl_lower_bind(lower, binding, gl_ir_place_deref(lower->program, gl_ir_place_var(var)));
}

static void bind_names(struct gl_lower *lower, const CXCursor *names, size_t count, struct gl_ir_place object,
                       CXType type)
{
    struct gl_fe_record *record = gl_fe_record_of(lower->fe, type);
    bool is_array = clang_getArrayElementType(clang_getCanonicalType(type)).kind != CXType_Invalid;
    bool has_fields = !is_array && record && record->fields.count == count;
    for (size_t i = 0; i < count; i++) {
        if (is_array) {
            struct gl_ir_step step = {.kind = GL_STEP_INDEX, .index = (int64_t)i};
            gl_lower_bind(lower, names[i], gl_ir_place_step(lower->program, object, step));
        } else if (has_fields) {
            struct gl_ir_place field =
                gl_ir_place_field(lower->program, object, record->fields.items[i].name);
            if (gl_fe_is_reference(record->fields.items[i].type))
                field = gl_ir_place_deref(lower->program, field);
            gl_lower_bind(lower, names[i], field);
        } else {
            bind_through_get(lower, names[i], object);
        }
    }
}

static void declare_bindings(struct gl_lower *lower, CXCursor declaration)
{
    struct gl_kids kids = gl_fe_kids(lower->fe, declaration);
    size_t count = 0;
    CXCursor init = clang_getNullCursor();
    for (size_t i = 0; i < kids.count; i++) {
        if (clang_isExpression(gl_fe_kind(kids.at[i])))
            init = kids.at[i];
        else if (gl_fe_kind(kids.at[i]) == CXCursor_UnexposedDecl)
            kids.at[count++] = kids.at[i];
    }
    CXType type = clang_getCursorType(declaration);
    if (gl_fe_is_reference(type))
        declare_reference(lower, declaration, init);
    else
        declare_object(lower, declaration, init);
    const struct gl_ir_place *object = gl_lower_binding(lower, declaration);
    if (gl_fe_is_reference(type))
        type = clang_getPointeeType(clang_getCanonicalType(type));
    bind_names(lower, kids.at, count, *object, type);
}

// `G g();` declares a function where an object may have been meant: kept as a variable that never lives, so that
// the analysis can tell what class that would have been.
static void note_function(struct gl_lower *lower, CXCursor declaration)
{
    CXType result = clang_getCursorResultType(declaration);
    if (gl_fe_record_of(lower->fe, result))
        gl_ir_var_add(lower->program, lower->func, GL_VAR_LOCAL, gl_fe_spelling(lower->fe, declaration),
                      gl_fe_type(lower->fe, result), gl_fe_cursor_loc(lower->fe, declaration));
}

void gl_lower_declaration(struct gl_lower *lower, CXCursor declaration)
{
    switch (gl_fe_kind(declaration)) {
    case CXCursor_VarDecl:
        lower->loc = gl_fe_start_loc(lower->fe, declaration);
        declare_variable(lower, declaration);
        break;
    case CXCursor_UnexposedDecl:
        lower->loc = gl_fe_start_loc(lower->fe, declaration);
        if (*gl_fe_spelling(lower->fe, declaration) == '[')
            declare_bindings(lower, declaration);
        break;
    case CXCursor_FunctionDecl:
        note_function(lower, declaration);
        break;
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
    case CXCursor_UnionDecl:
        gl_fe_want_bodies(lower->fe, declaration);
        break;
    default: // types, using, static_assert: nothing happens at run time
        break;
    }
}
