// SPDX-License-Identifier: Apache-2.0
// Parses types and the lines that declare functions, records and globals, and joins them with what the
// program knows of the same USR.
#include "ir/parse.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// ---- types -----------------------------------------------------------------------------------------------

struct gl_ir_type *gl_parse_unknown_type(struct gl_parser *parser)
{
    return gl_ir_type_get(parser->program, &(struct gl_ir_type){.kind = GL_TYPE_UNKNOWN});
}

// A string can be a name or the start of an alias type ("name"=T).
bool gl_parse_at_type(const struct gl_parser *parser)
{
    switch (parser->token.kind) {
    case GL_TOKEN_WORD:
        return !gl_token_is(&parser->token, "static");
    case GL_TOKEN_STRING:
        return gl_lexer_peek(&parser->lexer) == '=';
    case GL_TOKEN_PUNCT:
        return strchr("?*&[{", parser->token.punct) != NULL;
    default:
        return false;
    }
}

// i32, u64, f16
static bool parse_sized_type(struct gl_parser *parser, struct gl_ir_type *type)
{
    const struct gl_token *token = &parser->token;
    struct gl_token digits = *token;
    digits.text++;
    digits.length--;
    uint64_t bits = 0;
    bool is_sized = strchr("iuf", token->text[0]) && digits.length;
    for (size_t i = 0; i < digits.length; i++)
        is_sized = is_sized && is_digit(digits.text[i]);
    if (!is_sized || !gl_token_unsigned(&digits, 1u << 16, &bits)) {
        static const char *const known[] = {"void", "bool", "i8",  "i16", "i32", "i64", "u8",    "u16",
                                            "u32",  "u64",  "f16", "f32", "f64", "fn",  "const", "static"};
        return gl_parse_unknown_word(parser, "type", known, GL_COUNT(known));
    }
    type->kind = token->text[0] == 'f' ? GL_TYPE_FLOAT : GL_TYPE_INT;
    type->is_signed = token->text[0] == 'i';
    type->bits = (unsigned)bits;
    gl_parse_advance(parser);
    return true;
}

static bool parse_word_type(struct gl_parser *parser, struct gl_ir_type *type, bool *out_has_element)
{
    if (gl_parse_take_word(parser, "void")) {
        type->kind = GL_TYPE_VOID;
        return true;
    }
    if (gl_parse_take_word(parser, "bool")) {
        type->kind = GL_TYPE_BOOL;
        return true;
    }
    if (gl_parse_take_word(parser, "fn")) {
        type->kind = GL_TYPE_FUNCTION;
        *out_has_element = true;
        return true;
    }
    return parse_sized_type(parser, type);
}

static struct gl_ir_record *record_ref(struct gl_parser *parser, const char *usr)
{
    struct gl_ir_record *record = gl_ir_record_get(parser->program, usr);
    if (!record->name)
        record->name = record->usr;
    return record;
}

static bool parse_punct_type(struct gl_parser *parser, struct gl_ir_type *type, bool *out_has_element)
{
    const char *usr;
    *out_has_element = true;
    if (gl_parse_take_punct(parser, '*')) {
        type->kind = GL_TYPE_POINTER;
    } else if (gl_parse_take_punct(parser, '&')) {
        type->kind = gl_parse_take_punct(parser, '&') ? GL_TYPE_RVALUE : GL_TYPE_REFERENCE;
    } else if (gl_parse_take_punct(parser, '[')) {
        type->kind = GL_TYPE_ARRAY;
        return gl_parse_unsigned(parser, "an array's length", UINT64_MAX, &type->count) &&
               gl_parse_punct(parser, ']');
    } else if (gl_parse_take_punct(parser, '{')) {
        *out_has_element = false;
        type->kind = GL_TYPE_RECORD;
        if (!gl_parse_string(parser, "a record's USR", &usr) || !gl_parse_punct(parser, '}'))
            return false;
        type->record = record_ref(parser, usr);
    } else {
        *out_has_element = false;
        return gl_parse_take_punct(parser, '?') || gl_parse_expected(parser, "a type");
    }
    return true;
}

