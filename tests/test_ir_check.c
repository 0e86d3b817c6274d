// SPDX-License-Identifier: Apache-2.0
// The IR checker: each invariant once kept and once broken, from IR text; and that big functions are no
// trouble.
#include "ir/varset.h"
#include "test_ir.h"

// NULL: the text is sound. Else what one of the messages says, and on which line.
static const struct check_case {
    const char *text;
    const char *message;
    unsigned line;
} cases[] = {
    // blocks
    {"gir 1\nfunc \"f\"\n return\n", NULL, 0},
    {"gir 1\nfunc \"f\"\n", "the function has no block", 2},
    {"gir 1\nfunc \"f\"\na:\nb:\n return\n", "bb0: the block is empty", 2},
    {"gir 1\nfunc \"f\"\n return\n return\n", "bb0: return: stands inside of a block", 3},
    {"gir 1\nfunc \"f\"\n call \"g\" ()\n", "call: the block goes on to nowhere", 3},
    {"gir 1\nfunc \"f\"\n branch ? a b\na:\n jump a\nb:\n stop\n", NULL, 0},
    // shapes
    {"gir 1\nfunc \"f\"\n param %x i32\n switch %x {1: a, -2: a} b\na:\n stop\nb:\n return %x\n", NULL, 0},
    // variables
    {"gir 1\nfunc \"f\"\n param %x\n begin %x\n return\n", "'x' is a parameter", 4},
    {"gir 1\nfunc \"f\"\n begin @\"g\"\n return\n", "'g' is a global", 3},
    {"gir 1\nfunc \"f\"\n var %x i32 static\n end %x\n return\n", "'x' is static", 4},
    {"gir 1\nfunc \"f\"\n var %x i32 static\n copy %x = @\"g\"\n return\n", NULL, 0},
    // places
    {"gir 1\nfunc \"f\"\n param %x i32\n copy %x.f = #1\n return\n", "field of the variable 'x'", 4},
    {"gir 1\nfunc \"f\"\n param %x \"t\"={\"r\"}\n copy %x.f = #1\n return\n", NULL, 0},
    {"gir 1\nfunc \"f\"\n param %x {\"r\"}\n copy %x* = #1\n return\n", "dereference of the variable 'x'", 4},
    {"gir 1\nfunc \"f\"\n param %x *f32\n copy %x[1] = #1\n return\n", "element of the variable 'x'", 4},
    {"gir 1\nfunc \"f\"\n param %x *f32\n param %i u64\n copy %x*[%i] = #1\n return\n", NULL, 0},
    {"gir 1\nfunc \"f\"\n param %x u64\n copy %x*.f[?] = #1\n return\n", NULL, 0},
    // calls
    {"gir 1\ndecl \"g\" (i32)\nfunc \"f\"\n call \"g\" (#1, #2)\n return\n", "g takes 1 arguments, 2 are given", 4},
    {"gir 1\ndecl \"g\" (i32)\nfunc \"f\"\n call \"g\" (#1)\n return\n", NULL, 0},
    {"gir 1\ndecl \"g\" (i32) [method]\nfunc \"f\"\n call \"g\" (#1, #2, #3)\n return\n", "g takes 2 arguments", 4},
    {"gir 1\ndecl \"g\" (i32) [method]\nfunc \"f\"\n call \"g\" (?, #1)\n return\n", NULL, 0},
    {"gir 1\ndecl \"g\" (i32, ...)\nfunc \"f\"\n call \"g\" (#1, #2)\n return\n", NULL, 0},
    {"gir 1\ndecl \"g\"\nfunc \"f\"\n call \"g\" (#1, #2)\n return\n", NULL, 0},
    {"gir 1\ndecl \"g\" () [template]\nfunc \"f\"\n call \"g\" (#1, #2)\n return\n", NULL, 0},
    {"gir 1\ndecl \"k\" (i32)\nfunc \"f\"\n launch \"k\" <#1, #1> (#1, #2)\n return\n", "launch: k takes 1", 4},
    {"gir 1\ndecl \"g\" () -> void\nfunc \"f\"\n temp %x\n call %x = \"g\" ()\n return\n", "returns nothing",
     5},
    {"gir 1\ndecl \"f\" () -> void\nfunc \"f\"\n return #1\n", "the function returns nothing", 4},
    {"gir 1\ndecl \"f\" () -> i32\nfunc \"f\"\n return\n", NULL, 0},
    {"gir 1\ndecl \"f\" (i32)\nfunc \"f\"\n return\n", "the body has 0 parameters, its declaration 1", 3},
    {"gir 1\ndecl \"f\" (i32) [method]\nfunc \"f\"\n param %this\n param %x\n return\n", NULL, 0},
    // lives
    {"gir 1\nfunc \"f\"\n var %x i32\n copy %x = #1\n return\n", "'x' (number 0) is used, but its life never",
     4},
    {"gir 1\nfunc \"f\"\n temp %x i32\n copy %x = #1\n return %x\n", NULL, 0},
    {"gir 1\nfunc \"f\"\n temp %x i32\n copy %x = #1\n begin %x\n return\n", "is used where it is not alive",
     4},
    {"gir 1\nfunc \"f\"\n var %x i32\n begin %x\n copy %x = #1\n end %x\n return\n", NULL, 0},
    {"gir 1\nfunc \"f\"\n var %x i32\n begin %x\n return %x\n", NULL, 0},
    {"gir 1\nfunc \"f\"\n var %x i32\n begin %x\n end %x\n return %x\n", "is used where it is not alive", 6},
    {"gir 1\nfunc \"f\"\n var %x i32\n begin %x\n end %x\n end %x\n return\n", "ends where it is not alive",
     6},
    {"gir 1\nfunc \"f\"\n var %x i32\n begin %x\n begin %x\n return\n", "begins while it is alive", 5},
    {"gir 1\nfunc \"f\"\n var %x i32\n branch ? a b\na:\n begin %x\n jump b\nb:\n return %x\n",
     "is used where it is not alive on every path", 9},
    {"gir 1\nfunc \"f\"\n var %x i32\n branch ? a b\na:\n begin %x\n jump c\nb:\n begin %x\n jump c\nc:\n "
     "return %x\n",
     NULL, 0},
    {"gir 1\nfunc \"f\"\n var %i i32\n begin %i\nloop:\n jump loop\n", "the block goes on to nowhere", 4},
    {"gir 1\nfunc \"f\"\n var %x i32\n jump loop\nloop:\n begin %x\n copy %x = #1\n end %x\n branch ? loop "
     "out\n"
     "out:\n return\n",
     NULL, 0},
    {"gir 1\nfunc \"f\"\n var %x i32\n begin %x\n jump loop\nloop:\n copy %x = #1\n end %x\n branch ? loop "
     "out\n"
     "out:\n return\n",
     "is used where it is not alive on every path", 7},
    {"gir 1\nfunc \"f\"\n var %x i32\n begin %x\n switch ? {1: a, 2: b} b\na:\n end %x\n jump b\nb:\n return "
     "%x\n",
     "is used where it is not alive on every path", 10},
    {"gir 1\nfunc \"f\"\n param %p *i32\n var %x i32\n copy %p*[%x] = #1\n return\n",
     "'x' (number 1) is used", 5},
    {"gir 1\nfunc \"f\"\n var %x i32\n call indirect %x (#1)\n return\n", "'x' (number 0) is used", 4},
    {"gir 1\nfunc \"f\"\n var %x i32\n launch \"k\" <#1, #1, #0, &%x> ()\n return\n",
     "'x' (number 0) is used", 4},
    // dead code is not judged
    {"gir 1\nfunc \"f\"\n var %x i32\n begin %x\n end %x\n return\ndead:\n return %x\n", NULL, 0},
};

