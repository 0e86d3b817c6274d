// SPDX-License-Identifier: Apache-2.0
// Solves one function: states flow through its blocks until nothing changes, then once more to be observed.
#include "flow/order.h"

#include <string.h>

enum {
    DEFAULT_STATES = 12,  // kept apart in a block
    MOST_ALIKE = 4,       // of these with equal guards, kept apart for their branch facts
    MOST_VISITS = 24,     // of a block, times its states; more means something does not settle
    MOST_WORK = 4000000, // instructions times the size of the states they run on: about a second
    MOST_VALUES = 40000,  // of one function
    MOST_EXITS = 8,
    MOST_IN_BLOCK = 24,   // states that calls may fork into inside one block
};

// ---- one instruction --------------------------------------------------------------------------------------

static const struct gl_value *compute(struct gl_solver *solver, struct gl_state *state,
                                      const struct gl_ir_instr *instr)
{
    const struct gl_value *args[8];
    unsigned count = 0;
    for (size_t i = 0; i < instr->arg_count && count < GL_COUNT(args); i++)
        args[count++] = gl_solver_operand(solver, state, &instr->args[i]);
    return gl_value_compute(solver->values, instr->name ? instr->name : "?", args, count);
}

static const struct gl_value *compare(struct gl_solver *solver, struct gl_state *state,
                                      const struct gl_ir_instr *instr)
{
    const struct gl_value *a = gl_solver_operand(solver, state, &instr->args[0]);
    const struct gl_value *b = gl_solver_operand(solver, state, &instr->args[1]);
    const struct gl_value *value = gl_value_compare(solver->values, instr->compare, a, b);
    int truth = value->kind == GL_VALUE_COMPARE ? gl_state_truth(state, value) : -1;
    return truth < 0 ? value : gl_value_int(solver->values, truth);
}

static void store_dst(struct gl_solver *solver, struct gl_state *state, const struct gl_value *value)
{
    if (solver->instr->has_dst)
        gl_solver_store(solver, state, gl_solver_place(solver, state, &solver->instr->dst, NULL), value);
}

// What could not be expressed may do anything to what it touches: guards there are no longer known to be held.
static void unknown(struct gl_solver *solver, struct gl_state *state)
{
    for (size_t i = 0; i < solver->instr->arg_count; i++) {
        const struct gl_value *value = gl_solver_operand(solver, state, &solver->instr->args[i]);
        gl_hand_on(state, value);
        if (value->kind == GL_VALUE_ADDRESS)
            gl_state_store(state, value->mem, gl_value_undef(solver->values));
    }
    store_dst(solver, state, gl_value_undef(solver->values));
}

static bool has_varying_index(const struct gl_ir_place *place)
{
    for (unsigned i = 0; i < place->step_count; i++)
        if (place->steps[i].kind == GL_STEP_INDEX_V || place->steps[i].kind == GL_STEP_INDEX_U)
            return true;
    return false;
}

static void mark_element(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_place *place)
{
    if (!has_varying_index(place))
        return;
    const struct gl_mem *mem = gl_solver_place(solver, state, place, NULL);
    for (size_t i = 0; i < state->env.count; i++) {
        bool is_inside = gl_mem_is_within(state->env.items[i].mem, mem);
        struct gl_resource *resource = is_inside ? gl_state_resource(state, state->env.items[i].value) : NULL;
        if (resource)
            resource->is_one_of_many = resource->is_handed_on = true;
    }
}

// Guards that are kept in arrays and filled in by loops.
static void mark_elements(struct gl_solver *solver, struct gl_state *state)
{
    const struct gl_ir_instr *instr = solver->instr;
    if (!state->resources.count || (instr->op != GL_IR_CALL && instr->op != GL_IR_COPY))
        return;
    if (instr->has_dst)
        mark_element(solver, state, &instr->dst);
    for (size_t i = 0; i < instr->arg_count; i++)
        if (instr->args[i].kind == GL_OPERAND_ADDRESS)
            mark_element(solver, state, &instr->args[i].place);
}