static bool parse_type_at(struct gl_parser *parser, unsigned depth, struct gl_ir_type **out_type)
{
    if (depth >= GL_IR_TYPE_DEPTH_MAX)
        return gl_parse_fail(parser, NULL, "a type has more than %d levels", GL_IR_TYPE_DEPTH_MAX);
    struct gl_ir_type type = {.is_const = gl_parse_take_word(parser, "const")};
    bool has_element = false, is_read;
    if (parser->token.kind == GL_TOKEN_WORD) {
        is_read = parse_word_type(parser, &type, &has_element);
    } else if (parser->token.kind == GL_TOKEN_STRING) {
        type.kind = GL_TYPE_ALIAS;
        has_element = true;
        is_read = gl_parse_string(parser, "an alias", &type.name) && gl_parse_punct(parser, '=');
    } else {
        is_read = parse_punct_type(parser, &type, &has_element);
    }
    if (!is_read || (has_element && !parse_type_at(parser, depth + 1, &type.element)))
        return false;
    *out_type = gl_ir_type_get(parser->program, &type);
    return true;
}

bool gl_parse_type(struct gl_parser *parser, struct gl_ir_type **out_type)
{
    return parse_type_at(parser, 0, out_type);
}

// ---- functions -------------------------------------------------------------------------------------------

static struct gl_ir_origin *decl_origin(struct gl_ir_decl *decl)
{
    return &((struct gl_ir_decl_node *)decl)->origin;
}

// Marks an object as declared by a line of this unit; false, with a message, if it was already.
static bool declare_once(struct gl_parser *parser, struct gl_ir_origin *origin, const char *usr)
{
    if (origin->declared_in == parser->unit)
        return gl_parse_fail(parser, NULL, "\"%s\" is declared twice in this unit", usr);
    origin->declared_in = parser->unit;
    return true;
}

// Within a unit a USR has one linkage, told before the first use. `origin` is that of what it meant until
// now.
static bool linkage_is_kept(struct gl_parser *parser, const struct gl_ir_origin *origin, bool was_internal,
                            bool is_internal, const char *usr)
{
    bool is_known_here = origin->used_in == parser->unit || origin->declared_in == parser->unit;
    if (was_internal == is_internal || !is_known_here)
        return true;
    return gl_parse_fail(parser, "declare it once, before its first use",
                         "\"%s\" is both internal and external in this unit", usr);
}

struct gl_ir_decl *gl_parse_decl_ref(struct gl_parser *parser, const char *usr)
{
    struct gl_ir_decl *decl = gl_ir_decl_find(parser->program, parser->unit, usr);
    if (!decl) {
        decl = gl_ir_decl_get(parser->program, parser->unit, usr, false);
        decl->name = decl->usr;
        decl->result = gl_parse_unknown_type(parser);
        decl->flags |= GL_DECL_VARIADIC;
        decl->loc = gl_parse_here(parser);
        decl_origin(decl)->is_implied = true;
    }
    decl_origin(decl)->used_in = parser->unit;
    return decl;
}

// A second opinion on a known function. Units that disagree on the parameters leave the number of arguments
// open.
static void decl_merge(struct gl_ir_decl *decl, const struct gl_ir_decl *said)
{
    decl->flags |= said->flags & (GL_DECL_NORETURN | GL_DECL_NODISCARD | GL_DECL_VARIADIC);
    if (decl->params.count != said->params.count)
        decl->flags |= GL_DECL_VARIADIC;
}

// Takes over what the line says of a function, and its vector of parameters, unless that is known already.
static bool decl_join(struct gl_parser *parser, struct gl_ir_decl *said)
{
    bool is_internal = said->flags & GL_DECL_INTERNAL;
    struct gl_ir_decl *seen = gl_ir_decl_find(parser->program, parser->unit, said->usr);
    if (seen &&
        !linkage_is_kept(parser, decl_origin(seen), seen->flags & GL_DECL_INTERNAL, is_internal, said->usr))
        return false;
    struct gl_ir_decl *decl = gl_ir_decl_get(parser->program, parser->unit, said->usr, is_internal);
    if (!declare_once(parser, decl_origin(decl), decl->usr))
        return false;
    if (decl->name && !decl_origin(decl)->is_implied) {
        decl_merge(decl, said);
        return true;
    }
    struct gl_ir_func *body = decl->body;
    GL_VEC_FREE(&decl->params);
    *decl = *said;
    decl->body = body;
    decl_origin(decl)->is_implied = false;
    *said = (struct gl_ir_decl){0};
    return true;
}

