// SPDX-License-Identifier: Apache-2.0
// Rule files of a run: from text or a file through YAML and entries to rules, and the look-ups that the
// analysis makes.
#include "rules/rules.h"

#include "rules/store.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST_FILE = 8 << 20 };

struct gl_rules *gl_rules_create(struct gl_strings *strings)
{
    struct gl_rules *rules = gl_xmalloc(sizeof *rules);
    *rules = (struct gl_rules){.strings = strings};
    gl_slot_table_fill(&rules->slots);
    return rules;
}

void gl_rules_destroy(struct gl_rules *rules)
{
    if (!rules)
        return;
    for (size_t i = 0; i < rules->files.count; i++)
        gl_ruleset_file_free(rules->files.items[i]);
    GL_VEC_FREE(&rules->files);
    GL_VEC_FREE(&rules->calls);
    GL_VEC_FREE(&rules->types);
    for (size_t i = 0; i < GL_COUNT(rules->patterns); i++)
        GL_VEC_FREE(&rules->patterns[i].list);
    gl_index_free(&rules->by_name);
    gl_index_free(&rules->by_method);
    gl_index_free(&rules->type_by_name);
    gl_arena_free(&rules->arena);
    free(rules);
}

// ---- loading ---------------------------------------------------------------------------------------------

// Line and column (1-based) of a byte of the text.
static struct gl_mark position_of(const char *text, size_t size, size_t offset)
{
    struct gl_mark mark = {1, 1};
    for (size_t i = 0; i < offset && i < size; i++) {
        mark.column = text[i] == '\n' ? 1 : mark.column + 1;
        mark.line += text[i] == '\n';
    }
    return mark;
}

static void yaml_error_report(const yaml_parser_t *parser, const char *name, const char *text, size_t size,
                              struct gl_diags *diags)
{
    struct gl_mark mark = {(unsigned)parser->problem_mark.line + 1,
                           (unsigned)parser->problem_mark.column + 1};
    if (parser->error == YAML_READER_ERROR)
        mark = position_of(text, size, parser->problem_offset);
    const char *problem = parser->problem ? parser->problem : "not valid YAML";
    const char *hint = NULL;
    if (strstr(problem, "alias"))
        hint = "put a target that starts with '*' in quotes: \"*arg0\"";
    gl_diag_add(diags, GL_ERROR, name, mark.line, mark.column, hint, "%s%s%s",
                parser->context ? parser->context : "", parser->context ? ": " : "", problem);
}

static bool document_bind(struct gl_rules *rules, const char *name, yaml_document_t *document,
                          struct gl_diags *diags)
{
    if (!yaml_document_get_root_node(document)) {
        gl_diag_add(diags, GL_ERROR, name, 1, 1, "start with 'library: NAME'", "the rule file is empty");
        return false;
    }
    struct gl_file_entry entry;
    struct gl_read_context context = {&rules->arena, rules->strings, &rules->slots, name, diags};
    return gl_entries_read(&context, document, &entry) && gl_rules_bind(rules, name, &entry, diags);
}

// Whether the text goes on after the first document.
static bool text_ends(yaml_parser_t *parser, const char *name, const char *text, size_t size,
                      struct gl_diags *diags)
{
    yaml_document_t next;
    if (!yaml_parser_load(parser, &next)) {
        yaml_error_report(parser, name, text, size, diags);
        return false;
    }
    const yaml_node_t *root = yaml_document_get_root_node(&next);
    if (root)
        gl_diag_add(diags, GL_ERROR, name, (unsigned)root->start_mark.line + 1, 1, NULL,
                    "a rule file is one YAML document");
    yaml_document_delete(&next);
    return !root;
}

bool gl_rules_load_text(struct gl_rules *rules, const char *name, const char *text, size_t size,
                        struct gl_diags *diags)
{
    yaml_parser_t parser;
    yaml_document_t document;
    if (!yaml_parser_initialize(&parser))
        gl_out_of_memory(sizeof parser);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    bool is_right = yaml_parser_load(&parser, &document);
    if (is_right) {
        bool has_root = yaml_document_get_root_node(&document) != NULL;
        is_right = (!has_root || text_ends(&parser, name, text, size, diags)) &&
                   document_bind(rules, name, &document, diags);
        yaml_document_delete(&document);
    } else {
        yaml_error_report(&parser, name, text, size, diags);
    }
    yaml_parser_delete(&parser);
    return is_right;
}

// The file's content (the caller frees it), or NULL after a report.
static char *file_read(const char *path, size_t *out_size, struct gl_diags *diags)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    int error = file && fstat(fileno(file), &status) == 0 ? 0 : errno;
    if (!error && S_ISDIR(status.st_mode))
        error = EISDIR;
    if (!error && status.st_size > LARGEST_FILE)
        error = EFBIG;
    char *text = error ? NULL : gl_xmalloc((size_t)status.st_size);
    if (!error)
        *out_size = fread(text, 1, (size_t)status.st_size, file);
    if (error)
        gl_diag_add(diags, GL_ERROR, path, 0, 0, NULL, "cannot read the rule file: %s", strerror(error));
    if (file)
        fclose(file);
    return text;
}

