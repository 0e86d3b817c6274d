// SPDX-License-Identifier: Apache-2.0
// Objects of classes that have a role: constructors acquire, destructors release, and a call that returns a guard
// beside pointers ties the pointers to it.
#include "flow/order.h"

#include <string.h>

enum { SLOT_HANDLE = 512, SLOT_POINTER = 1024 };

static const struct gl_mem *receiver(struct gl_solver *solver, struct gl_state *state)
{
    return gl_mem_deref(solver->values, gl_solver_operand(solver, state, &solver->instr->args[0]));
}

// A class whose role was worked out has members of its own; its handle is kept beside them.
const struct gl_mem *gl_handle_mem(struct gl_values *values, const struct gl_class *class,
                                   const struct gl_mem *object)
{
    static const char handle_member[] = "<guard>";
    return class->is_inferred ? gl_mem_field(values, object, handle_member) : object;
}

static const struct gl_site *object_site(struct gl_solver *solver, const struct gl_ir_decl *callee,
                                         const char *verb)
{
    const char *name = callee->class_name ? callee->class_name : gl_call_name(solver->instr, callee);
    return gl_site_make(solver, "%s %s", verb, name, NULL, NULL);
}

static bool is_guard_class(const struct gl_class *class)
{
    return class->role == GL_ROLE_GUARD || class->role == GL_ROLE_STATE_GUARD;
}

// ---- construction -----------------------------------------------------------------------------------------

const struct gl_value *gl_argument_of_role(struct gl_solver *solver, struct gl_state *state,
                                               const struct gl_ir_decl *callee, enum gl_role role)
{
    for (size_t i = 0; i < callee->params.count && i + 1 < solver->instr->arg_count; i++) {
        const struct gl_ir_type *type = callee->params.items[i];
        for (; type; type = type->element) {
            const struct gl_ir_record *record = type->kind == GL_TYPE_RECORD ? type->record : NULL;
            const char *name = type->kind == GL_TYPE_ALIAS ? type->name : record ? record->name : NULL;
            const struct gl_type_rule *rule = name ? gl_rules_find_type(solver->flow->rules, name) : NULL;
            if (rule && rule->role == role)
                return gl_solver_operand(solver, state, &solver->instr->args[i + 1]);
        }
    }
    return NULL;
}

// A guard that was acquired before and is handed to the object.
static const struct gl_value *handle_passed(struct gl_solver *solver, struct gl_state *state)
{
    for (size_t i = 1; i < solver->instr->arg_count; i++) {
        const struct gl_value *value = gl_solver_operand(solver, state, &solver->instr->args[i]);
        const struct gl_resource *resource = gl_state_resource(state, value);
        if (resource && resource->status == GL_STATUS_HELD && resource->is_acquired && !resource->is_owner)
            return value;
    }
    return NULL;
}

static void construct(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee,
                      const struct gl_class *class)
{
    const struct gl_mem *handle_mem = gl_handle_mem(solver->values, class, receiver(solver, state));
    const struct gl_value *bound = gl_state_bound(state, handle_mem);
    if (bound && gl_state_resource(state, bound))
        return; // a constructor that this one delegates to has done it
    const struct gl_value *taken = handle_passed(solver, state);
    if (taken) {
        gl_solver_store(solver, state, handle_mem, taken);
        return;
    }
    const struct gl_value *handle = gl_solver_fresh(solver, state, SLOT_HANDLE);
    struct gl_acquire acquire = {
        .handle = handle,
        .kind = class->role == GL_ROLE_STATE_GUARD ? GL_RELEASE_STATE : class->release,
        .stream = gl_argument_of_role(solver, state, callee, GL_ROLE_STREAM),
        .owner = gl_argument_of_role(solver, state, callee, GL_ROLE_BUFFER),
        .is_owner = class->role != GL_ROLE_GUARD && class->role != GL_ROLE_STATE_GUARD,
        .is_object = true,
    };
    gl_effect_acquire(solver, state, &acquire, object_site(solver, callee, "acquired by"));
    gl_solver_store(solver, state, handle_mem, handle);
}

// ---- destruction ------------------------------------------------------------------------------------------

// The deleter of an owner runs on the pointer it holds: what its body frees is freed.
static void run_deleter(struct gl_solver *solver, struct gl_state *state, const struct gl_class *class,
                        const struct gl_value *pointer);

