// SPDX-License-Identifier: Apache-2.0
// Checks the structure of functions: blocks, targets, variables, the shape of each instruction, calls.
#include "ir/check.h"

#include "ir/checker.h"

#include <stdarg.h>
#include <stdio.h>

void gl_ir_check_fail(struct gl_ir_checker *checker, const struct gl_ir_block *block,
                      const struct gl_ir_instr *instr, const char *format, ...)
{
    char message[512], where[64] = "";
    if (++checker->errors > GL_CHECK_FUNC_ERROR_MAX)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (block)
        snprintf(where, sizeof where, ", bb%u", block->id);
    const struct gl_ir_loc *loc = instr ? &instr->loc : &checker->func->loc;
    const struct gl_ir_decl *decl = checker->func->decl;
    gl_diag_add(checker->diags, GL_ERROR, loc->file, loc->line, loc->column, NULL, "IR of %s%s: %s%s%s",
                decl->name ? decl->name : decl->usr, where, instr ? gl_ir_op_names[instr->op] : "",
                instr ? ": " : "", message);
}

// ---- the shape of instructions ---------------------------------------------------------------------------

enum { NEVER, MAYBE, ALWAYS };

// What an operation has. `args` is the exact number, or ANY.
enum { ANY = -1 };
static const struct shape {
    int dst, var, name, config, args, targets;
} shapes[GL_IR_OP_COUNT] = {
    [GL_IR_BEGIN] = {NEVER, ALWAYS, NEVER, NEVER, 0, 0},
    [GL_IR_END] = {NEVER, ALWAYS, NEVER, NEVER, 0, 0},
    [GL_IR_COPY] = {ALWAYS, NEVER, NEVER, NEVER, 1, 0},
    [GL_IR_COMPUTE] = {ALWAYS, NEVER, ALWAYS, NEVER, ANY, 0},
    [GL_IR_COMPARE] = {ALWAYS, NEVER, NEVER, NEVER, 2, 0},
    [GL_IR_CALL] = {MAYBE, NEVER, MAYBE, NEVER, ANY, 0},
    [GL_IR_LAUNCH] = {MAYBE, NEVER, MAYBE, ALWAYS, ANY, 0},
    [GL_IR_UNKNOWN] = {MAYBE, NEVER, ALWAYS, NEVER, ANY, 0},
    [GL_IR_BRANCH] = {NEVER, NEVER, NEVER, NEVER, 1, 2},
    [GL_IR_SWITCH] = {NEVER, NEVER, NEVER, NEVER, 1, 1},
    [GL_IR_JUMP] = {NEVER, NEVER, NEVER, NEVER, 0, 1},
    [GL_IR_RETURN] = {NEVER, NEVER, NEVER, NEVER, ANY, 0},
    [GL_IR_STOP] = {NEVER, NEVER, NEVER, NEVER, 0, 0},
};

struct at {
    struct gl_ir_checker *checker;
    const struct gl_ir_block *block;
    const struct gl_ir_instr *instr;
};

#define FAIL(at, ...) gl_ir_check_fail((at)->checker, (at)->block, (at)->instr, __VA_ARGS__)

static void check_part(const struct at *at, const char *part, int wanted, bool is_there)
{
    if (wanted == ALWAYS && !is_there)
        FAIL(at, "has no %s", part);
    if (wanted == NEVER && is_there)
        FAIL(at, "has a %s", part);
}

static void check_shape(const struct at *at)
{
    const struct gl_ir_instr *instr = at->instr;
    const struct shape *shape = &shapes[instr->op];
    check_part(at, "destination", shape->dst, instr->has_dst);
    check_part(at, "variable", shape->var, instr->var);
    check_part(at, "name", shape->name, instr->name);
    check_part(at, "launch configuration", shape->config, instr->config);
    check_part(at, "list of cases", instr->op == GL_IR_SWITCH ? MAYBE : NEVER, instr->case_count);
    for (int i = 0; i < 2; i++)
        check_part(at, i ? "second target" : "target", i < shape->targets ? ALWAYS : NEVER,
                   instr->targets[i]);
    if (shape->args != ANY && instr->arg_count != (size_t)shape->args)
        FAIL(at, "has %zu operands instead of %d", instr->arg_count, shape->args);
    if (instr->op == GL_IR_RETURN && instr->arg_count > 1)
        FAIL(at, "has %zu operands instead of one or none", instr->arg_count);
}

// ---- variables and places --------------------------------------------------------------------------------

