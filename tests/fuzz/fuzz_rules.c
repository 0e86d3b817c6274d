// SPDX-License-Identifier: Apache-2.0
// Any bytes as a rule file: read or refused with a position, never a crash; what was read can be looked up.
#include "rules/rules.h"

#include <assert.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gl_strings *strings = gl_strings_create();
    struct gl_rules *rules = gl_rules_create(strings);
    struct gl_diags diags = {0};
    bool is_right = gl_rules_load_text(rules, "fuzz.yaml", (const char *)data, size, &diags);
    assert(is_right == (diags.errors == 0));
    assert(is_right || gl_rules_call_count(rules) == 0);
    for (size_t i = 0; i < diags.list.count; i++)
        assert(diags.list.items[i].line > 0 && diags.list.items[i].column > 0);
    for (size_t i = 0; i < gl_rules_call_count(rules); i++) {
        const struct gl_call_rule *rule = gl_rules_call_at(rules, i);
        size_t arity = rule->arity < 0 ? 0 : (size_t)rule->arity;
        assert(gl_rules_find_call(rules, rule->name, arity)); // also a pattern matches itself
        gl_rules_find_method(rules, rule->name, arity);
    }
    gl_diags_free(&diags);
    gl_rules_destroy(rules);
    gl_strings_destroy(strings);
    return 0;
}
