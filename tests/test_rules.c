// SPDX-License-Identifier: Apache-2.0
// Rule files: every kind of mistake is reported at its place with a suggestion, and look-ups find the rule
// that the manual promises.
#include "rules/rules.h"

#include <check.h>
#include <string.h>

struct fixture {
    struct gl_strings *strings;
    struct gl_rules *rules;
    struct gl_diags diags;
};

static struct fixture fixture_make(void)
{
    struct gl_strings *strings = gl_strings_create();
    return (struct fixture){.strings = strings, .rules = gl_rules_create(strings)};
}

static void fixture_free(struct fixture *f)
{
    gl_rules_destroy(f->rules);
    gl_diags_free(&f->diags);
    gl_strings_destroy(f->strings);
}

static bool load(struct fixture *f, const char *name, const char *text)
{
    return gl_rules_load_text(f->rules, name, text, strlen(text), &f->diags);
}

static void load_right(struct fixture *f, const char *name, const char *text)
{
    if (!load(f, name, text))
        ck_abort_msg("%s:%u: %s", name, f->diags.list.items[0].line, f->diags.list.items[0].message);
}

// ---- mistakes --------------------------------------------------------------------------------------------

#define CALL(rest) "library: x\ncalls:\n  - name: f\n" rest
#define EFFECT(rest) CALL("    effects:\n      - " rest "\n")

