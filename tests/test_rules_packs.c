// SPDX-License-Identifier: Apache-2.0
// The shipped rule packs: all load, satisfy the JSON schema, show what they flag and what they do not, and
// the pack of guardrt knows every function of its header.
#include "rules/rules.h"
#include "rules/words.h"

#include <check.h>
#include <jansson.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

static char *file_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "cannot open %s", path);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = gl_xmalloc(size + 1);
    ck_assert_uint_eq(fread(text, 1, size, file), size);
    text[size] = '\0';
    fclose(file);
    return text;
}

static struct gl_rules *packs_load(struct gl_strings *strings)
{
    struct gl_rules *rules = gl_rules_create(strings);
    struct gl_diags diags = {0};
    bool is_right = gl_rules_load_all(rules, GL_RULES, &diags);
    if (!is_right)
        gl_diags_print(&diags, stderr);
    ck_assert(is_right);
    gl_diags_free(&diags);
    return rules;
}

// ---- a small validator for the parts of JSON schema that the schema uses ----------------------------------

static json_t *scalar_json(const yaml_node_t *node)
{
    const char *text = (const char *)node->data.scalar.value;
    if (node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return json_string(text);
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        return json_boolean(*text == 't');
    if (*text && text[strspn(text, "0123456789")] == '\0')
        return json_integer(strtol(text, NULL, 10));
    return json_string(text);
}

static json_t *node_json(yaml_document_t *document, int index)
{
    const yaml_node_t *node = yaml_document_get_node(document, index);
    if (node->type == YAML_SCALAR_NODE)
        return scalar_json(node);
    if (node->type == YAML_SEQUENCE_NODE) {
        json_t *array = json_array();
        for (int *item = node->data.sequence.items.start; item < node->data.sequence.items.top; item++)
            json_array_append_new(array, node_json(document, *item));
        return array;
    }
    json_t *object = json_object();
    yaml_node_pair_t *end = node->data.mapping.pairs.top;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < end; pair++) {
        const char *key = (const char *)yaml_document_get_node(document, pair->key)->data.scalar.value;
        json_object_set_new(object, key, node_json(document, pair->value));
    }
    return object;
}

static json_t *yaml_json(const char *text)
{
    yaml_parser_t parser;
    yaml_document_t document;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
    ck_assert(yaml_parser_load(&parser, &document));
    json_t *json = node_json(&document, 1);
    yaml_document_delete(&document);
    yaml_parser_delete(&parser);
    return json;
}

static bool is_valid(json_t *root, json_t *schema, json_t *value);

static size_t valid_count(json_t *root, json_t *schemas, json_t *value)
{
    size_t count = 0, index;
    json_t *schema;
    json_array_foreach(schemas, index, schema) count += is_valid(root, schema, value);
    return count;
}

static bool is_of_type(json_t *value, const char *type)
{
    return (strcmp(type, "object") == 0 && json_is_object(value)) ||
           (strcmp(type, "array") == 0 && json_is_array(value)) ||
           (strcmp(type, "string") == 0 && json_is_string(value)) ||
           (strcmp(type, "integer") == 0 && json_is_integer(value)) ||
           (strcmp(type, "boolean") == 0 && json_is_boolean(value));
}

static bool object_is_valid(json_t *root, json_t *schema, json_t *value)
{
    json_t *properties = json_object_get(schema, "properties"), *member, *name;
    const char *key;
    size_t index;
    json_array_foreach(json_object_get(schema, "required"), index,
                       name) if (!json_object_get(value, json_string_value(name))) return false;
    json_object_foreach(value, key, member)
    {
        json_t *property = json_object_get(properties, key);
        if (property ? !is_valid(root, property, member)
                     : json_is_false(json_object_get(schema, "additionalProperties")))
            return false;
    }
    return true;
}

