// SPDX-License-Identifier: Apache-2.0
// A recursive-descent parser for targets: from text to a base and steps.
//   target  := '*' target | primary { '->' field | '.' field | '[' [number] ']' }
//   primary := base | '(' target ')'
#include "rules/target.h"

#include <ctype.h>
#include <string.h>

struct parser {
    struct gl_arena *arena;
    struct gl_strings *strings;
    const char *text;
    size_t at;
    int depth;
    struct gl_target target;
    struct gl_target_step steps[GL_TARGET_MAX_STEPS];
    struct gl_target_error *error;
};

static const struct {
    const char *text;
    enum gl_target_base base;
} plain_bases[] = {
    {"last-arg", GL_TARGET_LAST_ARG},
    {"this", GL_TARGET_THIS},
    {"result", GL_TARGET_RESULT},
    {"default-stream", GL_TARGET_DEFAULT_STREAM},
    {"current-stream", GL_TARGET_CURRENT_STREAM},
    {"device", GL_TARGET_DEVICE},
};

enum { LARGEST_ARG = 255 };
static const char bases_hint[] = "a target starts with arg0, arg1, …, last-arg, args, this, result, "
                                 "default-stream, current-stream, device or "
                                 "stream-of(arg0)";

static bool fail(struct parser *p, size_t offset, const char *message)
{
    *p->error = (struct gl_target_error){message, NULL, offset};
    return false;
}

static bool accept(struct parser *p, const char *token)
{
    size_t length = strlen(token);
    if (strncmp(p->text + p->at, token, length) != 0)
        return false;
    p->at += length;
    return true;
}

// A decimal number of at most nine digits.
static bool number_parse(const char *text, size_t *at, int64_t *out)
{
    size_t start = *at;
    int64_t value = 0;
    while (isdigit((unsigned char)text[*at]) && *at - start < 9)
        value = value * 10 + (text[(*at)++] - '0');
    *out = value;
    return *at > start && !isdigit((unsigned char)text[*at]);
}

static bool step_add(struct parser *p, struct gl_target_step step)
{
    if (p->target.step_count == GL_TARGET_MAX_STEPS)
        return fail(p, p->at, "target has too many steps (at most 8)");
    p->steps[p->target.step_count++] = step;
    return true;
}

// "arg" and a number, at text[*at]; leaves *at alone if it is something else.
static bool arg_parse(const char *text, size_t *at, int *out_arg)
{
    size_t end = *at + 3;
    int64_t arg;
    if (strncmp(text + *at, "arg", 3) != 0 || !number_parse(text, &end, &arg) || arg > LARGEST_ARG)
        return false;
    *out_arg = (int)arg;
    *at = end;
    return true;
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_' ||
           (text[length] == '-' && text[length + 1] != '>'))
        length++;
    return length;
}

static bool base_unknown(struct parser *p)
{
    const char *known[GL_COUNT(plain_bases) + 2];
    size_t count = 0;
    for (; count < GL_COUNT(plain_bases); count++)
        known[count] = plain_bases[count].text;
    const char *rest = p->text + p->at;
    const char *word = gl_arena_strndup(p->arena, rest, word_length(rest));
    const char *digits = word + strcspn(word, "0123456789");
    known[count++] = "args";
    known[count++] = gl_arena_printf(p->arena, "arg%s", *digits ? digits : "0");
    if (!*word)
        return fail(p, p->at, "target has no base");
    const char *near = gl_nearest_word(word, known, count);
    fail(p, p->at, gl_arena_printf(p->arena, "unknown target '%s'", word));
    p->error->hint = near ? gl_arena_printf(p->arena, "did you mean '%s'?", near) : bases_hint;
    return false;
}

static bool stream_of_parse(struct parser *p)
{
    p->target.base = GL_TARGET_STREAM_OF_HANDLE;
    p->target.arg = -1;
    if (!accept(p, "this") && !arg_parse(p->text, &p->at, &p->target.arg))
        return fail(p, p->at, "stream-of() takes an argument (arg0) or this");
    return accept(p, ")") || fail(p, p->at, "expected ')'");
}

// "arg3", "args" or "args3", up to `end`.
static bool args_parse(struct parser *p, size_t end)
{
    size_t at = p->at;
    if (arg_parse(p->text, &at, &p->target.arg) && at == end) {
        p->target.base = GL_TARGET_ARG;
        p->at = end;
        return true;
    }
    int64_t first = 0;
    at = p->at + 4;
    if (end < at || strncmp(p->text + p->at, "args", 4) != 0 ||
        (at < end && (!number_parse(p->text, &at, &first) || at != end || first > LARGEST_ARG)))
        return false;
    p->target.base = GL_TARGET_ALL_ARGS;
    p->target.arg = (int)first;
    p->at = end;
    return true;
}