static const struct {
    const char *text;
    unsigned line, column;
    const char *message;
    const char *hint;
} mistakes[] = {
    // keys
    {"libary: x\nlibrary: x\n", 1, 1, "unknown key 'libary' in rule file", "did you mean 'library'?"},
    {CALL("    efects: []\n    effects: []\n"), 4, 5, "unknown key 'efects' in call",
     "did you mean 'effects'?"},
    {"library: x\ntypes:\n  - {name: t, rool: guard, role: guard}\n", 3, 15, "unknown key 'rool' in type",
     "did you mean 'role'?"},
    {"library: x\nexamples:\n  - {name: e, language: c, code: y, lines: 3}\n", 3, 37,
     "unknown key 'lines' in example", "known: name, language, code"},
    {"library: x\nlibrary: y\n", 2, 1, "key 'library' is given twice", NULL},
    {"description: x\n", 1, 1, "rule file without 'library'", NULL},
    {"library: x\ncalls:\n  - effects: []\n", 3, 5, "call without 'name' or 'names'", NULL},
    {"library: x\ncalls:\n  - name: f\n", 3, 5, "call without 'effects'", NULL},
    {"library: x\ntypes:\n  - {name: t}\n", 3, 5, "type without 'role'", NULL},
    {"library: x\ntypes:\n  - {name: t, role: state-guard}\n", 3, 5, "a state-guard needs 'state'", NULL},
    // words
    {"library: x\ntypes:\n  - {name: t, role: gaurd}\n", 3, 21, "unknown role 'gaurd'",
     "did you mean 'guard'?"},
    {"library: x\ntypes:\n  - {name: t, role: owner, release: evnt}\n", 3, 37, "unknown release kind 'evnt'",
     "did you mean 'event'?"},
    {"library: x\nsuccess: zeroo\n", 2, 10, "unknown meaning of success 'zeroo'", "did you mean 'zero'?"},
    {"library: x\nexamples:\n  - {name: e, language: rust, code: y}\n", 3, 25, "unknown language 'rust'",
     "known: c, c++, cuda"},
    {EFFECT("acquire: {target: arg0, access: raed}"), 5, 41, "unknown access 'raed'", "did you mean 'read'?"},
    {EFFECT("alloc: {target: arg0, memory: pined}"), 5, 39, "unknown memory 'pined'",
     "did you mean 'pinned'?"},
    {EFFECT("release: {target: arg0, when: sucess}"), 5, 39, "unknown outcome 'sucess'",
     "did you mean 'success'?"},
    {EFFECT("release: {state: contxt}"), 5, 26, "unknown thread state 'contxt'", "did you mean 'context'?"},
    {EFFECT("create: {target: result, object: strem}"), 5, 42, "unknown kind of object 'strem'",
     "did you mean 'stream'?"},
    {EFFECT("create: {target: result, flags: nonblocking}"), 5, 41, "unknown flag 'nonblocking'",
     "did you mean 'non-blocking'?"},
    // effects and slots
    {EFFECT("relase: arg0"), 5, 9, "unknown effect 'relase'", "did you mean 'release'?"},
    {EFFECT("derive: {too: result, to: result, from: this}"), 5, 18, "unknown key 'too' in derive",
     "did you mean 'to'?"},
    {EFFECT("release: {memory: device, target: arg0}"), 5, 19, "unknown key 'memory' in release",
     "known: target, stream, release, state, when, if"},
    {EFFECT("derive: {to: result}"), 5, 17, "effect 'derive' needs 'from'", NULL},
    {EFFECT("derive: result"), 5, 17, "effect 'derive' needs 'from'", NULL},
    {EFFECT("release: {stream: arg1}"), 5, 18, "effect 'release' needs 'target' or 'state'", NULL},
    {EFFECT("derive"), 5, 9, "effect 'derive' takes 'slot: value' pairs", NULL},
    {EFFECT("pure: [arg0]"), 5, 15, "effect 'pure' takes 'slot: value' pairs", NULL},
    {EFFECT("pure: arg0"), 5, 19, "expected a condition in 'arg0'", "write \"arg3 == 2\" or \"arg3 != 2\""},
    {EFFECT("{release: arg0, borrow: arg1}"), 5, 9, "an effect is a mapping with one key",
     "start a new list item for each effect"},
    {CALL("    effects: {release: arg0}\n"), 4, 14, "'effects' takes a list", NULL},
    // targets and conditions
    {EFFECT("sync: lst-arg"), 5, 15, "unknown target 'lst-arg' in 'lst-arg'", "did you mean 'last-arg'?"},
    {EFFECT("release: agr2"), 5, 18, "unknown target 'agr2' in 'agr2'", "did you mean 'arg2'?"},
    {EFFECT("release: \"*agr2\""), 5, 20, "unknown target 'agr2' in '*agr2'", "did you mean 'arg2'?"},
    {EFFECT("release: \"*arg3[\""), 5, 25, "expected a number and ']' in '*arg3['", NULL},
    {EFFECT("release: arg0->7"), 5, 24, "expected the name of a member in 'arg0->7'", NULL},
    {EFFECT("launch: {stream: stream-of(arg0}"), 5, 40, "expected ')' in 'stream-of(arg0'", NULL},
    {EFFECT("sync: device.x"), 5, 15,
     "only arguments, this and result have members and elements in 'device.x'", NULL},
    {EFFECT("launch: {reads: [arg0, arg1, ag2]}"), 5, 38, "unknown target 'ag2' in 'ag2'",
     "did you mean 'arg2'?"},
    {EFFECT("sync: {target: device, if: arg0 < 3}"), 5, 41, "expected a condition in 'arg0 < 3'",
     "write \"arg3 == 2\" or \"arg3 != 2\""},
    // kinds of values
    {"library: [x]\n", 1, 10, "'library' takes a single value, not a list", NULL},
    {"library: {x: y}\n", 1, 10, "'library' takes a single value, not a mapping", NULL},
    {"library:\n", 1, 9, "'library' has no value", NULL},
    {"library: x\ncalls: f\n", 2, 8, "'calls' takes a list", NULL},
    {"library: x\ncalls: [f]\n", 2, 9, "a call is written as 'key: value' pairs", NULL},
    {CALL("    arity: two\n    effects: []\n"), 4, 12, "'arity' takes a number from 0 to 255, not 'two'",
     NULL},
    {CALL("    arity: 256\n    effects: []\n"), 4, 12, "'arity' takes a number from 0 to 255, not '256'",
     NULL},
    {CALL("    noreturn: yes\n    effects: []\n"), 4, 15, "'noreturn' takes true or false, not 'yes'", NULL},
    {"- library: x\n", 1, 1, "a rule file is written as 'key: value' pairs", NULL},
    // names
    {CALL("    effects: []\n  - name: f\n    effects: []\n"), 5, 11,
     "call 'f' is declared twice (first on line 3)", NULL},
    {"library: x\ncalls:\n  - {name: g_v2, effects: []}\n  - {name: g, variants: [_v2], effects: []}\n", 4,
     26, "call 'g_v2' is declared twice (first on line 3)", NULL},
    {"library: x\ntypes:\n  - {name: t, role: view}\n  - {names: [u, t], role: view}\n", 4, 17,
     "type 't' is declared twice (first on line 3)", NULL},
    {"library: x\nirrelevant: [g, h, g]\n", 2, 20,
     "irrelevant function 'g' is declared twice (first on line 2)", NULL},
    {CALL("    effects: []\nirrelevant: [f]\n"), 5, 14, "'f' is irrelevant and has a rule", NULL},
    {"library: x\ncalls:\n  - {name: \"a, b\", effects: []}\n", 3, 12, "'a, b' is not a name",
     "a name is qualified, without template arguments and parameters: std::vector::data"},
    {"library: x\ntypes:\n  - {name: \"std::vector<int>\", role: view}\n", 3, 12,
     "'std::vector<int>' is not a name",
     "a name is qualified, without template arguments and parameters: std::vector::data"},
    // YAML itself
    {"", 1, 1, "the rule file is empty", "start with 'library: NAME'"},
    {"# nothing\n", 1, 1, "the rule file is empty", "start with 'library: NAME'"},
    {"library: x\n---\nlibrary: y\n", 3, 1, "a rule file is one YAML document", NULL},
    {"library: &a x\ndescription: *a\n", 1, 10, "anchors and aliases are not supported",
     "write it out where it is used"},
    {"library: x\ncalls: [\n", 3, 1, "while parsing a flow node: did not find expected node content", NULL},
    {EFFECT("release: *arg0"), 5, 18, "found undefined alias",
     "put a target that starts with '*' in quotes: \"*arg0\""},
    {"library: x\ndescription: a\xff\n", 2, 15, "invalid leading UTF-8 octet", NULL},
    {"library: \"a\\0b\"\n", 1, 10, "the value of 'library' has a NUL character", NULL},
};

