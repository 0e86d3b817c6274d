// SPDX-License-Identifier: Apache-2.0
// Links units: parses their IR into one program and checks it.
#include "cli/link.h"

#include "base/diag.h"
#include "ir/check.h"
#include "ir/text.h"

#include <string.h>

static void failed_unit_add(struct gl_ir_program *program, const struct gl_unit *request,
                            const struct gl_failure *failure)
{
    struct gl_strings *strings = gl_ir_strings(program);
    struct gl_ir_unit *unit = gl_ir_unit_add(program, request->shown);
    unit->status = GL_UNIT_FAILED;
    GL_VEC_PUSH(&unit->problems, (struct gl_ir_problem){
                                     .kind = gl_intern(strings, failure->kind),
                                     .loc = {.file = unit->path},
                                     .message = gl_intern(strings, failure->message),
                                     .hint = failure->hint ? gl_intern(strings, failure->hint) : NULL,
                                 });
}

// The first error becomes the unit's failure.
static void failure_set(struct gl_lowered *lowered, const struct gl_diags *diags, struct gl_arena *arena)
{
    for (size_t i = 0; i < diags->list.count; i++) {
        const struct gl_diag *diag = &diags->list.items[i];
        if (diag->severity != GL_ERROR)
            continue;
        lowered->failure = (struct gl_failure){
            "bad-ir",
            gl_arena_printf(arena, "its IR is broken: %u:%u: %s", diag->line, diag->column, diag->message),
            diag->hint ? gl_arena_strdup(arena, diag->hint)
                       : "make it anew with `guardlint lower` of this version"};
        return;
    }
    lowered->failure = (struct gl_failure){"bad-ir", "its IR is broken", NULL};
}

// A function whose IR breaks a rule is left out and said to be; the rest of the unit stands.
static void func_leave_out(struct gl_ir_program *program, struct gl_ir_func *func,
                           const struct gl_diags *diags)
{
    struct gl_ir_unit *unit = func->unit;
    struct gl_strings *strings = gl_ir_strings(program);
    GL_VEC_PUSH(
        &unit->problems,
        (struct gl_ir_problem){
            .kind = gl_intern(strings, "bad-ir"),
            .loc = func->loc,
            .message = gl_intern(strings, gl_arena_printf(gl_ir_arena(program), "a function is left out: %s",
                                                          diags->list.items[0].message)),
            .hint = NULL,
        });
    if (unit->status == GL_UNIT_OK)
        unit->status = GL_UNIT_PARTIAL;
    gl_ir_func_drop(func);
}

static void unit_check(struct gl_ir_program *program, struct gl_ir_unit *unit)
{
    for (size_t i = unit->funcs.count; i-- > 0;) {
        struct gl_diags diags = {0};
        if (!gl_ir_check_func(unit->funcs.items[i], &diags))
            func_leave_out(program, unit->funcs.items[i], &diags);
        gl_diags_free(&diags);
    }
}

static bool unit_parse(struct gl_ir_program *program, const struct gl_unit *request,
                       struct gl_lowered *lowered, struct gl_arena *arena)
{
    struct gl_diags diags = {0};
    size_t first = gl_ir_unit_count(program);
    bool is_good = gl_ir_parse(program, request->shown, lowered->text, lowered->size, &diags);
    for (size_t i = first; is_good && i < gl_ir_unit_count(program); i++)
        unit_check(program, gl_ir_unit_at(program, i));
    if (!is_good)
        failure_set(lowered, &diags, arena);
    gl_diags_free(&diags);
    return is_good;
}

// Joins all units that have IR; NULL at the first whose IR is no good, which then has a failure.
static struct gl_ir_program *link_try(const struct gl_unit_list *units, struct gl_lowered *lowered,
                                      struct gl_selection selection, struct gl_strings *strings,
                                      struct gl_arena *arena)
{
    struct gl_ir_program *program = gl_ir_program_create(strings);
    for (size_t i = 0; i < selection.count; i++) {
        size_t index = selection.items[i];
        const struct gl_unit *request = &units->list.items[index];
        if (lowered[index].failure.kind) {
            failed_unit_add(program, request, &lowered[index].failure);
        } else if (!unit_parse(program, request, &lowered[index], arena)) {
            gl_ir_program_destroy(program); // half of the unit is in it
            return NULL;
        }
    }
    return program;
}

// Finds every unit that is no good even by itself, so that linking need not begin anew for each of them.
static void units_try_alone(const struct gl_unit_list *units, struct gl_lowered *lowered,
                            struct gl_selection selection, struct gl_strings *strings, struct gl_arena *arena)
{
    for (size_t i = 0; i < selection.count; i++) {
        size_t index = selection.items[i];
        if (lowered[index].failure.kind)
            continue;
        struct gl_ir_program *program = gl_ir_program_create(strings);
        unit_parse(program, &units->list.items[index], &lowered[index], arena);
        gl_ir_program_destroy(program);
    }
}

struct gl_ir_program *gl_link(const struct gl_unit_list *units, struct gl_lowered *lowered,
                              struct gl_selection selection, struct gl_strings *strings,
                              struct gl_arena *arena)
{
    struct gl_ir_program *program = link_try(units, lowered, selection, strings, arena);
    if (!program)
        units_try_alone(units, lowered, selection, strings, arena);
    while (!program) // ends: each failure leaves one unit less to join
        program = link_try(units, lowered, selection, strings, arena);
    return program;
}
