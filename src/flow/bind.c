// SPDX-License-Identifier: Apache-2.0
// Applies a rule to a call: targets become values and memory, effects happen in their order, and a call whose
// effects depend on its result goes on in two states.
#include "flow/solver.h"

#include <string.h>

// What a target of a rule stands for at this call.
struct ref {
    const struct gl_mem *mem;     // the object, where it is one
    const struct gl_value *value; // NULL: the call does not have it
};

struct binding {
    struct gl_solver *solver;
    struct gl_state *state;
    const struct gl_ir_instr *instr;
    const struct gl_ir_decl *callee;
    const struct gl_call_rule *rule;
    const struct gl_mem *dst;      // where the result goes, or NULL
    const struct gl_value *result; // what it is
    int64_t slot;                  // for the next fresh value
};

// ---- targets ----------------------------------------------------------------------------------------------

static bool has_receiver(const struct binding *b)
{
    return b->callee && (b->callee->flags & GL_DECL_METHOD);
}

static bool is_passed_by_address(const struct binding *b, const struct gl_ir_operand *arg, size_t index)
{
    if (arg->flags & GL_ARG_BYVAL)
        return true;
    if (!b->callee || index >= b->callee->params.count || arg->kind == GL_OPERAND_INTEGER)
        return false;
    const struct gl_ir_type *type = gl_ir_type_strip(b->callee->params.items[index]);
    return type->kind == GL_TYPE_REFERENCE || type->kind == GL_TYPE_RVALUE;
}

static struct ref ref_mem(const struct binding *b, const struct gl_mem *mem)
{
    return (struct ref){mem, gl_state_load(b->state, b->solver->values, mem)};
}

static struct ref ref_arg(const struct binding *b, size_t index)
{
    size_t at = index + has_receiver(b);
    if (at >= b->instr->arg_count)
        return (struct ref){NULL, NULL};
    const struct gl_ir_operand *arg = &b->instr->args[at];
    const struct gl_value *value = gl_solver_operand(b->solver, b->state, arg);
    if (is_passed_by_address(b, arg, index))
        return ref_mem(b, gl_mem_deref(b->solver->values, value));
    if (arg->kind == GL_OPERAND_PLACE)
        return (struct ref){gl_solver_place(b->solver, b->state, &arg->place, NULL), value};
    return (struct ref){NULL, value};
}

static struct ref ref_base(const struct binding *b, const struct gl_target *target)
{
    struct gl_values *values = b->solver->values;
    switch (target->base) {
    case GL_TARGET_ARG:
        return ref_arg(b, (size_t)target->arg);
    case GL_TARGET_THIS:
        if (!has_receiver(b) || !b->instr->arg_count)
            return (struct ref){NULL, NULL};
        return ref_mem(b, gl_mem_deref(values, gl_solver_operand(b->solver, b->state, &b->instr->args[0])));
    case GL_TARGET_RESULT:
        return (struct ref){b->dst, b->result};
    case GL_TARGET_DEFAULT_STREAM:
        return (struct ref){NULL, gl_value_int(values, 0)};
    case GL_TARGET_STREAM_OF_HANDLE: {
        struct gl_target handle = {.base = target->arg < 0 ? GL_TARGET_THIS : GL_TARGET_ARG, .arg = target->arg};
        const struct gl_value *of = ref_base(b, &handle).value;
        return (struct ref){NULL, of ? gl_value_compute(values, "stream-of", &of, 1) : NULL};
    }
    case GL_TARGET_CURRENT_STREAM:
        return (struct ref){NULL, gl_value_compute(values, "current-stream", NULL, 0)};
    default:
        return (struct ref){NULL, NULL};
    }
}

static struct ref ref_step(const struct binding *b, struct ref ref, const struct gl_target_step *step)
{
    struct gl_values *values = b->solver->values;
    if (!ref.value)
        return ref;
    bool is_pointer = !ref.mem || ref.value->kind == GL_VALUE_ADDRESS;
    switch (step->kind) {
    case GL_TSTEP_DEREF:
        return ref_mem(b, gl_mem_deref(values, ref.value));
    case GL_TSTEP_FIELD:
        if (!ref.mem)
            return (struct ref){NULL, gl_value_field(values, ref.value, step->field)};
        return ref_mem(b, gl_mem_field(values, ref.mem, step->field));
    case GL_TSTEP_ELEMENTS:
        return ref_mem(b, gl_mem_index(values, is_pointer ? gl_mem_deref(values, ref.value) : ref.mem, NULL));
    case GL_TSTEP_ELEMENT:
        return ref_mem(b, gl_mem_index(values, is_pointer ? gl_mem_deref(values, ref.value) : ref.mem,
                                       gl_value_int(values, step->index)));
    }
    return ref;
}

