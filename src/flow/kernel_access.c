// SPDX-License-Identifier: Apache-2.0
// What a kernel does to the memory behind its parameters, read off its body: loads, stores, and the same in
// the device functions that it calls.
#include "flow/order.h"

enum { READS = 1, WRITES = 2, MOST_ROUNDS = 4, DEEPEST_CALL = 6 };

struct param_use {
    size_t param;
    const char *part; // the member of a struct parameter; NULL: the parameter itself
    unsigned bits;
};

struct kernel_use {
    bool is_running; // recursion: nothing is known of the inner call
    GL_VEC(struct param_use) uses;
};

// Where a pointer comes from.
struct origin {
    bool is_known;
    size_t param;
    const char *part;
};

struct scan {
    struct gl_flow *flow;
    const struct gl_ir_func *func;
    struct kernel_use *result;
    struct origin *origins; // by variable
    unsigned depth;
    bool changed;
};

static const struct kernel_use *kernel_use_of(struct gl_flow *flow, const struct gl_ir_decl *decl,
                                              unsigned depth);

static void use_add(struct scan *scan, struct origin origin, unsigned bits)
{
    if (!origin.is_known || !bits)
        return;
    for (size_t i = 0; i < scan->result->uses.count; i++) {
        struct param_use *use = &scan->result->uses.items[i];
        if (use->param == origin.param && use->part == origin.part) {
            use->bits |= bits;
            return;
        }
    }
    GL_VEC_PUSH(&scan->result->uses, (struct param_use){origin.param, origin.part, bits});
}

static struct origin origin_of(const struct scan *scan, const struct gl_ir_place *place, bool *out_is_deref)
{
    *out_is_deref = false;
    if (place->var->kind == GL_VAR_GLOBAL)
        return (struct origin){.is_known = false};
    struct origin origin = scan->origins[place->var->id];
    for (unsigned i = 0; origin.is_known && i < place->step_count; i++) {
        if (place->steps[i].kind == GL_STEP_DEREF)
            *out_is_deref = true;
        else if (place->steps[i].kind == GL_STEP_FIELD && !*out_is_deref && !origin.part)
            origin.part = place->steps[i].field;
    }
    return origin;
}

static void learn(struct scan *scan, const struct gl_ir_place *dst, struct origin origin)
{
    bool is_plain = dst->var->kind != GL_VAR_GLOBAL && dst->var->kind != GL_VAR_PARAM;
    if (!is_plain || !origin.is_known || scan->origins[dst->var->id].is_known)
        return;
    scan->origins[dst->var->id] = origin;
    scan->changed = true;
}

// The operand as a pointer: where it points; loads are counted on the way.
static struct origin pointer_of(struct scan *scan, const struct gl_ir_operand *operand)
{
    bool is_deref;
    if (operand->kind != GL_OPERAND_PLACE && operand->kind != GL_OPERAND_ADDRESS)
        return (struct origin){.is_known = false};
    struct origin origin = origin_of(scan, &operand->place, &is_deref);
    if (operand->kind == GL_OPERAND_ADDRESS)
        return origin;
    if (!is_deref)
        return origin;
    use_add(scan, origin, READS);
    return (struct origin){.is_known = false};
}

static unsigned callee_bits(struct scan *scan, const struct gl_ir_instr *instr, size_t index)
{
    const struct gl_ir_operand *arg = &instr->args[index];
    const struct kernel_use *callee =
        instr->callee ? kernel_use_of(scan->flow, instr->callee, scan->depth + 1) : NULL;
    unsigned bits = 0;
    for (size_t i = 0; callee && i < callee->uses.count; i++)
        if (callee->uses.items[i].param == index)
            bits |= callee->uses.items[i].bits;
    if (callee)
        return bits;
    return arg->flags & GL_ARG_CONST ? READS : READS | WRITES;
}

static void scan_instr(struct scan *scan, const struct gl_ir_instr *instr)
{
    bool is_call = instr->op == GL_IR_CALL || instr->op == GL_IR_LAUNCH || instr->op == GL_IR_UNKNOWN;
    for (size_t i = 0; i < instr->arg_count; i++) {
        struct origin origin = pointer_of(scan, &instr->args[i]);
        const struct gl_ir_type *type = origin.is_known ? gl_operand_type(&instr->args[i]) : NULL;
        bool is_number =
            type && gl_ir_type_strip(type)->kind == GL_TYPE_INT && gl_ir_type_strip(type)->bits < 64;
        if (is_call && origin.is_known && !is_number)
            use_add(scan, origin, callee_bits(scan, instr, i));
        else if (!is_call && instr->has_dst && !instr->dst.step_count && instr->op != GL_IR_COMPARE)
            learn(scan, &instr->dst, origin);
    }
    bool is_deref = false;
    struct origin target = {.is_known = false};
    if (instr->has_dst)
        target = origin_of(scan, &instr->dst, &is_deref);
    if (is_deref)
        use_add(scan, target, WRITES);
}

static void scan_body(struct scan *scan)
{
    for (unsigned round = 0; round < MOST_ROUNDS; round++) {
        scan->changed = false;
        for (size_t b = 0; b < scan->func->blocks.count; b++) {
            const struct gl_ir_block *block = scan->func->blocks.items[b];
            for (size_t i = 0; i < block->instrs.count; i++)
                scan_instr(scan, &block->instrs.items[i]);
        }
        if (!scan->changed)
            return;
    }
}

static const struct kernel_use *kernel_use_of(struct gl_flow *flow, const struct gl_ir_decl *decl,
                                              unsigned depth)
{
    struct kernel_use *known = gl_ptrmap_get(&flow->kernels, decl);
    if (known)
        return known->is_running ? NULL : known;
    if (!decl->body || depth > DEEPEST_CALL)
        return NULL;
    struct kernel_use *result = GL_ARENA_NEW(&flow->arena, struct kernel_use);
    gl_ptrmap_set(&flow->kernels, decl, result);
    result->is_running = true;
    struct scan scan = {.flow = flow, .func = decl->body, .result = result, .depth = depth};
    struct origin *origins = gl_xmalloc((decl->body->vars.count + 1) * sizeof *origins);
    for (size_t i = 0; i < decl->body->vars.count; i++)
        origins[i] = (struct origin){.is_known = i < decl->body->param_count, .param = i};
    scan.origins = origins;
    scan_body(&scan);
    free(origins);
    result->is_running = false;
    return result;
}

void gl_kernels_free(struct gl_flow *flow)
{
    size_t total = gl_ir_decl_count(flow->program);
    for (size_t i = 0; i < total; i++) {
        struct kernel_use *use = gl_ptrmap_get(&flow->kernels, gl_ir_decl_at(flow->program, i));
        if (use)
            GL_VEC_FREE(&use->uses);
    }
    gl_ptrmap_free(&flow->kernels);
}

bool gl_kernel_access(struct gl_flow *flow, const struct gl_ir_decl *kernel, size_t index, const char *part,
                      enum gl_access *out_access)
{
    static const enum gl_access by_bits[] = {GL_ACCESS_UNKNOWN, GL_ACCESS_READ, GL_ACCESS_WRITE,
                                             GL_ACCESS_READ_WRITE};
    const struct kernel_use *use = kernel_use_of(flow, kernel, 0);
    unsigned bits = 0;
    for (size_t i = 0; use && i < use->uses.count; i++) {
        const struct param_use *one = &use->uses.items[i];
        if (one->param == index && (!part || !one->part || one->part == part))
            bits |= one->bits;
    }
    *out_access = by_bits[bits];
    return use != NULL;
}
