// SPDX-License-Identifier: Apache-2.0
// What is alive: scopes' ends, temporaries' ends, jumps across scopes → destructor calls and END
// instructions.
#include "frontend/lower.h"

// ---- running clean-ups -----------------------------------------------------------------------------------

enum { ELEMENTS_SPELLED_OUT = 8 };

static struct gl_ir_operand object_address(struct gl_ir_place place)
{
    struct gl_ir_operand address = gl_lower_address(place);
    address.flags = GL_ARG_MUTABLE;
    return address;
}

static void call_implicit(struct gl_lower *lower, const struct gl_cleanup *cleanup, struct gl_ir_place place)
{
    struct gl_ir_operand argument = object_address(place);
    struct gl_ir_instr instr = {.op = GL_IR_CALL,
                                .callee = cleanup->destructor,
                                .is_implicit = true,
                                .args = gl_lower_operands(lower, &argument, 1),
                                .arg_count = 1};
    gl_lower_append(lower, instr);
}

static void destroy(struct gl_lower *lower, const struct gl_cleanup *cleanup)
{
    if (!cleanup->destructor)
        return;
    if (!cleanup->count) {
        call_implicit(lower, cleanup, cleanup->place);
    } else if (cleanup->count > ELEMENTS_SPELLED_OUT) {
        struct gl_ir_step any = {.kind = GL_STEP_INDEX_U};
        call_implicit(lower, cleanup, gl_ir_place_step(lower->program, cleanup->place, any));
    } else {
        for (uint64_t i = cleanup->count; i-- > 0;) {
            struct gl_ir_step element = {.kind = GL_STEP_INDEX, .index = (int64_t)i};
            call_implicit(lower, cleanup, gl_ir_place_step(lower->program, cleanup->place, element));
        }
    }
}

static void call_cleanup_attribute(struct gl_lower *lower, const struct gl_cleanup *cleanup)
{
    if (!cleanup->cleanup && !cleanup->cleanup_name)
        return;
    struct gl_ir_operand argument = object_address(cleanup->place);
    struct gl_ir_instr instr = {.op = GL_IR_CALL,
                                .callee = cleanup->cleanup,
                                .name = cleanup->cleanup ? NULL : cleanup->cleanup_name,
                                .is_cleanup = true,
                                .args = gl_lower_operands(lower, &argument, 1),
                                .arg_count = 1};
    gl_lower_append(lower, instr);
}

static void run(struct gl_lower *lower, const struct gl_cleanup *cleanup)
{
    call_cleanup_attribute(lower, cleanup);
    if (cleanup->flag && cleanup->destructor) {
        struct gl_ir_block *exists = gl_lower_block(lower), *after = gl_lower_block(lower);
        gl_lower_branch(lower, gl_ir_operand_place(gl_ir_place_var(cleanup->flag)), exists, after);
        lower->block = exists;
        destroy(lower, cleanup);
        gl_lower_continue_in(lower, after);
    } else {
        destroy(lower, cleanup);
    }
    if (cleanup->var)
        gl_lower_end(lower, cleanup->var);
}

void gl_lower_clean(struct gl_lower *lower, struct gl_cleanup *down_to, const struct gl_ir_var *kept)
{
    for (struct gl_cleanup *cleanup = lower->alive; cleanup && cleanup != down_to; cleanup = cleanup->below)
        if (!kept || cleanup->var != kept)
            run(lower, cleanup);
}

void gl_lower_leave(struct gl_lower *lower, struct gl_cleanup *down_to)
{
    gl_lower_clean(lower, down_to, NULL);
    lower->alive = down_to;
}

// ---- registering -----------------------------------------------------------------------------------------

struct gl_cleanup *gl_lower_push(struct gl_lower *lower, struct gl_cleanup cleanup)
{
    struct gl_cleanup *entry = gl_arena_copy(&lower->fe->scratch, &cleanup, sizeof cleanup);
    entry->below = lower->alive;
    lower->alive = entry;
    return entry;
}

