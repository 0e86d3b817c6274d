// SPDX-License-Identifier: Apache-2.0
// From the entries of one file to rules: names with their variants, duplicates, and the indexes.
#include "rules/store.h"

#include <string.h>

struct binder {
    struct gl_rules *rules;
    struct gl_diags *diags;
    const char *path;
    struct gl_ruleset_file *file;
    GL_VEC(struct gl_call_rule *) calls;
    GL_VEC(struct gl_type_rule *) types;
    struct gl_index call_lines, type_lines, irrelevant_lines; // names seen so far, for duplicates
};

static void fail(struct binder *b, struct gl_mark mark, const char *hint, const char *message)
{
    gl_diag_add(b->diags, GL_ERROR, b->path, mark.line, mark.column, hint, "%s", message);
}

static void duplicate_fail(struct binder *b, const struct gl_text *name, const char *what, size_t line)
{
    struct gl_arena *arena = &b->diags->arena;
    fail(b, name->mark, NULL,
         gl_arena_printf(arena, "%s '%s' is declared twice (first on line %zu)", what, name->text, line));
}

// The names of an entry: `name`, `names` or both.
static struct gl_texts names_join(struct binder *b, const struct gl_text *name, const struct gl_texts *names)
{
    struct gl_texts all = {GL_ARENA_ARRAY(&b->rules->arena, struct gl_text, names->count + 1), 0};
    if (name->text)
        all.items[all.count++] = *name;
    for (size_t i = 0; i < names->count; i++) {
        if (names->items[i].text)
            all.items[all.count++] = names->items[i];
    }
    return all;
}

// A blank in a name is a mistake ("a, b" in one text), except in operators ("operator bool").
static bool name_check(struct binder *b, const struct gl_text *name)
{
    const char *last = gl_name_last_component(name->text);
    if (!strpbrk(name->text, " \t\n,;()<") || strncmp(last, "operator", 8) == 0)
        return true;
    fail(b, name->mark, "a name is qualified, without template arguments and parameters: std::vector::data",
         gl_arena_printf(&b->diags->arena, "'%s' is not a name", name->text));
    return false;
}

static bool call_is_duplicate(struct binder *b, const struct gl_text *name, int arity)
{
    for (size_t link = gl_index_find(&b->call_lines, name->text); link != GL_INDEX_END;
         link = b->call_lines.links.items[link].next) {
        const struct gl_call_rule *other = b->calls.items[b->call_lines.links.items[link].value];
        if (other->arity != arity)
            continue;
        duplicate_fail(b, name, "call", other->line);
        return true;
    }
    return false;
}

static void call_add(struct binder *b, const struct gl_call_entry *entry, const struct gl_text *name)
{
    if (!name_check(b, name) || call_is_duplicate(b, name, entry->arity))
        return;
    struct gl_call_rule *rule = GL_ARENA_NEW(&b->rules->arena, struct gl_call_rule);
    rule->name = name->text;
    rule->arity = entry->arity;
    rule->is_noreturn = entry->is_noreturn;
    rule->effects.items = entry->effects.items; // shared by the names of the entry, never freed on its own
    rule->effects.count = rule->effects.capacity = entry->effects.count;
    rule->file = b->file;
    rule->line = entry->mark.line;
    rule->source = entry->source.text;
    gl_index_add(&b->call_lines, rule->name, b->calls.count);
    GL_VEC_PUSH(&b->calls, rule);
}

static void call_bind(struct binder *b, const struct gl_call_entry *entry)
{
    struct gl_texts names = names_join(b, &entry->name, &entry->names);
    if (!names.count)
        fail(b, entry->mark, NULL, "call without 'name' or 'names'");
    for (size_t i = 0; i < names.count; i++) {
        call_add(b, entry, &names.items[i]);
        for (size_t j = 0; j < entry->variants.count; j++) {
            const struct gl_text *suffix = &entry->variants.items[j];
            if (!suffix->text)
                continue;
            const char *text = gl_arena_printf(&b->rules->arena, "%s%s", names.items[i].text, suffix->text);
            struct gl_text variant = {gl_intern(b->rules->strings, text), suffix->mark};
            call_add(b, entry, &variant);
        }
    }
}

static void type_add(struct binder *b, const struct gl_type_entry *entry, const struct gl_text *name)
{
    size_t link = gl_index_find(&b->type_lines, name->text);
    if (!name_check(b, name))
        return;
    if (link != GL_INDEX_END) {
        duplicate_fail(b, name, "type", b->type_lines.links.items[link].value);
        return;
    }
    struct gl_type_rule *rule = GL_ARENA_NEW(&b->rules->arena, struct gl_type_rule);
    *rule = (struct gl_type_rule){
        .name = name->text,
        .role = (enum gl_role)entry->role,
        .release = (enum gl_release_kind)entry->release,
        .state = entry->state,
        .deleter = entry->deleter,
        .memory = (enum gl_memory)entry->memory,
        .file = b->file,
        .line = entry->mark.line,
    };
    gl_index_add(&b->type_lines, rule->name, entry->mark.line);
    GL_VEC_PUSH(&b->types, rule);
}