static void destroy_held(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee,
                         const struct gl_class *class, const struct gl_value *handle)
{
    const struct gl_class *held = gl_class_held(solver->flow, class);
    run_deleter(solver, state, class, handle);
    struct gl_release release = {
        .handle = handle,
        .kind = class->release,
        .cause = gl_call_cause(solver, callee),
        .is_shared = class->role == GL_ROLE_SHARED_OWNER || held->role == GL_ROLE_SHARED_OWNER,
        .is_owner = class->role != GL_ROLE_GUARD,
        .is_deep = class->is_deep || held->frees_on_destroy,
    };
    gl_owner_end(solver, callee, class, &release);
    gl_effect_release(solver, state, &release, object_site(solver, callee, "released by the destructor of"));
}

static void run_deleter(struct gl_solver *solver, struct gl_state *state, const struct gl_class *class,
                        const struct gl_value *pointer)
{
    const struct gl_summary *summary = class->deleter ? gl_summary_of(solver->flow, class->deleter) : NULL;
    if (!summary || summary->is_opaque || summary->case_count == 0)
        return;
    // Only what it frees matters here, and a deleter has one way through that does.
    const struct gl_summary_case *way = &summary->cases[0];
    for (size_t i = 0; i < way->log_count; i++) {
        const struct gl_log_entry *entry = &way->log[i];
        if (entry->kind != GL_EFFECT_RELEASE || entry->state || entry->value->kind != GL_VALUE_INIT)
            continue;
        const struct gl_mem *root = gl_mem_root(entry->value->mem);
        if (root->kind != GL_MEM_DEREF || root == entry->value->mem)
            continue; // the pointer itself: released by the caller of this function
        const struct gl_mem *object = gl_mem_deref(solver->values, pointer);
        const struct gl_mem *part = gl_mem_rebase(solver->values, entry->value->mem, root, object);
        struct gl_release release = {
            .handle = gl_state_load(state, solver->values, part),
            .kind = entry->release,
            .cause = gl_call_cause(solver, solver->instr->callee),
            .is_owner = true,
        };
        gl_effect_release(solver, state, &release, gl_site_make(solver, "freed by the deleter", NULL, NULL, NULL, NULL));
    }
}

static void destroy(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee,
                    const struct gl_class *class)
{
    const struct gl_mem *object = gl_handle_mem(solver->values, class, receiver(solver, state));
    const struct gl_value *handle = gl_state_load(state, solver->values, object);
    if (handle->kind == GL_VALUE_MOVED)
        return;
    struct gl_resource *resource = gl_state_resource(state, handle);
    bool is_guard = is_guard_class(class);
    bool is_temporary = gl_call_cause(solver, callee) == GL_CAUSE_TEMPORARY;
    if (is_guard && is_temporary && !(resource && (resource->is_touched || resource->last_use)))
        gl_solver_observe(solver, &(struct gl_flow_event){
                                      .kind = GL_FLOW_TEMPORARY,
                                      .state = state,
                                      .site = object_site(solver, callee, "created and destroyed at once:"),
                                      .subject = callee->class_name});
    if (resource && resource->status == GL_STATUS_RELEASED)
        return; // given up earlier; the object knows
    if (!resource && handle->kind == GL_VALUE_FRESH && is_guard)
        return; // came from somewhere else, and nothing is known to depend on it
    destroy_held(solver, state, callee, class, handle);
}

// ---- calls ------------------------------------------------------------------------------------------------

static bool is_move(const struct gl_ir_decl *callee)
{
    return callee->params.count && gl_ir_type_strip(callee->params.items[0])->kind == GL_TYPE_RVALUE;
}

