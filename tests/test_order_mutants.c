// SPDX-License-Identifier: Apache-2.0
// Moves or deletes one record, wait, synchronisation, free or release at a time in the correct functions of
// testdata/mutants; the oracle says which of the results are broken, and the analysis must find those and no
// others.
#include "checks/checks.h"
#include "ir/text.h"
#include "oracle.h"
#include "suite.h"

enum { LEAST_FUNCTIONS = 40, LEAST_FOUND_PERCENT = 95 };

enum change { CHANGE_NONE, CHANGE_UP, CHANGE_DOWN, CHANGE_DELETE, CHANGE_COUNT };

static const char *const change_names[CHANGE_COUNT] = {"", "moved up", "moved down", "deleted"};

// What is moved; what only gives memory back is not deleted, since a leak is no broken order.
static const struct {
    const char *name;
    bool is_deleted;
} targets[] = {
    {"cudaEventRecord", true},       {"cudaStreamWaitEvent", true},
    {"cudaStreamSynchronize", true}, {"cudaEventSynchronize", true},
    {"cudaDeviceSynchronize", true}, {"cudaFree", false},
    {"cudaFreeAsync", false},        {"guard_end", true},
};

struct tally {
    unsigned functions, mutants, broken, found, flagged_though_fine, flagged_originals;
};

static char *ir_text;

static void ir_lower(void)
{
    static char output[GL_TEST_TEXT], command[4096];
    char path[] = "/tmp/guardlint-mutants-XXXXXX";
    int handle = mkstemp(path);
    ck_assert_int_ge(handle, 0);
    close(handle);
    snprintf(command, sizeof command, "%s lower %s/mutants/pipelines.cu -o %s", GL_GUARDLINT, GL_TESTDATA,
             path);
    ck_assert_msg(command_run(command, output) == 0, "%s", output);
    FILE *stream = fopen(path, "rb");
    ck_assert_ptr_nonnull(stream);
    enum { LARGEST = 1 << 20 };
    ir_text = calloc(1, LARGEST);
    ck_assert_ptr_nonnull(ir_text);
    ck_assert_uint_lt(fread(ir_text, 1, LARGEST - 1, stream), LARGEST - 1);
    fclose(stream);
    remove(path);
}

static struct gl_rules *rules_load(struct gl_strings *strings)
{
    struct gl_diags diags = {0};
    struct gl_rules *rules = gl_rules_create(strings);
    ck_assert(gl_rules_load_all(rules, GL_RULES, &diags));
    ck_assert(gl_rules_load_file(rules, GL_TESTDATA "/mutants/guards.yaml", &diags));
    gl_diags_free(&diags);
    return rules;
}

static bool is_statement(const struct gl_ir_instr *instr)
{
    return instr->op == GL_IR_CALL || instr->op == GL_IR_LAUNCH;
}

static int target_of(const struct gl_ir_instr *instr)
{
    for (size_t i = 0; instr->op == GL_IR_CALL && instr->callee && i < GL_COUNT(targets); i++)
        if (strcmp(instr->callee->name, targets[i].name) == 0)
            return (int)i;
    return -1;
}

static void instr_move(struct gl_ir_block *block, size_t from, size_t to)
{
    struct gl_ir_instr moved = block->instrs.items[from];
    struct gl_ir_instr *items = block->instrs.items;
    if (from < to)
        memmove(&items[from], &items[from + 1], (to - from) * sizeof *items);
    else
        memmove(&items[to + 1], &items[to], (from - to) * sizeof *items);
    items[to] = moved;
}

// Returns false if the change does not apply to the instruction.
static bool change_apply(struct gl_ir_block *block, size_t at, enum change change)
{
    size_t to = at;
    switch (change) {
    case CHANGE_UP:
        while (to-- > 0 && !is_statement(&block->instrs.items[to]))
            continue;
        if (to == (size_t)-1)
            return false;
        instr_move(block, at, to);
        return true;
    case CHANGE_DOWN:
        for (to = at + 1; to < block->instrs.count && !is_statement(&block->instrs.items[to]); to++)
            continue;
        if (to == block->instrs.count)
            return false;
        instr_move(block, at, to);
        return true;
    case CHANGE_DELETE:
        if (!targets[target_of(&block->instrs.items[at])].is_deleted)
            return false;
        memmove(&block->instrs.items[at], &block->instrs.items[at + 1],
                (block->instrs.count - at - 1) * sizeof *block->instrs.items);
        block->instrs.count--;
        return true;
    default:
        return true;
    }
}