static bool matches(const char *pattern, const char *text)
{
    regex_t regex;
    ck_assert_int_eq(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
    bool found = regexec(&regex, text, 0, NULL, 0) == 0;
    regfree(&regex);
    return found;
}

static bool scalar_is_valid(json_t *schema, json_t *value)
{
    json_t *words = json_object_get(schema, "enum"), *word;
    json_t *fixed = json_object_get(schema, "const"), *pattern = json_object_get(schema, "pattern");
    json_t *largest = json_object_get(schema, "maximum");
    size_t index;
    bool is_word = !words;
    json_array_foreach(words, index, word) is_word |= json_equal(word, value);
    return is_word && (!fixed || json_equal(fixed, value)) &&
           (!pattern ||
            (json_is_string(value) && matches(json_string_value(pattern), json_string_value(value)))) &&
           (!largest || json_integer_value(value) <= json_integer_value(largest));
}

static bool is_valid(json_t *root, json_t *schema, json_t *value)
{
    const char *ref = json_string_value(json_object_get(schema, "$ref"));
    if (ref)
        schema = json_object_get(json_object_get(root, "definitions"), strrchr(ref, '/') + 1);
    json_t *type = json_object_get(schema, "type"), *items = json_object_get(schema, "items"), *item;
    json_t *any = json_object_get(schema, "anyOf"), *one = json_object_get(schema, "oneOf");
    size_t index;
    if (type && !is_of_type(value, json_string_value(type)))
        return false;
    if (json_is_array(value) && items)
        json_array_foreach(value, index, item) if (!is_valid(root, items, item)) return false;
    return (!json_is_object(value) || object_is_valid(root, schema, value)) &&
           scalar_is_valid(schema, value) && (!any || valid_count(root, any, value) >= 1) &&
           (!one || valid_count(root, one, value) == 1);
}

static json_t *schema_load(void)
{
    char *text = gl_rules_schema();
    json_t *schema = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(schema);
    free(text);
    return schema;
}

// ---- tests -----------------------------------------------------------------------------------------------

START_TEST(packs_load_and_satisfy_the_schema)
{
    struct gl_strings *strings = gl_strings_create();
    struct gl_rules *rules = packs_load(strings);
    json_t *schema = schema_load();
    ck_assert_uint_ge(gl_rules_file_count(rules), 4);
    for (size_t i = 0; i < gl_rules_file_count(rules); i++) {
        const char *path = gl_rules_file_at(rules, i)->path;
        char *text = file_text(path);
        json_t *value = yaml_json(text);
        ck_assert_msg(is_valid(schema, schema, value), "%s does not satisfy the schema", path);
        json_decref(value);
        free(text);
    }
    json_decref(schema);
    gl_rules_destroy(rules);
    gl_strings_destroy(strings);
}
END_TEST

static const char *const invalid[] = {
    "description: x",
    "{library: x, libary: y}",
    "{library: x, success: maybe}",
    "{library: [x]}",
    "{library: x, types: [{name: t}]}",
    "{library: x, types: [{name: t, role: gaurd}]}",
    "{library: x, calls: [{name: f}]}",
    "{library: x, calls: [{name: f, arity: two, effects: []}]}",
    "{library: x, calls: [{name: f, arity: 256, effects: []}]}",
    "{library: x, calls: [{name: f, effects: [relase]}]}",
    "{library: x, calls: [{name: f, effects: [{relase: arg0}]}]}",
    "{library: x, calls: [{name: f, effects: [{release: {stream: arg0}}]}]}",
    "{library: x, calls: [{name: f, effects: [{derive: {to: result}}]}]}",
    "{library: x, calls: [{name: f, effects: [{derive: {to: result, from: agr0}}]}]}",
    "{library: x, calls: [{name: f, effects: [{sync: {target: arg0, if: arg0 < 1}}]}]}",
    "{library: x, examples: [{name: e, language: rust, code: x}]}",
};

START_TEST(schema_refuses_what_the_reader_refuses)
{
    struct gl_strings *strings = gl_strings_create();
    struct gl_rules *rules = gl_rules_create(strings);
    struct gl_diags diags = {0};
    json_t *schema = schema_load(), *value = yaml_json(invalid[_i]);
    ck_assert(!is_valid(schema, schema, value));
    ck_assert(!gl_rules_load_text(rules, "x", invalid[_i], strlen(invalid[_i]), &diags));
    json_decref(value);
    json_decref(schema);
    gl_diags_free(&diags);
    gl_rules_destroy(rules);
    gl_strings_destroy(strings);
}
END_TEST

START_TEST(shipped_schema_is_current)
{
    char *shipped = file_text(GL_RULES "/schema.json"), *made = gl_rules_schema();
    size_t length = strlen(shipped);
    ck_assert_uint_ge(length, 1);
    shipped[length - 1] = '\0'; // the newline at the end of the file
    ck_assert_msg(strcmp(shipped, made) == 0, "write rules/schema.json anew: guardlint rules schema");
    free(shipped);
    free(made);
}
END_TEST

START_TEST(packs_show_what_is_flagged_and_what_is_not)
{
    struct gl_strings *strings = gl_strings_create();
    struct gl_rules *rules = packs_load(strings);
    for (size_t i = 0; i < gl_rules_file_count(rules); i++) {
        const struct gl_ruleset_file *file = gl_rules_file_at(rules, i);
        size_t flagged = 0;
        for (size_t j = 0; j < file->examples.count; j++)
            flagged += strstr(file->examples.items[j].code, "// expect") != NULL;
        ck_assert_msg(flagged > 0, "%s has no example that is flagged", file->path);
        ck_assert_msg(flagged < file->examples.count, "%s has no example that is right", file->path);
    }
    gl_rules_destroy(rules);
    gl_strings_destroy(strings);
}
END_TEST

static bool is_known(const struct gl_rules *rules, const char *name)
{
    bool has_rule = false;
    for (size_t count = 0; count < 16; count++)
        has_rule |= gl_rules_find_call(rules, name, count) != NULL;
    return has_rule || gl_rules_is_irrelevant(rules, name);
}

START_TEST(guardrt_header_is_covered)
{
    struct gl_strings *strings = gl_strings_create();
    struct gl_rules *rules = packs_load(strings);
    char *header = file_text(GL_RULES "/../runtime/include/guardrt/guardrt.h");
    size_t declared = 0;
    for (const char *at = strstr(header, "\nGRT_API "); at; at = strstr(at + 1, "\nGRT_API ")) {
        const char *name = at + strcspn(at, "(");
        const char *end = name;
        while (name[-1] == '_' || (name[-1] >= '0' && name[-1] <= '9') ||
               (name[-1] >= 'a' && name[-1] <= 'z'))
            name--;
        const char *copy = gl_intern_n(strings, name, (size_t)(end - name));
        ck_assert_msg(is_known(rules, copy), "guardrt.yaml does not know %s", copy);
        declared++;
    }
    ck_assert_uint_ge(declared, 60);
    free(header);
    gl_rules_destroy(rules);
    gl_strings_destroy(strings);
}
END_TEST

// The files that the manual shows as a whole.
START_TEST(files_in_the_manual_are_right)
{
    char *manual = file_text(GL_RULES "/README.md");
    const char *const opening = "```yaml\nlibrary:";
    size_t shown = 0;
    for (char *at = strstr(manual, opening); at; at = strstr(at + 1, opening), shown++) {
        const char *text = strchr(at, '\n') + 1;
        struct gl_strings *strings = gl_strings_create();
        struct gl_rules *rules = gl_rules_create(strings);
        struct gl_diags diags = {0};
        if (!gl_rules_load_text(rules, "README.md", text, (size_t)(strstr(text, "\n```") - text) + 1, &diags))
            ck_abort_msg("file %zu of the manual, line %u: %s", shown + 1, diags.list.items[0].line,
                         diags.list.items[0].message);
        gl_diags_free(&diags);
        gl_rules_destroy(rules);
        gl_strings_destroy(strings);
    }
    ck_assert_uint_ge(shown, 4);
    free(manual);
}
END_TEST

static void words_check(const char *manual, const struct gl_word_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        char quoted[64];
        snprintf(quoted, sizeof quoted, "`%s`", set->words[i].text);
        ck_assert_msg(strstr(manual, quoted) != NULL, "the manual does not say what %s is", quoted);
    }
}