// Copy or move, by construction or assignment, of an object's handle (which may be all its content).
static void transfer(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee,
                     const struct gl_class *class)
{
    struct gl_values *values = solver->values;
    const struct gl_mem *object = receiver(solver, state);
    const struct gl_mem *to = gl_handle_mem(values, class, object);
    const struct gl_mem *other = gl_mem_deref(values, gl_solver_operand(solver, state, &solver->instr->args[1]));
    const struct gl_mem *from = gl_handle_mem(values, class, other);
    if (to == from)
        return;
    if (!(callee->flags & GL_DECL_CONSTRUCTOR))
        destroy_held(solver, state, callee, class, gl_state_load(state, values, to));
    const struct gl_value *handle = gl_state_load(state, values, from);
    gl_solver_copy(solver, state, to, state, from);
    if (is_move(callee))
        gl_state_store(state, from, gl_value_moved(values));
    else if (class->role == GL_ROLE_SHARED_OWNER && handle->kind != GL_VALUE_INT)
        gl_state_store(state, to, gl_value_shares(values, gl_solver_fresh(solver, state, SLOT_HANDLE), handle));
    else if (class->role == GL_ROLE_OWNER || class->role == GL_ROLE_CONTAINER)
        gl_state_store(state, to, gl_solver_fresh(solver, state, SLOT_HANDLE)); // a copy of its own
    if (solver->instr->has_dst && !class->is_inferred)
        gl_solver_store(solver, state, gl_solver_place(solver, state, &solver->instr->dst, NULL),
                        gl_value_address(values, object));
}

static bool is_transfer(const struct gl_solver *solver, const struct gl_ir_decl *callee)
{
    return callee->flags & GL_DECL_COPY_OR_MOVE && solver->instr->arg_count == 2;
}

void gl_object_made(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee)
{
    if (!callee->record || !(callee->flags & GL_DECL_METHOD) || !solver->instr->arg_count)
        return;
    const struct gl_class *class = gl_class_of(solver->flow, callee->record);
    if (!class->is_inferred || !is_guard_class(class))
        return;
    if (is_transfer(solver, callee))
        transfer(solver, state, callee, class);
    else if (callee->flags & GL_DECL_CONSTRUCTOR)
        construct(solver, state, callee, class);
}

// A guard that is asked for something is not "unused".
void gl_touch_guards(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee)
{
    if (solver->instr->is_implicit && callee && callee->flags & GL_DECL_DESTRUCTOR)
        return;
    for (size_t i = 0; i < solver->instr->arg_count; i++) {
        const struct gl_value *value = gl_solver_operand(solver, state, &solver->instr->args[i]);
        if (value->kind != GL_VALUE_ADDRESS)
            continue;
        for (size_t k = 0; k < state->env.count; k++) {
            bool is_inside = gl_mem_is_within(state->env.items[k].mem, value->mem);
            struct gl_resource *resource = is_inside ? gl_state_resource(state, state->env.items[k].value) : NULL;
            if (resource)
                resource->is_touched = true;
        }
    }
}

bool gl_call_by_class(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee)
{
    if (!callee->record || !(callee->flags & GL_DECL_METHOD) || !solver->instr->arg_count)
        return false;
    const struct gl_class *class = gl_class_of(solver->flow, callee->record);
    if (class->role == GL_ROLE_NONE || class->role == GL_ROLE_LOCK || class->role == GL_ROLE_BUFFER)
        return false;
    if (class->is_inferred) { // its visible body does the rest; gl_object_made comes after that
        if (callee->flags & GL_DECL_DESTRUCTOR)
            destroy(solver, state, callee, class);
        return false;
    }
    if (is_transfer(solver, callee))
        transfer(solver, state, callee, class);
    else if (callee->flags & GL_DECL_DESTRUCTOR)
        destroy(solver, state, callee, class);
    else if (callee->flags & GL_DECL_CONSTRUCTOR && is_guard_class(class))
        construct(solver, state, callee, class);
    else
        return false;
    return true;
}

// ---- owners compared with null ------------------------------------------------------------------------------

static const struct gl_value *owner_handle(struct gl_solver *solver, struct gl_state *state,
                                           const struct gl_ir_operand *arg, const struct gl_ir_record *record)
{
    const struct gl_class *class = gl_class_of(solver->flow, record);
    if (class->role != GL_ROLE_OWNER && class->role != GL_ROLE_SHARED_OWNER)
        return NULL;
    const struct gl_mem *object = gl_mem_deref(solver->values, gl_solver_operand(solver, state, arg));
    return gl_state_load(state, solver->values, gl_handle_mem(solver->values, class, object));
}

static const struct gl_ir_record *param_record(const struct gl_ir_decl *callee, size_t index)
{
    if (index >= callee->params.count)
        return NULL;
    return gl_ir_type_record(gl_ir_type_strip_ref(callee->params.items[index]));
}