static struct ref ref_of(const struct binding *b, const struct gl_target *target)
{
    struct ref ref = ref_base(b, target);
    for (unsigned i = 0; i < target->step_count; i++)
        ref = ref_step(b, ref, &target->steps[i]);
    return ref;
}

// A stream that the call leaves out is the default stream; one that the rule does not name is not known.
static const struct gl_value *stream_of(const struct binding *b, const struct gl_target *target)
{
    if (target->base == GL_TARGET_NONE)
        return NULL;
    struct ref ref = ref_of(b, target);
    return ref.value ? ref.value : gl_value_int(b->solver->values, 0);
}

static const struct gl_value *fresh(struct binding *b, int64_t bits)
{
    return gl_solver_fresh(b->solver, b->state, ++b->slot | bits);
}

static void ref_set(struct binding *b, const struct gl_target *target, const struct gl_value *value)
{
    struct ref ref = ref_of(b, target);
    if (target->base == GL_TARGET_RESULT && !target->step_count)
        b->result = value;
    if (ref.mem)
        gl_solver_store(b->solver, b->state, ref.mem, value);
}

// ---- what calls are called in messages --------------------------------------------------------------------

static const struct gl_site *site(const struct binding *b, const char *verb)
{
    const char *name = gl_call_name(b->instr, b->callee);
    const char *format = b->instr->is_cleanup ? "%s by cleanup %s()" : "%s by %s()";
    return gl_site_make(b->solver, format, verb, name, NULL, NULL);
}

// ---- effects ----------------------------------------------------------------------------------------------

static const struct gl_type_rule *class_rule(const struct binding *b)
{
    return b->callee && b->callee->class_name ? gl_rules_find_type(b->solver->flow->rules, b->callee->class_name)
                                              : NULL;
}

// The pointer that an owner holds is the owner's own value: get(), operator-> and the deleter mean one pointer.
static bool is_pointer_of_owner(const struct binding *b, const struct gl_effect *effect)
{
    const struct gl_type_rule *type = class_rule(b);
    return effect->from.base == GL_TARGET_THIS && !effect->from.step_count && type &&
           (type->role == GL_ROLE_OWNER || type->role == GL_ROLE_SHARED_OWNER);
}

static void apply_derive(struct binding *b, const struct gl_target *to, const struct gl_value *handle,
                         bool is_same)
{
    if (is_same) {
        ref_set(b, to, handle);
        return;
    }
    bool is_result = to->base == GL_TARGET_RESULT && !to->step_count;
    const struct gl_value *pointer = is_result ? b->result : fresh(b, 0);
    ref_set(b, to, gl_value_guarded(b->solver->values, pointer, handle));
}

static bool is_host_memory(const struct gl_effect *effect)
{
    return effect->kind == GL_EFFECT_ALLOC && effect->memory == GL_MEMORY_HOST;
}

static const struct gl_value *alloc_handle(struct binding *b, const struct gl_effect *effect)
{
    bool is_result = effect->target.base == GL_TARGET_RESULT && !effect->target.step_count;
    return is_result ? b->result : fresh(b, effect->kind == GL_EFFECT_ALLOC ? GL_SLOT_CREATED : 0);
}

static void apply_acquire(struct binding *b, const struct gl_effect *effect, bool is_owner)
{
    const struct gl_value *handle = alloc_handle(b, effect);
    struct gl_acquire acquire = {
        .handle = handle,
        .stream = effect->stream.base == GL_TARGET_NONE ? NULL : stream_of(b, &effect->stream),
        .owner = ref_of(b, &effect->from).value,
        .kind = effect->release,
        .access = effect->access,
        .state = effect->state,
        .is_owner = is_owner,
    };
    gl_effect_acquire(b->solver, b->state, &acquire, site(b, is_owner ? "allocated" : "acquired"));
    if (effect->target.base != GL_TARGET_NONE) // after the acquire: where it is stored says whether it is handed on
        ref_set(b, &effect->target, handle);
    if (effect->pointer.base != GL_TARGET_NONE)
        apply_derive(b, &effect->pointer, handle, false);
}