static struct gl_ir_program *program_read(struct gl_strings *strings)
{
    struct gl_diags diags = {0};
    struct gl_ir_program *program = gl_ir_program_create(strings);
    ck_assert(gl_ir_parse(program, "pipelines.gir", ir_text, strlen(ir_text), &diags));
    gl_diags_free(&diags);
    return program;
}

static bool is_flagged(struct gl_ir_program *program, const struct gl_rules *rules, const char *function)
{
    struct gl_findings findings = {0};
    struct gl_analysis_stats stats;
    gl_analyze(program, rules, &(struct gl_analysis_options){.enabled = NULL}, &findings, &stats);
    bool is_found = false;
    for (size_t i = 0; i < findings.list.count; i++)
        is_found |= strcmp(findings.list.items[i].function, function) == 0;
    gl_findings_free(&findings);
    return is_found;
}

static const struct gl_ir_func *function_at(struct gl_ir_program *program, size_t index)
{
    const struct gl_ir_unit *unit = gl_ir_unit_at(program, 0);
    return index < unit->funcs.count ? unit->funcs.items[index] : NULL;
}

// One function with one change. Returns false if there is no such function, instruction or change.
static bool mutant_run(struct gl_strings *strings, const struct gl_rules *rules, size_t function, size_t at,
                       enum change change, struct tally *tally)
{
    struct gl_ir_program *program = program_read(strings);
    const struct gl_ir_func *func = function_at(program, function);
    struct gl_ir_block *block = func->blocks.items[0];
    const char *target = change == CHANGE_NONE ? "" : block->instrs.items[at].callee->name;
    unsigned line = block->instrs.items[at].loc.line;
    bool is_changed = change_apply(block, at, change);
    enum oracle_verdict verdict = is_changed ? oracle_decide(func) : ORACLE_SENSELESS;
    bool flagged = verdict != ORACLE_SENSELESS && is_flagged(program, rules, func->decl->name);
    if (change == CHANGE_NONE) {
        ck_assert_msg(verdict == ORACLE_FINE, "%s is not correct to begin with", func->decl->name);
        tally->functions++;
        tally->flagged_originals += flagged;
        if (flagged)
            printf("original flagged: %s\n", func->decl->name);
    } else if (verdict != ORACLE_SENSELESS) {
        tally->mutants++;
        tally->broken += verdict == ORACLE_BROKEN;
        tally->found += verdict == ORACLE_BROKEN && flagged;
        tally->flagged_though_fine += verdict == ORACLE_FINE && flagged;
        if (flagged != (verdict == ORACLE_BROKEN))
            printf("%s: %s, line %u: %s %s\n", flagged ? "flagged though fine" : "missed", func->decl->name,
                   line, target, change_names[change]);
    }
    gl_ir_program_destroy(program);
    return is_changed;
}

static void mutants_of(struct gl_strings *strings, const struct gl_rules *rules,
                       const struct gl_ir_func *func, size_t function, struct tally *tally)
{
    const struct gl_ir_block *block = func->blocks.items[0];
    mutant_run(strings, rules, function, 0, CHANGE_NONE, tally);
    for (size_t at = 0; at < block->instrs.count; at++)
        for (int change = CHANGE_UP; target_of(&block->instrs.items[at]) >= 0 && change < CHANGE_COUNT;
             change++)
            mutant_run(strings, rules, function, at, (enum change)change, tally);
}

START_TEST(every_broken_mutant_is_found)
{
    struct gl_strings *strings = gl_strings_create();
    struct gl_rules *rules = rules_load(strings);
    ir_lower();
    struct tally tally = {0};
    struct gl_ir_program *program = program_read(strings);
    const struct gl_ir_func *func;
    for (size_t i = 0; (func = function_at(program, i)) != NULL; i++)
        if (!(func->decl->flags & GL_DECL_KERNEL))
            mutants_of(strings, rules, func, i, &tally);
    gl_ir_program_destroy(program);
    printf("%u functions, %u mutants, %u broken, %u of them found; %u that are fine flagged, %u originals "
           "flagged\n",
           tally.functions, tally.mutants, tally.broken, tally.found, tally.flagged_though_fine,
           tally.flagged_originals);
    ck_assert_uint_ge(tally.functions, LEAST_FUNCTIONS);
    ck_assert_uint_eq(tally.flagged_originals, 0);
    ck_assert_uint_eq(tally.flagged_though_fine, 0);
    ck_assert_uint_ge(tally.found * 100, tally.broken * LEAST_FOUND_PERCENT);
    free(ir_text);
    gl_rules_destroy(rules);
    gl_strings_destroy(strings);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("order mutants");
    TCase *tests = tcase_create("mutants");
    tcase_set_timeout(tests, 240);
    tcase_add_test(tests, every_broken_mutant_is_found);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
