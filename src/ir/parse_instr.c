// SPDX-License-Identifier: Apache-2.0
// Parses instructions: places, operands, and the shape of each operation.
#include "ir/parse.h"

#include <string.h>

// ---- places and operands ---------------------------------------------------------------------------------

// %label or @"usr"
static bool parse_place_var(struct gl_parser *parser, struct gl_ir_var **out_var)
{
    const char *usr;
    if (parser->token.kind == GL_TOKEN_LABEL) {
        *out_var = gl_parse_local_find(parser);
        if (*out_var)
            gl_parse_advance(parser);
        return *out_var;
    }
    if (!gl_parse_take_punct(parser, '@'))
        return gl_parse_expected(parser, "a variable");
    if (!gl_parse_string(parser, "a global's USR", &usr))
        return false;
    *out_var = gl_parse_global_ref(parser, usr);
    return true;
}

// After '[': 7, %i, @"g" or ?
static bool parse_index(struct gl_parser *parser, struct gl_ir_step *step)
{
    if (gl_parse_take_punct(parser, '?'))
        step->kind = GL_STEP_INDEX_U;
    else if (parser->token.kind == GL_TOKEN_NUMBER)
        step->kind = GL_STEP_INDEX;
    else
        step->kind = GL_STEP_INDEX_V;
    if (step->kind == GL_STEP_INDEX && !gl_parse_signed(parser, &step->index))
        return false;
    if (step->kind == GL_STEP_INDEX_V && !parse_place_var(parser, &step->index_var))
        return false;
    return gl_parse_punct(parser, ']');
}

// Reads one step if there is one; *out_more tells.
static bool parse_step(struct gl_parser *parser, struct gl_ir_step *step, bool *out_more)
{
    *out_more = true;
    *step = (struct gl_ir_step){.kind = GL_STEP_DEREF};
    if (gl_parse_take_punct(parser, '*'))
        return true;
    if (gl_parse_take_punct(parser, '.')) {
        step->kind = GL_STEP_FIELD;
        return gl_parse_word_or_string(parser, "a field's name", &step->field);
    }
    if (gl_parse_take_punct(parser, '['))
        return parse_index(parser, step);
    *out_more = false;
    return true;
}

static bool parse_place(struct gl_parser *parser, struct gl_ir_place *out_place)
{
    struct gl_ir_step step;
    bool has_more;
    *out_place = (struct gl_ir_place){0};
    if (!parse_place_var(parser, &out_place->var))
        return false;
    parser->steps.count = 0;
    while (true) {
        if (!parse_step(parser, &step, &has_more))
            return false;
        if (!has_more)
            break;
        GL_VEC_PUSH(&parser->steps, step);
    }
    if (parser->steps.count)
        out_place->steps = gl_arena_copy(parser->body.arena, parser->steps.items,
                                         parser->steps.count * sizeof *parser->steps.items);
    out_place->step_count = (unsigned)parser->steps.count;
    return true;
}

static bool parse_word_operand(struct gl_parser *parser, struct gl_ir_operand *operand)
{
    static const char *const known[] = {"zero", "fn"};
    const char *usr;
    if (gl_parse_take_word(parser, "zero")) {
        operand->kind = GL_OPERAND_ZERO;
        return true;
    }
    if (!gl_parse_take_word(parser, "fn"))
        return gl_parse_unknown_word(parser, "operand", known, GL_COUNT(known));
    if (!gl_parse_string(parser, "a function's USR", &usr))
        return false;
    operand->kind = GL_OPERAND_FUNCTION;
    operand->function = gl_parse_decl_ref(parser, usr);
    return true;
}

static bool parse_operand(struct gl_parser *parser, struct gl_ir_operand *operand)
{
    *operand = (struct gl_ir_operand){.kind = GL_OPERAND_UNDEF};
    if (gl_parse_take_punct(parser, '?'))
        return true;
    if (gl_parse_take_punct(parser, '#')) {
        operand->kind = GL_OPERAND_INTEGER;
        return gl_parse_signed(parser, &operand->integer);
    }
    if (parser->token.kind == GL_TOKEN_STRING) {
        operand->kind = GL_OPERAND_STRING;
        return gl_parse_string(parser, "a string", &operand->string);
    }
    if (parser->token.kind == GL_TOKEN_WORD)
        return parse_word_operand(parser, operand);
    if (parser->token.kind != GL_TOKEN_LABEL && !gl_parse_at_punct(parser, '&') &&
        !gl_parse_at_punct(parser, '@'))
        return gl_parse_expected(parser, "an operand (%var, &%var, #1, zero, \"text\", fn \"usr\" or ?)");
    operand->kind = gl_parse_take_punct(parser, '&') ? GL_OPERAND_ADDRESS : GL_OPERAND_PLACE;
    return parse_place(parser, &operand->place);
}