// The object lives on with something else in it: what a destructor would not do.
static bool is_refilled(const struct gl_call_rule *rule)
{
    for (size_t i = 0; i < rule->effects.count; i++) {
        const struct gl_effect *effect = &rule->effects.items[i];
        bool fills = effect->kind == GL_EFFECT_MOVE || effect->kind == GL_EFFECT_ACQUIRE ||
                     effect->kind == GL_EFFECT_ALLOC;
        if (fills && effect->target.base == GL_TARGET_THIS)
            return true;
    }
    return false;
}

static void apply_release(struct binding *b, const struct gl_effect *effect)
{
    enum gl_cause cause = gl_call_cause(b->solver, b->callee);
    if (cause == GL_CAUSE_CALL && effect->target.base == GL_TARGET_THIS && is_refilled(b->rule))
        cause = GL_CAUSE_OVERWRITE;
    bool is_owner = effect->kind == GL_EFFECT_FREE;
    const struct gl_site *where = site(b, is_owner ? "freed" : "released");
    if (effect->state) {
        gl_effect_release_state(b->solver, b->state, effect->state, cause, where);
        return;
    }
    struct ref ref = ref_of(b, &effect->target);
    if (!ref.value)
        return;
    const struct gl_type_rule *type = class_rule(b);
    struct gl_release release = {
        .handle = ref.value,
        .stream = effect->stream.base == GL_TARGET_NONE ? NULL : stream_of(b, &effect->stream),
        .kind = effect->release,
        .cause = cause,
        .is_owner = is_owner,
        .is_shared = type && type->role == GL_ROLE_SHARED_OWNER,
    };
    gl_effect_release(b->solver, b->state, &release, where);
    size_t at = (size_t)effect->target.arg + has_receiver(b);
    // (of a class whose body is visible, the destructor does that)
    bool is_consumed = gl_state_resource(b->state, ref.value) && effect->target.base == GL_TARGET_ARG && !effect->target.step_count && ref.mem &&
                       at < b->instr->arg_count && b->instr->args[at].flags & GL_ARG_BYVAL;
    if (is_consumed) // the caller's copy has nothing left to release
        gl_state_store(b->state, ref.mem, gl_value_moved(b->solver->values));
}

// The receiver and what is passed to be changed lose what they held; a value or a reference to const is copied.
static bool is_taken_from(const struct binding *b, const struct gl_effect *effect)
{
    if (effect->from.base != GL_TARGET_ARG)
        return true;
    size_t index = (size_t)effect->from.arg;
    if (effect->from.step_count)
        return true;
    if (!b->callee || index >= b->callee->params.count)
        return false;
    const struct gl_ir_type *type = gl_ir_type_strip(b->callee->params.items[index]);
    bool is_reference = type->kind == GL_TYPE_REFERENCE || type->kind == GL_TYPE_RVALUE;
    size_t at = index + has_receiver(b);
    bool is_byval = at < b->instr->arg_count && (b->instr->args[at].flags & GL_ARG_BYVAL);
    return is_byval || (is_reference && !type->element->is_const);
}

static void apply_move(struct binding *b, const struct gl_effect *effect)
{
    struct ref from = ref_of(b, &effect->from);
    if (!from.value)
        return;
    if (effect->target.base == GL_TARGET_NONE) {
        gl_hand_on(b->state, from.value);
        return;
    }
    struct ref to = ref_of(b, &effect->target);
    const struct gl_value *value = from.value;
    if (from.mem && to.mem)
        gl_solver_copy(b->solver, b->state, to.mem, b->state, from.mem);
    if (!from.mem || !to.mem)
        ref_set(b, &effect->target, value);
    else if (effect->target.base == GL_TARGET_RESULT)
        b->result = value;
    if (from.mem && from.mem != to.mem && is_taken_from(b, effect))
        gl_state_store(b->state, from.mem, gl_value_moved(b->solver->values));
}

static void apply_swap(struct binding *b, const struct gl_effect *effect)
{
    struct ref one = ref_of(b, &effect->target), other = ref_of(b, &effect->from);
    if (!one.mem || !other.mem || one.mem == other.mem)
        return;
    struct gl_state *before = gl_state_clone(b->state);
    gl_state_copy_tree(b->state, b->solver->values, one.mem, before, other.mem);
    gl_state_copy_tree(b->state, b->solver->values, other.mem, before, one.mem);
    gl_state_destroy(before);
}

