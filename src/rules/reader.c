// SPDX-License-Identifier: Apache-2.0
// From a YAML document to entries, driven by the key tables: one function a shape of value. Goes on after an
// error, so that a run reports all mistakes of a file.
#include "rules/entries.h"
#include "rules/target.h"

#include <string.h>

struct reader {
    struct gl_arena *arena;
    struct gl_strings *strings;
    struct gl_diags *diags;
    const char *file;
    const struct gl_slot_table *slots;
    yaml_document_t *document;
    const struct gl_file_entry *entry;
};

static struct gl_mark node_mark(const yaml_node_t *node)
{
    return (struct gl_mark){(unsigned)node->start_mark.line + 1, (unsigned)node->start_mark.column + 1};
}

#define FAIL_AT(reader, mark, hint, ...)                                                                     \
    gl_diag_add((reader)->diags, GL_ERROR, (reader)->file, (mark).line, (mark).column, (hint), __VA_ARGS__)
#define FAIL(reader, node, hint, ...) FAIL_AT(reader, node_mark(node), hint, __VA_ARGS__)

static yaml_node_t *node_at(struct reader *r, int index)
{
    return yaml_document_get_node(r->document, index);
}

static const char *scalar_text(const yaml_node_t *node)
{
    return (const char *)node->data.scalar.value;
}

// "did you mean 'near'?", or the known words, in a list.
static const char *words_hint(struct reader *r, const char *word, const char *const *known, size_t count)
{
    const char *near = gl_nearest_word(word, known, count);
    if (near)
        return gl_arena_printf(r->arena, "did you mean '%s'?", near);
    const char *list = "known:";
    for (size_t i = 0; i < count; i++)
        list = gl_arena_printf(r->arena, "%s%s %s", list, i ? "," : "", known[i]);
    return list;
}

// The scalar's text, or NULL after an error. Empty text is an error too.
static const char *scalar_read(struct reader *r, yaml_node_t *node, const char *what)
{
    if (node->type != YAML_SCALAR_NODE) {
        FAIL(r, node, NULL, "'%s' takes a single value, not a %s", what,
             node->type == YAML_SEQUENCE_NODE ? "list" : "mapping");
        return NULL;
    }
    if (!node->data.scalar.length) {
        FAIL(r, node, NULL, "'%s' has no value", what);
        return NULL;
    }
    if (strlen(scalar_text(node)) != node->data.scalar.length) {
        FAIL(r, node, NULL, "the value of '%s' has a NUL character", what);
        return NULL;
    }
    return scalar_text(node);
}

// Names and paths are single words or sentences on one line; code keeps its lines.
static void text_read(struct reader *r, yaml_node_t *node, const struct gl_key *key, void *field)
{
    const char *text = scalar_read(r, node, key->name);
    struct gl_text *out = field;
    out->mark = node_mark(node);
    out->text = text ? gl_intern(r->strings, text) : NULL;
}

static void block_read(struct reader *r, yaml_node_t *node, const struct gl_key *key, void *field)
{
    const char *text = scalar_read(r, node, key->name);
    struct gl_text *out = field;
    out->mark = node_mark(node);
    if (node->type == YAML_SCALAR_NODE && node->data.scalar.style == YAML_LITERAL_SCALAR_STYLE)
        out->mark = (struct gl_mark){out->mark.line + 1, 1}; // the text starts after the line with the '|'
    out->text = text ? gl_arena_strdup(r->arena, text) : NULL;
}

