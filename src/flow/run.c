// SPDX-License-Identifier: Apache-2.0
// Runs over the whole program: functions bottom-up along the call graph, recursion until it settles.
#include "flow/solver.h"

#include <string.h>

enum { MOST_ROUNDS = 4 }; // of a recursive component; after that its functions are opaque to callers

// ---- call graph -------------------------------------------------------------------------------------------

struct node {
    const struct gl_ir_func *func;
    unsigned index, low;
    bool is_visited, is_on_stack;
    GL_VEC(size_t) callees;
};

struct graph {
    struct node *nodes;
    size_t count;
    struct gl_ptrmap index_of; // struct gl_ir_decl -> index + 1
    GL_VEC(size_t) stack;
    GL_VEC(size_t) order;      // components one after the other, callees first
    GL_VEC(size_t) component_ends;
    unsigned next_index;
};

static void edge_add(struct graph *graph, struct node *node, const struct gl_ir_decl *callee)
{
    size_t at = (size_t)(uintptr_t)gl_ptrmap_get(&graph->index_of, callee);
    if (at)
        GL_VEC_PUSH(&node->callees, at - 1);
}

// The destructors and deleters that a class brings along are called wherever an owner of it ends.
static void edges_of_record(struct gl_flow *flow, struct graph *graph, struct node *node,
                            const struct gl_ir_record *record, unsigned depth)
{
    if (!record || depth > 3)
        return;
    if (record->destructor)
        edge_add(graph, node, record->destructor);
    for (size_t i = 0; i < record->template_args.count; i++) {
        const struct gl_ir_record *argument = gl_ir_type_record(record->template_args.items[i]);
        const struct gl_ir_decl *operator_call = argument ? gl_ptrmap_get(&flow->call_operators, argument) : NULL;
        if (operator_call)
            edge_add(graph, node, operator_call);
        edges_of_record(flow, graph, node, argument, depth + 1);
    }
    for (size_t i = 0; i < record->fields.count && depth < 3; i++)
        edges_of_record(flow, graph, node, gl_ir_type_record(record->fields.items[i].type), depth + 1);
}

static void edges_of(struct gl_flow *flow, struct graph *graph, struct node *node)
{
    const struct gl_ir_func *func = node->func;
    for (size_t b = 0; b < func->blocks.count; b++) {
        const struct gl_ir_block *block = func->blocks.items[b];
        for (size_t i = 0; i < block->instrs.count; i++) {
            const struct gl_ir_instr *instr = &block->instrs.items[i];
            if (instr->callee)
                edge_add(graph, node, instr->callee);
            if (instr->callee && instr->callee->record)
                edges_of_record(flow, graph, node, instr->callee->record, 0);
            for (size_t a = 0; a < instr->arg_count; a++) // a function whose address is passed may be called
                if (instr->args[a].kind == GL_OPERAND_FUNCTION)
                    edge_add(graph, node, instr->args[a].function);
        }
    }
    for (size_t i = 0; i < func->vars.count; i++)
        edges_of_record(flow, graph, node, gl_ir_type_record(func->vars.items[i]->type), 0);
}

// Tarjan's algorithm with its stack on the heap: call chains can be long.
struct frame {
    size_t node, next;
};

static void component_close(struct graph *graph, size_t root)
{
    size_t member;
    do {
        member = graph->stack.items[--graph->stack.count];
        graph->nodes[member].is_on_stack = false;
        GL_VEC_PUSH(&graph->order, member);
    } while (member != root);
    GL_VEC_PUSH(&graph->component_ends, graph->order.count);
}

static void node_open(struct graph *graph, size_t at)
{
    struct node *node = &graph->nodes[at];
    node->is_visited = node->is_on_stack = true;
    node->index = node->low = graph->next_index++;
    GL_VEC_PUSH(&graph->stack, at);
}

static void components_from(struct graph *graph, size_t start)
{
    GL_VEC(struct frame) frames = {0};
    node_open(graph, start);
    GL_VEC_PUSH(&frames, (struct frame){start, 0});
    while (frames.count) {
        struct frame *frame = &frames.items[frames.count - 1];
        struct node *node = &graph->nodes[frame->node];
        if (frame->next < node->callees.count) {
            size_t callee = node->callees.items[frame->next++];
            struct node *other = &graph->nodes[callee];
            if (!other->is_visited) {
                node_open(graph, callee);
                GL_VEC_PUSH(&frames, (struct frame){callee, 0});
            } else if (other->is_on_stack && other->index < node->low) {
                node->low = other->index;
            }
            continue;
        }
        size_t done = frame->node;
        frames.count--;
        if (node->low == node->index)
            component_close(graph, done);
        if (frames.count) {
            struct node *caller = &graph->nodes[frames.items[frames.count - 1].node];
            if (node->low < caller->low)
                caller->low = node->low;
        }
    }
    GL_VEC_FREE(&frames);
}