static bool base_parse(struct parser *p)
{
    if (accept(p, "stream-of("))
        return stream_of_parse(p);
    size_t length = word_length(p->text + p->at);
    if (args_parse(p, p->at + length))
        return true;
    for (size_t i = 0; i < GL_COUNT(plain_bases); i++) {
        if (length != strlen(plain_bases[i].text) ||
            strncmp(p->text + p->at, plain_bases[i].text, length) != 0)
            continue;
        p->target.base = plain_bases[i].base;
        p->at += length;
        return true;
    }
    return base_unknown(p);
}

static bool field_parse(struct parser *p)
{
    size_t length = 0;
    const char *start = p->text + p->at;
    while (isalnum((unsigned char)start[length]) || start[length] == '_')
        length++;
    if (!length || isdigit((unsigned char)*start))
        return fail(p, p->at, "expected the name of a member");
    p->at += length;
    return step_add(p, (struct gl_target_step){GL_TSTEP_FIELD, gl_intern_n(p->strings, start, length), 0});
}

static bool index_parse(struct parser *p)
{
    struct gl_target_step step = {.kind = GL_TSTEP_ELEMENTS};
    if (!accept(p, "]")) {
        step.kind = GL_TSTEP_ELEMENT;
        if (!number_parse(p->text, &p->at, &step.index) || !accept(p, "]"))
            return fail(p, p->at, "expected a number and ']'");
    }
    return step_add(p, step);
}

static bool target_parse(struct parser *p);

static bool primary_parse(struct parser *p)
{
    if (!accept(p, "("))
        return base_parse(p);
    return target_parse(p) && (accept(p, ")") || fail(p, p->at, "expected ')'"));
}

static bool postfix_parse(struct parser *p)
{
    if (!primary_parse(p))
        return false;
    const struct gl_target_step deref = {.kind = GL_TSTEP_DEREF};
    for (;;) {
        bool ok;
        if (accept(p, "->"))
            ok = step_add(p, deref) && field_parse(p);
        else if (accept(p, "."))
            ok = field_parse(p);
        else if (accept(p, "["))
            ok = index_parse(p);
        else
            return true;
        if (!ok)
            return false;
    }
}

static bool target_parse(struct parser *p)
{
    if (++p->depth > 2 * GL_TARGET_MAX_STEPS)
        return fail(p, p->at, "target is nested too deeply");
    if (accept(p, "*"))
        return target_parse(p) && step_add(p, (struct gl_target_step){.kind = GL_TSTEP_DEREF});
    return postfix_parse(p);
}

bool gl_target_parse(struct gl_arena *arena, struct gl_strings *strings, const char *text,
                     struct gl_target *out, struct gl_target_error *error)
{
    struct parser p = {.arena = arena, .strings = strings, .text = text, .error = error};
    if (!target_parse(&p))
        return false;
    if (text[p.at])
        return fail(&p, p.at, "unexpected text after the target");
    bool is_object = p.target.base >= GL_TARGET_ARG && p.target.base <= GL_TARGET_RESULT;
    if (p.target.step_count && !is_object)
        return fail(&p, 0, "only arguments, this and result have members and elements");
    *out = p.target;
    out->text = gl_intern(strings, text);
    out->steps = NULL;
    if (out->step_count)
        out->steps = gl_arena_copy(arena, p.steps, out->step_count * sizeof *p.steps);
    return true;
}

static size_t spaces_skip(const char *text, size_t at)
{
    while (text[at] == ' ')
        at++;
    return at;
}

bool gl_condition_parse(const char *text, struct gl_condition *out, struct gl_target_error *error)
{
    size_t at = 0;
    *error = (struct gl_target_error){"expected a condition", "write \"arg3 == 2\" or \"arg3 != 2\"", 0};
    if (!arg_parse(text, &at, &out->arg))
        return false;
    error->offset = at = spaces_skip(text, at);
    if (strncmp(text + at, "==", 2) == 0)
        out->kind = GL_COND_EQUAL;
    else if (strncmp(text + at, "!=", 2) == 0)
        out->kind = GL_COND_NOT_EQUAL;
    else
        return false;
    error->offset = at = spaces_skip(text, at + 2);
    bool is_negative = text[at] == '-';
    at += is_negative;
    if (!number_parse(text, &at, &out->value) || text[at])
        return false;
    if (is_negative)
        out->value = -out->value;
    return true;
}
