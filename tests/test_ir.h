// SPDX-License-Identifier: Apache-2.0
// What the suites about the IR share: a program with its strings and diagnostics, and text to and from it.
#ifndef GL_TEST_IR_H
#define GL_TEST_IR_H

#include "ir/check.h"
#include "ir/text.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

struct test_ir {
    struct gl_strings *strings;
    struct gl_ir_program *program;
    struct gl_diags diags;
};

static inline struct test_ir test_ir_create(void)
{
    struct test_ir ir = {.strings = gl_strings_create()};
    ir.program = gl_ir_program_create(ir.strings);
    return ir;
}

static inline void test_ir_destroy(struct test_ir *ir)
{
    gl_diags_free(&ir->diags);
    gl_ir_program_destroy(ir->program);
    gl_strings_destroy(ir->strings);
}

static inline bool test_ir_parse(struct test_ir *ir, const char *text)
{
    return gl_ir_parse(ir->program, "test.gir", text, strlen(text), &ir->diags);
}

// The text must parse.
static inline struct test_ir test_ir_read(const char *text)
{
    struct test_ir ir = test_ir_create();
    if (!test_ir_parse(&ir, text))
        gl_diags_print(&ir.diags, stderr);
    ck_assert_uint_eq(ir.diags.errors, 0);
    return ir;
}

// All units of the program as text, to be freed.
static inline char *test_ir_text(struct test_ir *ir)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(stream);
    for (size_t i = 0; i < gl_ir_unit_count(ir->program); i++)
        ck_assert(gl_ir_print_unit(ir->program, gl_ir_unit_at(ir->program, i), stream));
    fclose(stream);
    return text;
}

static inline struct gl_ir_decl *test_ir_decl(const struct test_ir *ir, const char *usr)
{
    struct gl_ir_decl *found = NULL;
    for (size_t i = 0; i < gl_ir_decl_count(ir->program); i++) {
        if (strcmp(gl_ir_decl_at(ir->program, i)->usr, usr) == 0)
            found = gl_ir_decl_at(ir->program, i);
    }
    ck_assert_msg(found != NULL, "no declaration of %s", usr);
    return found;
}

static inline int test_ir_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