START_TEST(mistake_is_reported_at_its_place)
{
    struct fixture f = fixture_make();
    ck_assert(!load(&f, "bad.yaml", mistakes[_i].text));
    ck_assert_uint_ge(f.diags.list.count, 1);
    const struct gl_diag *diag = &f.diags.list.items[0];
    ck_assert_str_eq(diag->file, "bad.yaml");
    ck_assert_str_eq(diag->message, mistakes[_i].message);
    ck_assert_uint_eq(diag->line, mistakes[_i].line);
    ck_assert_uint_eq(diag->column, mistakes[_i].column);
    ck_assert_pstr_eq(diag->hint, mistakes[_i].hint);
    ck_assert_uint_eq(f.diags.list.count, 1);
    ck_assert_uint_eq(gl_rules_file_count(f.rules), 0);
    ck_assert_uint_eq(gl_rules_call_count(f.rules), 0);
    fixture_free(&f);
}
END_TEST

START_TEST(all_mistakes_of_a_file_are_reported)
{
    struct fixture f = fixture_make();
    ck_assert(!load(&f, "bad.yaml",
                    "libary: x\nlibrary: x\ntypes: [{name: t, role: gard}]\ncalls:\n"
                    "  - {name: f, effects: [pur]}\n"));
    ck_assert_uint_eq(f.diags.errors, 3);
    fixture_free(&f);
}
END_TEST

START_TEST(a_bad_file_leaves_the_others_alone)
{
    struct fixture f = fixture_make();
    load_right(&f, "good.yaml", EFFECT("pure"));
    ck_assert(!load(&f, "bad.yaml", "library: x\ncalls:\n  - {name: g, effects: [pure]}\n  - {name: f}\n"));
    ck_assert_uint_eq(gl_rules_call_count(f.rules), 1);
    ck_assert_ptr_nonnull(gl_rules_find_call(f.rules, "f", 0));
    ck_assert_ptr_null(gl_rules_find_call(f.rules, "g", 0));
    fixture_free(&f);
}
END_TEST