static void type_bind(struct binder *b, const struct gl_type_entry *entry)
{
    struct gl_texts names = names_join(b, &entry->name, &entry->names);
    if (!names.count)
        fail(b, entry->mark, NULL, "type without 'name' or 'names'");
    if (entry->role == GL_ROLE_STATE_GUARD && !entry->state)
        fail(b, entry->mark, NULL, "a state-guard needs 'state'");
    for (size_t i = 0; i < names.count; i++)
        type_add(b, entry, &names.items[i]);
}

static void irrelevant_bind(struct binder *b, const struct gl_text *name)
{
    if (!name->text || !name_check(b, name))
        return;
    size_t link = gl_index_find(&b->irrelevant_lines, name->text);
    if (link != GL_INDEX_END) {
        duplicate_fail(b, name, "irrelevant function", b->irrelevant_lines.links.items[link].value);
    } else if (gl_index_find(&b->call_lines, name->text) != GL_INDEX_END) {
        fail(b, name->mark, NULL,
             gl_arena_printf(&b->diags->arena, "'%s' is irrelevant and has a rule", name->text));
    } else {
        gl_index_add(&b->irrelevant_lines, name->text, name->mark.line);
        GL_VEC_PUSH(&b->file->irrelevant, name->text);
    }
}

static void example_bind(struct binder *b, const struct gl_example_entry *entry)
{
    GL_VEC_PUSH(&b->file->examples, (struct gl_rule_example){
                                        .name = entry->name.text,
                                        .language = entry->language.text,
                                        .code = entry->code.text,
                                        .line = entry->code.mark.line,
                                    });
}

static void file_bind(struct binder *b, const struct gl_file_entry *entry)
{
    b->file->path = b->path;
    b->file->library = entry->library.text;
    b->file->description = entry->description.text;
    b->file->prelude = entry->prelude.text;
    for (size_t i = 0; i < entry->headers.count; i++)
        GL_VEC_PUSH(&b->file->headers, entry->headers.items[i].text);
    for (size_t i = 0; i < entry->types.count; i++)
        type_bind(b, (const struct gl_type_entry *)entry->types.items + i);
    for (size_t i = 0; i < entry->calls.count; i++)
        call_bind(b, (const struct gl_call_entry *)entry->calls.items + i);
    for (size_t i = 0; i < entry->irrelevant.count; i++)
        irrelevant_bind(b, &entry->irrelevant.items[i]);
    for (size_t i = 0; i < entry->examples.count; i++)
        example_bind(b, (const struct gl_example_entry *)entry->examples.items + i);
}

static void call_index(struct gl_rules *rules, struct gl_call_rule *rule)
{
    size_t position = rules->calls.count;
    GL_VEC_PUSH(&rules->calls, rule);
    if (gl_name_is_pattern(rule->name)) {
        GL_VEC_PUSH(&rules->patterns[(unsigned char)rule->name[0]].list, position);
        return;
    }
    gl_index_add(&rules->by_name, rule->name, position);
    const char *last = gl_name_last_component(rule->name);
    if (last != rule->name)
        gl_index_add(&rules->by_method, last, position);
}

static void file_commit(struct binder *b)
{
    GL_VEC_PUSH(&b->rules->files, b->file);
    for (size_t i = 0; i < b->calls.count; i++)
        call_index(b->rules, b->calls.items[i]);
    for (size_t i = 0; i < b->types.count; i++) {
        gl_index_add(&b->rules->type_by_name, b->types.items[i]->name, b->rules->types.count);
        GL_VEC_PUSH(&b->rules->types, b->types.items[i]);
    }
}

void gl_ruleset_file_free(struct gl_ruleset_file *file)
{
    GL_VEC_FREE(&file->headers);
    GL_VEC_FREE(&file->irrelevant);
    GL_VEC_FREE(&file->examples);
}

bool gl_rules_bind(struct gl_rules *rules, const char *path, const struct gl_file_entry *entry,
                   struct gl_diags *diags)
{
    struct binder b = {
        .rules = rules,
        .diags = diags,
        .path = gl_intern(rules->strings, path),
        .file = GL_ARENA_NEW(&rules->arena, struct gl_ruleset_file),
    };
    size_t errors = diags->errors;
    file_bind(&b, entry);
    bool is_right = diags->errors == errors;
    if (is_right)
        file_commit(&b);
    else
        gl_ruleset_file_free(b.file);
    GL_VEC_FREE(&b.calls);
    GL_VEC_FREE(&b.types);
    gl_index_free(&b.call_lines);
    gl_index_free(&b.type_lines);
    gl_index_free(&b.irrelevant_lines);
    return is_right;
}