// (T, T, ...)
static bool parse_params(struct gl_parser *parser, struct gl_ir_decl *decl)
{
    if (!gl_parse_take_punct(parser, '(')) {
        decl->flags |= GL_DECL_VARIADIC;
        return true;
    }
    while (!gl_parse_take_punct(parser, ')')) {
        if (decl->params.count && !gl_parse_punct(parser, ','))
            return false;
        if (parser->token.kind == GL_TOKEN_DOTS && parser->token.length == 3) {
            gl_parse_advance(parser);
            decl->flags |= GL_DECL_VARIADIC;
            return gl_parse_punct(parser, ')');
        }
        struct gl_ir_type *type;
        if (!gl_parse_type(parser, &type))
            return false;
        GL_VEC_PUSH(&decl->params, type);
    }
    return true;
}

// class "C" and record "usr", each at most once
static bool parse_decl_class(struct gl_parser *parser, struct gl_ir_decl *decl)
{
    const char *usr;
    if (gl_parse_take_word(parser, "class") && !gl_parse_string(parser, "a class name", &decl->class_name))
        return false;
    if (!gl_parse_take_word(parser, "record"))
        return true;
    if (!gl_parse_string(parser, "a record's USR", &usr))
        return false;
    decl->record = record_ref(parser, usr);
    return true;
}

// "usr" ["name"] [(types)] [-> type] [flags] [class "C"] [record "usr"] [@loc]
static bool parse_decl_parts(struct gl_parser *parser, struct gl_ir_decl *decl)
{
    unsigned flags;
    if (!gl_parse_string(parser, "a function's USR", &decl->usr))
        return false;
    decl->name = decl->usr;
    decl->result = gl_parse_unknown_type(parser);
    if (parser->token.kind == GL_TOKEN_STRING && !gl_parse_string(parser, "a name", &decl->name))
        return false;
    if (!parse_params(parser, decl))
        return false;
    if (parser->token.kind == GL_TOKEN_ARROW) {
        gl_parse_advance(parser);
        if (!gl_parse_type(parser, &decl->result))
            return false;
    }
    if (!gl_parse_flags(parser, &gl_decl_words, &flags) || !parse_decl_class(parser, decl))
        return false;
    decl->flags |= flags;
    return gl_parse_loc(parser, &decl->loc);
}

bool gl_parse_decl(struct gl_parser *parser)
{
    struct gl_ir_decl decl = {0};
    bool is_read = parse_decl_parts(parser, &decl) && decl_join(parser, &decl);
    GL_VEC_FREE(&decl.params);
    return is_read;
}

// ---- records ---------------------------------------------------------------------------------------------

// The name and properties that a line tells, where it tells more than was known.
static void record_join(struct gl_ir_record *record, const char *name, unsigned flags)
{
    if (name)
        record->name = name;
    if (!flags)
        return;
    record->is_complete = flags & GL_RECORD_COMPLETE;
    record->is_union = flags & GL_RECORD_UNION;
    record->is_closure = flags & GL_RECORD_CLOSURE;
    record->is_abi_trivial = flags & GL_RECORD_TRIVIAL;
}

// "usr" ["name"] [flags]
bool gl_parse_record(struct gl_parser *parser)
{
    const char *usr, *name = NULL;
    unsigned flags;
    if (!gl_parse_string(parser, "a record's USR", &usr) ||
        (parser->token.kind == GL_TOKEN_STRING && !gl_parse_string(parser, "a name", &name)) ||
        !gl_parse_flags(parser, &gl_record_words, &flags))
        return false;
    struct gl_ir_record *record = record_ref(parser, usr);
    if (!declare_once(parser, &((struct gl_ir_record_node *)record)->origin, usr))
        return false;
    parser->record = (struct gl_parsed_record){
        .record = record,
        .is_kept = !record->is_complete,
        .is_incomplete = flags & GL_RECORD_INCOMPLETE,
    };
    if (parser->record.is_kept)
        record_join(record, name, flags);
    return true;
}

// The number of items in a list of members, where the first one of this unit replaces those of an earlier
// unit.
static size_t member_count(bool *is_replaced, size_t count)
{
    size_t kept = *is_replaced ? count : 0;
    *is_replaced = true;
    return kept;
}

// Members but type arguments make a record complete, unless its line says otherwise.
static void member_is_known(struct gl_parsed_record *parsed)
{
    if (!parsed->is_incomplete)
        parsed->record->is_complete = true;
}

bool gl_parse_record_targ(struct gl_parser *parser)
{
    struct gl_parsed_record *parsed = &parser->record;
    struct gl_ir_type *type;
    if (!gl_parse_type(parser, &type))
        return false;
    if (parsed->is_kept) {
        struct gl_ir_record *record = parsed->record;
        record->template_args.count = member_count(&parsed->has_targs, record->template_args.count);
        GL_VEC_PUSH(&record->template_args, type);
    }
    return true;
}