static bool var_is_known(const struct gl_ir_func *func, const struct gl_ir_var *var)
{
    if (var->kind == GL_VAR_GLOBAL)
        return true;
    return var->id < func->vars.count && func->vars.items[var->id] == var;
}

static void check_var(const struct at *at, const struct gl_ir_var *var)
{
    if (!var)
        FAIL(at, "has a place without a variable");
    else if (!var_is_known(at->checker->func, var))
        FAIL(at, "uses the variable '%s' of another function", var->name ? var->name : "");
}

// Whether a first step makes sense on a variable of this type. Steps after it are not judged: what a pointer
// points at may be used as another type, and units may disagree on a record.
static bool step_fits(const struct gl_ir_step *step, const struct gl_ir_type *type)
{
    type = gl_ir_type_strip(type);
    if (!type || type->kind == GL_TYPE_UNKNOWN)
        return true;
    switch (step->kind) {
    case GL_STEP_FIELD:
        return type->kind == GL_TYPE_RECORD;
    case GL_STEP_DEREF:
        return type->kind != GL_TYPE_RECORD && type->kind != GL_TYPE_VOID && type->kind != GL_TYPE_FLOAT;
    default:
        return type->kind == GL_TYPE_ARRAY || type->kind == GL_TYPE_RECORD;
    }
}

static void check_place(const struct at *at, const struct gl_ir_place *place)
{
    check_var(at, place->var);
    for (unsigned i = 0; i < place->step_count; i++) {
        if (place->steps[i].kind == GL_STEP_INDEX_V)
            check_var(at, place->steps[i].index_var);
    }
    if (place->var && place->step_count && !step_fits(&place->steps[0], place->var->type))
        FAIL(at, "takes a %s of the variable '%s', which has the type %s",
             place->steps[0].kind == GL_STEP_FIELD   ? "field"
             : place->steps[0].kind == GL_STEP_DEREF ? "dereference"
                                                     : "element",
             place->var->name ? place->var->name : "", place->var->type->text);
}

static void check_operand(const struct at *at, const struct gl_ir_operand *operand)
{
    if (operand->kind == GL_OPERAND_PLACE || operand->kind == GL_OPERAND_ADDRESS)
        check_place(at, &operand->place);
    if (operand->kind == GL_OPERAND_FUNCTION && !operand->function)
        FAIL(at, "takes the address of no function");
    if (operand->kind == GL_OPERAND_STRING && !operand->string)
        FAIL(at, "has a string without text");
}

static void check_operands(const struct at *at)
{
    const struct gl_ir_instr *instr = at->instr;
    if (instr->has_dst)
        check_place(at, &instr->dst);
    check_operand(at, &instr->target);
    for (size_t i = 0; i < instr->arg_count; i++)
        check_operand(at, &instr->args[i]);
    for (size_t i = 0; instr->config && i < 4; i++)
        check_operand(at, &instr->config[i]);
}

static void check_life_var(const struct at *at)
{
    const struct gl_ir_var *var = at->instr->var;
    if (!var)
        return;
    check_var(at, var);
    if (var->kind == GL_VAR_PARAM || var->kind == GL_VAR_GLOBAL)
        FAIL(at, "'%s' is a %s; it lives as long as the call", var->name ? var->name : "",
             var->kind == GL_VAR_PARAM ? "parameter" : "global");
    else if (var->is_static)
        FAIL(at, "'%s' is static; it outlives the call", var->name);
}

// ---- calls -----------------------------------------------------------------------------------------------

static bool decl_is_vague(const struct gl_ir_decl *decl)
{
    return decl->flags & (GL_DECL_VARIADIC | GL_DECL_TEMPLATE);
}

static size_t decl_arg_count(const struct gl_ir_decl *decl)
{
    return decl->params.count + (decl->flags & GL_DECL_METHOD ? 1 : 0);
}

static bool returns_nothing(const struct gl_ir_decl *decl)
{
    const struct gl_ir_type *result = gl_ir_type_strip(decl->result);
    return result && result->kind == GL_TYPE_VOID && !(decl->flags & GL_DECL_TEMPLATE);
}