static const struct gl_value *tested_owner(struct gl_solver *solver, struct gl_state *state,
                                           const struct gl_ir_decl *callee)
{
    const struct gl_ir_instr *instr = solver->instr;
    if (callee->flags & GL_DECL_METHOD)
        return instr->arg_count ? owner_handle(solver, state, &instr->args[0], callee->record) : NULL;
    for (size_t i = 0; i < 2; i++) // owner == nullptr, nullptr == owner
        if (instr->arg_count == 2 && !param_record(callee, 1 - i) && param_record(callee, i))
            return owner_handle(solver, state, &instr->args[i], param_record(callee, i));
    return NULL;
}

static bool is_named(const struct gl_ir_decl *callee, const char *name)
{
    size_t length = strlen(name), total = callee->name ? strlen(callee->name) : 0;
    return total >= length && strcmp(callee->name + total - length, name) == 0;
}

bool gl_call_tests_owner(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee)
{
    bool is_equal = is_named(callee, "operator==");
    if (!is_equal && !is_named(callee, "operator!=") && !is_named(callee, "operator bool"))
        return false;
    const struct gl_value *handle = solver->instr->has_dst ? tested_owner(solver, state, callee) : NULL;
    if (!handle)
        return false;
    const struct gl_value *result = gl_value_compare(solver->values, is_equal ? GL_CMP_EQ : GL_CMP_NE, handle,
                                                     gl_value_int(solver->values, 0));
    gl_solver_store(solver, state, gl_solver_place(solver, state, &solver->instr->dst, NULL), result);
    return true;
}

// ---- objects that calls return ----------------------------------------------------------------------------

static bool is_pointer_type(const struct gl_ir_type *type)
{
    const struct gl_ir_type *bare = gl_ir_type_strip(type);
    return bare->kind == GL_TYPE_POINTER;
}

static const struct gl_mem *guard_member(struct gl_solver *solver, const struct gl_ir_record *record,
                                         const struct gl_mem *object)
{
    for (size_t i = 0; i < record->fields.count; i++) {
        const struct gl_ir_field *field = &record->fields.items[i];
        const struct gl_class *class = gl_class_of_type(solver->flow, field->type);
        if (class->role == GL_ROLE_GUARD)
            return gl_handle_mem(solver->values, class, gl_mem_field(solver->values, object, field->name));
    }
    return NULL;
}

// A pointer and its guard, handed out together: the pointers of the object depend on the guard in it.
static void tie_members(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_record *record,
                        const struct gl_mem *object)
{
    struct gl_values *values = solver->values;
    const struct gl_mem *guard = guard_member(solver, record, object);
    if (!guard)
        return;
    const struct gl_value *handle = gl_state_load(state, values, guard);
    if (!gl_state_resource(state, handle)) {
        handle = gl_solver_fresh(solver, state, SLOT_HANDLE);
        gl_state_store(state, guard, handle);
        struct gl_acquire acquire = {.handle = handle, .kind = GL_RELEASE_EVENT, .is_object = true};
        gl_effect_acquire(solver, state, &acquire,
                          gl_site_make(solver, "pointer and guard handed out together", NULL, NULL, NULL, NULL));
    }
    for (size_t i = 0; i < record->fields.count; i++) {
        if (!is_pointer_type(record->fields.items[i].type))
            continue;
        const struct gl_mem *member = gl_mem_field(values, object, record->fields.items[i].name);
        const struct gl_value *value = gl_state_load(state, values, member);
        if (value->kind != GL_VALUE_INT)
            gl_state_store(state, member, gl_value_guarded(values, value, handle));
    }
}

static bool has_pointer_member(const struct gl_ir_type *type)
{
    const struct gl_ir_record *record = gl_ir_type_record(gl_ir_type_strip_ref(type));
    for (size_t i = 0; record && i < record->fields.count; i++) {
        const struct gl_ir_type *field = gl_ir_type_strip(record->fields.items[i].type);
        while (field->kind == GL_TYPE_ARRAY)
            field = gl_ir_type_strip(field->element);
        if (field->kind == GL_TYPE_POINTER)
            return true;
    }
    return false;
}