static void graph_build(struct gl_flow *flow, struct graph *graph)
{
    size_t total = gl_ir_decl_count(flow->program);
    graph->nodes = gl_arena_alloc(&flow->arena, (total + 1) * sizeof *graph->nodes);
    for (size_t i = 0; i < total; i++) {
        const struct gl_ir_decl *decl = gl_ir_decl_at(flow->program, i);
        if (!decl->body || decl->flags & (GL_DECL_KERNEL | GL_DECL_DEVICE)) // looked at by kernel_access.c
            continue;
        graph->nodes[graph->count++].func = decl->body;
        gl_ptrmap_set(&graph->index_of, decl, (void *)(uintptr_t)graph->count);
    }
    for (size_t i = 0; i < graph->count; i++)
        edges_of(flow, graph, &graph->nodes[i]);
    for (size_t i = 0; i < graph->count; i++)
        if (!graph->nodes[i].is_visited)
            components_from(graph, i);
}

static void graph_free(struct graph *graph)
{
    for (size_t i = 0; i < graph->count; i++)
        GL_VEC_FREE(&graph->nodes[i].callees);
    gl_ptrmap_free(&graph->index_of);
    GL_VEC_FREE(&graph->stack);
    GL_VEC_FREE(&graph->order);
    GL_VEC_FREE(&graph->component_ends);
}

// ---- solving ----------------------------------------------------------------------------------------------

static bool no_observer(void *data, const struct gl_flow_event *event)
{
    (void)data;
    (void)event;
    return false;
}

static struct gl_summary *solve_one(struct gl_flow *flow, const struct gl_ir_func *func, bool is_observed)
{
    struct gl_observer observer = flow->observer;
    if (!is_observed)
        flow->observer = (struct gl_observer){NULL, no_observer};
    struct gl_solver solver = {.flow = flow, .func = func, .values = gl_values_create()};
    gl_solve(&solver);
    flow->observer = observer;
    flow->stats.functions_over_budget += solver.is_over_budget && is_observed;
    struct gl_summary *summary = gl_summary_build(&solver);
    for (size_t i = 0; i < solver.exits.count; i++)
        gl_state_destroy(solver.exits.items[i].state);
    GL_VEC_FREE(&solver.exits);
    gl_values_destroy(solver.values);
    return summary;
}

static bool is_recursive(const struct graph *graph, size_t from, size_t to)
{
    if (to - from > 1)
        return true;
    const struct node *node = &graph->nodes[graph->order.items[from]];
    for (size_t i = 0; i < node->callees.count; i++)
        if (node->callees.items[i] == graph->order.items[from])
            return true;
    return false;
}

// Recursive functions start from "does not return" and are solved again until their summaries stay the same.
static void solve_recursive(struct gl_flow *flow, const struct graph *graph, size_t from, size_t to)
{
    bool changed = true;
    for (size_t i = from; i < to; i++)
        gl_ptrmap_set(&flow->summaries, graph->nodes[graph->order.items[i]].func->decl,
                      GL_ARENA_NEW(&flow->arena, struct gl_summary));
    for (int round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = false;
        for (size_t i = from; i < to; i++) {
            const struct gl_ir_func *func = graph->nodes[graph->order.items[i]].func;
            const struct gl_summary *before = gl_summary_of(flow, func->decl);
            struct gl_summary *after = solve_one(flow, func, false);
            changed |= !before || before->hash != after->hash;
            gl_ptrmap_set(&flow->summaries, func->decl, after);
        }
    }
    for (size_t i = from; i < to; i++) {
        const struct gl_ir_func *func = graph->nodes[graph->order.items[i]].func;
        struct gl_summary *summary = solve_one(flow, func, true);
        summary->is_opaque |= changed;
        gl_ptrmap_set(&flow->summaries, func->decl, summary);
    }
}

static void count(struct gl_flow *flow, const struct gl_ir_func *func)
{
    flow->stats.functions++;
    flow->stats.blocks += func->blocks.count;
    flow->stats.unknown_instructions += func->unknown_count;
    for (size_t b = 0; b < func->blocks.count; b++)
        flow->stats.instructions += func->blocks.items[b]->instrs.count;
}

static void solve_component(struct gl_flow *flow, const struct graph *graph, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        count(flow, graph->nodes[graph->order.items[i]].func);
    if (is_recursive(graph, from, to)) {
        solve_recursive(flow, graph, from, to);
        return;
    }
    const struct gl_ir_func *func = graph->nodes[graph->order.items[from]].func;
    gl_ptrmap_set(&flow->summaries, func->decl, solve_one(flow, func, true));
}