bool gl_parse_record_base(struct gl_parser *parser)
{
    struct gl_parsed_record *parsed = &parser->record;
    struct gl_ir_type *type;
    if (!gl_parse_type(parser, &type))
        return false;
    if (parsed->is_kept) {
        parsed->record->bases.count = member_count(&parsed->has_bases, parsed->record->bases.count);
        GL_VEC_PUSH(&parsed->record->bases, type);
        member_is_known(parsed);
    }
    return true;
}

bool gl_parse_record_field(struct gl_parser *parser)
{
    struct gl_parsed_record *parsed = &parser->record;
    struct gl_ir_field field = {.type = gl_parse_unknown_type(parser)};
    if (!gl_parse_word_or_string(parser, "a field's name", &field.name) ||
        (gl_parse_at_type(parser) && !gl_parse_type(parser, &field.type)))
        return false;
    if (parsed->is_kept) {
        parsed->record->fields.count = member_count(&parsed->has_fields, parsed->record->fields.count);
        GL_VEC_PUSH(&parsed->record->fields, field);
        member_is_known(parsed);
    }
    return true;
}

bool gl_parse_record_dtor(struct gl_parser *parser)
{
    struct gl_parsed_record *parsed = &parser->record;
    const char *usr;
    if (!gl_parse_string(parser, "the destructor's USR", &usr))
        return false;
    struct gl_ir_decl *decl = gl_parse_decl_ref(parser, usr);
    if (parsed->is_kept) {
        parsed->record->destructor = decl;
        member_is_known(parsed);
    }
    return true;
}

// ---- globals ---------------------------------------------------------------------------------------------

static struct gl_ir_origin *global_origin(struct gl_ir_var *global)
{
    return &((struct gl_ir_global_node *)global)->origin;
}

struct gl_ir_var *gl_parse_global_ref(struct gl_parser *parser, const char *usr)
{
    struct gl_ir_var *global = gl_ir_global_find(parser->program, parser->unit, usr);
    if (!global) {
        global = gl_ir_global_get(parser->program, parser->unit, usr, false);
        global->name = global->usr;
        global->type = gl_parse_unknown_type(parser);
        global->loc = gl_parse_here(parser);
        global_origin(global)->is_implied = true;
    }
    global_origin(global)->used_in = parser->unit;
    return global;
}

static bool global_join(struct gl_parser *parser, const struct gl_ir_var *said, bool is_internal)
{
    struct gl_ir_var *seen = gl_ir_global_find(parser->program, parser->unit, said->usr);
    if (seen &&
        !linkage_is_kept(parser, global_origin(seen), gl_ir_global_is_internal(seen), is_internal, said->usr))
        return false;
    struct gl_ir_var *global = gl_ir_global_get(parser->program, parser->unit, said->usr, is_internal);
    if (!declare_once(parser, global_origin(global), global->usr))
        return false;
    if (global->name && !global_origin(global)->is_implied)
        return true;
    global->name = said->name;
    global->type = said->type;
    global->loc = said->loc;
    global->is_static = said->is_static;
    global_origin(global)->is_implied = false;
    return true;
}

// "usr" ["name"] [type] [flags] [@loc]
bool gl_parse_global(struct gl_parser *parser)
{
    struct gl_ir_var global = {.type = gl_parse_unknown_type(parser)};
    unsigned flags;
    if (!gl_parse_string(parser, "a global's USR", &global.usr))
        return false;
    global.name = global.usr;
    if (parser->token.kind == GL_TOKEN_STRING && gl_lexer_peek(&parser->lexer) != '=' &&
        !gl_parse_string(parser, "a name", &global.name))
        return false;
    // An array's bound begins like the flags do, but with a digit.
    bool is_flags = gl_parse_at_punct(parser, '[') && !is_digit(gl_lexer_peek(&parser->lexer));
    if ((!is_flags && gl_parse_at_type(parser) && !gl_parse_type(parser, &global.type)) ||
        !gl_parse_flags(parser, &gl_global_words, &flags) || !gl_parse_loc(parser, &global.loc))
        return false;
    global.is_static = flags & GL_GLOBAL_STATIC;
    return global_join(parser, &global, flags & GL_GLOBAL_INTERNAL);
}
