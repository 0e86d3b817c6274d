// SPDX-License-Identifier: Apache-2.0
// Parses what makes up a function: its head, variables and block labels; and ends it.
#include "ir/parse.h"

#include <string.h>

static bool parse_end_loc(struct gl_parser *parser, struct gl_ir_loc *out_loc)
{
    if (parser->token.kind != GL_TOKEN_DOTS) {
        *out_loc = gl_parse_here(parser);
        return true;
    }
    gl_parse_advance(parser);
    return gl_parse_loc(parser, out_loc);
}

// Where the body goes: into the program, or, if that has one already, into a function that is dropped at its
// end.
static void body_start(struct gl_parser *parser, struct gl_ir_decl *decl)
{
    struct gl_parsed_func *body = &parser->body;
    body->func = gl_ir_func_add(parser->program, parser->unit, decl);
    body->is_dropped = !body->func;
    body->arena = body->is_dropped ? &parser->scratch : &parser->program->arena;
    if (body->is_dropped)
        body->func = gl_ir_func_new(body->arena, parser->unit, decl);
    body->block = NULL;
    body->blocks.count = 0;
    gl_labels_clear(&body->var_labels);
    gl_labels_clear(&body->block_labels);
}

// [flags] [@loc [.. @loc]]
static bool parse_func_parts(struct gl_parser *parser, struct gl_ir_func *func)
{
    unsigned flags;
    if (!gl_parse_flags(parser, &gl_func_words, &flags))
        return false;
    bool has_loc = gl_parse_at_loc(parser);
    if (!gl_parse_loc(parser, &func->loc))
        return false;
    parser->body.short_file = has_loc ? func->loc.file : NULL;
    func->is_in_main_file = !(flags & GL_FUNC_HEADER);
    return parse_end_loc(parser, &func->end_loc);
}

// "usr" and the parts
bool gl_parse_func(struct gl_parser *parser)
{
    const char *usr;
    if (!gl_parse_string(parser, "a function's USR", &usr))
        return false;
    struct gl_ir_decl *decl = gl_parse_decl_ref(parser, usr);
    struct gl_ir_decl_node *node = (struct gl_ir_decl_node *)decl;
    if (node->defined_in == parser->unit)
        return gl_parse_fail(parser, NULL, "\"%s\" has two bodies in this unit", usr);
    node->defined_in = parser->unit;
    body_start(parser, decl);
    return parse_func_parts(parser, parser->body.func);
}

// ---- variables -------------------------------------------------------------------------------------------

// A variable written by name is called so: %p, or %p~2 where another one has the name too.
static const char *label_name(struct gl_parser *parser, const struct gl_token *label)
{
    size_t length = 0;
    while (length < label->length && label->text[length] != '~')
        length++;
    bool is_name = length && (label->text[0] < '0' || label->text[0] > '9');
    return gl_intern_n(parser->program->strings, label->text, is_name ? length : 0);
}

// %label ["name"] [type] [static] [@loc]
static bool parse_variable(struct gl_parser *parser, enum gl_ir_var_kind kind)
{
    struct gl_token label = parser->token;
    struct gl_parsed_func *body = &parser->body;
    struct gl_ir_type *type = gl_parse_unknown_type(parser);
    struct gl_ir_loc loc;
    if (label.kind != GL_TOKEN_LABEL)
        return gl_parse_expected(parser, "a variable (%name or %number)");
    if (gl_labels_get(&body->var_labels, label.text, label.length))
        return gl_parse_fail(parser, NULL, "the function has a variable %%%.*s already", (int)label.length,
                             label.text);
    if (kind == GL_VAR_PARAM && body->func->param_count < body->func->vars.count)
        return gl_parse_fail(parser, NULL, "parameters come before all other variables");
    gl_parse_advance(parser);
    const char *name =
        kind == GL_VAR_TEMP ? gl_intern(parser->program->strings, "") : label_name(parser, &label);
    if (parser->token.kind == GL_TOKEN_STRING && !gl_parse_at_type(parser) &&
        !gl_parse_string(parser, "a name", &name))
        return false;
    if (gl_parse_at_type(parser) && !gl_parse_type(parser, &type))
        return false;
    bool is_static = gl_parse_take_word(parser, "static");
    if (!gl_parse_loc(parser, &loc))
        return false;
    gl_labels_put(&body->var_labels, label.text, label.length, (unsigned)body->func->vars.count);
    gl_ir_var_new(body->arena, body->func, kind, name, type, loc)->is_static = is_static;
    return true;
}

