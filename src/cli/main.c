// SPDX-License-Identifier: Apache-2.0
// guardlint: finds the command and runs it.
#include "base/strings.h"
#include "base/vec.h"
#include "cli/commands.h"
#include "cli/paths.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage, *summary;
} commands[] = {
    {"check", gl_command_check, "check [OPTIONS] FILE... [-- CLANG-ARGS]", "report what is wrong in sources"},
    {"lower", gl_command_lower, "lower FILE -o FILE.gir [-- CLANG-ARGS]",
     "write the IR of one source, to be checked later"},
    {"explain", gl_command_explain, "explain [CHECK]", "tell what a check finds, or list the checks"},
    {"rules", gl_command_rules, "rules list|test|schema [FILE...]", "what guardlint knows about libraries"},
};

static void help_print(FILE *stream)
{
    fputs("guardlint finds device-memory guards that end before the asynchronous work that uses their "
          "pointer.\n\n",
          stream);
    for (size_t i = 0; i < GL_COUNT(commands); i++)
        fprintf(stream, "  guardlint %-42s %s\n", commands[i].usage, commands[i].summary);
    fputs("  guardlint --version\n\n`guardlint COMMAND --help` tells the options of a command.\n", stream);
}

static int command_unknown(const char *name)
{
    const char *names[GL_COUNT(commands)];
    for (size_t i = 0; i < GL_COUNT(commands); i++)
        names[i] = commands[i].name;
    const char *nearest = gl_nearest_word(name, names, GL_COUNT(commands));
    fprintf(stderr, "guardlint: error: unknown command '%s'", name);
    if (nearest)
        fprintf(stderr, "; did you mean '%s'?", nearest);
    fputs("\nguardlint: note: `guardlint --help` lists the commands\n", stderr);
    return GL_EXIT_USAGE;
}

// Our version, then the front end's, which alone knows libclang's.
static int version_print(void)
{
    struct gl_arena arena = {0};
    const char *frontend = gl_path_frontend(&arena);
    printf("guardlint %s\n", GL_VERSION);
    fflush(stdout);
    if (frontend)
        execl(frontend, frontend, "--version", (char *)NULL);
    puts("no front end is installed");
    gl_arena_free(&arena);
    return GL_EXIT_CLEAN;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        help_print(stderr);
        return GL_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0)
        return version_print();
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        help_print(stdout);
        return GL_EXIT_CLEAN;
    }
    for (size_t i = 0; i < GL_COUNT(commands); i++) {
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    }
    return command_unknown(argv[1]);
}