// A guard that is made inside an optional, or on the heap, is held while that lives.
static void apply_construct(struct binding *b, const struct gl_effect *effect)
{
    const struct gl_ir_record *outer = effect->target.base == GL_TARGET_THIS ? b->callee->record
                                       : b->callee->result ? gl_ir_type_record(b->callee->result) : NULL;
    const struct gl_class *held = gl_class_held(b->solver->flow, gl_class_of(b->solver->flow, outer));
    struct ref ref = ref_of(b, &effect->target);
    if (!ref.mem || (held->role != GL_ROLE_GUARD && held->role != GL_ROLE_STATE_GUARD))
        return;
    struct gl_acquire acquire = {.handle = fresh(b, 0), .kind = held->release};
    gl_effect_acquire(b->solver, b->state, &acquire, site(b, "acquired"));
    gl_solver_store(b->solver, b->state, ref.mem, acquire.handle);
}

static bool returns_address(const struct binding *b)
{
    if (!b->callee || !b->callee->result)
        return false;
    enum gl_ir_type_kind kind = gl_ir_type_strip(b->callee->result)->kind;
    return kind == GL_TYPE_REFERENCE || kind == GL_TYPE_RVALUE || kind == GL_TYPE_POINTER;
}

static void apply_same(struct binding *b, const struct gl_effect *effect)
{
    struct ref from = ref_of(b, &effect->from);
    if (!from.value)
        return;
    bool is_result = effect->target.base == GL_TARGET_RESULT && !effect->target.step_count;
    bool is_object = from.mem && (effect->from.base == GL_TARGET_THIS || effect->from.step_count ||
                                  is_passed_by_address(b, &b->instr->args[effect->from.arg + has_receiver(b)],
                                                       (size_t)effect->from.arg));
    if (is_result && is_object && returns_address(b))
        ref_set(b, &effect->target, gl_value_address(b->solver->values, from.mem));
    else if (from.mem && !is_result && ref_of(b, &effect->target).mem)
        gl_solver_copy(b->solver, b->state, ref_of(b, &effect->target).mem, b->state, from.mem);
    else
        ref_set(b, &effect->target, from.value);
}

// ---- launches ---------------------------------------------------------------------------------------------

static enum gl_access kernel_param_access(const struct gl_ir_decl *kernel, size_t index)
{
    if (!kernel || index >= kernel->params.count)
        return GL_ACCESS_UNKNOWN;
    const struct gl_ir_type *type = gl_ir_type_strip(kernel->params.items[index]);
    if (type->kind != GL_TYPE_POINTER)
        return GL_ACCESS_UNKNOWN;
    return type->element->is_const ? GL_ACCESS_READ : GL_ACCESS_READ_WRITE;
}

// void *args[] = {&p, &n}: every element that was stored is the address of an argument.
static void use_param_array(struct binding *b, const struct gl_value *array, const struct gl_ir_decl *kernel,
                            struct gl_use *use, const struct gl_site *where)
{
    struct gl_values *values = b->solver->values;
    const struct gl_mem *mem = gl_mem_deref(values, array);
    if (mem->kind == GL_MEM_INDEX)
        mem = mem->parent;
    size_t count = b->state->env.count;
    const struct gl_binding *env = b->state->env.items;
    struct gl_binding *elements = gl_arena_alloc(gl_values_arena(values), (count + 1) * sizeof *elements);
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (env[i].mem == mem || env[i].mem->parent == mem)
            elements[found++] = env[i];
    for (size_t i = 0; i < found; i++) {
        const struct gl_value *index = elements[i].mem->kind == GL_MEM_INDEX ? elements[i].mem->value : NULL;
        bool is_known = index && index->kind == GL_VALUE_INT;
        if (elements[i].value->kind == GL_VALUE_INT || elements[i].value->kind == GL_VALUE_UNINIT)
            continue;
        use->access = is_known ? kernel_param_access(kernel, (size_t)index->integer)
                      : elements[i].mem == mem ? kernel_param_access(kernel, 0) : GL_ACCESS_UNKNOWN;
        gl_effect_use_tree(b->solver, b->state, gl_mem_deref(values, elements[i].value), use, where);
    }
}

