// SPDX-License-Identifier: Apache-2.0
// Interned types: one object a type, found by its parts; each knows its own text form.
#include "ir/buffer.h"
#include "ir/program.h"

#include <string.h>

struct type_node {
    struct gl_ir_type type; // first, so that the pointers convert
    unsigned depth;
};

static unsigned type_depth(const struct gl_ir_type *type)
{
    return type ? ((const struct type_node *)type)->depth : 0;
}

static uint64_t type_hash(const struct gl_ir_type *type)
{
    const uint64_t parts[] = {
        (uint64_t)type->kind | (uint64_t)type->is_const << 8 | (uint64_t)type->is_signed << 9,
        type->bits,
        type->count,
        (uint64_t)(uintptr_t)type->name,
        (uint64_t)(uintptr_t)type->element,
        (uint64_t)(uintptr_t)type->record,
    };
    return gl_hash_bytes(parts, sizeof parts, 0);
}

static bool type_equal(const struct gl_ir_type *a, const struct gl_ir_type *b)
{
    return a->kind == b->kind && a->is_const == b->is_const && a->is_signed == b->is_signed &&
           a->bits == b->bits && a->count == b->count && a->name == b->name && a->element == b->element &&
           a->record == b->record;
}

static struct gl_ir_type **slot_find(struct gl_ir_type **slots, size_t capacity,
                                     const struct gl_ir_type *type)
{
    size_t i = type_hash(type) & (capacity - 1);
    while (slots[i] && !type_equal(slots[i], type))
        i = (i + 1) & (capacity - 1);
    return &slots[i];
}

static void table_grow(struct gl_ir_program *program)
{
    size_t capacity = program->type_capacity ? program->type_capacity * 2 : 256;
    struct gl_ir_type **slots = gl_xmalloc(capacity * sizeof(struct gl_ir_type *));
    for (size_t i = 0; i < capacity; i++)
        slots[i] = NULL;
    for (size_t i = 0; i < program->type_capacity; i++) {
        struct gl_ir_type *type = program->types[i];
        if (type)
            *slot_find(slots, capacity, type) = type;
    }
    free(program->types);
    program->types = slots;
    program->type_capacity = capacity;
}

void gl_ir_types_free(struct gl_ir_program *program)
{
    free(program->types);
}

static void write_number(struct gl_buffer *buffer, const char *prefix, uint64_t number, const char *suffix)
{
    gl_buffer_text(buffer, prefix);
    gl_buffer_uint(buffer, number);
    gl_buffer_text(buffer, suffix);
}

static void write_head(struct gl_buffer *buffer, const struct gl_ir_type *type)
{
    switch (type->kind) {
    case GL_TYPE_UNKNOWN:
        gl_buffer_text(buffer, "?");
        break;
    case GL_TYPE_VOID:
        gl_buffer_text(buffer, "void");
        break;
    case GL_TYPE_BOOL:
        gl_buffer_text(buffer, "bool");
        break;
    case GL_TYPE_INT:
        write_number(buffer, type->is_signed ? "i" : "u", type->bits, "");
        break;
    case GL_TYPE_FLOAT:
        write_number(buffer, "f", type->bits, "");
        break;
    case GL_TYPE_POINTER:
        gl_buffer_text(buffer, "*");
        break;
    case GL_TYPE_REFERENCE:
        gl_buffer_text(buffer, "&");
        break;
    case GL_TYPE_RVALUE:
        gl_buffer_text(buffer, "&&");
        break;
    case GL_TYPE_ARRAY:
        write_number(buffer, "[", type->count, "]");
        break;
    case GL_TYPE_RECORD:
        gl_buffer_text(buffer, "{");
        gl_buffer_quoted(buffer, type->record->usr);
        gl_buffer_text(buffer, "}");
        break;
    case GL_TYPE_FUNCTION:
        gl_buffer_text(buffer, "fn ");
        break;
    case GL_TYPE_ALIAS:
        gl_buffer_quoted(buffer, type->name);
        gl_buffer_text(buffer, "=");
        break;
    }
}

