// SPDX-License-Identifier: Apache-2.0
// Decides of a function without branches whether its order is broken: runs its IR on a vector clock for every
// stream and for the host. Shares nothing with the analysis but the IR.
#ifndef GL_TESTS_ORACLE_H
#define GL_TESTS_ORACLE_H

#include "ir/ir.h"

#include <string.h>

enum { ORACLE_STREAMS = 8, ORACLE_IDS = 64, ORACLE_OPS = 32, ORACLE_VARS = 128 };

enum oracle_verdict {
    ORACLE_FINE,
    ORACLE_BROKEN,
    ORACLE_SENSELESS
}; // senseless: something is used before it is made

struct oracle_clock {
    unsigned done[ORACLE_STREAMS]; // of each stream, how many operations are certainly complete
};

struct oracle_op {
    int memory;
    bool is_write;
    unsigned stream, number;
};

struct oracle {
    int value_of[ORACLE_VARS]; // by variable: an identity, or 0
    int next;
    int stream_ids[ORACLE_STREAMS];
    unsigned stream_count, enqueued[ORACLE_STREAMS];
    struct oracle_clock before[ORACLE_STREAMS], host, event[ORACLE_IDS];
    bool is_recorded[ORACLE_IDS], is_freed[ORACLE_IDS];
    struct oracle_op ops[ORACLE_OPS];
    unsigned op_count;
    int guard_of[ORACLE_IDS];     // by pointer: the variable that is its guard, plus one
    int guard_state[ORACLE_VARS]; // 0: none, 1: held, 2: released
    enum oracle_verdict verdict;
};

static inline void oracle_fail(struct oracle *o, enum oracle_verdict verdict)
{
    if (o->verdict != ORACLE_SENSELESS)
        o->verdict = verdict;
}

static inline void clock_join(struct oracle_clock *into, const struct oracle_clock *from)
{
    for (unsigned i = 0; i < ORACLE_STREAMS; i++)
        if (from->done[i] > into->done[i])
            into->done[i] = from->done[i];
}

static inline int oracle_value(struct oracle *o, const struct gl_ir_operand *operand)
{
    int value = 0;
    if (operand->kind == GL_OPERAND_PLACE)
        value = o->value_of[operand->place.var->id];
    if (!value)
        oracle_fail(o, ORACLE_SENSELESS);
    return value;
}

static inline unsigned oracle_stream(struct oracle *o, const struct gl_ir_operand *operand)
{
    int id = oracle_value(o, operand);
    for (unsigned i = 0; i < o->stream_count; i++)
        if (o->stream_ids[i] == id)
            return i;
    o->stream_ids[o->stream_count] = id;
    return o->stream_count++;
}

// The variable whose address the operand is.
static inline unsigned oracle_target(const struct gl_ir_operand *operand)
{
    return operand->place.var->id;
}

static inline void oracle_use(struct oracle *o, const struct gl_ir_operand *operand, bool is_write,
                              unsigned stream, unsigned number)
{
    int memory = oracle_value(o, operand);
    if (o->is_freed[memory])
        oracle_fail(o, ORACLE_BROKEN);
    if (o->guard_of[memory] && o->guard_state[o->guard_of[memory] - 1] == 2)
        oracle_fail(o, ORACLE_BROKEN);
    for (unsigned i = 0; i < o->op_count; i++) {
        const struct oracle_op *op = &o->ops[i];
        bool is_ordered = op->stream == stream || op->number <= o->before[stream].done[op->stream];
        if (op->memory == memory && (op->is_write || is_write) && !is_ordered)
            oracle_fail(o, ORACLE_BROKEN);
    }
    o->ops[o->op_count++] = (struct oracle_op){memory, is_write, stream, number};
}

static inline unsigned oracle_enqueue(struct oracle *o, unsigned stream)
{
    clock_join(&o->before[stream], &o->host);
    return ++o->enqueued[stream];
}

// What is complete once everything enqueued on the stream is.
static inline struct oracle_clock oracle_end_of(const struct oracle *o, unsigned stream)
{
    struct oracle_clock clock = o->before[stream];
    clock_join(&clock, &o->host);
    clock.done[stream] = o->enqueued[stream];
    return clock;
}

static inline void oracle_free(struct oracle *o, int memory, const struct oracle_clock *clock)
{
    if (o->is_freed[memory])
        oracle_fail(o, ORACLE_BROKEN);
    for (unsigned i = 0; i < o->op_count; i++)
        if (o->ops[i].memory == memory && o->ops[i].number > clock->done[o->ops[i].stream])
            oracle_fail(o, ORACLE_BROKEN);
    o->is_freed[memory] = true;
}

static inline void oracle_launch(struct oracle *o, const struct gl_ir_instr *instr)
{
    unsigned stream = oracle_stream(o, &instr->config[3]), number = oracle_enqueue(o, stream);
    for (size_t i = 0; i < instr->arg_count; i++)
        oracle_use(o, &instr->args[i], !(instr->args[i].flags & GL_ARG_CONST), stream, number);
}