static bool says(const struct gl_diags *diags, const struct check_case *expected)
{
    for (size_t i = 0; i < diags->list.count; i++) {
        const struct gl_diag *diag = &diags->list.items[i];
        if (strstr(diag->message, expected->message) && diag->line == expected->line && diag->column)
            return true;
    }
    return false;
}

START_TEST(invariant)
{
    const struct check_case *expected = &cases[_i];
    struct test_ir ir = test_ir_read(expected->text);
    bool is_sound = gl_ir_check_unit(gl_ir_unit_at(ir.program, 0), &ir.diags);
    if (is_sound != !expected->message || (expected->message && !says(&ir.diags, expected))) {
        gl_diags_print(&ir.diags, stderr);
        ck_abort_msg("%s\nexpected: %s", expected->text, expected->message ? expected->message : "no error");
    }
    test_ir_destroy(&ir);
}
END_TEST

// ---- what text cannot say --------------------------------------------------------------------------------

struct built {
    struct test_ir ir;
    struct gl_ir_func *func, *other;
    struct gl_ir_block *block;
    struct gl_ir_var *var, *other_var;
};

static struct built build(void)
{
    struct built built = {
        .ir = test_ir_read("gir 1\nfunc \"f\"\n param %x\n return\nfunc \"g\"\n param %y\n stop\n")};
    built.func = test_ir_decl(&built.ir, "f")->body;
    built.other = test_ir_decl(&built.ir, "g")->body;
    built.var = built.func->vars.items[0];
    built.other_var = built.other->vars.items[0];
    built.block = built.func->blocks.items[0];
    return built;
}