static void check_call(const struct at *at)
{
    const struct gl_ir_instr *instr = at->instr;
    const struct gl_ir_decl *callee = instr->callee;
    if (instr->op != GL_IR_CALL && instr->op != GL_IR_LAUNCH) {
        check_part(at, "callee", NEVER, callee || instr->target.kind != GL_OPERAND_UNDEF);
        return;
    }
    if (!callee)
        return;
    if (!decl_is_vague(callee) && instr->arg_count > decl_arg_count(callee)) // fewer: the others have defaults
        FAIL(at, "%s takes %zu arguments, %zu are given", callee->name ? callee->name : callee->usr,
             decl_arg_count(callee), instr->arg_count);
    if (instr->has_dst && returns_nothing(callee))
        FAIL(at, "%s returns nothing", callee->name ? callee->name : callee->usr);
}

static void check_return(const struct at *at)
{
    if (at->instr->op == GL_IR_RETURN && at->instr->arg_count && returns_nothing(at->checker->func->decl))
        FAIL(at, "the function returns nothing");
}

// ---- blocks ----------------------------------------------------------------------------------------------

static void check_target(const struct at *at, const struct gl_ir_block *target)
{
    const struct gl_ir_func *func = at->checker->func;
    if (target && (target->id >= func->blocks.count || func->blocks.items[target->id] != target))
        FAIL(at, "goes to a block of another function");
}

static void check_targets(const struct at *at)
{
    check_target(at, at->instr->targets[0]);
    check_target(at, at->instr->targets[1]);
    for (size_t i = 0; i < at->instr->case_count; i++) {
        if (!at->instr->cases[i].target)
            FAIL(at, "a case has no target");
        check_target(at, at->instr->cases[i].target);
    }
}

static void check_instr(struct gl_ir_checker *checker, const struct gl_ir_block *block, size_t index)
{
    const struct gl_ir_instr *instr = &block->instrs.items[index];
    const struct at at = {checker, block, instr};
    bool is_last = index + 1 == block->instrs.count;
    if (gl_ir_op_is_terminator(instr->op) && !is_last)
        FAIL(&at, "stands inside of a block");
    if (!gl_ir_op_is_terminator(instr->op) && is_last)
        FAIL(&at, "the block goes on to nowhere after it");
    check_shape(&at);
    check_operands(&at);
    check_life_var(&at);
    check_call(&at);
    check_return(&at);
    check_targets(&at);
}

static void check_block(struct gl_ir_checker *checker, const struct gl_ir_block *block)
{
    if (!block->instrs.count)
        gl_ir_check_fail(checker, block, NULL, "the block is empty");
    for (size_t i = 0; i < block->instrs.count; i++)
        check_instr(checker, block, i);
}

static void check_head(struct gl_ir_checker *checker)
{
    const struct gl_ir_func *func = checker->func;
    if (!func->blocks.count)
        gl_ir_check_fail(checker, NULL, NULL, "the function has no block");
    if (!decl_is_vague(func->decl) && func->param_count != decl_arg_count(func->decl))
        gl_ir_check_fail(checker, NULL, NULL, "the body has %u parameters, its declaration %zu",
                         func->param_count, decl_arg_count(func->decl));
    for (size_t i = 0; i < func->vars.count; i++) {
        const struct gl_ir_var *var = func->vars.items[i];
        if (var->id != i)
            gl_ir_check_fail(checker, NULL, NULL, "the variable '%s' has a wrong number", var->name);
        if ((var->kind == GL_VAR_PARAM) != (i < func->param_count))
            gl_ir_check_fail(checker, NULL, NULL, "the variable '%s' is not in order: parameters come first",
                             var->name);
    }
    for (size_t i = 0; i < func->blocks.count; i++) {
        if (func->blocks.items[i]->id != i)
            gl_ir_check_fail(checker, func->blocks.items[i], NULL, "the block has a wrong number");
    }
}

bool gl_ir_check_func(const struct gl_ir_func *func, struct gl_diags *diags)
{
    struct gl_ir_checker checker = {.func = func, .diags = diags};
    check_head(&checker);
    for (size_t i = 0; i < func->blocks.count; i++)
        check_block(&checker, func->blocks.items[i]);
    if (!checker.errors)
        gl_ir_check_life(&checker);
    return checker.errors == 0;
}

bool gl_ir_check_unit(const struct gl_ir_unit *unit, struct gl_diags *diags)
{
    bool is_sound = true;
    size_t most = diags->errors + GL_CHECK_UNIT_ERROR_MAX;
    for (size_t i = 0; i < unit->funcs.count && diags->errors < most; i++)
        is_sound = gl_ir_check_func(unit->funcs.items[i], diags) && is_sound;
    return is_sound;
}
