// SPDX-License-Identifier: Apache-2.0
// Reads .guardlint.yaml with libyaml, driven by config.def.
#include "cli/config.h"

#include "base/file.h"
#include "base/strings.h"
#include "cli/paths.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>
#include <yaml.h>

enum key_kind { KEY_LIST, KEY_STRING, KEY_NUMBER, KEY_BOOL };

static const struct config_key {
    const char *name;
    enum key_kind kind;
    size_t offset;
} keys[] = {
#define GL_CONFIG_KEY(name, kind, field, description) {name, KEY_##kind, offsetof(struct gl_config, field)},
#include "cli/config.def"
#undef GL_CONFIG_KEY
};

struct reader {
    struct gl_config *config;
    struct gl_arena *arena;
    struct gl_diags *diags;
    yaml_document_t document;
    bool seen[GL_COUNT(keys)];
};

static bool node_fail(struct reader *r, const yaml_node_t *node, const char *hint, const char *message)
{
    gl_diag_add(r->diags, GL_ERROR, r->config->path, (unsigned)node->start_mark.line + 1,
                (unsigned)node->start_mark.column + 1, hint, "%s", message);
    return false;
}

static const char *scalar_text(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static bool list_read(struct reader *r, const yaml_node_t *node, struct gl_string_list *out)
{
    if (scalar_text(node)) { // one word stands for a list of one
        GL_VEC_PUSH(&out->list, gl_arena_strdup(r->arena, scalar_text(node)));
        return true;
    }
    if (node->type != YAML_SEQUENCE_NODE)
        return node_fail(r, node, NULL, "a list is expected here");
    for (const yaml_node_item_t *item = node->data.sequence.items.start; item < node->data.sequence.items.top;
         item++) {
        const yaml_node_t *element = yaml_document_get_node(&r->document, *item);
        if (!scalar_text(element))
            return node_fail(r, element, NULL, "a text is expected here");
        GL_VEC_PUSH(&out->list, gl_arena_strdup(r->arena, scalar_text(element)));
    }
    return true;
}

static bool number_read(struct reader *r, const yaml_node_t *node, unsigned *out)
{
    const char *text = scalar_text(node);
    char *end = NULL;
    errno = 0;
    unsigned long value = text && *text != '-' ? strtoul(text, &end, 10) : 0;
    if (errno || value == 0 || value > 1u << 20 || *end)
        return node_fail(r, node, NULL, "a number from 1 to 1048576 is expected here");
    *out = (unsigned)value;
    return true;
}

static bool bool_read(struct reader *r, const yaml_node_t *node, bool *out)
{
    const char *text = scalar_text(node);
    *out = text && strcmp(text, "true") == 0;
    if (!*out && (!text || strcmp(text, "false") != 0))
        return node_fail(r, node, NULL, "true or false is expected here");
    return true;
}

static bool value_read(struct reader *r, const struct config_key *key, const yaml_node_t *node)
{
    void *field = (char *)r->config + key->offset;
    switch (key->kind) {
    case KEY_LIST:
        return list_read(r, node, field);
    case KEY_NUMBER:
        return number_read(r, node, field);
    case KEY_BOOL:
        return bool_read(r, node, field);
    case KEY_STRING:
        break;
    }
    if (!scalar_text(node))
        return node_fail(r, node, NULL, "a text is expected here");
    *(const char **)field = gl_arena_strdup(r->arena, scalar_text(node));
    return true;
}

static bool key_unknown(struct reader *r, const yaml_node_t *node, const char *name)
{
    const char *names[GL_COUNT(keys)];
    for (size_t i = 0; i < GL_COUNT(keys); i++)
        names[i] = keys[i].name;
    const char *nearest = gl_nearest_word(name, names, GL_COUNT(names));
    const char *hint = nearest ? gl_arena_printf(r->arena, "did you mean '%s'?", nearest)
                               : "the keys are listed in README.md under Configuration";
    return node_fail(r, node, hint, gl_arena_printf(r->arena, "unknown key '%s'", name));
}

static bool pair_read(struct reader *r, const yaml_node_t *key_node, const yaml_node_t *value)
{
    const char *name = scalar_text(key_node);
    if (!name)
        return node_fail(r, key_node, NULL, "a key is expected here");
    for (size_t i = 0; i < GL_COUNT(keys); i++) {
        if (strcmp(keys[i].name, name) != 0)
            continue;
        if (r->seen[i])
            return node_fail(r, key_node, NULL,
                             gl_arena_printf(r->arena, "key '%s' stands here twice", name));
        r->seen[i] = true;
        return value_read(r, &keys[i], value);
    }
    return key_unknown(r, key_node, name);
}

static bool document_read(struct reader *r)
{
    const yaml_node_t *root = yaml_document_get_root_node(&r->document);
    if (!root)
        return true; // an empty file says nothing, which is allowed
    if (root->type != YAML_MAPPING_NODE)
        return node_fail(r, root, "write for example: rules: [my-library.yaml]",
                         "keys and values are expected");
    bool is_good = true;
    for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start; pair < root->data.mapping.pairs.top;
         pair++)
        is_good &= pair_read(r, yaml_document_get_node(&r->document, pair->key),
                             yaml_document_get_node(&r->document, pair->value));
    return is_good;
}

