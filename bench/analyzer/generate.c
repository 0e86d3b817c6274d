// SPDX-License-Identifier: Apache-2.0
// Writes C sources of any size that use guards correctly: correlated branches, cleanup ladders, loops,
// helpers.
//
//   bench-generate functions COUNT     COUNT functions of about 15 lines each
//   bench-generate branches COUNT      functions with COUNT independent branches between acquire and launch
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char header[] =
    "struct buf;\n"
    "struct stream;\n"
    "struct guard { void *event; struct stream *stream; };\n"
    "const float *buf_begin(struct buf *b, struct stream *s, struct guard *g);\n"
    "int buf_try_begin(struct buf *b, struct stream *s, struct guard *g, const float **out);\n"
    "void buf_end(struct guard *g);\n"
    "int launch(struct stream *s, const float *in, float *out, int n);\n"
    "int prepare(int value);\n"
    "void note(int value);\n";

// Acquire and release hang on the same condition, tested twice and kept in a flag.
static void correlated_write(unsigned i)
{
    printf("int correlated_%u(struct buf *b, float *out, int n, int mode, struct stream *s)\n"
           "{\n"
           "    struct guard g;\n"
           "    const float *in = 0;\n"
           "    int held = 0;\n"
           "    if (mode > %u) {\n"
           "        in = buf_begin(b, s, &g);\n"
           "        held = 1;\n"
           "    }\n"
           "    note(n);\n"
           "    if (mode > %u)\n"
           "        launch(s, in, out, n);\n"
           "    if (held)\n"
           "        buf_end(&g);\n"
           "    return held;\n"
           "}\n\n",
           i, i % 7, i % 7);
}

// Two guards that may fail to be taken, released in reverse order at labels.
static void ladder_write(unsigned i)
{
    printf("int ladder_%u(struct buf *a, struct buf *b, float *out, int n, struct stream *s)\n"
           "{\n"
           "    struct guard ga, gb;\n"
           "    const float *x, *y;\n"
           "    int rc = buf_try_begin(a, s, &ga, &x);\n"
           "    if (rc)\n"
           "        goto out;\n"
           "    rc = buf_try_begin(b, s, &gb, &y);\n"
           "    if (rc)\n"
           "        goto out_a;\n"
           "    rc = prepare(n + %u);\n"
           "    if (rc)\n"
           "        goto out_b;\n"
           "    rc = launch(s, n > 0 ? x : y, out, n);\n"
           "out_b:\n"
           "    buf_end(&gb);\n"
           "out_a:\n"
           "    buf_end(&ga);\n"
           "out:\n"
           "    return rc;\n"
           "}\n\n",
           i, i);
}

static void loop_write(unsigned i)
{
    printf("void loop_%u(struct buf **list, float *out, int n, struct stream *s)\n"
           "{\n"
           "    for (int i = 0; i < n; i++) {\n"
           "        struct guard g;\n"
           "        const float *in = buf_begin(list[i], s, &g);\n"
           "        if (prepare(i + %u) < 0) {\n"
           "            buf_end(&g);\n"
           "            continue;\n"
           "        }\n"
           "        launch(s, in, out + i, 1);\n"
           "        buf_end(&g);\n"
           "        if (i > %u)\n"
           "            break;\n"
           "    }\n"
           "}\n\n",
           i, i, i % 1000);
}

// The release is in a helper; its caller is the next function.
static void helper_write(unsigned i)
{
    printf("static void finish_%u(struct guard *g, int value)\n"
           "{\n"
           "    note(value + %u);\n"
           "    buf_end(g);\n"
           "}\n\n"
           "int user_%u(struct buf *b, float *out, int n, struct stream *s)\n"
           "{\n"
           "    struct guard g;\n"
           "    const float *in = buf_begin(b, s, &g);\n"
           "    int rc = launch(s, in + %u, out, n);\n"
           "    finish_%u(&g, rc);\n"
           "    return rc;\n"
           "}\n\n",
           i, i, i, i % 5, i);
}

static void functions_write(unsigned count)
{
    static void (*const shapes[])(unsigned) = {correlated_write, ladder_write, loop_write, helper_write};
    for (unsigned i = 0; i < count; i++)
        shapes[i % (sizeof shapes / sizeof shapes[0])](i);
}

enum { BRANCH_FUNCTIONS = 200 }; // enough of them to be measured

static void branches_write(unsigned count)
{
    for (unsigned i = 0; i < BRANCH_FUNCTIONS; i++) {
        printf("int branches_%u(struct buf *b, float *out, const int *c, int n, struct stream *s)\n"
               "{\n"
               "    struct guard g;\n"
               "    int sum = 0;\n"
               "    const float *in = buf_begin(b, s, &g);\n",
               i);
        for (unsigned k = 0; k < count; k++)
            printf("    if (c[%u] > %u)\n        sum += prepare(%u);\n    else\n        note(sum);\n", k, i,
                   k);
        printf("    launch(s, in, out, n + sum);\n"
               "    buf_end(&g);\n"
               "    return sum;\n"
               "}\n\n");
    }
}

int main(int argc, char **argv)
{
    unsigned long count = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
    if (count == 0 || count > 10000000) {
        fprintf(stderr, "Usage: bench-generate functions|branches COUNT\n");
        return 2;
    }
    fputs(header, stdout);
    if (strcmp(argv[1], "branches") == 0)
        branches_write((unsigned)count);
    else
        functions_write((unsigned)count);
    return fflush(stdout) == 0 ? 0 : 1;
}