START_TEST(a_file_that_is_not_there)
{
    struct fixture f = fixture_make();
    ck_assert(!gl_rules_load(f.rules, GL_RULES, "./no-such-file.yaml", &f.diags));
    ck_assert_str_eq(f.diags.list.items[0].file, "./no-such-file.yaml");
    ck_assert_ptr_nonnull(strstr(f.diags.list.items[0].message, "No such file"));
    ck_assert(!gl_rules_load(f.rules, GL_RULES, "/", &f.diags));
    ck_assert_ptr_nonnull(strstr(f.diags.list.items[1].message, "Is a directory"));
    ck_assert(!gl_rules_load(f.rules, GL_RULES, "gardrt", &f.diags));
    ck_assert_str_eq(f.diags.list.items[2].message, "no rule pack is called 'gardrt'");
    ck_assert_str_eq(f.diags.list.items[2].hint, "did you mean 'guardrt'?");
    ck_assert(!gl_rules_load_all(f.rules, "./no-such-folder", &f.diags));
    ck_assert_str_eq(f.diags.list.items[3].file, "./no-such-folder");
    fixture_free(&f);
}
END_TEST

// ---- what is read ----------------------------------------------------------------------------------------

START_TEST(slots_are_read)
{
    struct fixture f = fixture_make();
    load_right(
        &f, "x.yaml",
        EFFECT("acquire: {target: \"*arg3\", of: arg0, stream: arg1, access: read-write, release: event, "
               "pointer: result, when: success, if: \"arg2 != -1\"}\n"
               "      - launch: {stream: stream-of(this), reads: arg1, writes: [arg2, \"arg3[]\"], "
               "params: args2}\n"
               "      - {create: {target: \"*arg0\", object: stream, flags: non-blocking}}\n"
               "      - pure"));
    const struct gl_call_rule *rule = gl_rules_find_call(f.rules, "f", 4);
    ck_assert_ptr_nonnull(rule);
    ck_assert_uint_eq(rule->line, 3);
    ck_assert_uint_eq(rule->effects.count, 4);
    const struct gl_effect *acquire = &rule->effects.items[0];
    ck_assert_int_eq(acquire->kind, GL_EFFECT_ACQUIRE);
    ck_assert_int_eq(acquire->target.base, GL_TARGET_ARG);
    ck_assert_int_eq(acquire->target.arg, 3);
    ck_assert_uint_eq(acquire->target.step_count, 1);
    ck_assert_int_eq(acquire->from.arg, 0);
    ck_assert_int_eq(acquire->access, GL_ACCESS_READ_WRITE);
    ck_assert_int_eq(acquire->release, GL_RELEASE_EVENT);
    ck_assert_int_eq(acquire->when, GL_WHEN_RESULT_ZERO);
    ck_assert_int_eq(acquire->condition.kind, GL_COND_NOT_EQUAL);
    ck_assert_int_eq(acquire->condition.value, -1);
    ck_assert_uint_eq(acquire->line, 5);
    const struct gl_effect *launch = &rule->effects.items[1];
    ck_assert_int_eq(launch->stream.base, GL_TARGET_STREAM_OF_HANDLE);
    ck_assert_int_eq(launch->stream.arg, -1);
    ck_assert_uint_eq(launch->reads.count, 1);
    ck_assert_uint_eq(launch->writes.count, 2);
    ck_assert_int_eq(launch->params.base, GL_TARGET_ALL_ARGS);
    ck_assert_int_eq(launch->params.arg, 2);
    ck_assert_str_eq(rule->effects.items[2].flags_word, "non-blocking");
    ck_assert_int_eq(rule->effects.items[3].kind, GL_EFFECT_PURE);
    fixture_free(&f);
}
END_TEST

START_TEST(success_may_be_a_result_that_is_not_zero)
{
    struct fixture f = fixture_make();
    load_right(&f, "x.yaml",
               "library: x\n"
               "calls:\n"
               "  - {name: f, effects: [{release: {target: arg0, when: success}}, "
               "{release: {target: arg0, when: failure}}, {release: {target: arg0, when: result-zero}}]}\n"
               "success: nonzero\n");
    const struct gl_call_rule *rule = gl_rules_find_call(f.rules, "f", 1);
    ck_assert_int_eq(rule->effects.items[0].when, GL_WHEN_RESULT_NONZERO);
    ck_assert_int_eq(rule->effects.items[1].when, GL_WHEN_RESULT_ZERO);
    ck_assert_int_eq(rule->effects.items[2].when, GL_WHEN_RESULT_ZERO);
    fixture_free(&f);
}
END_TEST