bool gl_parse_param(struct gl_parser *parser)
{
    return parse_variable(parser, GL_VAR_PARAM);
}

bool gl_parse_var(struct gl_parser *parser)
{
    return parse_variable(parser, GL_VAR_LOCAL);
}

bool gl_parse_temp(struct gl_parser *parser)
{
    return parse_variable(parser, GL_VAR_TEMP);
}

struct gl_ir_var *gl_parse_local_find(struct gl_parser *parser)
{
    const struct gl_token *token = &parser->token;
    const unsigned *id = gl_labels_get(&parser->body.var_labels, token->text, token->length);
    if (!id) {
        gl_parse_fail(parser, "declare it with a line: var %name TYPE", "the function has no variable %%%.*s",
                      (int)token->length, token->text);
        return NULL;
    }
    return parser->body.func->vars.items[*id];
}

// ---- blocks ----------------------------------------------------------------------------------------------

// The block that the current word names; made when it is first named.
static struct gl_parsed_block *block_find(struct gl_parser *parser)
{
    struct gl_parsed_func *body = &parser->body;
    const struct gl_token *token = &parser->token;
    unsigned index =
        *gl_labels_put(&body->block_labels, token->text, token->length, (unsigned)body->blocks.count);
    if (index == body->blocks.count)
        GL_VEC_PUSH(&body->blocks, (struct gl_parsed_block){.block = gl_ir_block_new(body->arena, body->func),
                                                            .name = token->text,
                                                            .name_length = token->length,
                                                            .line = token->line,
                                                            .column = token->column});
    return &body->blocks.items[index];
}

struct gl_ir_block *gl_parse_block_ref(struct gl_parser *parser)
{
    if (parser->token.kind != GL_TOKEN_WORD) {
        gl_parse_expected(parser, "a block");
        return NULL;
    }
    struct gl_ir_block *block = block_find(parser)->block;
    gl_parse_advance(parser);
    return block;
}

// Moves the collected instructions into the block, which then takes no more room than they need.
static void block_finish(struct gl_parsed_func *body)
{
    size_t count = body->instrs.count;
    if (!body->block || !count)
        return;
    size_t size = count * sizeof *body->instrs.items;
    body->block->instrs.items = memcpy(gl_xmalloc(size), body->instrs.items, size);
    body->block->instrs.count = body->block->instrs.capacity = count;
    body->instrs.count = 0;
}

static void block_start(struct gl_parsed_func *body, struct gl_ir_block *block)
{
    block_finish(body);
    gl_ir_block_place(block);
    body->block = block;
}

bool gl_parse_block_label(struct gl_parser *parser)
{
    struct gl_parsed_block *block = block_find(parser);
    if (block->is_defined)
        return gl_parse_fail(parser, NULL, "the function has a block %.*s already", (int)parser->token.length,
                             parser->token.text);
    block->is_defined = true;
    block_start(&parser->body, block->block);
    gl_parse_advance(parser);
    return gl_parse_punct(parser, ':');
}

// ---- the end ---------------------------------------------------------------------------------------------

// A function without a line that declares it is known by its own parameters.
static void decl_imply_params(struct gl_ir_func *func)
{
    struct gl_ir_decl *decl = func->decl;
    if (!((struct gl_ir_decl_node *)decl)->origin.is_implied)
        return;
    for (unsigned i = 0; i < func->param_count; i++)
        GL_VEC_PUSH(&decl->params, func->vars.items[i]->type);
    decl->flags &= ~(unsigned)GL_DECL_VARIADIC;
}

void gl_parse_func_end(struct gl_parser *parser)
{
    struct gl_parsed_func *body = &parser->body;
    if (!body->func)
        return;
    block_finish(body);
    body->instrs.count = 0;
    for (size_t i = 0; i < body->blocks.count; i++) {
        const struct gl_parsed_block *block = &body->blocks.items[i];
        if (block->is_defined)
            continue;
        gl_diag_add(parser->diags, GL_ERROR, parser->name, block->line, block->column, NULL,
                    "the function has no block %.*s", (int)block->name_length, block->name);
        parser->error_count++;
    }
    if (body->is_dropped) {
        gl_ir_func_clear(body->func);
        gl_arena_free(&parser->scratch);
    } else {
        decl_imply_params(body->func);
    }
    body->func = NULL;
    body->short_file = NULL;
}
