// SPDX-License-Identifier: Apache-2.0
// Writes one function in text form: its variables, blocks and instructions.
#include "ir/print.h"

#include <stdint.h>

// Variables are written by name: %p, the second one of that name %p~2; without a usable name by number: %7.
struct func_printer {
    struct gl_ir_printer *printer;
    struct gl_buffer *out;
    const struct gl_ir_func *func;
    unsigned *ordinals; // by variable: which one of its name it is, from 1; 0: written by number
};

static void number_names(struct func_printer *fp)
{
    struct gl_map counts = {0};
    for (size_t i = 0; i < fp->func->vars.count; i++) {
        const struct gl_ir_var *var = fp->func->vars.items[i];
        fp->ordinals[i] = 0;
        if (var->kind == GL_VAR_TEMP || !gl_ir_is_identifier(var->name))
            continue;
        void **slot = gl_map_put(&counts, var->name, NULL);
        *slot = (void *)((uintptr_t)*slot + 1);
        fp->ordinals[i] = (unsigned)(uintptr_t)*slot;
    }
    gl_map_free(&counts);
}

static void print_var(struct func_printer *fp, const struct gl_ir_var *var)
{
    struct gl_buffer *out = fp->out;
    if (var->kind == GL_VAR_GLOBAL) {
        gl_buffer_text(out, "@");
        gl_buffer_quoted(out, var->usr);
        return;
    }
    gl_buffer_text(out, "%");
    unsigned ordinal = var->id < fp->func->vars.count ? fp->ordinals[var->id] : 0;
    if (ordinal)
        gl_buffer_text(out, var->name);
    else
        gl_buffer_uint(out, var->id);
    if (ordinal > 1) {
        gl_buffer_text(out, "~");
        gl_buffer_uint(out, ordinal);
    }
}

static void print_step(struct func_printer *fp, const struct gl_ir_step *step)
{
    struct gl_buffer *out = fp->out;
    switch (step->kind) {
    case GL_STEP_FIELD:
        gl_buffer_text(out, ".");
        gl_buffer_word(out, step->field);
        return;
    case GL_STEP_DEREF:
        gl_buffer_text(out, "*");
        return;
    case GL_STEP_INDEX:
        gl_buffer_text(out, "[");
        gl_buffer_int(out, step->index);
        break;
    case GL_STEP_INDEX_V:
        gl_buffer_text(out, "[");
        print_var(fp, step->index_var);
        break;
    case GL_STEP_INDEX_U:
        gl_buffer_text(out, "[?");
        break;
    }
    gl_buffer_text(out, "]");
}

static void print_place(struct func_printer *fp, const struct gl_ir_place *place)
{
    print_var(fp, place->var);
    for (unsigned i = 0; i < place->step_count; i++)
        print_step(fp, &place->steps[i]);
}

static void print_operand(struct func_printer *fp, const struct gl_ir_operand *operand)
{
    struct gl_buffer *out = fp->out;
    switch (operand->kind) {
    case GL_OPERAND_UNDEF:
        gl_buffer_text(out, "?");
        break;
    case GL_OPERAND_ADDRESS:
        gl_buffer_text(out, "&");
        print_place(fp, &operand->place);
        break;
    case GL_OPERAND_PLACE:
        print_place(fp, &operand->place);
        break;
    case GL_OPERAND_INTEGER:
        gl_buffer_text(out, "#");
        gl_buffer_int(out, operand->integer);
        break;
    case GL_OPERAND_ZERO:
        gl_buffer_text(out, "zero");
        break;
    case GL_OPERAND_STRING:
        gl_buffer_quoted(out, operand->string);
        break;
    case GL_OPERAND_FUNCTION:
        gl_buffer_text(out, "fn ");
        gl_buffer_quoted(out, operand->function->usr);
        break;
    }
}

static void print_arg_flags(struct gl_buffer *out, unsigned flags)
{
    for (size_t i = 0; i < gl_arg_words.count; i++) {
        if (flags & gl_arg_words.items[i].bit) {
            gl_buffer_text(out, " ");
            gl_buffer_text(out, gl_arg_words.items[i].word);
        }
    }
}

static void print_operands(struct func_printer *fp, const struct gl_ir_operand *operands, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i)
            gl_buffer_text(fp->out, ", ");
        print_operand(fp, &operands[i]);
        print_arg_flags(fp->out, operands[i].flags);
    }
}

static void print_args(struct func_printer *fp, const struct gl_ir_instr *instr)
{
    gl_buffer_text(fp->out, " (");
    print_operands(fp, instr->args, instr->arg_count);
    gl_buffer_text(fp->out, ")");
}

static void print_target(struct func_printer *fp, const char *before, const struct gl_ir_block *block)
{
    gl_buffer_text(fp->out, before);
    gl_buffer_text(fp->out, "bb");
    if (block)
        gl_buffer_uint(fp->out, block->id);
}

static void print_dst(struct func_printer *fp, const struct gl_ir_instr *instr)
{
    if (!instr->has_dst)
        return;
    gl_buffer_text(fp->out, " ");
    print_place(fp, &instr->dst);
    gl_buffer_text(fp->out, " =");
}

static void print_quoted_name(struct func_printer *fp, const char *before, const char *name)
{
    gl_buffer_text(fp->out, before);
    gl_buffer_quoted(fp->out, name ? name : "");
}

static void print_callee(struct func_printer *fp, const struct gl_ir_instr *instr)
{
    if (instr->callee)
        print_quoted_name(fp, " ", instr->callee->usr);
    if (instr->target.kind != GL_OPERAND_UNDEF || (!instr->callee && !instr->name)) {
        gl_buffer_text(fp->out, " indirect ");
        print_operand(fp, &instr->target);
    }
    if (instr->name)
        print_quoted_name(fp, " named ", instr->name);
}