// operator() of each class, for deleters.
static void find_call_operators(struct gl_flow *flow)
{
    static const char suffix[] = "::operator()";
    size_t total = gl_ir_decl_count(flow->program);
    for (size_t i = 0; i < total; i++) {
        struct gl_ir_decl *decl = gl_ir_decl_at(flow->program, i);
        size_t length = decl->name ? strlen(decl->name) : 0;
        if (decl->record && decl->body && length >= sizeof suffix - 1 &&
            strcmp(decl->name + length - (sizeof suffix - 1), suffix) == 0)
            gl_ptrmap_set(&flow->call_operators, decl->record, decl);
    }
}

// ---- guards that were never made --------------------------------------------------------------------------

static bool is_guard_class(struct gl_flow *flow, const struct gl_ir_type *type)
{
    enum gl_role role = gl_class_of_type(flow, type)->role;
    return role == GL_ROLE_GUARD || role == GL_ROLE_STATE_GUARD;
}

static bool is_same_line(struct gl_ir_loc a, struct gl_ir_loc b)
{
    return a.file == b.file && a.line == b.line;
}

static void observe_vexing(struct gl_flow *flow, const struct gl_ir_func *func, struct gl_ir_loc loc,
                           const struct gl_ir_type *type)
{
    const struct gl_ir_record *record = gl_ir_type_record(type);
    struct gl_site *site = GL_ARENA_NEW(flow->sites, struct gl_site);
    *site = (struct gl_site){.loc = loc, .what = "this line declares something and creates no guard"};
    struct gl_state *state = gl_state_create();
    flow->observer.on_event(flow->observer.data, &(struct gl_flow_event){.kind = GL_FLOW_TEMPORARY,
                                                                         .func = func,
                                                                         .state = state,
                                                                         .site = site,
                                                                         .subject = record ? record->name : "?"});
    gl_state_destroy(state);
}

// `G(name);` declares a variable and `G name();` a function; the compiler says so, and that the class is a guard
// makes it a bug.
static void observe_vexing_in(struct gl_flow *flow, const struct gl_ir_func *func, struct gl_ir_loc loc)
{
    for (size_t i = 0; i < func->vars.count; i++) {
        const struct gl_ir_var *var = func->vars.items[i];
        if (var->kind == GL_VAR_LOCAL && is_same_line(var->loc, loc) && is_guard_class(flow, var->type)) {
            observe_vexing(flow, func, loc, var->type);
            return;
        }
    }
    size_t total = loc.line >= func->loc.line && loc.line <= func->end_loc.line ? gl_ir_decl_count(flow->program) : 0;
    for (size_t i = 0; i < total; i++) {
        const struct gl_ir_decl *decl = gl_ir_decl_at(flow->program, i);
        if (decl->result && is_same_line(decl->loc, loc) && is_guard_class(flow, decl->result)) {
            observe_vexing(flow, func, loc, decl->result);
            return;
        }
    }
}

static void observe_problems(struct gl_flow *flow)
{
    for (size_t u = 0; u < gl_ir_unit_count(flow->program); u++) {
        const struct gl_ir_unit *unit = gl_ir_unit_at(flow->program, u);
        for (size_t p = 0; p < unit->problems.count; p++) {
            if (strcmp(unit->problems.items[p].kind, "vexing-parse") != 0)
                continue;
            for (size_t f = 0; f < unit->funcs.count; f++)
                if (unit->funcs.items[f]->loc.file == unit->problems.items[p].loc.file)
                    observe_vexing_in(flow, unit->funcs.items[f], unit->problems.items[p].loc);
        }
    }
}

void gl_flow_run(struct gl_ir_program *program, const struct gl_rules *rules, unsigned max_states,
                 struct gl_observer observer, struct gl_arena *site_arena, struct gl_flow_stats *out_stats)
{
    struct gl_flow flow = {.program = program,
                           .rules = rules,
                           .max_states = max_states,
                           .observer = observer,
                           .sites = site_arena,
                           .exported = gl_values_create()};
    find_call_operators(&flow);
    struct graph graph = {0};
    graph_build(&flow, &graph);
    size_t from = 0;
    for (size_t c = 0; c < graph.component_ends.count; c++) {
        solve_component(&flow, &graph, from, graph.component_ends.items[c]);
        from = graph.component_ends.items[c];
    }
    observe_problems(&flow);
    *out_stats = flow.stats;
    graph_free(&graph);
    gl_values_destroy(flow.exported);
    gl_ptrmap_free(&flow.summaries);
    gl_ptrmap_free(&flow.classes);
    gl_ptrmap_free(&flow.call_operators);
    gl_kernels_free(&flow);
    gl_arena_free(&flow.arena);
}