bool gl_config_parse(struct gl_config *config, struct gl_arena *arena, const char *path, const char *text,
                     size_t size, struct gl_diags *diags)
{
    struct reader r = {.config = config, .arena = arena, .diags = diags};
    config->path = gl_arena_strdup(arena, path);
    config->folder = gl_path_absolute(arena, gl_path_folder(arena, path));
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        gl_out_of_memory(sizeof parser);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    bool is_good = yaml_parser_load(&parser, &r.document) != 0;
    if (is_good) {
        is_good = document_read(&r);
        yaml_document_delete(&r.document);
    } else {
        gl_diag_add(diags, GL_ERROR, path, (unsigned)parser.problem_mark.line + 1,
                    (unsigned)parser.problem_mark.column + 1, NULL, "the configuration is no valid YAML: %s",
                    parser.problem ? parser.problem : "unreadable");
    }
    yaml_parser_delete(&parser);
    return is_good;
}

bool gl_config_read(struct gl_config *config, struct gl_arena *arena, const char *path,
                    struct gl_diags *diags)
{
    size_t size;
    char *text = gl_file_read(path, &size);
    if (!text) {
        gl_diag_add(diags, GL_ERROR, path, 0, 0, NULL, "the configuration cannot be read: %s",
                    strerror(errno));
        return false;
    }
    bool is_good = gl_config_parse(config, arena, path, text, size, diags);
    free(text);
    return is_good;
}

const char *gl_config_find(struct gl_arena *arena, const char *file_or_folder)
{
    char *folder = gl_path_absolute(arena, file_or_folder);
    if (!gl_path_is_folder(folder))
        folder = gl_path_folder(arena, folder);
    for (;;) {
        char *path = gl_path_join(arena, folder, GL_CONFIG_NAME);
        if (gl_path_is_file(path))
            return path;
        if (strcmp(folder, "/") == 0)
            return NULL;
        folder = gl_path_folder(arena, folder);
    }
}

bool gl_config_excludes(const struct gl_config *config, const char *path)
{
    if (!config->path)
        return false;
    const char *below = gl_path_below(config->folder, path);
    for (size_t i = 0; i < config->exclude.list.count; i++) {
        if (fnmatch(config->exclude.list.items[i], below, 0) == 0)
            return true;
    }
    return false;
}

void gl_config_free(struct gl_config *config)
{
    struct gl_string_list *lists[] = {&config->rules, &config->enable, &config->disable, &config->exclude,
                                      &config->args};
    for (size_t i = 0; i < GL_COUNT(lists); i++)
        GL_VEC_FREE(&lists[i]->list);
}
