// SPDX-License-Identifier: Apache-2.0
// Applies a rule to a call: targets become values and memory, effects happen in their order, and a call whose
// effects depend on its result goes on in two states.
#include "flow/order.h"

#include <string.h>

// ---- values a call makes ---------------------------------------------------------------------------------

static const struct gl_value *fresh(struct gl_binding_call *b, int64_t bits)
{
    return gl_solver_fresh(b->solver, b->state, ++b->slot | bits);
}

static void ref_set(struct gl_binding_call *b, const struct gl_target *target, const struct gl_value *value)
{
    struct gl_ref ref = gl_ref_of(b, target);
    if (target->base == GL_TARGET_RESULT && !target->step_count)
        b->result = value;
    if (ref.mem)
        gl_solver_store(b->solver, b->state, ref.mem, value);
}

// ---- what calls are called in messages --------------------------------------------------------------------

static const struct gl_site *site(const struct gl_binding_call *b, const char *verb)
{
    const char *name = gl_call_name(b->instr, b->callee);
    const char *format = b->instr->is_cleanup ? "%s by cleanup %s()" : "%s by %s()";
    return gl_site_make(b->solver, format, verb, name, NULL, NULL);
}

// ---- effects ----------------------------------------------------------------------------------------------

static const struct gl_type_rule *class_rule(const struct gl_binding_call *b)
{
    return b->callee && b->callee->class_name ? gl_rules_find_type(b->solver->flow->rules, b->callee->class_name)
                                              : NULL;
}

// The pointer that an owner holds is the owner's own value: get(), operator-> and the deleter mean one pointer.
static bool is_pointer_of_owner(const struct gl_binding_call *b, const struct gl_effect *effect)
{
    const struct gl_type_rule *type = class_rule(b);
    return effect->from.base == GL_TARGET_THIS && !effect->from.step_count && type &&
           (type->role == GL_ROLE_OWNER || type->role == GL_ROLE_SHARED_OWNER);
}

static bool is_shared_owner(const struct gl_binding_call *b)
{
    const struct gl_type_rule *type = class_rule(b);
    return type && type->role == GL_ROLE_SHARED_OWNER;
}