static void print_call(struct func_printer *fp, const struct gl_ir_instr *instr)
{
    const bool is_set[] = {instr->is_implicit, instr->is_virtual, instr->is_cleanup};
    for (size_t i = 0; i < gl_call_words.count; i++) {
        if (is_set[i]) {
            gl_buffer_text(fp->out, " ");
            gl_buffer_text(fp->out, gl_call_words.items[i].word);
        }
    }
    print_dst(fp, instr);
    print_callee(fp, instr);
    if (instr->op == GL_IR_LAUNCH && instr->config) {
        gl_buffer_text(fp->out, " <");
        print_operands(fp, instr->config, 4);
        gl_buffer_text(fp->out, ">");
    }
    print_args(fp, instr);
}

static void print_switch(struct func_printer *fp, const struct gl_ir_instr *instr)
{
    gl_buffer_text(fp->out, " {");
    for (size_t i = 0; i < instr->case_count; i++) {
        gl_buffer_text(fp->out, i ? ", " : "");
        gl_buffer_int(fp->out, instr->cases[i].value);
        print_target(fp, ": ", instr->cases[i].target);
    }
    gl_buffer_text(fp->out, "}");
    print_target(fp, " ", instr->targets[0]);
}

// What follows the operation's word.
static void print_parts(struct func_printer *fp, const struct gl_ir_instr *instr)
{
    struct gl_buffer *out = fp->out;
    switch (instr->op) {
    case GL_IR_BEGIN:
    case GL_IR_END:
        gl_buffer_text(out, " ");
        print_var(fp, instr->var);
        break;
    case GL_IR_COMPUTE:
        print_dst(fp, instr);
        print_quoted_name(fp, " ", instr->name);
        gl_buffer_text(out, instr->arg_count ? " " : "");
        print_operands(fp, instr->args, instr->arg_count);
        break;
    case GL_IR_COMPARE:
        print_dst(fp, instr);
        gl_buffer_text(out, " ");
        gl_buffer_text(out, gl_compare_words[instr->compare]);
        gl_buffer_text(out, " ");
        print_operands(fp, instr->args, instr->arg_count);
        break;
    case GL_IR_CALL:
    case GL_IR_LAUNCH:
        print_call(fp, instr);
        break;
    case GL_IR_UNKNOWN:
        print_dst(fp, instr);
        print_quoted_name(fp, " ", instr->name);
        print_args(fp, instr);
        break;
    default:
        print_dst(fp, instr);
        gl_buffer_text(out, instr->arg_count ? " " : "");
        print_operands(fp, instr->args, instr->arg_count);
        break;
    }
    if (instr->op == GL_IR_SWITCH)
        print_switch(fp, instr);
    if (instr->op == GL_IR_BRANCH || instr->op == GL_IR_JUMP)
        print_target(fp, " ", instr->targets[0]);
    if (instr->op == GL_IR_BRANCH)
        print_target(fp, " ", instr->targets[1]);
}

static void print_block(struct func_printer *fp, const struct gl_ir_block *block)
{
    print_target(fp, "", block);
    gl_buffer_text(fp->out, ":\n");
    for (size_t i = 0; i < block->instrs.count; i++) {
        const struct gl_ir_instr *instr = &block->instrs.items[i];
        gl_buffer_text(fp->out, "  ");
        gl_buffer_text(fp->out, gl_ir_op_names[instr->op]);
        print_parts(fp, instr);
        gl_ir_print_loc(fp->printer, &instr->loc);
        gl_buffer_text(fp->out, "\n");
    }
}

static void print_var_line(struct func_printer *fp, const struct gl_ir_var *var)
{
    struct gl_buffer *out = fp->out;
    gl_buffer_text(out, "  ");
    gl_buffer_text(out, gl_var_words[var->kind]);
    gl_buffer_text(out, " ");
    print_var(fp, var);
    if (!fp->ordinals[var->id] && var->name[0])
        print_quoted_name(fp, " ", var->name);
    gl_buffer_text(out, " ");
    gl_buffer_text(out, var->type ? var->type->text : "?");
    gl_buffer_text(out, var->is_static ? " static" : "");
    gl_ir_print_loc(fp->printer, &var->loc);
    gl_buffer_text(out, "\n");
}

static void print_head(struct func_printer *fp)
{
    const struct gl_ir_func *func = fp->func;
    print_quoted_name(fp, "func ", func->decl->usr);
    gl_ir_print_flags(fp->out, &gl_func_words, func->is_in_main_file ? 0 : GL_FUNC_HEADER);
    gl_ir_print_loc(fp->printer, &func->loc);
    gl_buffer_text(fp->out, " ..");
    fp->printer->short_file = func->loc.file;
    gl_ir_print_loc(fp->printer, &func->end_loc);
    gl_buffer_text(fp->out, "\n");
}

void gl_ir_print_func_text(struct gl_ir_printer *printer, const struct gl_ir_func *func)
{
    struct func_printer fp = {.printer = printer, .out = &printer->out, .func = func};
    fp.ordinals = gl_xmalloc(func->vars.count * sizeof *fp.ordinals);
    number_names(&fp);
    print_head(&fp);
    for (size_t i = 0; i < func->vars.count; i++)
        print_var_line(&fp, func->vars.items[i]);
    for (size_t i = 0; i < func->blocks.count; i++)
        print_block(&fp, func->blocks.items[i]);
    printer->short_file = NULL;
    free(fp.ordinals);
}