static const char *type_text(struct gl_ir_program *program, const struct gl_ir_type *type)
{
    struct gl_buffer buffer = {0};
    if (type->is_const)
        gl_buffer_text(&buffer, "const ");
    write_head(&buffer, type);
    if (type->element)
        gl_buffer_text(&buffer, type->element->text);
    const char *text = gl_intern_n(program->strings, buffer.items, buffer.count);
    GL_VEC_FREE(&buffer);
    return text;
}

static bool has_element(enum gl_ir_type_kind kind)
{
    return kind == GL_TYPE_POINTER || kind == GL_TYPE_REFERENCE || kind == GL_TYPE_RVALUE ||
           kind == GL_TYPE_ARRAY || kind == GL_TYPE_FUNCTION || kind == GL_TYPE_ALIAS;
}

static bool is_reference(enum gl_ir_type_kind kind)
{
    return kind == GL_TYPE_REFERENCE || kind == GL_TYPE_RVALUE;
}

// A reference to a reference is one reference, by C++'s rules of collapsing.
static void references_collapse(struct gl_ir_type *type)
{
    if (!is_reference(type->kind) || !is_reference(type->element->kind))
        return;
    if (type->element->kind == GL_TYPE_REFERENCE)
        type->kind = GL_TYPE_REFERENCE;
    type->element = type->element->element;
}

// The pattern without what its kind does not use, so that equal types compare equal.
static struct gl_ir_type type_normalise(struct gl_ir_program *program, const struct gl_ir_type *pattern)
{
    struct gl_ir_type type = {.kind = pattern->kind, .is_const = pattern->is_const};
    if (has_element(type.kind)) {
        const struct gl_ir_type unknown = {.kind = GL_TYPE_UNKNOWN};
        type.element = pattern->element ? pattern->element : gl_ir_type_get(program, &unknown);
        references_collapse(&type);
    }
    if (type.kind == GL_TYPE_INT)
        type.is_signed = pattern->is_signed;
    if (type.kind == GL_TYPE_INT || type.kind == GL_TYPE_FLOAT)
        type.bits = pattern->bits;
    if (type.kind == GL_TYPE_ARRAY)
        type.count = pattern->count;
    if (type.kind == GL_TYPE_ALIAS)
        type.name = gl_intern(program->strings, pattern->name);
    if (type.kind == GL_TYPE_RECORD)
        type.record = pattern->record;
    return type;
}

struct gl_ir_type *gl_ir_type_get(struct gl_ir_program *program, const struct gl_ir_type *pattern)
{
    struct gl_ir_type key = type_normalise(program, pattern);
    if (type_depth(key.element) >= GL_IR_TYPE_DEPTH_MAX)
        key = (struct gl_ir_type){.kind = GL_TYPE_UNKNOWN};
    if ((program->type_count + 1) * 2 > program->type_capacity)
        table_grow(program);
    struct gl_ir_type **slot = slot_find(program->types, program->type_capacity, &key);
    if (!*slot) {
        struct type_node *node = GL_ARENA_NEW(&program->arena, struct type_node);
        node->type = key;
        node->type.text = type_text(program, &key);
        node->depth = type_depth(key.element) + 1;
        *slot = &node->type;
        program->type_count++;
    }
    return *slot;
}

struct gl_ir_type *gl_ir_type_pointer(struct gl_ir_program *program, struct gl_ir_type *element)
{
    return gl_ir_type_get(program, &(struct gl_ir_type){.kind = GL_TYPE_POINTER, .element = element});
}

const struct gl_ir_type *gl_ir_type_strip(const struct gl_ir_type *type)
{
    while (type && type->kind == GL_TYPE_ALIAS)
        type = type->element;
    return type;
}

const struct gl_ir_type *gl_ir_type_strip_ref(const struct gl_ir_type *type)
{
    type = gl_ir_type_strip(type);
    while (type && (type->kind == GL_TYPE_REFERENCE || type->kind == GL_TYPE_RVALUE))
        type = gl_ir_type_strip(type->element);
    return type;
}

struct gl_ir_record *gl_ir_type_record(const struct gl_ir_type *type)
{
    type = gl_ir_type_strip(type);
    while (type && type->kind == GL_TYPE_ARRAY)
        type = gl_ir_type_strip(type->element);
    return type && type->kind == GL_TYPE_RECORD ? type->record : NULL;
}