// Calls `read` for the items of a list, or for the one value that stands in its place.
static size_t items_count(const yaml_node_t *node)
{
    if (node->type != YAML_SEQUENCE_NODE)
        return 1;
    return (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
}

static yaml_node_t *items_at(struct reader *r, yaml_node_t *node, size_t index)
{
    return node->type == YAML_SEQUENCE_NODE ? node_at(r, node->data.sequence.items.start[index]) : node;
}

static void texts_read(struct reader *r, yaml_node_t *node, const struct gl_key *key, void *field)
{
    struct gl_texts *out = field;
    out->count = items_count(node);
    out->items = GL_ARENA_ARRAY(r->arena, struct gl_text, out->count);
    for (size_t i = 0; i < out->count; i++)
        text_read(r, items_at(r, node, i), key, &out->items[i]);
}

static void integer_read(struct reader *r, yaml_node_t *node, const struct gl_key *key, void *field)
{
    const char *text = scalar_read(r, node, key->name);
    if (!text)
        return;
    size_t digits = strspn(text, "0123456789");
    long value = digits && digits <= 3 ? strtol(text, NULL, 10) : -1;
    if (text[digits] || value < 0 || value > 255)
        FAIL(r, node, NULL, "'%s' takes a number from 0 to 255, not '%s'", key->name, text);
    else
        *(int *)field = (int)value;
}

static void boolean_read(struct reader *r, yaml_node_t *node, const struct gl_key *key, void *field)
{
    const char *text = scalar_read(r, node, key->name);
    if (!text)
        return;
    *(bool *)field = strcmp(text, "true") == 0;
    if (!*(bool *)field && strcmp(text, "false") != 0)
        FAIL(r, node, NULL, "'%s' takes true or false, not '%s'", key->name, text);
}

static const struct gl_word *word_find(struct reader *r, yaml_node_t *node, const struct gl_key *key)
{
    enum { MOST_WORDS = 32 };
    const struct gl_word_set *set = key->detail;
    const char *text = scalar_read(r, node, key->name);
    const struct gl_word *word = text ? gl_word_find(set, text) : NULL;
    if (word || !text)
        return word;
    const char *known[MOST_WORDS];
    size_t count = 0;
    for (; count < set->count && count < MOST_WORDS; count++)
        known[count] = set->words[count].text;
    FAIL(r, node, words_hint(r, text, known, count), "unknown %s '%s'", set->what, text);
    return NULL;
}

// `success` and `failure` are words only until here.
static unsigned word_value(const struct reader *r, const struct gl_word *word)
{
    bool succeeds_by_zero = r->entry->success == GL_WHEN_RESULT_ZERO;
    if (word->value == GL_WHEN_SUCCESS)
        return succeeds_by_zero ? GL_WHEN_RESULT_ZERO : GL_WHEN_RESULT_NONZERO;
    if (word->value == GL_WHEN_FAILURE)
        return succeeds_by_zero ? GL_WHEN_RESULT_NONZERO : GL_WHEN_RESULT_ZERO;
    return word->value;
}

static void word_read(struct reader *r, yaml_node_t *node, const struct gl_key *key, void *field)
{
    const struct gl_word *word = word_find(r, node, key);
    if (word)
        *(unsigned *)field = word_value(r, word);
}

static void word_text_read(struct reader *r, yaml_node_t *node, const struct gl_key *key, void *field)
{
    const struct gl_word *word = word_find(r, node, key);
    if (word)
        *(struct gl_text *)field = (struct gl_text){gl_intern(r->strings, word->text), node_mark(node)};
}

static void word_name_read(struct reader *r, yaml_node_t *node, const struct gl_key *key, void *field)
{
    const struct gl_word *word = word_find(r, node, key);
    if (word)
        *(const char **)field = gl_intern(r->strings, word->text);
}

static void target_fail(struct reader *r, yaml_node_t *node, const struct gl_target_error *error)
{
    struct gl_mark mark = node_mark(node);
    bool is_quoted = node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    mark.column += (unsigned)error->offset + is_quoted;
    FAIL_AT(r, mark, error->hint, "%s in '%s'", error->message, scalar_text(node));
}

static void target_read(struct reader *r, yaml_node_t *node, const struct gl_key *key, void *field)
{
    struct gl_target_error error;
    const char *text = scalar_read(r, node, key->name);
    if (text && !gl_target_parse(r->arena, r->strings, text, field, &error))
        target_fail(r, node, &error);
}

static void targets_read(struct reader *r, yaml_node_t *node, const struct gl_key *key, void *field)
{
    struct gl_targets *out = field;
    out->count = items_count(node);
    out->items = GL_ARENA_ARRAY(r->arena, struct gl_target, out->count);
    for (size_t i = 0; i < out->count; i++)
        target_read(r, items_at(r, node, i), key, &out->items[i]);
}

static void flags_read(struct reader *r, yaml_node_t *node, const struct gl_key *key, void *effect)
{
    struct gl_effect *out = effect;
    const char *text = scalar_read(r, node, key->name);
    if (text && strncmp(text, "arg", 3) == 0)
        target_read(r, node, key, &out->flags);
    else if (text)
        word_name_read(r, node, key, &out->flags_word);
}

static void condition_read(struct reader *r, yaml_node_t *node, const struct gl_key *key, void *field)
{
    struct gl_target_error error;
    const char *text = scalar_read(r, node, key->name);
    if (text && !gl_condition_parse(text, field, &error))
        target_fail(r, node, &error);
}

static void mapping_read(struct reader *r, yaml_node_t *node, const struct gl_mapping *mapping, void *entry);

static void list_read(struct reader *r, yaml_node_t *node, const struct gl_key *key, void *field)
{
    const struct gl_mapping *mapping = key->detail;
    struct gl_list *out = field;
    if (node->type != YAML_SEQUENCE_NODE) {
        FAIL(r, node, NULL, "'%s' takes a list", key->name);
        return;
    }
    size_t count = items_count(node);
    char *entries = gl_arena_alloc(r->arena, count * mapping->entry_size);
    for (size_t i = 0; i < count; i++) {
        char *entry = entries + i * mapping->entry_size;
        if (mapping->prototype)
            memcpy(entry, mapping->prototype, mapping->entry_size);
        yaml_node_t *item = items_at(r, node, i);
        *(struct gl_mark *)(void *)entry = node_mark(item);
        mapping_read(r, item, mapping, entry);
    }
    *out = (struct gl_list){entries, count};
}

static void effects_read(struct reader *r, yaml_node_t *node, const struct gl_key *key, void *field);

typedef void shape_reader(struct reader *r, yaml_node_t *node, const struct gl_key *key, void *field);

static shape_reader *const shape_readers[GL_SHAPE_COUNT] = {
    [GL_SHAPE_TEXT] = text_read,           [GL_SHAPE_BLOCK] = block_read,
    [GL_SHAPE_TEXTS] = texts_read,         [GL_SHAPE_INTEGER] = integer_read,
    [GL_SHAPE_BOOLEAN] = boolean_read,     [GL_SHAPE_WORD] = word_read,
    [GL_SHAPE_WORD_TEXT] = word_text_read, [GL_SHAPE_WORD_NAME] = word_name_read,
    [GL_SHAPE_TARGET] = target_read,       [GL_SHAPE_TARGETS] = targets_read,
    [GL_SHAPE_FLAGS] = flags_read,         [GL_SHAPE_CONDITION] = condition_read,
    [GL_SHAPE_LIST] = list_read,           [GL_SHAPE_EFFECTS] = effects_read,
};

static void field_read(struct reader *r, yaml_node_t *node, const struct gl_key *key, void *entry)
{
    shape_readers[key->shape](r, node, key, (char *)entry + key->offset);
}

static size_t key_find(const struct gl_mapping *mapping, const char *name)
{
    size_t i = 0;
    while (i < mapping->key_count && strcmp(mapping->keys[i].name, name) != 0)
        i++;
    return i;
}

// What may stand in a mapping: all keys of its table, or the slots that an effect takes.
struct allowed {
    const struct gl_mapping *mapping;
    const char *what;
    const unsigned char *use; // enum gl_slot_use by key, or NULL
};

static bool is_allowed(const struct allowed *allowed, size_t index)
{
    return index < allowed->mapping->key_count && (!allowed->use || allowed->use[index] != GL_SLOT_UNKNOWN);
}

static void key_unknown(struct reader *r, yaml_node_t *node, const struct allowed *allowed)
{
    const char *known[GL_MOST_KEYS];
    size_t count = 0;
    for (size_t i = 0; i < allowed->mapping->key_count; i++) {
        if (is_allowed(allowed, i))
            known[count++] = allowed->mapping->keys[i].name;
    }
    const char *name = scalar_text(node);
    FAIL(r, node, words_hint(r, name, known, count), "unknown key '%s' in %s", name, allowed->what);
}

// Tells which values belong to which key of the table; unknown and repeated keys are errors.
static void keys_match(struct reader *r, yaml_node_t *node, const struct allowed *allowed,
                       yaml_node_t *values[GL_MOST_KEYS])
{
    yaml_node_pair_t *end = node->data.mapping.pairs.top;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < end; pair++) {
        yaml_node_t *key = node_at(r, pair->key);
        const char *name = scalar_read(r, key, "key");
        if (!name)
            continue;
        size_t index = key_find(allowed->mapping, name);
        if (!is_allowed(allowed, index))
            key_unknown(r, key, allowed);
        else if (values[index])
            FAIL(r, key, NULL, "key '%s' is given twice", name);
        else
            values[index] = node_at(r, pair->value);
    }
}