// The callee fills in an object of the caller's and returns the owners of what it put there.
static void tie_arguments(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee,
                          const struct gl_value *handle)
{
    bool is_method = callee->flags & GL_DECL_METHOD;
    for (size_t i = 0; i < callee->params.count && i + is_method < solver->instr->arg_count; i++) {
        const struct gl_ir_type *type = gl_ir_type_strip(callee->params.items[i]);
        bool is_filled = (type->kind == GL_TYPE_REFERENCE || type->kind == GL_TYPE_POINTER) &&
                         !type->element->is_const && has_pointer_member(type->element);
        if (!is_filled)
            continue;
        const struct gl_value *argument = gl_solver_operand(solver, state, &solver->instr->args[i + is_method]);
        const struct gl_mem *mem = gl_mem_deref(solver->values, argument);
        const struct gl_value *content = gl_state_load(state, solver->values, mem);
        gl_state_store(state, mem, gl_value_guarded(solver->values, content, handle));
    }
}

// Is the result thrown away: nothing is done with the temporary before its destructor runs?
static bool is_dropped(const struct gl_solver *solver)
{
    const struct gl_ir_var *var = solver->instr->dst.var;
    if (var->kind != GL_VAR_TEMP)
        return false;
    const struct gl_ir_block *block = solver->block;
    for (size_t i = (size_t)(solver->instr - block->instrs.items) + 1; i < block->instrs.count; i++) {
        const struct gl_ir_instr *next = &block->instrs.items[i];
        for (size_t a = 0; a < next->arg_count; a++) {
            const struct gl_ir_operand *arg = &next->args[a];
            bool is_named = arg->kind == GL_OPERAND_PLACE || arg->kind == GL_OPERAND_ADDRESS;
            if (is_named && arg->place.var == var)
                return next->is_implicit && next->callee && next->callee->flags & GL_DECL_DESTRUCTOR;
        }
    }
    return false;
}

// A pointer that a guard object's own method gives may be used only while the object holds its guard.
static void tie_accessor(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee)
{
    bool is_accessor = callee->record && callee->flags & GL_DECL_METHOD && !(callee->flags & GL_DECL_COPY_OR_MOVE) &&
                       is_pointer_type(callee->result) && solver->instr->arg_count;
    const struct gl_class *class = is_accessor ? gl_class_of(solver->flow, callee->record) : NULL;
    if (!class || class->role != GL_ROLE_GUARD || !class->is_inferred)
        return;
    const struct gl_mem *handle_mem = gl_handle_mem(solver->values, class, receiver(solver, state));
    const struct gl_value *handle = gl_state_load(state, solver->values, handle_mem);
    const struct gl_mem *dst = gl_solver_place(solver, state, &solver->instr->dst, NULL);
    const struct gl_value *pointer = gl_state_load(state, solver->values, dst);
    if (gl_state_resource(state, handle) && pointer->kind != GL_VALUE_INT)
        gl_state_store(state, dst, gl_value_guarded(solver->values, pointer, handle));
}

void gl_object_returned(struct gl_solver *solver, struct gl_state *state, const struct gl_ir_decl *callee,
                        bool is_known)
{
    const struct gl_ir_instr *instr = solver->instr;
    if (!instr->has_dst || !callee->result)
        return;
    tie_accessor(solver, state, callee);
    const struct gl_ir_type *type = gl_ir_type_strip(callee->result);
    if (type->kind != GL_TYPE_RECORD || !type->record)
        return;
    const struct gl_class *class = gl_class_of(solver->flow, type->record);
    const struct gl_mem *object = gl_solver_place(solver, state, &instr->dst, NULL);
    const struct gl_mem *handle_mem = gl_handle_mem(solver->values, class, object);
    const struct gl_value *handle = gl_state_load(state, solver->values, handle_mem);
    if (is_guard_class(class) && !gl_state_resource(state, handle)) {
        struct gl_acquire acquire = {
            .handle = gl_solver_fresh(solver, state, SLOT_HANDLE),
            .kind = class->role == GL_ROLE_STATE_GUARD ? GL_RELEASE_STATE : class->release,
            .is_object = true,
        };
        gl_effect_acquire(solver, state, &acquire, object_site(solver, callee, "guard returned by"));
        gl_solver_store(solver, state, handle_mem, acquire.handle);
    }
    tie_members(solver, state, type->record, object);
    const struct gl_class *held = gl_class_held(solver->flow, class);
    bool is_owning = class->role == GL_ROLE_CONTAINER ? held->frees_on_destroy : class->frees_on_destroy;
    if (!is_known && is_owning && is_dropped(solver))
        tie_arguments(solver, state, callee, handle);
}
