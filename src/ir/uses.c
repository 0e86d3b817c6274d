// SPDX-License-Identifier: Apache-2.0
// Walks a unit's functions, and from there types, records and declarations, to everything they mention.
#include "ir/uses.h"

#include <string.h>

// True the first time it is asked about an object.
static bool is_new(struct gl_ir_uses *uses, const void *object)
{
    size_t before = uses->seen.count;
    gl_map_put(&uses->seen, object, NULL);
    return uses->seen.count > before;
}

static void add_decl(struct gl_ir_uses *uses, struct gl_ir_decl *decl)
{
    if (decl && is_new(uses, decl))
        GL_VEC_PUSH(&uses->decls, decl);
}

static void add_record(struct gl_ir_uses *uses, struct gl_ir_record *record)
{
    if (record && is_new(uses, record))
        GL_VEC_PUSH(&uses->records, record);
}

static void add_type(struct gl_ir_uses *uses, const struct gl_ir_type *type)
{
    for (; type && is_new(uses, type); type = type->element)
        add_record(uses, type->record);
}

static void add_place(struct gl_ir_uses *uses, const struct gl_ir_place *place);

static void add_var(struct gl_ir_uses *uses, struct gl_ir_var *var)
{
    if (!var || var->kind != GL_VAR_GLOBAL || !is_new(uses, var))
        return;
    GL_VEC_PUSH(&uses->globals, var);
    add_type(uses, var->type);
}

static void add_place(struct gl_ir_uses *uses, const struct gl_ir_place *place)
{
    add_var(uses, place->var);
    for (unsigned i = 0; i < place->step_count; i++)
        add_var(uses, place->steps[i].index_var);
}

static void add_operand(struct gl_ir_uses *uses, const struct gl_ir_operand *operand)
{
    add_place(uses, &operand->place);
    add_decl(uses, operand->function);
}

static void add_instr(struct gl_ir_uses *uses, const struct gl_ir_instr *instr)
{
    add_place(uses, &instr->dst);
    add_decl(uses, instr->callee);
    add_operand(uses, &instr->target);
    add_var(uses, instr->var);
    for (size_t i = 0; i < instr->arg_count; i++)
        add_operand(uses, &instr->args[i]);
    for (size_t i = 0; instr->config && i < 4; i++)
        add_operand(uses, &instr->config[i]);
}

static void add_func(struct gl_ir_uses *uses, const struct gl_ir_func *func)
{
    add_decl(uses, func->decl);
    for (size_t i = 0; i < func->vars.count; i++)
        add_type(uses, func->vars.items[i]->type);
    for (size_t i = 0; i < func->blocks.count; i++) {
        const struct gl_ir_block *block = func->blocks.items[i];
        for (size_t j = 0; j < block->instrs.count; j++)
            add_instr(uses, &block->instrs.items[j]);
    }
}

static void follow_decl(struct gl_ir_uses *uses, const struct gl_ir_decl *decl)
{
    add_record(uses, decl->record);
    add_type(uses, decl->result);
    for (size_t i = 0; i < decl->params.count; i++)
        add_type(uses, decl->params.items[i]);
}

static void follow_record(struct gl_ir_uses *uses, const struct gl_ir_record *record)
{
    add_decl(uses, record->destructor);
    for (size_t i = 0; i < record->template_args.count; i++)
        add_type(uses, record->template_args.items[i]);
    for (size_t i = 0; i < record->bases.count; i++)
        add_type(uses, record->bases.items[i]);
    for (size_t i = 0; i < record->fields.count; i++)
        add_type(uses, record->fields.items[i].type);
}

static int compare_decls(const void *a, const void *b)
{
    const struct gl_ir_decl *left = *(struct gl_ir_decl *const *)a, *right = *(struct gl_ir_decl *const *)b;
    int order = strcmp(left->usr, right->usr);
    return order ? order : (int)(left->flags & GL_DECL_INTERNAL) - (int)(right->flags & GL_DECL_INTERNAL);
}

static int compare_records(const void *a, const void *b)
{
    return strcmp((*(struct gl_ir_record *const *)a)->usr, (*(struct gl_ir_record *const *)b)->usr);
}

static int compare_globals(const void *a, const void *b)
{
    return strcmp((*(struct gl_ir_var *const *)a)->usr, (*(struct gl_ir_var *const *)b)->usr);
}

static void sort(void *items, size_t count, int (*compare)(const void *, const void *))
{
    if (count)
        qsort(items, count, sizeof(void *), compare);
}

void gl_ir_uses_collect(struct gl_ir_uses *uses, const struct gl_ir_unit *unit)
{
    for (size_t i = 0; i < unit->funcs.count; i++)
        add_func(uses, unit->funcs.items[i]);
    size_t decls_done = 0, records_done = 0;
    while (decls_done < uses->decls.count || records_done < uses->records.count) {
        if (decls_done < uses->decls.count)
            follow_decl(uses, uses->decls.items[decls_done++]);
        else
            follow_record(uses, uses->records.items[records_done++]);
    }
    sort(uses->decls.items, uses->decls.count, compare_decls);
    sort(uses->records.items, uses->records.count, compare_records);
    sort(uses->globals.items, uses->globals.count, compare_globals);
}

void gl_ir_uses_free(struct gl_ir_uses *uses)
{
    GL_VEC_FREE(&uses->decls);
    GL_VEC_FREE(&uses->records);
    GL_VEC_FREE(&uses->globals);
    gl_map_free(&uses->seen);
}
