// SPDX-License-Identifier: Apache-2.0
// The JSON schema of rule files, from the tables that the reader works by.
#include "rules/entries.h"

#include <jansson.h>
#include <string.h>

static json_t *schema_of(const struct gl_key *key);

static json_t *type_schema(const char *type)
{
    return json_pack("{s:s}", "type", type);
}

static json_t *ref_schema(const char *definition)
{
    char *pointer = gl_xmalloc(strlen(definition) + sizeof "#/definitions/");
    strcpy(pointer, "#/definitions/");
    strcat(pointer, definition);
    json_t *schema = json_pack("{s:s}", "$ref", pointer);
    free(pointer);
    return schema;
}

static json_t *list_schema(json_t *items)
{
    return json_pack("{s:s, s:o}", "type", "array", "items", items);
}

// One value, or a list of such values.
static json_t *one_or_list_schema(json_t *item)
{
    return json_pack("{s:[O, o]}", "anyOf", item, list_schema(item));
}

static json_t *words_schema(const struct gl_word_set *set)
{
    json_t *words = json_array();
    for (size_t i = 0; i < set->count; i++)
        json_array_append_new(words, json_string(set->words[i].text));
    return json_pack("{s:o}", "enum", words);
}

static json_t *mapping_schema(const struct gl_mapping *mapping)
{
    json_t *properties = json_object(), *required = json_array();
    for (size_t i = 0; i < mapping->key_count; i++) {
        const struct gl_key *key = &mapping->keys[i];
        json_t *schema = schema_of(key);
        json_object_set_new(schema, "description", json_string(key->meaning));
        json_object_set_new(properties, key->name, schema);
        if (key->is_required)
            json_array_append_new(required, json_string(key->name));
    }
    return json_pack("{s:s, s:b, s:o, s:o}", "type", "object", "additionalProperties", 0, "properties",
                     properties, "required", required);
}

static json_t *integer_schema(void)
{
    return json_pack("{s:s, s:i, s:i}", "type", "integer", "minimum", 0, "maximum", 255);
}

static json_t *schema_of(const struct gl_key *key)
{
    switch (key->shape) {
    case GL_SHAPE_TEXTS:
        return one_or_list_schema(type_schema("string"));
    case GL_SHAPE_INTEGER:
        return integer_schema();
    case GL_SHAPE_BOOLEAN:
        return type_schema("boolean");
    case GL_SHAPE_WORD:
    case GL_SHAPE_WORD_TEXT:
    case GL_SHAPE_WORD_NAME:
        return words_schema(key->detail);
    case GL_SHAPE_TARGET:
        return ref_schema("target");
    case GL_SHAPE_TARGETS:
        return one_or_list_schema(ref_schema("target"));
    case GL_SHAPE_FLAGS:
        return json_pack("{s:[o, o]}", "anyOf", words_schema(key->detail), ref_schema("target"));
    case GL_SHAPE_CONDITION:
        return json_pack("{s:s, s:s}", "type", "string", "pattern", "^arg[0-9]+ *(==|!=) *-?[0-9]+$");
    case GL_SHAPE_LIST:
        return list_schema(mapping_schema(key->detail));
    case GL_SHAPE_EFFECTS:
        return list_schema(ref_schema("effect"));
    default:
        return type_schema("string");
    }
}

// The mapping of one effect's slots, or the value of its first slot alone.
static json_t *slots_schema(const struct gl_effect_info *effect)
{
    json_t *properties = json_object(), *required = json_array(), *any_of = json_array();
    for (size_t i = 0; i < gl_slot_mapping.key_count; i++) {
        const struct gl_key *key = &gl_slot_mapping.keys[i];
        enum gl_slot_use use = gl_effect_slot(effect, key->name);
        if (use == GL_SLOT_UNKNOWN)
            continue;
        json_t *schema = schema_of(key);
        json_object_set_new(schema, "description", json_string(key->meaning));
        json_object_set_new(properties, key->name, schema);
        if (use == GL_SLOT_REQUIRED)
            json_array_append_new(required, json_string(key->name));
        if (use == GL_SLOT_ANY_OF)
            json_array_append_new(any_of, json_pack("{s:[s]}", "required", key->name));
    }
    json_t *slots = json_pack("{s:s, s:b, s:o, s:o}", "type", "object", "additionalProperties", 0,
                              "properties", properties, "required", required);
    if (json_array_size(any_of))
        json_object_set(slots, "anyOf", any_of);
    json_decref(any_of);
    return json_pack("{s:[o, o]}", "anyOf", slots, type_schema("string"));
}

static json_t *effect_schema(void)
{
    json_t *forms = json_array();
    for (size_t i = 0; i < GL_EFFECT_COUNT; i++) {
        const struct gl_effect_info *effect = &gl_effect_infos[i];
        json_array_append_new(forms, json_pack("{s:s, s:b, s:{s:o}, s:[s]}", "type", "object",
                                               "additionalProperties", 0, "properties", effect->key,
                                               slots_schema(effect), "required", effect->key));
        if (gl_effect_stands_alone(effect))
            json_array_append_new(forms, json_pack("{s:s}", "const", effect->key));
    }
    return json_pack("{s:o}", "oneOf", forms);
}

static json_t *target_schema(void)
{
    const char *bases = "args?[0-9]+|args|last-arg|this|result|default-stream|current-stream|device|"
                        "stream-of\\((arg[0-9]+|this)\\)";
    char pattern[256];
    snprintf(pattern, sizeof pattern,
             "^[*(]*(%s)(->[A-Za-z_][A-Za-z0-9_]*|\\.[A-Za-z_][A-Za-z0-9_]*|\\[[0-9]*\\]|\\))*$", bases);
    return json_pack("{s:s, s:s}", "type", "string", "pattern", pattern);
}

char *gl_rules_schema(void)
{
    json_t *schema = mapping_schema(&gl_file_mapping);
    json_object_set_new(schema, "$schema", json_string("http://json-schema.org/draft-07/schema#"));
    json_object_set_new(schema, "$comment", json_string("SPDX-License-Identifier: Apache-2.0"));
    json_object_set_new(schema, "title", json_string("Guardlint rule file"));
    json_object_set_new(schema, "definitions",
                        json_pack("{s:o, s:o}", "target", target_schema(), "effect", effect_schema()));
    char *text = json_dumps(schema, JSON_INDENT(2) | JSON_SORT_KEYS);
    json_decref(schema);
    if (!text)
        gl_out_of_memory(0);
    return text;
}
