// SPDX-License-Identifier: Apache-2.0
// The program: owns the units, declarations, records and globals of a run and joins them by USR.
#include "ir/program.h"

struct gl_ir_program *gl_ir_program_create(struct gl_strings *strings)
{
    struct gl_ir_program *program = gl_xmalloc(sizeof *program);
    *program = (struct gl_ir_program){.strings = strings};
    return program;
}

static void unit_free(struct gl_ir_unit *unit)
{
    for (size_t i = 0; i < unit->funcs.count; i++)
        gl_ir_func_clear(unit->funcs.items[i]);
    GL_VEC_FREE(&unit->funcs);
    GL_VEC_FREE(&unit->problems);
    GL_VEC_FREE(&unit->comments);
}

static void record_free(struct gl_ir_record *record)
{
    GL_VEC_FREE(&record->template_args);
    GL_VEC_FREE(&record->bases);
    GL_VEC_FREE(&record->fields);
}

void gl_ir_program_destroy(struct gl_ir_program *program)
{
    if (!program)
        return;
    for (size_t i = 0; i < program->units.count; i++)
        unit_free(program->units.items[i]);
    for (size_t i = 0; i < program->records.count; i++)
        record_free(program->records.items[i]);
    for (size_t i = 0; i < program->decls.count; i++)
        GL_VEC_FREE(&program->decls.items[i]->params);
    GL_VEC_FREE(&program->units);
    GL_VEC_FREE(&program->records);
    GL_VEC_FREE(&program->decls);
    GL_VEC_FREE(&program->globals);
    gl_map_free(&program->decl_map);
    gl_map_free(&program->record_map);
    gl_map_free(&program->global_map);
    gl_ir_types_free(program);
    gl_arena_free(&program->arena);
    free(program);
}

struct gl_strings *gl_ir_strings(struct gl_ir_program *program)
{
    return program->strings;
}

struct gl_arena *gl_ir_arena(struct gl_ir_program *program)
{
    return &program->arena;
}

struct gl_ir_unit *gl_ir_unit_add(struct gl_ir_program *program, const char *path)
{
    struct gl_ir_unit *unit = GL_ARENA_NEW(&program->arena, struct gl_ir_unit);
    unit->path = gl_intern(program->strings, path);
    unit->language = gl_intern(program->strings, "cuda");
    GL_VEC_PUSH(&program->units, unit);
    return unit;
}

size_t gl_ir_unit_count(const struct gl_ir_program *program)
{
    return program->units.count;
}

struct gl_ir_unit *gl_ir_unit_at(const struct gl_ir_program *program, size_t index)
{
    return program->units.items[index];
}

struct gl_ir_record *gl_ir_record_get(struct gl_ir_program *program, const char *usr)
{
    usr = gl_intern(program->strings, usr);
    void **slot = gl_map_put(&program->record_map, usr, NULL);
    if (!*slot) {
        struct gl_ir_record *record = &GL_ARENA_NEW(&program->arena, struct gl_ir_record_node)->record;
        record->usr = usr;
        GL_VEC_PUSH(&program->records, record);
        *slot = record;
    }
    return *slot;
}

struct gl_ir_decl *gl_ir_decl_get(struct gl_ir_program *program, struct gl_ir_unit *unit, const char *usr,
                                  bool is_internal)
{
    usr = gl_intern(program->strings, usr);
    void **slot = gl_map_put(&program->decl_map, usr, is_internal ? unit : NULL);
    if (!*slot) {
        struct gl_ir_decl *decl = &GL_ARENA_NEW(&program->arena, struct gl_ir_decl_node)->decl;
        decl->usr = usr;
        decl->flags = is_internal ? GL_DECL_INTERNAL : 0;
        GL_VEC_PUSH(&program->decls, decl);
        *slot = decl;
    }
    return *slot;
}

struct gl_ir_decl *gl_ir_decl_find(const struct gl_ir_program *program, const struct gl_ir_unit *unit,
                                   const char *usr)
{
    struct gl_ir_decl *internal = gl_map_get(&program->decl_map, usr, unit);
    return internal ? internal : gl_map_get(&program->decl_map, usr, NULL);
}

size_t gl_ir_decl_count(const struct gl_ir_program *program)
{
    return program->decls.count;
}

struct gl_ir_decl *gl_ir_decl_at(const struct gl_ir_program *program, size_t index)
{
    return program->decls.items[index];
}

struct gl_ir_var *gl_ir_global_get(struct gl_ir_program *program, struct gl_ir_unit *unit, const char *usr,
                                   bool is_internal)
{
    usr = gl_intern(program->strings, usr);
    void **slot = gl_map_put(&program->global_map, usr, is_internal ? unit : NULL);
    if (!*slot) {
        struct gl_ir_global_node *node = GL_ARENA_NEW(&program->arena, struct gl_ir_global_node);
        node->var =
            (struct gl_ir_var){.kind = GL_VAR_GLOBAL, .id = (unsigned)program->globals.count, .usr = usr};
        node->is_internal = is_internal;
        GL_VEC_PUSH(&program->globals, &node->var);
        *slot = node;
    }
    return *slot;
}

struct gl_ir_var *gl_ir_global_find(const struct gl_ir_program *program, const struct gl_ir_unit *unit,
                                    const char *usr)
{
    struct gl_ir_var *internal = gl_map_get(&program->global_map, usr, unit);
    return internal ? internal : gl_map_get(&program->global_map, usr, NULL);
}

bool gl_ir_global_is_internal(const struct gl_ir_var *global)
{
    return ((const struct gl_ir_global_node *)global)->is_internal;
}

void gl_ir_func_drop(struct gl_ir_func *func)
{
    struct gl_ir_unit *unit = func->unit;
    size_t kept = 0;
    for (size_t i = 0; i < unit->funcs.count; i++)
        if (unit->funcs.items[i] != func)
            unit->funcs.items[kept++] = unit->funcs.items[i];
    unit->funcs.count = kept;
    func->decl->body = NULL;
}