// Returns false if no way leads past the instruction.
static bool step(struct gl_solver *solver, struct gl_state *state)
{
    const struct gl_ir_instr *instr = solver->instr;
    gl_order_step(solver, state);
    switch (instr->op) {
    case GL_IR_BEGIN:
    case GL_IR_END:
        gl_state_forget_mem(state, gl_mem_var(solver->values, instr->var));
        return true;
    case GL_IR_COPY:
        gl_solver_assign(solver, state, instr);
        return true;
    case GL_IR_COMPUTE:
        store_dst(solver, state, compute(solver, state, instr));
        return true;
    case GL_IR_COMPARE:
        store_dst(solver, state, compare(solver, state, instr));
        return true;
    case GL_IR_CALL:
        return gl_solver_call(solver, state);
    case GL_IR_LAUNCH:
        gl_solver_launch(solver, state);
        return true;
    default:
        unknown(solver, state);
        return true;
    }
}

// ---- joins at block entries -------------------------------------------------------------------------------

static void state_add(struct gl_block_states *at, struct gl_state *state, uint64_t key, uint64_t fine_key)
{
    GL_VEC_PUSH(&at->states, state);
    GL_VEC_PUSH(&at->keys, key);
    GL_VEC_PUSH(&at->fine_keys, fine_key);
    GL_VEC_PUSH(&at->dirty, true);
}

static void state_join(struct gl_solver *solver, const struct gl_ir_block *target, size_t index,
                       struct gl_state *state)
{
    struct gl_block_states *at = &solver->blocks[target->id];
    struct gl_state *into = at->states.items[index];
    if (gl_state_join(into, state, solver->values, target)) {
        at->dirty.items[index] = true;
        at->keys.items[index] = gl_state_key(into);
        at->fine_keys.items[index] = gl_state_fine_key(into, &solver->asked);
    }
    gl_state_destroy(state);
}

// Hands `state` over to the entry of `target`: to a state there that is like it, or as one of its own.
static void enter(struct gl_solver *solver, const struct gl_ir_block *target, struct gl_state *state)
{
    struct gl_block_states *at = &solver->blocks[target->id];
    if (solver->may_repeat[target->id]) {
        gl_order_enter(solver, state, target);
        gl_state_forget_phis(state, target);
    }
    gl_state_collect(state);
    uint64_t key = gl_state_key(state), fine_key = gl_state_fine_key(state, &solver->asked);
    size_t alike = 0, last_alike = 0, same = at->states.count;
    for (size_t i = 0; i < at->states.count; i++) {
        if (at->keys.items[i] != key)
            continue;
        alike++;
        last_alike = i;
        if (at->fine_keys.items[i] == fine_key)
            same = i;
    }
    bool has_room = at->states.count < solver->flow->max_states && alike < MOST_ALIKE;
    if (same < at->states.count)
        state_join(solver, target, same, state);
    else if (has_room)
        state_add(at, state, key, fine_key);
    else if (alike)
        state_join(solver, target, last_alike, state);
    else { // past the bound: one that is not alike takes it in and says "maybe"
        solver->flow->stats.states_joined++;
        state_join(solver, target, at->states.count - 1, state);
    }
}

// ---- ends of blocks ---------------------------------------------------------------------------------------

// Hands `next` over to `target`, if the condition (or NULL) can be so.
static void go(struct gl_solver *solver, const struct gl_ir_block *target, struct gl_state *next,
               const struct gl_value *condition, bool is_true)
{
    if (solver->is_final) { // everything has been where it can go
        gl_state_destroy(next);
        return;
    }
    if (condition && !gl_state_assume(next, condition, is_true)) {
        gl_state_destroy(next);
        return;
    }
    gl_order_learnt(next);
    gl_drop_dead(solver, solver->block, next);
    enter(solver, target, next);
}