static void apply_derive(struct gl_binding_call *b, const struct gl_target *to, const struct gl_value *handle,
                         bool is_same)
{
    if (is_same) { // of a shared owner a name of its own, always the same: a pointer is no further owner
        ref_set(b, to, is_shared_owner(b) ? gl_value_guarded(b->solver->values, handle, handle) : handle);
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

static const struct gl_value *alloc_handle(struct gl_binding_call *b, const struct gl_effect *effect)
{
    bool is_result = effect->target.base == GL_TARGET_RESULT && !effect->target.step_count;
    int64_t bits = effect->kind == GL_EFFECT_ALLOC ? GL_SLOT_CREATED | gl_memory_bits(effect->memory) : 0;
    return is_result ? b->result : fresh(b, bits);
}

static void apply_acquire(struct gl_binding_call *b, const struct gl_effect *effect, bool is_owner)
{
    const struct gl_value *handle = alloc_handle(b, effect);
    struct gl_acquire acquire = {
        .handle = handle,
        .stream = effect->stream.base == GL_TARGET_NONE ? NULL : gl_ref_stream(b, &effect->stream),
        .owner = gl_ref_of(b, &effect->from).value,
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

static void release_one(struct gl_binding_call *b, const struct gl_effect *effect, const struct gl_value *handle)
{
    enum gl_cause cause = gl_call_cause(b->solver, b->callee);
    if (cause == GL_CAUSE_CALL && effect->target.base == GL_TARGET_THIS && is_refilled(b->rule))
        cause = GL_CAUSE_OVERWRITE;
    bool is_owner = effect->kind == GL_EFFECT_FREE;
    struct gl_release release = {
        .handle = handle,
        .stream = effect->stream.base == GL_TARGET_NONE ? NULL : gl_ref_stream(b, &effect->stream),
        .kind = effect->release,
        .cause = cause,
        .is_owner = is_owner,
        .is_shared = is_shared_owner(b),
    };
    gl_effect_release(b->solver, b->state, &release, site(b, is_owner ? "freed" : "released"));
}

static bool names_elements(const struct gl_target *target)
{
    return target->step_count && target->steps[target->step_count - 1].kind == GL_TSTEP_ELEMENTS;
}

// "arg2[]": every guard that is known to be in the array; the others may be among those kept elsewhere.
static void release_elements(struct gl_binding_call *b, const struct gl_effect *effect, const struct gl_mem *element)
{
    const struct gl_value *handles[32];
    size_t count = 0;
    const struct gl_mem *array = element->parent; // an element's
    for (size_t i = 0; i < b->state->env.count && count < GL_COUNT(handles); i++) {
        const struct gl_binding *binding = &b->state->env.items[i];
        if (gl_mem_is_within(binding->mem, array) && gl_state_resource(b->state, binding->value))
            handles[count++] = binding->value;
    }
    for (size_t i = 0; i < count; i++)
        release_one(b, effect, handles[i]);
}

// The caller's copy of an object that was consumed has nothing left to release. (Of a class whose body is visible,
// the destructor finds that out.)
static void empty_argument(struct gl_binding_call *b, const struct gl_effect *effect, const struct gl_ref *ref)
{
    size_t at = (size_t)effect->target.arg + gl_has_receiver(b);
    bool is_whole = effect->target.base == GL_TARGET_ARG && !effect->target.step_count && ref->mem;
    if (is_whole && gl_state_resource(b->state, ref->value) && at < b->instr->arg_count &&
        b->instr->args[at].flags & GL_ARG_BYVAL)
        gl_state_store(b->state, ref->mem, gl_value_moved(b->solver->values));
}

static void apply_release(struct gl_binding_call *b, const struct gl_effect *effect)
{
    if (effect->state) {
        gl_effect_release_state(b->solver, b->state, effect->state, gl_call_cause(b->solver, b->callee),
                                site(b, "released"));
        return;
    }
    struct gl_ref ref = gl_ref_of(b, &effect->target);
    if (!ref.value)
        return;
    if (names_elements(&effect->target) && ref.mem && ref.mem->parent) {
        release_elements(b, effect, ref.mem);
        return;
    }
    release_one(b, effect, ref.value);
    empty_argument(b, effect, &ref);
}

// A release that fails: the guard may be held still, but nothing more can be done about it.
static void fail_release(struct gl_binding_call *b, const struct gl_effect *effect)
{
    struct gl_ref ref = gl_ref_of(b, &effect->target);
    if (ref.value)
        gl_hand_on(b->state, ref.value);
    if (!names_elements(&effect->target) || !ref.mem || !ref.mem->parent)
        return;
    for (size_t i = 0; i < b->state->env.count; i++)
        if (gl_mem_is_within(b->state->env.items[i].mem, ref.mem->parent))
            gl_hand_on(b->state, b->state->env.items[i].value);
}

// The receiver and what is moved from lose what they held; a value or an lvalue reference is copied.
static bool is_taken_from(const struct gl_binding_call *b, const struct gl_effect *effect)
{
    if (effect->from.base != GL_TARGET_ARG)
        return true;
    size_t index = (size_t)effect->from.arg;
    if (effect->from.step_count)
        return true;
    if (!b->callee || index >= b->callee->params.count)
        return false;
    const struct gl_ir_type *type = gl_ir_type_strip(b->callee->params.items[index]);
    size_t at = index + gl_has_receiver(b);
    bool is_byval = at < b->instr->arg_count && (b->instr->args[at].flags & GL_ARG_BYVAL);
    return is_byval || type->kind == GL_TYPE_RVALUE;
}

static bool is_passed_object_owner(const struct gl_binding_call *b, const struct gl_effect *effect)
{
    if (effect->from.base != GL_TARGET_ARG || effect->from.step_count || !b->callee ||
        (size_t)effect->from.arg >= b->callee->params.count)
        return false;
    const struct gl_ir_type *type = gl_ir_type_strip_ref(b->callee->params.items[effect->from.arg]);
    enum gl_role role = gl_class_of_type(b->solver->flow, type)->role;
    return role == GL_ROLE_OWNER || role == GL_ROLE_CONTAINER;
}

static void apply_move(struct gl_binding_call *b, const struct gl_effect *effect)
{
    struct gl_ref from = gl_ref_of(b, &effect->from);
    if (!from.value)
        return;
    if (effect->target.base == GL_TARGET_NONE) {
        gl_hand_on(b->state, from.value);
        return;
    }
    struct gl_ref to = gl_ref_of(b, &effect->target);
    const struct gl_value *value = from.value;
    bool is_own = !is_taken_from(b, effect) && is_passed_object_owner(b, effect);
    if (is_own) // a copy of an owner that is not shared holds something of its own
        value = fresh(b, 0);
    if (from.mem && to.mem && !is_own)
        gl_solver_copy(b->solver, b->state, to.mem, b->state, from.mem);
    if (!from.mem || !to.mem || is_own)
        ref_set(b, &effect->target, value);
    else if (effect->target.base == GL_TARGET_RESULT)
        b->result = value;
    if (from.mem && from.mem != to.mem && is_taken_from(b, effect))
        gl_state_store(b->state, from.mem, gl_value_moved(b->solver->values));
}

static void apply_swap(struct gl_binding_call *b, const struct gl_effect *effect)
{
    struct gl_ref one = gl_ref_of(b, &effect->target), other = gl_ref_of(b, &effect->from);
    if (!one.mem || !other.mem || one.mem == other.mem)
        return;
    struct gl_state *before = gl_state_clone(b->state);
    gl_state_copy_tree(b->state, b->solver->values, one.mem, before, other.mem);
    gl_state_copy_tree(b->state, b->solver->values, other.mem, before, one.mem);
    gl_state_destroy(before);
}

// A guard that is made inside an optional, or on the heap, is held while that lives.
static void apply_construct(struct gl_binding_call *b, const struct gl_effect *effect)
{
    const struct gl_ir_record *outer = effect->target.base == GL_TARGET_THIS ? b->callee->record
                                       : b->callee->result ? gl_ir_type_record(b->callee->result) : NULL;
    const struct gl_class *held = gl_class_held(b->solver->flow, gl_class_of(b->solver->flow, outer));
    struct gl_ref ref = gl_ref_of(b, &effect->target);
    if (!ref.mem || (held->role != GL_ROLE_GUARD && held->role != GL_ROLE_STATE_GUARD))
        return;
    struct gl_acquire acquire = {.handle = fresh(b, 0), .kind = held->release, .is_object = true};
    gl_effect_acquire(b->solver, b->state, &acquire, site(b, "acquired"));
    gl_solver_store(b->solver, b->state, ref.mem, acquire.handle);
}

static bool returns_address(const struct gl_binding_call *b)
{
    if (!b->callee || !b->callee->result)
        return false;
    const struct gl_ir_type *type = gl_ir_type_strip(b->callee->result);
    const struct gl_ir_record *record = type->kind == GL_TYPE_POINTER ? gl_ir_type_record(type->element) : NULL;
    if (record && !record->is_complete) // a handle like cudaStream_t, not the address of an object
        return false;
    return type->kind == GL_TYPE_REFERENCE || type->kind == GL_TYPE_RVALUE || type->kind == GL_TYPE_POINTER;
}

static void apply_same(struct gl_binding_call *b, const struct gl_effect *effect)
{
    struct gl_ref from = gl_ref_of(b, &effect->from);
    if (!from.value)
        return;
    bool is_result = effect->target.base == GL_TARGET_RESULT && !effect->target.step_count;
    bool is_object = from.mem && (effect->from.base == GL_TARGET_THIS || effect->from.step_count ||
                                  gl_is_passed_by_address(b, &b->instr->args[effect->from.arg + gl_has_receiver(b)],
                                                       (size_t)effect->from.arg));
    if (is_result && is_object && returns_address(b))
        ref_set(b, &effect->target, gl_value_address(b->solver->values, from.mem));
    else if (from.mem && !is_result && gl_ref_of(b, &effect->target).mem)
        gl_solver_copy(b->solver, b->state, gl_ref_of(b, &effect->target).mem, b->state, from.mem);
    else
        ref_set(b, &effect->target, from.value);
}

// ---- one effect -------------------------------------------------------------------------------------------

static bool condition_holds(const struct gl_binding_call *b, const struct gl_condition *condition)
{
    if (condition->kind == GL_COND_NONE)
        return true;
    struct gl_ref ref = gl_ref_arg(b, (size_t)condition->arg);
    int64_t value;
    if (!ref.value || !gl_state_constant(b->state, ref.value, &value))
        return true;
    return (value == condition->value) == (condition->kind == GL_COND_EQUAL);
}

static void note(struct gl_binding_call *b, const struct gl_effect *effect, const struct gl_target *target,
                 const char *verb)
{
    struct gl_ref ref = gl_ref_of(b, target);
    gl_effect_note(b->solver, b->state, effect->kind, ref.value ? ref.value : gl_value_undef(b->solver->values),
                   gl_ref_stream(b, &effect->stream), effect->state, site(b, verb));
}

static void apply_create(struct gl_binding_call *b, const struct gl_effect *effect)
{
    if (!gl_bind_recreated(b, effect))
        ref_set(b, &effect->target, fresh(b, GL_SLOT_CREATED | gl_created_bits(b, effect)));
    gl_order_obtained(b->state, gl_ref_of(b, &effect->target).value, site(b, "created"));
}

static void apply_pure(struct gl_binding_call *b)
{
    const struct gl_value *args[6];
    unsigned count = 0;
    for (size_t i = 0; i < b->instr->arg_count && count < 6; i++)
        args[count++] = gl_solver_operand(b->solver, b->state, &b->instr->args[i]);
    b->result = gl_value_compute(b->solver->values, b->rule->name, args, count);
    if (b->dst)
        gl_solver_store(b->solver, b->state, b->dst, b->result);
}

static void apply_effect(struct gl_binding_call *b, const struct gl_effect *effect)
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
        struct gl_ref from = gl_ref_of(b, &effect->from);
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
        gl_bind_launch(b, effect);
        break;
    case GL_EFFECT_CREATE:
        apply_create(b, effect);
        break;
    case GL_EFFECT_ESCAPE: {
        struct gl_ref ref = gl_ref_of(b, &effect->target);
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
        gl_bind_order(b, effect, site(b, "recorded"), false);
        break;
    case GL_EFFECT_SYNC:
        gl_effect_work(b->solver, b->state, NULL, site(b, "the host waits"));
        gl_bind_order(b, effect, site(b, "the host waits"), false);
        break;
    case GL_EFFECT_SET_STATE:
        note(b, effect, &effect->target, "set");
        break;
    default:
        gl_bind_order(b, effect, site(b, gl_order_verb(effect->kind)), false);
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

static void apply_all(struct gl_binding_call *b, enum gl_when outcome)
{
    for (size_t i = 0; i < b->rule->effects.count; i++) {
        const struct gl_effect *effect = &b->rule->effects.items[i];
        bool is_outcome = effect->when == GL_WHEN_ALWAYS || effect->when == outcome || is_host_memory(effect);
        if (is_outcome && condition_holds(b, &effect->condition))
            apply_effect(b, effect);
        else if (!is_outcome && (effect->kind == GL_EFFECT_FREE || effect->kind == GL_EFFECT_RELEASE))
            fail_release(b, effect);
        else if (!is_outcome && effect->kind == GL_EFFECT_SYNC)
            gl_bind_order(b, effect, NULL, true);
    }
}

// A query: "not yet" is no error.
static bool is_question(const struct gl_call_rule *rule)
{
    for (size_t i = 0; i < rule->effects.count; i++)
        if (rule->effects.items[i].kind == GL_EFFECT_SYNC && rule->effects.items[i].when != GL_WHEN_ALWAYS)
            return true;
    return false;
}

bool gl_call_by_rule(struct gl_solver *solver, struct gl_state *state, const struct gl_call_rule *rule,
                     const struct gl_ir_decl *callee)
{
    const struct gl_ir_instr *instr = solver->instr;
    struct gl_binding_call b = {.solver = solver, .state = state, .instr = instr, .callee = callee, .rule = rule};
    b.result = gl_solver_fresh(solver, state, gl_result_bits(&b));
    if (instr->has_dst) {
        b.dst = gl_solver_place(solver, state, &instr->dst, NULL);
        gl_solver_store(solver, state, b.dst, b.result);
    }
    enum gl_when outcome = first_condition(rule);
    bool is_asked = instr->has_dst && (instr->dst.step_count || gl_is_live_after(solver, instr->dst.var));
    if (outcome != GL_WHEN_ALWAYS && is_asked) {
        struct gl_binding_call other = b;
        other.state = gl_state_clone(state);
        enum gl_when opposite = outcome == GL_WHEN_RESULT_ZERO ? GL_WHEN_RESULT_NONZERO : GL_WHEN_RESULT_ZERO;
        gl_state_assume(other.state, other.result, opposite == GL_WHEN_RESULT_NONZERO);
        if (opposite == GL_WHEN_RESULT_NONZERO && !is_question(rule))
            gl_order_failed(other.state);
        apply_all(&other, opposite);
        GL_VEC_PUSH(solver->current, other.state);
        gl_state_assume(state, b.result, outcome == GL_WHEN_RESULT_NONZERO);
    }
    apply_all(&b, outcome);
    return !rule->is_noreturn;
}