// The driver API's other form: {BUFFER_POINTER, buffer, BUFFER_SIZE, &size, END}.
static void use_extra(struct binding *b, const struct gl_value *extra, struct gl_use *use,
                      const struct gl_site *where)
{
    struct gl_values *values = b->solver->values;
    const struct gl_mem *list = gl_mem_deref(values, extra);
    if (list->kind == GL_MEM_INDEX)
        list = list->parent;
    enum { BUFFER_POINTER = 1 }; // CU_LAUNCH_PARAM_BUFFER_POINTER
    for (int64_t i = 0; i < 8; i += 2) {
        const struct gl_value *key = gl_state_load(b->state, values, gl_mem_index(values, list, gl_value_int(values, i)));
        if (!gl_value_is_int(key, BUFFER_POINTER))
            continue;
        const struct gl_mem *at = gl_mem_index(values, list, gl_value_int(values, i + 1));
        const struct gl_value *buffer = gl_state_load(b->state, values, at);
        const struct gl_mem *mem = gl_mem_deref(values, buffer);
        gl_effect_use_tree(b->solver, b->state, mem->kind == GL_MEM_INDEX ? mem->parent : mem, use, where);
    }
}

static void use_targets(struct binding *b, const struct gl_targets *targets, enum gl_access access,
                        struct gl_use *use, const struct gl_site *where)
{
    use->access = access;
    for (size_t i = 0; i < targets->count; i++) {
        if (targets->items[i].base == GL_TARGET_ALL_ARGS) {
            for (size_t a = 0; a + has_receiver(b) < b->instr->arg_count; a++) {
                struct ref ref = ref_arg(b, a);
                use->value = ref.value;
                if (ref.value)
                    gl_effect_use(b->solver, b->state, use, where);
            }
            continue;
        }
        struct ref ref = ref_of(b, &targets->items[i]);
        if (!ref.value)
            continue;
        use->value = ref.value;
        if (ref.mem)
            gl_effect_use_tree(b->solver, b->state, ref.mem, use, where);
        else
            gl_effect_use(b->solver, b->state, use, where);
    }
}

static void apply_launch(struct binding *b, const struct gl_effect *effect)
{
    const struct gl_value *stream = stream_of(b, &effect->stream);
    const struct gl_value *function = ref_of(b, &effect->kernel).value;
    const struct gl_ir_decl *kernel =
        function && function->kind == GL_VALUE_FUNCTION ? function->origin : NULL;
    const char *subject = kernel ? kernel->name : gl_call_name(b->instr, b->callee);
    const struct gl_site *where =
        gl_site_make(b->solver, kernel ? "kernel %s launched here" : "used by %s()", subject, NULL, NULL, NULL);
    struct gl_use use = {.stream = stream, .subject = subject};
    gl_effect_work(b->solver, b->state, stream, where);
    const struct gl_value *params = ref_of(b, &effect->params).value;
    const struct gl_value *extra = ref_of(b, &effect->extra).value;
    if (params && params->kind != GL_VALUE_INT)
        use_param_array(b, params, kernel, &use, where);
    if (extra && extra->kind != GL_VALUE_INT)
        use_extra(b, extra, &use, where);
    use_targets(b, &effect->reads, GL_ACCESS_READ, &use, where);
    use_targets(b, &effect->writes, GL_ACCESS_WRITE, &use, where);
    use_targets(b, &effect->uses, GL_ACCESS_UNKNOWN, &use, where);
    use_targets(b, &effect->tracked, GL_ACCESS_UNKNOWN, &use, where);
    b->solver->flow->stats.launches += b->solver->is_final;
}

// ---- one effect -------------------------------------------------------------------------------------------

static bool condition_holds(const struct binding *b, const struct gl_condition *condition)
{
    if (condition->kind == GL_COND_NONE)
        return true;
    struct ref ref = ref_arg(b, (size_t)condition->arg);
    int64_t value;
    if (!ref.value || !gl_state_constant(b->state, ref.value, &value))
        return true;
    return (value == condition->value) == (condition->kind == GL_COND_EQUAL);
}

static void note(struct binding *b, const struct gl_effect *effect, const struct gl_target *target,
                 const char *verb)
{
    struct ref ref = ref_of(b, target);
    gl_effect_note(b->solver, b->state, effect->kind, ref.value ? ref.value : gl_value_undef(b->solver->values),
                   stream_of(b, &effect->stream), effect->state, site(b, verb));
}

static void apply_create(struct binding *b, const struct gl_effect *effect)
{
    ref_set(b, &effect->target, fresh(b, GL_SLOT_CREATED));
}

static void apply_pure(struct binding *b)
{
    const struct gl_value *args[6];
    unsigned count = 0;
    for (size_t i = 0; i < b->instr->arg_count && count < 6; i++)
        args[count++] = gl_solver_operand(b->solver, b->state, &b->instr->args[i]);
    b->result = gl_value_compute(b->solver->values, b->rule->name, args, count);
    if (b->dst)
        gl_solver_store(b->solver, b->state, b->dst, b->result);
}