static void end_switch(struct gl_solver *solver, const struct gl_ir_instr *instr, struct gl_state *state)
{
    const struct gl_value *value = gl_solver_operand(solver, state, &instr->args[0]);
    struct gl_state *rest = gl_state_clone(state);
    bool is_rest_possible = true;
    for (size_t i = 0; i < instr->case_count; i++) {
        struct gl_state *taken = gl_state_clone(state);
        bool is_known = value->kind != GL_VALUE_UNDEF && value->kind != GL_VALUE_UNINIT;
        if (!is_known || gl_state_assume_equal(taken, value, instr->cases[i].value, true)) {
            go(solver, instr->cases[i].target, taken, NULL, true);
        } else {
            gl_state_destroy(taken);
        }
        if (is_known)
            is_rest_possible &= gl_state_assume_equal(rest, value, instr->cases[i].value, false);
    }
    if (is_rest_possible)
        go(solver, instr->targets[0], rest, NULL, true);
    else
        gl_state_destroy(rest);
}

static enum gl_result_class result_class(struct gl_solver *solver, const struct gl_state *state)
{
    const struct gl_value *value = gl_state_load(state, solver->values, gl_mem_return(solver->values));
    int truth = value->kind == GL_VALUE_UNINIT ? -1 : gl_state_truth(state, value);
    return truth < 0 ? GL_RESULT_ANY : truth ? GL_RESULT_NONZERO : GL_RESULT_ZERO;
}

static void observe_exit(struct gl_solver *solver, struct gl_state *state)
{
    for (size_t i = 0; i < state->resources.count; i++) {
        const struct gl_resource *resource = &state->resources.items[i];
        if (resource->status == GL_STATUS_RELEASED)
            continue;
        gl_solver_observe(solver, &(struct gl_flow_event){
                                      .kind = GL_FLOW_EXIT,
                                      .state = state,
                                      .resource = resource,
                                      .site = gl_site_make(solver, "the function is left here", NULL, NULL, NULL, NULL)});
    }
}

static void leave(struct gl_solver *solver, const struct gl_ir_instr *instr, struct gl_state *state)
{
    if (!solver->is_final)
        return;
    const struct gl_mem *result = gl_mem_return(solver->values);
    if (instr->arg_count) {
        const struct gl_ir_operand *value = &instr->args[0];
        if (value->kind == GL_OPERAND_PLACE)
            gl_solver_copy(solver, state, result, state, gl_solver_place(solver, state, &value->place, NULL));
        else
            gl_solver_store(solver, state, result, gl_solver_operand(solver, state, value));
    }
    observe_exit(solver, state);
    gl_drop_dead(solver, solver->block, state);
    gl_state_collect(state);
    struct gl_exit exit = {gl_state_clone(state), result_class(solver, state), gl_state_key(state) ^ gl_inflight_key(state)};
    for (size_t i = 0; i < solver->exits.count; i++) {
        struct gl_exit *known = &solver->exits.items[i];
        bool is_same = known->key == exit.key && known->result_class == exit.result_class;
        if (!is_same && (solver->exits.count < MOST_EXITS || i + 1 < solver->exits.count))
            continue;
        if (known->result_class != exit.result_class)
            known->result_class = GL_RESULT_ANY;
        gl_state_join(known->state, exit.state, solver->values, solver->func);
        gl_state_destroy(exit.state);
        return;
    }
    GL_VEC_PUSH(&solver->exits, exit);
}

// Takes the state over.
static void end_block(struct gl_solver *solver, const struct gl_ir_instr *instr, struct gl_state *state)
{
    gl_order_step(solver, state);
    switch (instr->op) {
    case GL_IR_JUMP:
        go(solver, instr->targets[0], state, NULL, true);
        break;
    case GL_IR_BRANCH: {
        const struct gl_value *condition = gl_solver_operand(solver, state, &instr->args[0]);
        if (gl_ptrmap_get(&solver->asked_branches, instr))
            gl_ptrmap_set(&solver->asked, condition, (void *)condition);
        go(solver, instr->targets[0], solver->is_final ? NULL : gl_state_clone(state), condition, true);
        go(solver, instr->targets[1], state, condition, false);
        break;
    }
    case GL_IR_SWITCH:
        end_switch(solver, instr, state);
        gl_state_destroy(state);
        break;
    case GL_IR_RETURN:
        leave(solver, instr, state);
        gl_state_destroy(state);
        break;
    default: // STOP: no way leads on
        gl_state_destroy(state);
        break;
    }
}