START_TEST(examples_keep_their_lines)
{
    struct fixture f = fixture_make();
    load_right(&f, "x.yaml",
               "library: x\nprelude: |\n  int f(void);\nexamples:\n  - name: e\n    language: c\n"
               "    code: |\n      int g(void)\n      { return f(); }\n");
    const struct gl_ruleset_file *file = gl_rules_file_at(f.rules, 0);
    ck_assert_str_eq(file->path, "x.yaml");
    ck_assert_str_eq(file->prelude, "int f(void);\n");
    ck_assert_uint_eq(file->examples.count, 1);
    ck_assert_str_eq(file->examples.items[0].code, "int g(void)\n{ return f(); }\n");
    ck_assert_uint_eq(file->examples.items[0].line, 8);
    ck_assert_str_eq(file->examples.items[0].language, "c");
    fixture_free(&f);
}
END_TEST

START_TEST(types_have_roles)
{
    struct fixture f = fixture_make();
    load_right(&f, "x.yaml",
               "library: x\ntypes:\n"
               "  - {names: [\"n::a\", \"n::b\"], role: owner, release: host-immediate, deleter: 1}\n"
               "  - {name: g, role: state-guard, state: device}\n");
    load_right(&f, "y.yaml", "library: y\ntypes: [{name: \"n::a\", role: view}]\n");
    ck_assert_int_eq(gl_rules_find_type(f.rules, "n::b")->role, GL_ROLE_OWNER);
    ck_assert_int_eq(gl_rules_find_type(f.rules, "n::b")->deleter, 1);
    ck_assert_int_eq(gl_rules_find_type(f.rules, "n::a")->role, GL_ROLE_VIEW);
    ck_assert_int_eq(gl_rules_find_type(f.rules, "n::a")->deleter, -1);
    ck_assert_str_eq(gl_rules_find_type(f.rules, "g")->state, "device");
    ck_assert_ptr_null(gl_rules_find_type(f.rules, "a"));
    fixture_free(&f);
}
END_TEST

// ---- look-ups --------------------------------------------------------------------------------------------

static const char *source_of(const struct fixture *f, const char *name, size_t arg_count)
{
    const struct gl_call_rule *rule = gl_rules_find_call(f->rules, name, arg_count);
    return rule ? rule->source : NULL;
}

static const char base_file[] = "library: base\n"
                                "calls:\n"
                                "  - {name: f, source: any, effects: []}\n"
                                "  - {name: f, arity: 2, source: two, effects: []}\n"
                                "  - {name: \"lib*gemm*\", source: gemm, effects: []}\n"
                                "  - {name: \"lib*\", source: lib, effects: []}\n"
                                "  - {name: libDgemm, source: exact, effects: []}\n"
                                "  - {name: g, variants: [_v2, _ptsz], source: g, effects: []}\n";

START_TEST(names_arities_and_patterns)
{
    struct fixture f = fixture_make();
    load_right(&f, "base.yaml", base_file);
    ck_assert_str_eq(source_of(&f, "f", 2), "two");
    ck_assert_str_eq(source_of(&f, "f", 3), "any");
    ck_assert_str_eq(source_of(&f, "libDgemm", 1), "exact");
    ck_assert_str_eq(source_of(&f, "libSgemm_v2", 1), "gemm");
    ck_assert_str_eq(source_of(&f, "libCreate", 1), "lib");
    ck_assert_str_eq(source_of(&f, "g_v2", 0), "g");
    ck_assert_str_eq(source_of(&f, "g_ptsz", 0), "g");
    ck_assert_ptr_null(source_of(&f, "g_v3", 0));
    ck_assert_ptr_null(source_of(&f, "lib::x", 0));
    ck_assert_ptr_null(source_of(&f, "mylib", 0));
    fixture_free(&f);
}
END_TEST

START_TEST(later_files_win)
{
    struct fixture f = fixture_make();
    load_right(&f, "base.yaml", base_file);
    load_right(&f, "own.yaml",
               "library: own\ncalls:\n"
               "  - {name: f, source: own, effects: []}\n"
               "  - {name: \"lib*\", source: own-lib, effects: []}\n");
    ck_assert_str_eq(source_of(&f, "f", 2), "own");
    ck_assert_str_eq(source_of(&f, "libSgemm", 1), "own-lib");
    ck_assert_str_eq(source_of(&f, "libDgemm", 1), "exact"); // an exact name still beats any pattern
    load_right(&f, "any.yaml", "library: any\ncalls:\n  - {name: \"*Sgemm\", source: any, effects: []}\n");
    ck_assert_str_eq(source_of(&f, "libSgemm", 1), "any");
    ck_assert_str_eq(source_of(&f, "ourSgemm", 1), "any");
    ck_assert_str_eq(source_of(&f, "libSgemv", 1), "own-lib");
    fixture_free(&f);
}
END_TEST