static bool parse_arg(struct gl_parser *parser)
{
    struct gl_ir_operand operand;
    if (!parse_operand(parser, &operand))
        return false;
    for (size_t i = 0; i < gl_arg_words.count && parser->token.kind == GL_TOKEN_WORD; i++) {
        if (gl_parse_take_word(parser, gl_arg_words.items[i].word)) {
            operand.flags |= gl_arg_words.items[i].bit;
            i = (size_t)-1; // in any order
        }
    }
    GL_VEC_PUSH(&parser->operands, operand);
    return true;
}

// Operands up to the closing character, which is read too.
static bool parse_args_until(struct gl_parser *parser, char closing)
{
    parser->operands.count = 0;
    while (!gl_parse_take_punct(parser, closing)) {
        if (parser->operands.count && !gl_parse_punct(parser, ','))
            return false;
        if (!parse_arg(parser))
            return false;
    }
    return true;
}

static struct gl_ir_operand *operands_keep(struct gl_parser *parser)
{
    size_t size = parser->operands.count * sizeof *parser->operands.items;
    return size ? gl_arena_copy(parser->body.arena, parser->operands.items, size) : NULL;
}

static void args_keep(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    instr->args = operands_keep(parser);
    instr->arg_count = parser->operands.count;
}

static bool parse_args(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    if (!gl_parse_punct(parser, '(') || !parse_args_until(parser, ')'))
        return false;
    args_keep(parser, instr);
    return true;
}

// Exactly `count` operands with commas between them.
static bool parse_fixed_args(struct gl_parser *parser, struct gl_ir_instr *instr, size_t count)
{
    parser->operands.count = 0;
    for (size_t i = 0; i < count; i++) {
        if ((i && !gl_parse_punct(parser, ',')) || !parse_arg(parser))
            return false;
    }
    args_keep(parser, instr);
    return true;
}

// place =
static bool parse_dst(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    instr->has_dst = true;
    return parse_place(parser, &instr->dst) && gl_parse_punct(parser, '=');
}

static bool parse_optional_dst(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    bool has_dst = parser->token.kind == GL_TOKEN_LABEL || gl_parse_at_punct(parser, '@');
    return !has_dst || parse_dst(parser, instr);
}

static bool at_end(const struct gl_parser *parser)
{
    return parser->token.kind == GL_TOKEN_NEWLINE || parser->token.kind == GL_TOKEN_EOF ||
           gl_parse_at_loc(parser);
}

// ---- operations ------------------------------------------------------------------------------------------

static bool parse_life(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    return parse_place_var(parser, &instr->var);
}

static bool parse_copy(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    return parse_dst(parser, instr) && parse_fixed_args(parser, instr, 1);
}

static bool parse_compute(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    if (!parse_dst(parser, instr) || !gl_parse_string(parser, "the operator in quotes", &instr->name))
        return false;
    parser->operands.count = 0;
    while (!at_end(parser)) {
        if ((parser->operands.count && !gl_parse_punct(parser, ',')) || !parse_arg(parser))
            return false;
    }
    args_keep(parser, instr);
    return true;
}

static bool parse_compare(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    if (!parse_dst(parser, instr))
        return false;
    for (size_t i = 0; i < GL_COUNT(gl_compare_words); i++) {
        if (gl_parse_take_word(parser, gl_compare_words[i])) {
            instr->compare = (enum gl_ir_compare)i;
            return parse_fixed_args(parser, instr, 2);
        }
    }
    return gl_parse_expected(parser, "a comparison (eq, ne, lt, le, gt or ge)");
}

// "usr", indirect operand, named "name"; at least one, in this order
static bool parse_callee(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    const char *usr;
    bool has_callee = parser->token.kind == GL_TOKEN_STRING;
    if (has_callee) {
        if (!gl_parse_string(parser, "a function's USR", &usr))
            return false;
        instr->callee = gl_parse_decl_ref(parser, usr);
    }
    if (gl_parse_take_word(parser, "indirect")) {
        has_callee = true;
        if (!parse_operand(parser, &instr->target))
            return false;
    }
    if (gl_parse_take_word(parser, "named"))
        return gl_parse_string(parser, "a name in quotes", &instr->name);
    return has_callee || gl_parse_expected(parser, "a callee (\"usr\", indirect OPERAND or named \"name\")");
}

static void parse_call_flags(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    bool *const flags[] = {&instr->is_implicit, &instr->is_virtual, &instr->is_cleanup};
    for (size_t i = 0; i < gl_call_words.count; i++) {
        if (gl_parse_take_word(parser, gl_call_words.items[i].word)) {
            *flags[i] = true;
            i = (size_t)-1; // in any order
        }
    }
}

