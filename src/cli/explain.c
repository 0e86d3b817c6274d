// SPDX-License-Identifier: Apache-2.0
// `guardlint explain`: what a check finds and why it is a bug.
#include "cli/commands.h"
#include "cli/settings.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 78 };

// Breaks lines at blanks and line ends; an empty line stays one.
static void wrapped_print(const char *text)
{
    size_t column = 0;
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (column && column + 1 + length > WIDTH) {
            putchar('\n');
            column = 0;
        }
        printf(column && length ? " %.*s" : "%.*s", (int)length, text);
        column += length + (column > 0);
        text += length;
        if (text[0] == '\n' && text[1] == '\n') {
            fputs("\n\n", stdout);
            column = 0;
            text++;
        }
        text += *text != '\0';
    }
    putchar('\n');
}

static void example_print(const char *title, const char *code)
{
    if (!code || !*code)
        return;
    printf("\n%s\n\n", title);
    while (*code) {
        size_t length = strcspn(code, "\n");
        printf(length ? "    %.*s\n" : "%.*s\n", (int)length, code);
        code += length + (code[length] == '\n');
    }
}

static void check_print(const struct gl_check *check)
{
    printf("%s: %s\n", check->name, check->summary);
    printf("(group: %s; %s; %s by default)\n\n", check->group, gl_severity_name(check->severity),
           check->is_on_by_default ? "on" : "off");
    wrapped_print(check->explanation);
    example_print("Reported:", check->bad);
    example_print("Correct:", check->good);
}

static void check_line_print(const struct gl_check *check)
{
    printf("  %-28s %s%s\n", check->name, check->summary, check->is_on_by_default ? "" : " (off by default)");
}

static void list_print(void)
{
    const char *group = "";
    for (size_t i = 0; i < gl_check_count(); i++) {
        const struct gl_check *check = gl_check_at(i);
        if (strcmp(group, check->group) != 0)
            printf("%s%s\n", i ? "\n" : "", check->group);
        group = check->group;
        check_line_print(check);
    }
    puts("\nsuppression");
    for (int i = 0; i < GL_SUPPRESS_CHECK_COUNT; i++)
        check_line_print(gl_suppress_check_at((enum gl_suppress_check)i));
    puts("\n`guardlint explain CHECK` tells what a check finds, with an example.");
}

int gl_command_explain(int argc, char **argv)
{
    if (argc == 1 || strcmp(argv[1], "--help") == 0) {
        list_print();
        return GL_EXIT_CLEAN;
    }
    const struct gl_check *check = argc == 2 ? gl_check_any(argv[1]) : NULL;
    if (check) {
        check_print(check);
        return GL_EXIT_CLEAN;
    }
    const char *nearest = argc == 2 ? gl_check_nearest(argv[1]) : NULL;
    if (argc > 2)
        fprintf(stderr, "guardlint explain: error: one check is expected\n");
    else if (nearest)
        fprintf(stderr, "guardlint explain: error: unknown check '%s'; did you mean '%s'?\n", argv[1],
                nearest);
    else
        fprintf(stderr, "guardlint explain: error: unknown check '%s'; `guardlint explain` lists them\n",
                argv[1]);
    return GL_EXIT_USAGE;
}
