// SPDX-License-Identifier: Apache-2.0
// Applies suppression comments: unit comments and findings in; the findings that stay, and those that do not,
// out.
#include "report/suppress.h"

#include "base/map.h"
#include "base/strings.h"

#include <stdint.h>

static const struct gl_check suppress_checks[GL_SUPPRESS_CHECK_COUNT] = {
    [GL_STALE_SUPPRESSION] =
        {
            .name = "stale-suppression",
            .group = "suppression",
            .is_on_by_default = true,
            .severity = GL_WARNING,
            .summary = "a suppression comment has nothing to suppress",
            .explanation =
                "The comment allows a check that finds nothing on its line or the line below it. The code "
                "was mended, or the comment stands on the wrong line. A comment left behind would hide "
                "the next bug there. Not said where the check is off or the unit could be analysed in "
                "part only. A run over some files of a project may miss what a run over all of them "
                "finds; use --disable=stale-suppression there.",
            .bad = "// guardlint: allow(released-before-launch) the launch is a no-op\n"
                   "int n = 0;\n",
            .good = "int n = 0;\n",
        },
    [GL_BAD_SUPPRESSION] =
        {
            .name = "bad-suppression",
            .group = "suppression",
            .is_on_by_default = true,
            .severity = GL_ERROR,
            .summary = "a suppression comment is malformed, has no reason or names an unknown check",
            .explanation =
                "A suppression is written guardlint: allow(check-name) reason, on the line of the "
                "finding or the line above it. Several checks are separated by commas. The reason tells "
                "the next reader why the code is right. A comment that cannot be understood suppresses "
                "nothing.",
            .bad = "release(guard); // guardlint: allow(released-before-launch)\n",
            .good =
                "release(guard); // guardlint: allow(released-before-launch) launch() waits for the stream\n",
        },
};

const struct gl_check *gl_suppress_check_at(enum gl_suppress_check check)
{
    return &suppress_checks[check];
}

// One name of one comment.
struct permit {
    const struct gl_check *check;
    const struct gl_ir_unit *unit;
    struct gl_ir_loc loc;
    const char *reason;
    bool is_used;
};

struct suppressor {
    const struct gl_enabled *enabled;
    struct gl_findings *findings;
    GL_VEC(struct permit) permits;
};

static void complain(struct suppressor *s, enum gl_suppress_check check, const struct gl_ir_unit *unit,
                     struct gl_ir_loc loc, const char *message)
{
    if (!s->enabled->suppress[check])
        return;
    GL_VEC_PUSH(&s->findings->list, (struct gl_finding){
                                        .check = &suppress_checks[check],
                                        .severity = suppress_checks[check].severity,
                                        .loc = loc,
                                        .message = message,
                                        .unit = unit,
                                    });
}

static const char *check_nearest(const char *name)
{
    GL_VEC(const char *) known = {0};
    for (size_t i = 0; i < gl_check_count(); i++)
        GL_VEC_PUSH(&known, gl_check_at(i)->name);
    const char *nearest = gl_nearest_word(name, known.items, known.count);
    GL_VEC_FREE(&known);
    return nearest;
}

static void permit_add(struct suppressor *s, const struct gl_ir_unit *unit, struct gl_ir_loc loc,
                       const char *name, const char *reason)
{
    struct gl_arena *arena = &s->findings->arena;
    const struct gl_check *check = gl_check_find(name);
    if (check) {
        GL_VEC_PUSH(&s->permits, (struct permit){check, unit, loc, reason, false});
        return;
    }
    const char *nearest = check_nearest(name);
    const char *message =
        nearest
            ? gl_arena_printf(arena, "unknown check '%s' in a suppression; did you mean '%s'?", name, nearest)
            : gl_arena_printf(arena,
                              "unknown check '%s' in a suppression; `guardlint explain` "
                              "lists the checks",
                              name);
    complain(s, GL_BAD_SUPPRESSION, unit, loc, message);
}

static const char *status_message(struct gl_arena *arena, const struct gl_allow *allow)
{
    switch (allow->status) {
    case GL_ALLOW_OK:
        return NULL;
    case GL_ALLOW_NO_COMMAND:
        return gl_arena_printf(arena,
                               "'%s' is nothing that guardlint can be told in a comment; write "
                               "guardlint: allow(check-name) reason",
                               allow->command);
    case GL_ALLOW_NO_LIST:
        return "the checks are missing; write guardlint: allow(check-name) reason";
    case GL_ALLOW_NO_REASON:
        return "the reason is missing; write why the code is right: guardlint: allow(check-name) reason";
    }
    return NULL;
}