struct gl_cleanup *gl_lower_push_extended(struct gl_lower *lower, struct gl_cleanup cleanup)
{
    if (!lower->full || lower->alive == lower->full->base) {
        struct gl_cleanup *entry = gl_lower_push(lower, cleanup);
        if (lower->full)
            lower->full->base = entry;
        return entry;
    }
    struct gl_cleanup *above = lower->alive;
    while (above->below != lower->full->base)
        above = above->below;
    struct gl_cleanup *entry = gl_arena_copy(&lower->fe->scratch, &cleanup, sizeof cleanup);
    entry->below = lower->full->base;
    above->below = entry;
    lower->full->base = entry;
    return entry;
}

struct gl_cleanup gl_lower_object_cleanup(struct gl_lower *lower, struct gl_ir_var *var, CXType type)
{
    struct gl_cleanup cleanup = {.var = var, .place = gl_ir_place_var(var)};
    struct gl_fe_record *record = gl_fe_is_reference(type) ? NULL : gl_fe_record_of(lower->fe, type);
    if (record)
        cleanup.destructor = gl_fe_special(lower->fe, record, GL_SPECIAL_DESTRUCTOR, lower->depth + 1);
    CXType canonical = clang_getCanonicalType(type);
    if (canonical.kind == CXType_ConstantArray)
        cleanup.count = (uint64_t)clang_getArraySize(canonical);
    else if (clang_getArrayElementType(canonical).kind != CXType_Invalid)
        cleanup.count = UINT64_MAX;
    return cleanup;
}

// ---- full expressions and temporaries --------------------------------------------------------------------

void gl_lower_full_begin(struct gl_lower *lower, struct gl_full *full)
{
    *full = (struct gl_full){.outer = lower->full,
                             .base = lower->alive,
                             .block = lower->block,
                             .index = lower->block->instrs.count};
    lower->full = full;
}

void gl_lower_full_end(struct gl_lower *lower, struct gl_full *full)
{
    gl_lower_leave(lower, full->base);
    lower->full = full->outer;
}

// Puts an instruction before the full expression: it runs whichever part of the expression does.
static void insert_at_start(struct gl_lower *lower, struct gl_full *full, struct gl_ir_instr instr)
{
    struct gl_ir_block *block = full->block;
    size_t index = full->index;
    instr.loc = lower->loc;
    gl_ir_append(block, &instr);
    for (size_t i = block->instrs.count - 1; i > index; i--)
        block->instrs.items[i] = block->instrs.items[i - 1];
    block->instrs.items[index] = instr;
    for (struct gl_full *inner = lower->full; inner; inner = inner->outer) {
        if (inner->block == block && inner->index >= index)
            inner->index++;
        if (inner == full)
            break;
    }
}

struct gl_ir_var *gl_lower_temp(struct gl_lower *lower, CXType type)
{
    struct gl_ir_type *ir_type = gl_fe_type(lower->fe, type);
    struct gl_ir_var *temp = gl_lower_scalar_temp(lower, ir_type);
    gl_fe_record_of(lower->fe, type);
    if (lower->full && lower->full->conditional)
        insert_at_start(lower, lower->full, (struct gl_ir_instr){.op = GL_IR_BEGIN, .var = temp});
    else
        gl_lower_begin(lower, temp);
    return temp;
}

static struct gl_ir_var *existence_flag(struct gl_lower *lower)
{
    struct gl_ir_var *flag = gl_lower_scalar_temp(lower, gl_fe_simple_type(lower->fe, GL_TYPE_BOOL));
    struct gl_ir_operand no = gl_ir_operand_integer(0);
    struct gl_ir_instr clear = {.op = GL_IR_COPY,
                                .has_dst = true,
                                .dst = gl_ir_place_var(flag),
                                .args = gl_lower_operands(lower, &no, 1),
                                .arg_count = 1};
    insert_at_start(lower, lower->full, clear);
    gl_lower_copy(lower, gl_ir_place_var(flag), gl_ir_operand_integer(1));
    return flag;
}