static void mapping_read(struct reader *r, yaml_node_t *node, const struct gl_mapping *mapping, void *entry)
{
    if (node->type != YAML_MAPPING_NODE) {
        FAIL(r, node, NULL, "a %s is written as 'key: value' pairs", mapping->what);
        return;
    }
    yaml_node_t *values[GL_MOST_KEYS] = {0};
    keys_match(r, node, &(struct allowed){mapping, mapping->what, NULL}, values);
    for (size_t i = 0; i < mapping->key_count; i++) {
        const struct gl_key *key = &mapping->keys[i];
        if (values[i])
            field_read(r, values[i], key, entry);
        else if (key->is_required)
            FAIL(r, node, NULL, "%s without '%s'", mapping->what, key->name);
    }
}

// Which slots of the effect are given, against those it must have.
static void slots_check(struct reader *r, yaml_node_t *node, size_t kind,
                        yaml_node_t *const values[GL_MOST_KEYS])
{
    const char *effect = gl_effect_infos[kind].key;
    const char *any_of = NULL; // "'target' or 'state'"
    bool has_any = false;
    for (size_t i = 0; i < gl_slot_mapping.key_count; i++) {
        const char *slot = gl_slot_mapping.keys[i].name;
        unsigned char use = r->slots->use[kind][i];
        if (use == GL_SLOT_REQUIRED && !values[i])
            FAIL(r, node, NULL, "effect '%s' needs '%s'", effect, slot);
        if (use != GL_SLOT_ANY_OF)
            continue;
        any_of = any_of ? gl_arena_printf(r->arena, "%s or '%s'", any_of, slot)
                        : gl_arena_printf(r->arena, "'%s'", slot);
        has_any |= values[i] != NULL;
    }
    if (any_of && !has_any)
        FAIL(r, node, NULL, "effect '%s' needs %s", effect, any_of);
}