static void comment_read(struct suppressor *s, const struct gl_ir_unit *unit,
                         const struct gl_ir_comment *comment)
{
    struct gl_allow allow = gl_allow_parse(&s->findings->arena, comment->text);
    const char *wrong = status_message(&s->findings->arena, &allow);
    if (wrong)
        complain(s, GL_BAD_SUPPRESSION, unit, comment->loc, wrong);
    for (size_t i = 0; !wrong && i < allow.names.count; i++)
        permit_add(s, unit, comment->loc, allow.names.items[i], allow.reason);
    GL_VEC_FREE(&allow.names);
}

// A comment in a header comes with every unit that includes it; it counts once.
static void comments_read(struct suppressor *s, const struct gl_ir_program *program)
{
    struct gl_map seen = {0};
    for (size_t i = 0; i < gl_ir_unit_count(program); i++) {
        const struct gl_ir_unit *unit = gl_ir_unit_at(program, i);
        for (size_t j = 0; j < unit->comments.count; j++) {
            const struct gl_ir_comment *comment = &unit->comments.items[j];
            uintptr_t position = (uintptr_t)comment->loc.line << 16 | (comment->loc.column & 0xffff);
            void **slot =
                comment->loc.file ? gl_map_put(&seen, comment->loc.file, (const void *)position) : NULL;
            if (!slot || *slot)
                continue;
            *slot = s;
            comment_read(s, unit, comment);
        }
    }
    gl_map_free(&seen);
}

// The permit for a finding: one on its own line rather than one on the line above.
static struct permit *permit_find(struct suppressor *s, const struct gl_finding *finding)
{
    struct permit *above = NULL;
    for (size_t i = 0; i < s->permits.count; i++) {
        struct permit *permit = &s->permits.items[i];
        if (permit->check != finding->check || permit->loc.file != finding->loc.file)
            continue;
        if (permit->loc.line == finding->loc.line)
            return permit;
        if (permit->loc.line + 1 == finding->loc.line)
            above = permit;
    }
    return above;
}

static void findings_filter(struct suppressor *s, struct gl_suppressed_list *out_suppressed)
{
    struct gl_findings *findings = s->findings;
    size_t kept = 0;
    for (size_t i = 0; i < findings->list.count; i++) {
        struct permit *permit = permit_find(s, &findings->list.items[i]);
        if (!permit) {
            findings->list.items[kept++] = findings->list.items[i];
            continue;
        }
        permit->is_used = true;
        GL_VEC_PUSH(&out_suppressed->list,
                    (struct gl_suppressed){findings->list.items[i], permit->reason, permit->loc});
    }
    findings->list.count = kept;
}

static bool check_is_enabled(const struct gl_enabled *enabled, const struct gl_check *check)
{
    if (!enabled->table)
        return check->is_on_by_default;
    for (size_t i = 0; i < gl_check_count(); i++) {
        if (gl_check_at(i) == check)
            return enabled->table[i];
    }
    return false;
}

static void stale_report(struct suppressor *s)
{
    for (size_t i = 0; i < s->permits.count; i++) {
        const struct permit *permit = &s->permits.items[i];
        if (permit->is_used || permit->unit->status != GL_UNIT_OK ||
            !check_is_enabled(s->enabled, permit->check))
            continue;
        complain(s, GL_STALE_SUPPRESSION, permit->unit, permit->loc,
                 gl_arena_printf(&s->findings->arena,
                                 "nothing here is reported as %s: remove the suppression",
                                 permit->check->name));
    }
}

void gl_suppress(const struct gl_ir_program *program, const struct gl_enabled *enabled,
                 struct gl_findings *findings, struct gl_suppressed_list *out_suppressed)
{
    struct suppressor s = {.enabled = enabled, .findings = findings};
    comments_read(&s, program);
    findings_filter(&s, out_suppressed);
    stale_report(&s);
    GL_VEC_FREE(&s.permits);
}

void gl_suppressed_free(struct gl_suppressed_list *suppressed)
{
    for (size_t i = 0; i < suppressed->list.count; i++)
        GL_VEC_FREE(&suppressed->list.items[i].finding.trace);
    GL_VEC_FREE(&suppressed->list);
}