static void apply_effect(struct binding *b, const struct gl_effect *effect)
{
    switch (effect->kind) {
    case GL_EFFECT_ACQUIRE:
        apply_acquire(b, effect, false);
        break;
    case GL_EFFECT_ALLOC:
        if (is_host_memory(effect)) // whose leaks other tools find; its end before asynchronous work counts
            ref_set(b, &effect->target, alloc_handle(b, effect));
        else
            apply_acquire(b, effect, true);
        break;
    case GL_EFFECT_RELEASE:
    case GL_EFFECT_FREE:
        apply_release(b, effect);
        break;
    case GL_EFFECT_DERIVE: {
        struct ref from = ref_of(b, &effect->from);
        if (from.value)
            apply_derive(b, &effect->target, from.value, is_pointer_of_owner(b, effect));
        break;
    }
    case GL_EFFECT_MOVE:
        apply_move(b, effect);
        break;
    case GL_EFFECT_SWAP:
        apply_swap(b, effect);
        break;
    case GL_EFFECT_CONSTRUCT:
        apply_construct(b, effect);
        break;
    case GL_EFFECT_SAME:
        apply_same(b, effect);
        break;
    case GL_EFFECT_LAUNCH:
        apply_launch(b, effect);
        break;
    case GL_EFFECT_CREATE:
        apply_create(b, effect);
        break;
    case GL_EFFECT_ESCAPE: {
        struct ref ref = ref_of(b, &effect->target);
        if (ref.value)
            gl_hand_on(b->state, ref.value);
        break;
    }
    case GL_EFFECT_ADDRESS_ONLY:
        if (effect->target.base != GL_TARGET_RESULT)
            ref_set(b, &effect->target, fresh(b, 0));
        break;
    case GL_EFFECT_PURE:
        apply_pure(b);
        break;
    case GL_EFFECT_RECORD:
        note(b, effect, &effect->event, "recorded");
        break;
    case GL_EFFECT_SYNC:
        gl_effect_work(b->solver, b->state, NULL, site(b, "the host waits"));
        break;
    case GL_EFFECT_SET_STATE:
        note(b, effect, &effect->target, "set");
        break;
    default: // what the other effects mean, no check of this stage asks
        break;
    }
}

static enum gl_when first_condition(const struct gl_call_rule *rule)
{
    for (size_t i = 0; i < rule->effects.count; i++) {
        const struct gl_effect *effect = &rule->effects.items[i];
        if (effect->when != GL_WHEN_ALWAYS && !is_host_memory(effect))
            return effect->when;
    }
    return GL_WHEN_ALWAYS;
}

static void apply_all(struct binding *b, enum gl_when outcome)
{
    for (size_t i = 0; i < b->rule->effects.count; i++) {
        const struct gl_effect *effect = &b->rule->effects.items[i];
        bool is_outcome = effect->when == GL_WHEN_ALWAYS || effect->when == outcome || is_host_memory(effect);
        if (is_outcome && condition_holds(b, &effect->condition))
            apply_effect(b, effect);
    }
}

bool gl_call_by_rule(struct gl_solver *solver, struct gl_state *state, const struct gl_call_rule *rule,
                     const struct gl_ir_decl *callee)
{
    const struct gl_ir_instr *instr = solver->instr;
    struct binding b = {.solver = solver, .state = state, .instr = instr, .callee = callee, .rule = rule};
    b.result = gl_solver_fresh(solver, state, 0);
    if (instr->has_dst) {
        b.dst = gl_solver_place(solver, state, &instr->dst, NULL);
        gl_solver_store(solver, state, b.dst, b.result);
    }
    enum gl_when outcome = first_condition(rule);
    bool is_asked = instr->has_dst && (instr->dst.step_count || gl_is_live_after(solver, instr->dst.var));
    if (outcome != GL_WHEN_ALWAYS && is_asked) {
        struct binding other = b;
        other.state = gl_state_clone(state);
        enum gl_when opposite = outcome == GL_WHEN_RESULT_ZERO ? GL_WHEN_RESULT_NONZERO : GL_WHEN_RESULT_ZERO;
        gl_state_assume(other.state, other.result, opposite == GL_WHEN_RESULT_NONZERO);
        apply_all(&other, opposite);
        GL_VEC_PUSH(solver->current, other.state);
        gl_state_assume(state, b.result, outcome == GL_WHEN_RESULT_NONZERO);
    }
    apply_all(&b, outcome);
    return !rule->is_noreturn;
}