static void slots_read(struct reader *r, yaml_node_t *node, size_t kind, struct gl_effect *out)
{
    const struct gl_effect_info *effect = &gl_effect_infos[kind];
    yaml_node_t *values[GL_MOST_KEYS] = {0};
    if (node->type == YAML_MAPPING_NODE) {
        keys_match(r, node, &(struct allowed){&gl_slot_mapping, effect->key, r->slots->use[kind]}, values);
    } else if (node->type == YAML_SCALAR_NODE) {
        values[r->slots->first[kind]] = node;
    } else {
        FAIL(r, node, NULL, "effect '%s' takes 'slot: value' pairs", effect->key);
        return;
    }
    for (size_t i = 0; i < gl_slot_mapping.key_count; i++) {
        if (values[i])
            field_read(r, values[i], &gl_slot_mapping.keys[i], out);
    }
    slots_check(r, node, kind, values);
}

static size_t effect_find(struct reader *r, yaml_node_t *node)
{
    const char *name = scalar_read(r, node, "effect");
    if (!name)
        return GL_EFFECT_COUNT;
    const char *known[GL_EFFECT_COUNT];
    for (size_t i = 0; i < GL_EFFECT_COUNT; i++) {
        if (strcmp(gl_effect_infos[i].key, name) == 0)
            return i;
        known[i] = gl_effect_infos[i].key;
    }
    FAIL(r, node, words_hint(r, name, known, GL_EFFECT_COUNT), "unknown effect '%s'", name);
    return GL_EFFECT_COUNT;
}