bool gl_rules_load_file(struct gl_rules *rules, const char *path, struct gl_diags *diags)
{
    size_t size;
    char *text = file_read(path, &size, diags);
    if (!text)
        return false;
    bool is_right = gl_rules_load_text(rules, path, text, size, diags);
    free(text);
    return is_right;
}

// ---- packs -----------------------------------------------------------------------------------------------

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

static int is_pack(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && ends_in(entry->d_name, ".yaml");
}

// The pack folder's files, sorted by name; -1 if it cannot be read.
static int packs_scan(const char *folder, struct dirent ***out_entries)
{
    return scandir(folder, out_entries, is_pack, alphasort);
}

static void packs_free(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

static void pack_unknown(const char *folder, const char *name, struct gl_diags *diags)
{
    struct dirent **entries = NULL;
    int count = packs_scan(folder, &entries);
    size_t known_count = count > 0 ? (size_t)count : 0;
    const char **known = GL_ARENA_ARRAY(&diags->arena, const char *, known_count + 1);
    const char *list = "packs:";
    for (size_t i = 0; i < known_count; i++) {
        const char *file = entries[i]->d_name;
        known[i] = gl_arena_strndup(&diags->arena, file, strlen(file) - strlen(".yaml"));
        list = gl_arena_printf(&diags->arena, "%s %s", list, known[i]);
    }
    const char *near = gl_nearest_word(name, known, known_count);
    const char *hint = near ? gl_arena_printf(&diags->arena, "did you mean '%s'?", near) : list;
    gl_diag_add(diags, GL_ERROR, NULL, 0, 0, hint, "no rule pack is called '%s'", name);
    packs_free(entries, count);
}

bool gl_rules_load(struct gl_rules *rules, const char *pack_folder, const char *name_or_path,
                   struct gl_diags *diags)
{
    if (strchr(name_or_path, '/') || ends_in(name_or_path, ".yaml") || ends_in(name_or_path, ".yml"))
        return gl_rules_load_file(rules, name_or_path, diags);
    const char *path = gl_arena_printf(&diags->arena, "%s/%s.yaml", pack_folder, name_or_path);
    struct stat status;
    if (stat(path, &status) == 0)
        return gl_rules_load_file(rules, path, diags);
    pack_unknown(pack_folder, name_or_path, diags);
    return false;
}

bool gl_rules_load_all(struct gl_rules *rules, const char *pack_folder, struct gl_diags *diags)
{
    struct dirent **entries = NULL;
    int count = packs_scan(pack_folder, &entries);
    if (count < 0) {
        gl_diag_add(diags, GL_ERROR, pack_folder, 0, 0, NULL, "cannot read the folder of rule packs: %s",
                    strerror(errno));
        return false;
    }
    bool is_right = true;
    for (int i = 0; i < count; i++) {
        const char *path = gl_arena_printf(&diags->arena, "%s/%s", pack_folder, entries[i]->d_name);
        is_right &= gl_rules_load_file(rules, path, diags);
    }
    packs_free(entries, count);
    return is_right;
}

// ---- look-ups --------------------------------------------------------------------------------------------

#define NONE ((size_t)-1)

static bool arity_fits(const struct gl_call_rule *rule, size_t arg_count)
{
    return rule->arity < 0 || (size_t)rule->arity == arg_count;
}

// Of two rules for one name, whether the one read later (`found`) still leaves the earlier one (`other`)
// better: in one file, a stated arity.
static bool is_better(const struct gl_call_rule *other, const struct gl_call_rule *found)
{
    return other->file == found->file && other->arity >= 0 && found->arity < 0;
}

static const struct gl_call_rule *exact_find(const struct gl_rules *rules, const char *name, size_t arg_count)
{
    const struct gl_call_rule *found = NULL;
    for (size_t link = gl_index_find(&rules->by_name, name); link != GL_INDEX_END;
         link = rules->by_name.links.items[link].next) {
        const struct gl_call_rule *rule = rules->calls.items[rules->by_name.links.items[link].value];
        if (arity_fits(rule, arg_count) && (!found || is_better(rule, found)))
            found = rule;
    }
    return found;
}

static bool pattern_is_better(const struct gl_call_rule *other, const struct gl_call_rule *found)
{
    size_t length = strlen(other->name), found_length = strlen(found->name);
    if (other->file == found->file && length != found_length)
        return length > found_length;
    return is_better(other, found);
}

// Among the patterns that start with `first`, newest first; *position is that of the best so far.
static void patterns_search(const struct gl_rules *rules, unsigned char first, const char *name,
                            size_t arg_count, size_t *position)
{
    const struct gl_positions *patterns = &rules->patterns[first];
    for (size_t i = patterns->list.count; i-- > 0;) {
        const struct gl_call_rule *rule = rules->calls.items[patterns->list.items[i]];
        if (!arity_fits(rule, arg_count) || !gl_name_matches(rule->name, name))
            continue;
        const struct gl_call_rule *found = *position == NONE ? NULL : rules->calls.items[*position];
        bool is_newer = found && rule->file != found->file && patterns->list.items[i] > *position;
        if (!found || is_newer || pattern_is_better(rule, found))
            *position = patterns->list.items[i];
    }
}

static const struct gl_call_rule *pattern_find(const struct gl_rules *rules, const char *name,
                                               size_t arg_count)
{
    size_t position = NONE;
    patterns_search(rules, (unsigned char)name[0], name, arg_count, &position);
    patterns_search(rules, '*', name, arg_count, &position);
    return position == NONE ? NULL : rules->calls.items[position];
}

const struct gl_call_rule *gl_rules_find_call(const struct gl_rules *rules, const char *qualified_name,
                                              size_t arg_count)
{
    const struct gl_call_rule *rule = exact_find(rules, qualified_name, arg_count);
    return rule ? rule : pattern_find(rules, qualified_name, arg_count);
}

// Targets are equal if they are written the same; texts are interned.
static bool targets_are_equal(const struct gl_targets *a, const struct gl_targets *b)
{
    bool equal = a->count == b->count;
    for (size_t i = 0; equal && i < a->count; i++)
        equal = a->items[i].text == b->items[i].text;
    return equal;
}

static bool effects_are_equal(const struct gl_effect *a, const struct gl_effect *b)
{
    return a->kind == b->kind && a->release == b->release && a->access == b->access &&
           a->memory == b->memory && a->when == b->when && a->target.text == b->target.text &&
           a->from.text == b->from.text && a->stream.text == b->stream.text &&
           a->event.text == b->event.text && a->pointer.text == b->pointer.text &&
           a->kernel.text == b->kernel.text && a->params.text == b->params.text &&
           a->extra.text == b->extra.text && a->flags.text == b->flags.text &&
           a->flags_word == b->flags_word && targets_are_equal(&a->reads, &b->reads) &&
           targets_are_equal(&a->writes, &b->writes) && targets_are_equal(&a->uses, &b->uses) &&
           targets_are_equal(&a->tracked, &b->tracked) && targets_are_equal(&a->staged, &b->staged) &&
           a->condition.kind == b->condition.kind && a->condition.arg == b->condition.arg &&
           a->condition.value == b->condition.value && a->state == b->state && a->object == b->object;
}

static bool rules_mean_the_same(const struct gl_call_rule *a, const struct gl_call_rule *b)
{
    bool same = a->effects.count == b->effects.count;
    for (size_t i = 0; same && i < a->effects.count; i++)
        same = effects_are_equal(&a->effects.items[i], &b->effects.items[i]);
    return same;
}

const struct gl_call_rule *gl_rules_find_method(const struct gl_rules *rules, const char *method_name,
                                                size_t arg_count)
{
    const struct gl_call_rule *found = NULL;
    for (size_t link = gl_index_find(&rules->by_method, method_name); link != GL_INDEX_END;
         link = rules->by_method.links.items[link].next) {
        const struct gl_call_rule *rule = rules->calls.items[rules->by_method.links.items[link].value];
        if (!arity_fits(rule, arg_count))
            continue;
        if (found && !rules_mean_the_same(rule, found))
            return NULL;
        found = rule;
    }
    return found;
}

const struct gl_type_rule *gl_rules_find_type(const struct gl_rules *rules, const char *qualified_name)
{
    size_t link = gl_index_find(&rules->type_by_name, qualified_name);
    if (link == GL_INDEX_END)
        return NULL;
    return rules->types.items[rules->type_by_name.links.items[link].value];
}

bool gl_rules_is_irrelevant(const struct gl_rules *rules, const char *qualified_name)
{
    for (size_t i = 0; i < rules->files.count; i++) {
        const struct gl_ruleset_file *file = rules->files.items[i];
        for (size_t j = 0; j < file->irrelevant.count; j++) {
            if (gl_name_matches(file->irrelevant.items[j], qualified_name))
                return true;
        }
    }
    return false;
}

size_t gl_rules_file_count(const struct gl_rules *rules)
{
    return rules->files.count;
}

const struct gl_ruleset_file *gl_rules_file_at(const struct gl_rules *rules, size_t index)
{
    return rules->files.items[index];
}

size_t gl_rules_call_count(const struct gl_rules *rules)
{
    return rules->calls.count;
}

const struct gl_call_rule *gl_rules_call_at(const struct gl_rules *rules, size_t index)
{
    return rules->calls.items[index];
}