// Puts the instruction before the RETURN of "f" and checks.
static void expect_broken(struct gl_ir_instr instr, const char *message)
{
    struct built built = build();
    struct gl_ir_instr last = built.block->instrs.items[0];
    built.block->instrs.count = 0;
    bool is_terminator = gl_ir_op_is_terminator(instr.op);
    gl_ir_append(built.block, &instr);
    if (!is_terminator)
        gl_ir_append(built.block, &last);
    ck_assert(!gl_ir_check_func(built.func, &built.ir.diags));
    ck_assert_msg(strstr(built.ir.diags.list.items[0].message, message) != NULL, "%s instead of: %s",
                  built.ir.diags.list.items[0].message, message);
    test_ir_destroy(&built.ir);
}

START_TEST(shapes_that_only_a_builder_makes)
{
    struct gl_ir_operand one = gl_ir_operand_integer(1);
    struct gl_ir_operand nowhere = {.kind = GL_OPERAND_PLACE};
    struct gl_ir_operand no_function = {.kind = GL_OPERAND_FUNCTION};
    struct gl_ir_case no_target = {.value = 1};
    expect_broken((struct gl_ir_instr){.op = GL_IR_BEGIN}, "has no variable");
    expect_broken((struct gl_ir_instr){.op = GL_IR_COPY, .args = &one, .arg_count = 1}, "has no destination");
    expect_broken((struct gl_ir_instr){.op = GL_IR_JUMP}, "has no target");
    expect_broken((struct gl_ir_instr){.op = GL_IR_LAUNCH, .name = "k"}, "has no launch configuration");
    expect_broken((struct gl_ir_instr){.op = GL_IR_UNKNOWN}, "has no name");
    expect_broken((struct gl_ir_instr){.op = GL_IR_STOP, .args = &one, .arg_count = 1}, "has 1 operands");
    expect_broken((struct gl_ir_instr){.op = GL_IR_UNKNOWN, .name = "?", .target = one}, "has a callee");
    expect_broken((struct gl_ir_instr){.op = GL_IR_CALL, .name = "g", .args = &nowhere, .arg_count = 1},
                  "a place without a variable");
    expect_broken((struct gl_ir_instr){.op = GL_IR_CALL, .name = "g", .args = &no_function, .arg_count = 1},
                  "the address of no function");
    expect_broken(
        (struct gl_ir_instr){
            .op = GL_IR_SWITCH, .args = &one, .arg_count = 1, .cases = &no_target, .case_count = 1},
        "has no target");
}
END_TEST

START_TEST(parts_of_another_function)
{
    struct built built = build();
    struct gl_ir_operand foreign = gl_ir_operand_place(gl_ir_place_var(built.other_var));
    built.block->instrs.count = 0;
    gl_ir_append(built.block, &(struct gl_ir_instr){
                                  .op = GL_IR_BRANCH,
                                  .args = &foreign,
                                  .arg_count = 1,
                                  .targets = {built.block, built.other->blocks.items[0]},
                              });
    ck_assert(!gl_ir_check_func(built.func, &built.ir.diags));
    ck_assert_uint_eq(built.ir.diags.errors, 2);
    ck_assert_ptr_nonnull(strstr(built.ir.diags.list.items[0].message, "'y' of another function"));
    ck_assert_ptr_nonnull(strstr(built.ir.diags.list.items[1].message, "a block of another function"));
    test_ir_destroy(&built.ir);
}
END_TEST

// ---- size ------------------------------------------------------------------------------------------------

// A function with as many blocks as variables, all alive to the end: sets that are not shared would be
// quadratic, in time and in memory.
START_TEST(big_function)
{
    enum { COUNT = 20000 };
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    fputs("gir 1\nfunc \"f\"\n", stream);
    for (int i = 0; i < COUNT; i++)
        fprintf(stream, " var %%v%d i32\n", i);
    for (int i = 0; i < COUNT; i++)
        fprintf(stream, "b%d:\n begin %%v%d\n copy %%v%d = %%v%d\n branch ? b%d s%d\ns%d:\n jump b%d\n", i, i,
                i, i / 2, i + 1, i, i, i + 1);
    fprintf(stream, "b%d:\n return %%v%d\n", COUNT, COUNT / 3);
    fclose(stream);
    struct test_ir ir = test_ir_read(text);
    free(text);
    ck_assert(gl_ir_check_unit(gl_ir_unit_at(ir.program, 0), &ir.diags));
    test_ir_destroy(&ir);
}
END_TEST