START_TEST(manual_knows_every_word)
{
    char *manual = file_text(GL_RULES "/README.md"), quoted[64];
    for (size_t i = 0; i < GL_EFFECT_COUNT; i++) {
        snprintf(quoted, sizeof quoted, "`%s`", gl_effect_infos[i].key);
        ck_assert_msg(strstr(manual, quoted) != NULL, "the manual does not say what %s does", quoted);
    }
    words_check(manual, &gl_release_words);
    words_check(manual, &gl_access_words);
    words_check(manual, &gl_memory_words);
    words_check(manual, &gl_when_words);
    words_check(manual, &gl_role_words);
    words_check(manual, &gl_state_words);
    words_check(manual, &gl_object_words);
    words_check(manual, &gl_flag_words);
    free(manual);
}
END_TEST

int main(void)
{
    TCase *packs = tcase_create("packs");
    tcase_set_timeout(packs, 60);
    tcase_add_test(packs, packs_load_and_satisfy_the_schema);
    tcase_add_loop_test(packs, schema_refuses_what_the_reader_refuses, 0, (int)GL_COUNT(invalid));
    tcase_add_test(packs, shipped_schema_is_current);
    tcase_add_test(packs, packs_show_what_is_flagged_and_what_is_not);
    tcase_add_test(packs, guardrt_header_is_covered);
    tcase_add_test(packs, files_in_the_manual_are_right);
    tcase_add_test(packs, manual_knows_every_word);
    Suite *suite = suite_create("rules: packs");
    suite_add_tcase(suite, packs);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