// An effect is a mapping with one key ("release: arg0"), or a word if it needs no slots ("pure").
static void effect_read(struct reader *r, yaml_node_t *node, struct gl_effect *out)
{
    yaml_node_t *key = node, *value = NULL;
    if (node->type == YAML_MAPPING_NODE) {
        const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
        if (node->data.mapping.pairs.top - pair != 1) {
            FAIL(r, node, "start a new list item for each effect", "an effect is a mapping with one key");
            return;
        }
        key = node_at(r, pair->key);
        value = node_at(r, pair->value);
    }
    size_t kind = effect_find(r, key);
    if (kind == GL_EFFECT_COUNT)
        return;
    out->kind = (enum gl_effect_kind)kind;
    out->line = node_mark(node).line;
    if (value)
        slots_read(r, value, kind, out);
    else if (!gl_effect_stands_alone(&gl_effect_infos[kind]))
        FAIL(r, node, NULL, "effect '%s' takes 'slot: value' pairs", gl_effect_infos[kind].key);
}

static void effects_read(struct reader *r, yaml_node_t *node, const struct gl_key *key, void *field)
{
    struct gl_effect_list *out = field;
    if (node->type != YAML_SEQUENCE_NODE) {
        FAIL(r, node, NULL, "'%s' takes a list", key->name);
        return;
    }
    out->count = items_count(node);
    out->items = GL_ARENA_ARRAY(r->arena, struct gl_effect, out->count);
    for (size_t i = 0; i < out->count; i++)
        effect_read(r, items_at(r, node, i), &out->items[i]);
}

// A node that is reached twice comes from an alias.
static void reference_note(struct reader *r, bool *seen, int index)
{
    if (seen[index])
        FAIL(r, node_at(r, index), "write it out where it is used", "anchors and aliases are not supported");
    seen[index] = true;
}

static void aliases_check(struct reader *r)
{
    int count = (int)(r->document->nodes.top - r->document->nodes.start);
    bool *seen = GL_ARENA_ARRAY(r->arena, bool, (size_t)count + 1);
    seen[1] = true; // the root
    for (int i = 1; i <= count; i++) {
        const yaml_node_t *node = node_at(r, i);
        if (node->type == YAML_SEQUENCE_NODE) {
            for (yaml_node_item_t *at = node->data.sequence.items.start; at < node->data.sequence.items.top;
                 at++)
                reference_note(r, seen, *at);
        } else if (node->type == YAML_MAPPING_NODE) {
            yaml_node_pair_t *end = node->data.mapping.pairs.top;
            for (yaml_node_pair_t *at = node->data.mapping.pairs.start; at < end; at++) {
                reference_note(r, seen, at->key);
                reference_note(r, seen, at->value);
            }
        }
    }
}

bool gl_entries_read(const struct gl_read_context *context, yaml_document_t *document,
                     struct gl_file_entry *entry)
{
    struct reader r = {
        .arena = context->arena,
        .strings = context->strings,
        .diags = context->diags,
        .file = context->file,
        .slots = context->slots,
        .document = document,
        .entry = entry,
    };
    *entry = *(const struct gl_file_entry *)gl_file_mapping.prototype;
    size_t errors = r.diags->errors;
    aliases_check(&r);
    if (r.diags->errors == errors)
        mapping_read(&r, node_at(&r, 1), &gl_file_mapping, entry);
    return r.diags->errors == errors;
}
