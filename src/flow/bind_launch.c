// SPDX-License-Identifier: Apache-2.0
// Asynchronous work that a rule describes: which memory it uses, in which of the forms that APIs have for that.
#include "flow/order.h"

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
static void use_param_array(struct gl_binding_call *b, const struct gl_value *array, const struct gl_ir_decl *kernel,
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
        use->param = is_known ? (size_t)index->integer : 0;
        use->access = is_known ? kernel_param_access(kernel, (size_t)index->integer)
                      : elements[i].mem == mem ? kernel_param_access(kernel, 0) : GL_ACCESS_UNKNOWN;
        gl_effect_use_tree(b->solver, b->state, gl_mem_deref(values, elements[i].value), use, where);
    }
}

// The driver API's other form: {BUFFER_POINTER, buffer, BUFFER_SIZE, &size, END}.
static void use_extra(struct gl_binding_call *b, const struct gl_value *extra, struct gl_use *use,
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

static enum gl_access param_access(const struct gl_binding_call *b, size_t index)
{
    if (!b->callee || index >= b->callee->params.count)
        return GL_ACCESS_UNKNOWN;
    const struct gl_ir_type *type = gl_ir_type_strip(b->callee->params.items[index]);
    return type->element && type->element->is_const ? GL_ACCESS_READ : GL_ACCESS_UNKNOWN;
}

// "args2" in `uses`: pointers among the arguments; the address of a host variable is none that a device uses.
static void use_device_args(struct gl_binding_call *b, size_t first, struct gl_use *use,
                            const struct gl_site *where)
{
    for (size_t i = first; i < gl_ref_arg_count(b); i++) {
        use->value = gl_ref_arg(b, i).value;
        use->access = param_access(b, i);
        if (use->value && use->value->kind != GL_VALUE_ADDRESS)
            gl_effect_use(b->solver, b->state, use, where);
    }
}

// "args2" as `params`: the arguments are the kernel's own.
static void use_kernel_args(struct gl_binding_call *b, size_t first, const struct gl_ir_decl *kernel,
                            struct gl_use *use, const struct gl_site *where)
{
    for (size_t i = first; i < gl_ref_arg_count(b); i++) {
        struct gl_ref ref = gl_ref_arg(b, i);
        use->value = ref.value;
        use->access = kernel_param_access(kernel, i - first);
        use->param = i - first;
        if (ref.mem)
            gl_effect_use_tree(b->solver, b->state, ref.mem, use, where);
        else if (ref.value)
            gl_effect_use(b->solver, b->state, use, where);
    }
}

static void use_targets(struct gl_binding_call *b, const struct gl_effect *effect,
                        const struct gl_targets *targets, enum gl_access access, struct gl_use *use, const struct gl_site *where)
{
    use->access = access;
    for (size_t i = 0; i < targets->count; i++) {
        if (targets->items[i].base == GL_TARGET_ALL_ARGS) {
            use_device_args(b, (size_t)targets->items[i].arg, use, where);
            continue;
        }
        struct gl_ref ref = gl_ref_of(b, &targets->items[i]);
        if (!ref.value)
            continue;
        use->value = ref.value;
        use->is_staged = gl_is_staged(effect, &targets->items[i]);
        if (ref.mem)
            gl_effect_use_tree(b->solver, b->state, ref.mem, use, where);
        else
            gl_effect_use(b->solver, b->state, use, where);
    }
}

void gl_bind_launch(struct gl_binding_call *b, const struct gl_effect *effect)
{
    const struct gl_value *stream = gl_ref_stream(b, &effect->stream);
    const struct gl_value *function = gl_ref_of(b, &effect->kernel).value;
    const struct gl_ir_decl *kernel =
        function && function->kind == GL_VALUE_FUNCTION ? function->origin : NULL;
    const char *subject = kernel ? kernel->name : gl_call_name(b->instr, b->callee);
    const struct gl_site *where =
        gl_site_make(b->solver, kernel ? "kernel %s launched here" : "used by %s()", subject, NULL, NULL, NULL);
    struct gl_use use = {.stream = stream, .subject = subject, .result = gl_launch_result(b)};
    use.is_kernel = effect->params.base != GL_TARGET_NONE;
    use.is_host_function = effect->kernel.base != GL_TARGET_NONE && !use.is_kernel;
    use.kernel = use.is_kernel ? kernel : NULL;
    gl_effect_work(b->solver, b->state, stream, where);
    gl_order_launch(b->solver, b->state, &use, where);
    const struct gl_value *params = gl_ref_of(b, &effect->params).value;
    const struct gl_value *extra = gl_ref_of(b, &effect->extra).value;
    if (effect->params.base == GL_TARGET_ALL_ARGS)
        use_kernel_args(b, (size_t)effect->params.arg, kernel, &use, where);
    else if (params && params->kind != GL_VALUE_INT)
        use_param_array(b, params, kernel, &use, where);
    if (extra && extra->kind != GL_VALUE_INT)
        use_extra(b, extra, &use, where);
    use.is_kernel = false;
    use.kernel = NULL;
    use_targets(b, effect, &effect->reads, GL_ACCESS_READ, &use, where);
    use_targets(b, effect, &effect->writes, GL_ACCESS_WRITE, &use, where);
    use_targets(b, effect, &effect->uses, GL_ACCESS_UNKNOWN, &use, where);
    gl_bind_kept(b, effect, &use, where);
    use.is_tracked = true;
    use_targets(b, effect, &effect->tracked, GL_ACCESS_UNKNOWN, &use, where);
    b->solver->flow->stats.launches += b->solver->is_final;
}