// ---- blocks -----------------------------------------------------------------------------------------------

static void merge_forks(struct gl_solver *solver, gl_state_list *states)
{
    if (states->count <= MOST_IN_BLOCK)
        return;
    for (size_t i = MOST_IN_BLOCK; i < states->count; i++) {
        gl_state_join(states->items[i % MOST_IN_BLOCK], states->items[i], solver->values, solver->instr);
        gl_state_destroy(states->items[i]);
        solver->flow->stats.states_joined++;
    }
    states->count = MOST_IN_BLOCK;
}

static void run_block(struct gl_solver *solver, const struct gl_ir_block *block, struct gl_state *entry)
{
    gl_state_list states = {0};
    GL_VEC_PUSH(&states, entry);
    solver->block = block;
    solver->current = &states;
    for (size_t i = 0; i < block->instrs.count; i++) {
        solver->instr = &block->instrs.items[i];
        bool is_end = gl_ir_op_is_terminator(solver->instr->op);
        size_t kept = 0, count = states.count; // what calls add is behind these and has done the instruction
        for (size_t s = 0; s < count; s++) {
            struct gl_state *state = states.items[s];
            if (is_end) {
                end_block(solver, solver->instr, state);
            } else if (step(solver, state)) {
                mark_elements(solver, state);
                states.items[kept++] = state;
            } else {
                gl_state_destroy(state);
            }
        }
        for (size_t s = count; s < states.count; s++) {
            mark_elements(solver, states.items[s]);
            states.items[kept++] = states.items[s];
        }
        states.count = kept;
        merge_forks(solver, &states);
    }
    for (size_t s = 0; s < states.count; s++)
        gl_state_destroy(states.items[s]);
    GL_VEC_FREE(&states);
    solver->current = NULL;
}

// ---- the function -----------------------------------------------------------------------------------------

// Reverse postorder, so that most blocks are visited after what leads to them.
struct order {
    const struct gl_ir_block **blocks;
    bool *is_seen;
    size_t count;
};

static const struct gl_ir_block *successor(const struct gl_ir_block *block, size_t index)
{
    const struct gl_ir_instr *last = &block->instrs.items[block->instrs.count - 1];
    if (index < 2)
        return last->targets[index];
    return index - 2 < last->case_count ? last->cases[index - 2].target : NULL;
}

static size_t successor_count(const struct gl_ir_block *block)
{
    return block->instrs.count ? 2 + block->instrs.items[block->instrs.count - 1].case_count : 0;
}

static void order_blocks(const struct gl_ir_func *func, struct gl_arena *arena, struct order *out_order)
{
    size_t total = func->blocks.count, depth = 0;
    struct {
        const struct gl_ir_block *block;
        size_t next;
    } *stack = gl_arena_alloc(arena, (total + 1) * sizeof *stack);
    out_order->blocks = GL_ARENA_ARRAY(arena, const struct gl_ir_block *, total);
    out_order->is_seen = GL_ARENA_ARRAY(arena, bool, total);
    size_t at = total;
    stack[depth].block = func->blocks.items[0];
    stack[depth++].next = 0;
    out_order->is_seen[0] = true;
    while (depth) {
        const struct gl_ir_block *block = stack[depth - 1].block;
        size_t next = stack[depth - 1].next++;
        if (next >= successor_count(block)) {
            out_order->blocks[--at] = block;
            depth--;
            continue;
        }
        const struct gl_ir_block *target = successor(block, next);
        if (!target || out_order->is_seen[target->id])
            continue;
        out_order->is_seen[target->id] = true;
        stack[depth].block = target;
        stack[depth++].next = 0;
    }
    out_order->blocks += at;
    out_order->count = total - at;
}