// A back edge from every block, each with one variable less, takes as many rounds as there are blocks to
// settle.
START_TEST(tangled_function)
{
    enum { COUNT = 5000 };
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    fputs("gir 1\nfunc \"f\"\n", stream);
    for (int i = 0; i < COUNT; i++)
        fprintf(stream, " var %%v%d\n begin %%v%d\n", i, i);
    fputs(" jump a0\n", stream);
    for (int i = 0; i < COUNT; i++)
        fprintf(stream, "a%d:\n branch ? a%d z%d\nz%d:\n end %%v%d\n jump a%d\n", i, i + 1, i, i, i,
                i ? i - 1 : 0);
    fprintf(stream, "a%d:\n stop\n", COUNT);
    fclose(stream);
    struct test_ir ir = test_ir_read(text);
    free(text);
    ck_assert(!gl_ir_check_unit(gl_ir_unit_at(ir.program, 0), &ir.diags));
    ck_assert_ptr_nonnull(strstr(ir.diags.list.items[0].message, "paths disagree"));
    test_ir_destroy(&ir);
}
END_TEST

// Random changes and meets, against plain arrays.
START_TEST(variable_sets)
{
    enum { IDS = 1000, SETS = 8, STEPS = 20000 };
    static bool plain[SETS][IDS];
    struct gl_arena arena = {0};
    struct gl_varsets sets = {0};
    const struct gl_varset *shared[SETS];
    uint64_t random = (uint64_t)_i + 1;
    memset(plain, 0, sizeof plain);
    gl_varsets_init(&sets, &arena, IDS);
    for (int i = 0; i < SETS; i++)
        shared[i] = gl_varset_empty();
    for (int step = 0; step < STEPS; step++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        unsigned to = (unsigned)(random >> 60) % SETS, from = (unsigned)(random >> 50) % SETS;
        unsigned id = (unsigned)(random >> 30) % IDS;
        bool is_meet = (random >> 40) % 50 == 0, is_added = (random >> 41) % 3 != 0;
        if (is_meet) {
            shared[to] = gl_varset_meet(&sets, shared[to], shared[from]);
            for (int i = 0; i < IDS; i++)
                plain[to][i] = plain[to][i] && plain[from][i];
        } else {
            shared[to] =
                is_added ? gl_varset_with(&sets, shared[to], id) : gl_varset_without(&sets, shared[to], id);
            plain[to][id] = is_added;
        }
    }
    for (int i = 0; i < SETS; i++) {
        for (unsigned id = 0; id < IDS; id++)
            ck_assert_int_eq(gl_varset_has(&sets, shared[i], id), plain[i][id]);
        for (int j = 0; j < SETS; j++)
            ck_assert_int_eq(shared[i] == shared[j], memcmp(plain[i], plain[j], sizeof plain[i]) == 0);
    }
    gl_varsets_free(&sets);
    gl_arena_free(&arena);
}
END_TEST

START_TEST(errors_are_bounded)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    fputs("gir 1\n", stream);
    for (int i = 0; i < 200; i++) {
        fprintf(stream, "func \"f%d\"\n", i);
        for (int j = 0; j < 100; j++)
            fprintf(stream, " return\n");
    }
    fclose(stream);
    struct test_ir ir = test_ir_read(text);
    free(text);
    ck_assert(!gl_ir_check_unit(gl_ir_unit_at(ir.program, 0), &ir.diags));
    ck_assert_uint_ge(ir.diags.errors, 20);
    ck_assert_uint_le(ir.diags.errors, 120);
    test_ir_destroy(&ir);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ir_check");
    TCase *tcase = tcase_create("check");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, invariant, 0, (int)GL_COUNT(cases));
    tcase_add_test(tcase, shapes_that_only_a_builder_makes);
    tcase_add_test(tcase, parts_of_another_function);
    tcase_add_test(tcase, big_function);
    tcase_add_test(tcase, tangled_function);
    tcase_add_loop_test(tcase, variable_sets, 0, 4);
    tcase_add_test(tcase, errors_are_bounded);
    suite_add_tcase(suite, tcase);
    return test_ir_run(suite);
}