static inline void oracle_guard(struct oracle *o, const struct gl_ir_instr *instr, bool is_end)
{
    unsigned guard = oracle_target(&instr->args[is_end ? 0 : 2]);
    if (is_end) {
        if (!o->guard_state[guard])
            oracle_fail(o, ORACLE_SENSELESS);
        o->guard_state[guard] = 2;
        return;
    }
    o->guard_state[guard] = 1;
    o->value_of[instr->dst.var->id] = o->next;
    o->guard_of[o->next++] = (int)guard + 1;
}

static inline void oracle_order(struct oracle *o, const char *name, const struct gl_ir_instr *instr)
{
    if (strcmp(name, "cudaEventRecord") == 0) {
        int event = oracle_value(o, &instr->args[0]);
        o->event[event] = oracle_end_of(o, oracle_stream(o, &instr->args[1]));
        o->is_recorded[event] = true;
    } else if (strcmp(name, "cudaStreamWaitEvent") == 0) {
        int event = oracle_value(o, &instr->args[1]);
        if (o->is_recorded[event])
            clock_join(&o->before[oracle_stream(o, &instr->args[0])], &o->event[event]);
    } else if (strcmp(name, "cudaStreamSynchronize") == 0) {
        struct oracle_clock clock = oracle_end_of(o, oracle_stream(o, &instr->args[0]));
        clock_join(&o->host, &clock);
    } else if (strcmp(name, "cudaEventSynchronize") == 0) {
        clock_join(&o->host, &o->event[oracle_value(o, &instr->args[0])]);
    } else if (strcmp(name, "cudaDeviceSynchronize") == 0) {
        for (unsigned i = 0; i < o->stream_count; i++)
            o->host.done[i] = o->enqueued[i];
    }
}

static inline void oracle_memory(struct oracle *o, const char *name, const struct gl_ir_instr *instr)
{
    if (strcmp(name, "cudaMalloc") == 0) {
        o->value_of[oracle_target(&instr->args[0])] = o->next++;
    } else if (strcmp(name, "cudaMallocAsync") == 0) {
        unsigned stream = oracle_stream(o, &instr->args[2]), number = oracle_enqueue(o, stream);
        o->value_of[oracle_target(&instr->args[0])] = o->next;
        o->ops[o->op_count++] = (struct oracle_op){o->next++, true, stream, number};
    } else if (strcmp(name, "cudaFree") == 0) {
        oracle_free(o, oracle_value(o, &instr->args[0]), &o->host);
    } else if (strcmp(name, "cudaFreeAsync") == 0) {
        struct oracle_clock clock = oracle_end_of(o, oracle_stream(o, &instr->args[1]));
        oracle_free(o, oracle_value(o, &instr->args[0]), &clock);
    } else if (strcmp(name, "cudaMemsetAsync") == 0) {
        unsigned stream = oracle_stream(o, &instr->args[3]);
        oracle_use(o, &instr->args[0], true, stream, oracle_enqueue(o, stream));
    } else if (strcmp(name, "cudaMemcpyAsync") == 0) {
        unsigned stream = oracle_stream(o, &instr->args[4]), number = oracle_enqueue(o, stream);
        oracle_use(o, &instr->args[1], false, stream, number);
        oracle_use(o, &instr->args[0], true, stream, number);
    }
}

static inline void oracle_step(struct oracle *o, const struct gl_ir_instr *instr)
{
    const char *name = instr->op == GL_IR_CALL && instr->callee ? instr->callee->name : "";
    if (instr->op == GL_IR_LAUNCH)
        oracle_launch(o, instr);
    else if (instr->op == GL_IR_COPY && instr->args[0].kind == GL_OPERAND_PLACE && !instr->dst.step_count)
        o->value_of[instr->dst.var->id] = oracle_value(o, &instr->args[0]);
    else if (strcmp(name, "read_begin") == 0 || strcmp(name, "write_begin") == 0)
        oracle_guard(o, instr, false);
    else if (strcmp(name, "guard_end") == 0)
        oracle_guard(o, instr, true);
    oracle_order(o, name, instr);
    oracle_memory(o, name, instr);
}

static inline enum oracle_verdict oracle_decide(const struct gl_ir_func *func)
{
    struct oracle o = {.next = 1, .verdict = ORACLE_FINE};
    for (unsigned i = 0; i < func->param_count; i++)
        o.value_of[func->vars.items[i]->id] = o.next++;
    const struct gl_ir_block *block = func->blocks.items[0];
    for (size_t i = 0; i < block->instrs.count; i++)
        oracle_step(&o, &block->instrs.items[i]);
    for (unsigned i = 0; i < ORACLE_VARS; i++)
        if (o.guard_state[i] == 1)
            oracle_fail(&o, ORACLE_BROKEN);
    return o.verdict;
}

#endif