// Marks what lies between a block and one that leads back to it: every loop, and perhaps blocks beside one.
static void find_loops(struct gl_solver *solver, const struct order *order)
{
    struct gl_arena *arena = gl_values_arena(solver->values);
    size_t *place = GL_ARENA_ARRAY(arena, size_t, solver->func->blocks.count);
    size_t *loop_ends = GL_ARENA_ARRAY(arena, size_t, order->count + 1); // by place of the head
    for (size_t i = 0; i < order->count; i++)
        place[order->blocks[i]->id] = i;
    for (size_t i = 0; i < order->count; i++)
        for (size_t k = 0; k < successor_count(order->blocks[i]); k++) {
            const struct gl_ir_block *target = successor(order->blocks[i], k);
            if (target && place[target->id] <= i && loop_ends[place[target->id]] < i + 1)
                loop_ends[place[target->id]] = i + 1;
        }
    solver->may_repeat = GL_ARENA_ARRAY(arena, bool, solver->func->blocks.count);
    size_t end = 0;
    for (size_t i = 0; i < order->count; i++) {
        if (loop_ends[i] > end)
            end = loop_ends[i];
        solver->may_repeat[order->blocks[i]->id] = i < end;
    }
}

static bool visit(struct gl_solver *solver, const struct gl_ir_block *block)
{
    struct gl_block_states *at = &solver->blocks[block->id];
    bool any = false;
    for (size_t i = 0; i < at->states.count; i++) { // may grow: a block can lead to itself
        if (!at->dirty.items[i])
            continue;
        if (++at->visits > MOST_VISITS * solver->flow->max_states) {
            solver->is_over_budget = true;
            return false;
        }
        solver->work += block->instrs.count * (16 + at->states.items[i]->env.count);
        if (solver->work > MOST_WORK || gl_values_count(solver->values) > MOST_VALUES) {
            solver->is_over_budget = true;
            return false;
        }
        at->dirty.items[i] = false;
        run_block(solver, block, gl_state_clone(at->states.items[i]));
        any = true;
    }
    return any;
}

static void observe(struct gl_solver *solver, const struct order *order)
{
    solver->is_final = true;
    for (size_t b = 0; b < order->count; b++) {
        struct gl_block_states *at = &solver->blocks[order->blocks[b]->id];
        size_t count = at->states.count;
        for (size_t i = 0; i < count; i++)
            run_block(solver, order->blocks[b], gl_state_clone(at->states.items[i]));
    }
}

void gl_solve(struct gl_solver *solver)
{
    if (!solver->flow->max_states)
        solver->flow->max_states = DEFAULT_STATES;
    const struct gl_ir_func *func = solver->func;
    if (!func->blocks.count)
        return;
    gl_liveness(solver);
    gl_find_asked_branches(solver);
    solver->blocks = GL_ARENA_ARRAY(gl_values_arena(solver->values), struct gl_block_states, func->blocks.count);
    struct order order = {0};
    order_blocks(func, gl_values_arena(solver->values), &order);
    find_loops(solver, &order);
    struct gl_state *entry = gl_state_create();
    state_add(&solver->blocks[func->blocks.items[0]->id], entry, gl_state_key(entry), 0);
    for (bool any = true; any && !solver->is_over_budget;) {
        any = false;
        for (size_t b = 0; b < order.count && !solver->is_over_budget; b++)
            any |= visit(solver, order.blocks[b]);
    }
    if (!solver->is_over_budget)
        observe(solver, &order);
    for (size_t b = 0; b < func->blocks.count; b++) {
        struct gl_block_states *at = &solver->blocks[b];
        for (size_t i = 0; i < at->states.count; i++)
            gl_state_destroy(at->states.items[i]);
        GL_VEC_FREE(&at->states);
        GL_VEC_FREE(&at->keys);
        GL_VEC_FREE(&at->fine_keys);
        GL_VEC_FREE(&at->dirty);
    }
    gl_ptrmap_free(&solver->asked_branches);
    gl_ptrmap_free(&solver->asked);
    gl_ptrmap_free(&solver->sites);
}