void gl_lower_temp_done(struct gl_lower *lower, struct gl_ir_var *temp, CXType type, bool is_extended)
{
    struct gl_cleanup cleanup = gl_lower_object_cleanup(lower, temp, type);
    if (cleanup.destructor && lower->full && lower->full->conditional)
        cleanup.flag = existence_flag(lower);
    if (is_extended)
        gl_lower_push_extended(lower, cleanup);
    else
        gl_lower_push(lower, cleanup);
}

// ---- jumps across scopes ---------------------------------------------------------------------------------

static size_t list_length(const struct gl_cleanup *list)
{
    size_t length = 0;
    for (; list; list = list->below)
        length++;
    return length;
}

static struct gl_cleanup *common_part(struct gl_cleanup *a, struct gl_cleanup *b)
{
    size_t a_length = list_length(a), b_length = list_length(b);
    for (; a_length > b_length; a_length--)
        a = a->below;
    for (; b_length > a_length; b_length--)
        b = b->below;
    while (a != b) {
        a = a->below;
        b = b->below;
    }
    return a;
}

void gl_lower_cross(struct gl_lower *lower, struct gl_cleanup *from, struct gl_cleanup *to)
{
    struct gl_cleanup *common = common_part(from, to), *alive = lower->alive;
    lower->alive = from;
    gl_lower_clean(lower, common, NULL);
    lower->alive = alive;
    for (struct gl_cleanup *entered = to; entered != common; entered = entered->below)
        if (entered->var)
            gl_lower_begin(lower, entered->var);
}

void gl_lower_label(struct gl_lower *lower, CXCursor label)
{
    struct gl_ir_block *block = gl_lower_block(lower);
    gl_lower_continue_in(lower, block);
    GL_VEC_PUSH(&lower->labels, (struct gl_label){label, block, lower->alive});
}

void gl_lower_goto(struct gl_lower *lower, CXCursor label)
{
    struct gl_ir_block *edge = gl_lower_block(lower);
    gl_lower_jump(lower, edge);
    GL_VEC_PUSH(&lower->gotos, (struct gl_goto){label, edge, lower->alive, lower->loc});
}

static const struct gl_label *find_label(const struct gl_lower *lower, CXCursor cursor)
{
    for (size_t i = 0; i < lower->labels.count; i++)
        if (clang_equalCursors(lower->labels.items[i].cursor, cursor))
            return &lower->labels.items[i];
    return NULL;
}

static void go_to_label(struct gl_lower *lower, const struct gl_goto *jump, const struct gl_label *label)
{
    gl_lower_cross(lower, jump->alive, label->alive);
    gl_lower_jump(lower, label->block);
}

static void go_to_any_label(struct gl_lower *lower, const struct gl_goto *jump)
{
    for (size_t i = 0; i < lower->labels.count; i++) {
        struct gl_ir_block *here = gl_lower_block(lower), *next = gl_lower_block(lower);
        gl_lower_branch(lower, gl_lower_undef(), here, next);
        lower->block = here;
        go_to_label(lower, jump, &lower->labels.items[i]);
        lower->block = next;
    }
    gl_lower_stop(lower);
}

void gl_lower_resolve_gotos(struct gl_lower *lower)
{
    for (size_t i = 0; i < lower->gotos.count; i++) {
        struct gl_goto jump = lower->gotos.items[i];
        const struct gl_label *label = find_label(lower, jump.label);
        lower->block = jump.block;
        lower->loc = jump.loc;
        if (label)
            go_to_label(lower, &jump, label);
        else
            go_to_any_label(lower, &jump);
    }
}

void gl_lower_raise(struct gl_lower *lower)
{
    gl_lower_clean(lower, lower->handlers ? lower->handlers->alive : NULL, NULL);
    if (lower->handlers)
        gl_lower_jump(lower, lower->handlers->block);
    else
        gl_lower_stop(lower);
}