static bool parse_call(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    parse_call_flags(parser, instr);
    return parse_optional_dst(parser, instr) && parse_callee(parser, instr) && parse_args(parser, instr);
}

// <grid, block [, shared [, stream]]>; what is not said is zero
static bool parse_config(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    if (!gl_parse_punct(parser, '<') || !parse_args_until(parser, '>'))
        return false;
    if (parser->operands.count < 2 || parser->operands.count > 4)
        return gl_parse_fail(parser, "grid, block, shared bytes, stream",
                             "a launch has two to four operands between < and >");
    while (parser->operands.count < 4)
        GL_VEC_PUSH(&parser->operands, gl_ir_operand_integer(0));
    instr->config = operands_keep(parser);
    return true;
}

static bool parse_launch(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    parse_call_flags(parser, instr);
    return parse_optional_dst(parser, instr) && parse_callee(parser, instr) && parse_config(parser, instr) &&
           parse_args(parser, instr);
}

static bool parse_unknown(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    return parse_optional_dst(parser, instr) &&
           gl_parse_string(parser, "the reason in quotes", &instr->name) && parse_args(parser, instr);
}

static bool parse_target(struct gl_parser *parser, struct gl_ir_instr *instr, size_t index)
{
    instr->targets[index] = gl_parse_block_ref(parser);
    return instr->targets[index];
}

static bool parse_branch(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    return parse_fixed_args(parser, instr, 1) && parse_target(parser, instr, 0) &&
           parse_target(parser, instr, 1);
}

// value: block
static bool parse_case(struct gl_parser *parser)
{
    struct gl_ir_case one;
    if (!gl_parse_signed(parser, &one.value) || !gl_parse_punct(parser, ':'))
        return false;
    one.target = gl_parse_block_ref(parser);
    if (one.target)
        GL_VEC_PUSH(&parser->cases, one);
    return one.target;
}

static bool parse_switch(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    parser->cases.count = 0;
    if (!parse_fixed_args(parser, instr, 1) || !gl_parse_punct(parser, '{'))
        return false;
    while (!gl_parse_take_punct(parser, '}')) {
        if ((parser->cases.count && !gl_parse_punct(parser, ',')) || !parse_case(parser))
            return false;
    }
    instr->case_count = parser->cases.count;
    if (instr->case_count)
        instr->cases =
            gl_arena_copy(parser->body.arena, parser->cases.items, instr->case_count * sizeof *instr->cases);
    return parse_target(parser, instr, 0);
}

static bool parse_jump(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    return parse_target(parser, instr, 0);
}

static bool parse_return(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    return at_end(parser) || parse_fixed_args(parser, instr, 1);
}

static bool parse_stop(struct gl_parser *parser, struct gl_ir_instr *instr)
{
    (void)parser;
    (void)instr;
    return true;
}

enum gl_ir_op gl_parse_op(const struct gl_parser *parser)
{
    unsigned op = 0;
    while (op < GL_IR_OP_COUNT && !gl_token_is(&parser->token, gl_ir_op_names[op]))
        op++;
    return (enum gl_ir_op)op;
}

// The block that takes an instruction; a body may begin without a label.
static void block_ensure(struct gl_parsed_func *body)
{
    if (body->block)
        return;
    body->block = gl_ir_block_new(body->arena, body->func);
    gl_ir_block_place(body->block);
}

bool gl_parse_instr(struct gl_parser *parser, enum gl_ir_op op)
{
    static bool (*const parts[GL_IR_OP_COUNT])(struct gl_parser *, struct gl_ir_instr *) = {
        [GL_IR_BEGIN] = parse_life,      [GL_IR_END] = parse_life,        [GL_IR_COPY] = parse_copy,
        [GL_IR_COMPUTE] = parse_compute, [GL_IR_COMPARE] = parse_compare, [GL_IR_CALL] = parse_call,
        [GL_IR_LAUNCH] = parse_launch,   [GL_IR_UNKNOWN] = parse_unknown, [GL_IR_BRANCH] = parse_branch,
        [GL_IR_SWITCH] = parse_switch,   [GL_IR_JUMP] = parse_jump,       [GL_IR_RETURN] = parse_return,
        [GL_IR_STOP] = parse_stop,
    };
    struct gl_ir_instr instr = {.op = op};
    gl_parse_advance(parser);
    if (!parts[op](parser, &instr) || !gl_parse_loc(parser, &instr.loc))
        return false;
    block_ensure(&parser->body);
    if (op == GL_IR_UNKNOWN)
        parser->body.func->unknown_count++;
    GL_VEC_PUSH(&parser->body.instrs, instr);
    return true;
}
