// SPDX-License-Identifier: Apache-2.0
// Values as a programmer wrote them, for messages.
#include "flow/flow.h"

#include <string.h>

static const char *describe_mem(const struct gl_mem *mem, struct gl_arena *arena)
{
    switch (mem->kind) {
    case GL_MEM_VAR:
        return mem->var->name[0] ? mem->var->name : "a temporary";
    case GL_MEM_RETURN:
        return "the result";
    case GL_MEM_DEREF:
        return gl_arena_printf(arena, "*%s", gl_value_describe(mem->value, arena));
    case GL_MEM_FIELD: {
        const struct gl_mem *parent = mem->parent;
        if (parent->kind != GL_MEM_DEREF)
            return gl_arena_printf(arena, "%s.%s", describe_mem(parent, arena), mem->field);
        return gl_arena_printf(arena, "%s->%s", gl_value_describe(parent->value, arena), mem->field);
    }
    case GL_MEM_INDEX: {
        const struct gl_mem *parent = mem->parent;
        const char *outer = parent->kind == GL_MEM_DEREF ? gl_value_describe(parent->value, arena)
                                                         : describe_mem(parent, arena);
        const char *index = mem->value ? gl_value_describe(mem->value, arena) : "…";
        return gl_arena_printf(arena, "%s[%s]", outer, index);
    }
    }
    return "memory";
}

const char *gl_value_describe(const struct gl_value *value, struct gl_arena *arena)
{
    if (!value)
        return "an unknown value";
    switch (value->kind) {
    case GL_VALUE_INT:
        return gl_arena_printf(arena, "%lld", (long long)value->integer);
    case GL_VALUE_INIT:
        return describe_mem(value->mem, arena);
    case GL_VALUE_ADDRESS:
        return gl_arena_printf(arena, "&%s", describe_mem(value->mem, arena));
    case GL_VALUE_PHI:
        return value->mem ? describe_mem(value->mem, arena) : "a value";
    case GL_VALUE_FRESH:
        return "a value made here";
    case GL_VALUE_FIELD:
        return value->name;
    case GL_VALUE_FUNCTION:
        return ((const struct gl_ir_decl *)value->origin)->name;
    default:
        return "a value";
    }
}