START_TEST(operators_are_no_patterns)
{
    struct fixture f = fixture_make();
    load_right(&f, "x.yaml", "library: x\ncalls: [{name: \"n::p::operator*\", source: star, effects: []}]\n");
    ck_assert_str_eq(source_of(&f, "n::p::operator*", 0), "star");
    ck_assert_ptr_null(source_of(&f, "n::p::operator*=", 0));
    ck_assert_ptr_null(source_of(&f, "n::p::operator->", 0));
    load_right(&f, "y.yaml",
               "library: y\ncalls: [{name: \"n::p::operator *\", source: conversion, effects: []}]\n");
    ck_assert_str_eq(source_of(&f, "n::p::operator CUstream_st *", 0), "conversion");
    ck_assert_str_eq(source_of(&f, "n::p::operator bool", 0), "conversion");
    ck_assert_str_eq(source_of(&f, "n::p::operator*", 0), "star");
    fixture_free(&f);
}
END_TEST

START_TEST(methods_by_last_name)
{
    struct fixture f = fixture_make();
    load_right(&f, "x.yaml",
               "library: x\ncalls:\n"
               "  - {names: [\"a::T::ptr\", \"b::U::ptr\"], effects: [{derive: {to: result, from: this}}]}\n"
               "  - {name: \"c::V::ptr\", arity: 1, effects: [{derive: {to: result, from: arg0}}]}\n"
               "  - {name: \"d::W::ptr\", effects: [{derive: {to: result, from: this}}]}\n"
               "  - {name: \"d::W::operator*\", effects: [pure]}\n"
               "  - {name: plain, effects: [pure]}\n");
    const struct gl_call_rule *found = gl_rules_find_method(f.rules, "ptr", 0);
    ck_assert_ptr_nonnull(found); // several classes, one meaning
    ck_assert_str_eq(found->effects.items[0].from.text, "this");
    ck_assert_ptr_null(gl_rules_find_method(f.rules, "ptr", 1)); // two meanings
    ck_assert_ptr_nonnull(gl_rules_find_method(f.rules, "operator*", 0));
    ck_assert_ptr_null(gl_rules_find_method(f.rules, "plain", 0));
    ck_assert_ptr_null(gl_rules_find_method(f.rules, "T::ptr", 0));
    fixture_free(&f);
}
END_TEST

START_TEST(irrelevant_functions)
{
    struct fixture f = fixture_make();
    load_right(&f, "x.yaml", "library: x\nirrelevant: [f, \"get*\"]\n");
    ck_assert(gl_rules_is_irrelevant(f.rules, "f"));
    ck_assert(gl_rules_is_irrelevant(f.rules, "getName"));
    ck_assert(!gl_rules_is_irrelevant(f.rules, "g"));
    fixture_free(&f);
}
END_TEST

int main(void)
{
    TCase *errors = tcase_create("mistakes");
    tcase_add_loop_test(errors, mistake_is_reported_at_its_place, 0, (int)GL_COUNT(mistakes));
    tcase_add_test(errors, all_mistakes_of_a_file_are_reported);
    tcase_add_test(errors, a_bad_file_leaves_the_others_alone);
    tcase_add_test(errors, a_file_that_is_not_there);
    TCase *reading = tcase_create("reading");
    tcase_add_test(reading, slots_are_read);
    tcase_add_test(reading, success_may_be_a_result_that_is_not_zero);
    tcase_add_test(reading, examples_keep_their_lines);
    tcase_add_test(reading, types_have_roles);
    TCase *lookups = tcase_create("look-ups");
    tcase_add_test(lookups, names_arities_and_patterns);
    tcase_add_test(lookups, later_files_win);
    tcase_add_test(lookups, operators_are_no_patterns);
    tcase_add_test(lookups, methods_by_last_name);
    tcase_add_test(lookups, irrelevant_functions);
    Suite *suite = suite_create("rules");
    suite_add_tcase(suite, errors);
    suite_add_tcase(suite, reading);
    suite_add_tcase(suite, lookups);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
