// SPDX-License-Identifier: Apache-2.0
// argv → struct gl_options, with the C library's argp, which also writes the help.
#include "cli/options.h"

#include "report/report.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

enum {
    KEY_RULES = 0x100,
    KEY_FORMAT,
    KEY_STRICT,
    KEY_STATS,
    KEY_DUMP,
    KEY_TIMEOUT,
    KEY_MEMORY,
    KEY_VERIFY,
    KEY_ENABLE,
    KEY_DISABLE,
    KEY_CHECKS,
    KEY_COLOR,
    KEY_CONFIG,
    KEY_NO_CONFIG,
    KEY_FRONTEND,
};

static const struct argp_option unit_options[] = {
    {NULL, 'p', "BUILD", 0, "Read compile_commands.json in this folder (or this file)", 1},
    {"config", KEY_CONFIG, "FILE", 0, "Use this configuration, not the .guardlint.yaml above the files", 1},
    {"no-config", KEY_NO_CONFIG, NULL, 0, "Use no configuration file", 1},
    {"unit-timeout", KEY_TIMEOUT, "SECONDS", 0, "Give up on a unit after this time (default 120)", 2},
    {"unit-memory", KEY_MEMORY, "MIB", 0, "Give up on a unit that needs more memory (default 4096)", 2},
    {"frontend", KEY_FRONTEND, "PROGRAM", 0, "The front end to start instead of the installed one", 2},
    {0},
};

static const struct argp_option check_options[] = {
    {"rules", KEY_RULES, "NAME|FILE", 0, "Add a rule file to the ones that come with guardlint", 1},
    {"enable", KEY_ENABLE, "CHECK,…", 0, "Also run these checks (or: all)", 3},
    {"disable", KEY_DISABLE, "CHECK,…", 0, "Do not run these checks (or: all)", 3},
    {"checks", KEY_CHECKS, "CHECK,…", 0, "Run only these checks", 3},
#define GL_REPORT_FORMAT(name, description) " " #name
    {"format", KEY_FORMAT, "FORMAT", 0,
     "How findings are written, one of:"
#include "report/formats.def"
     " (default: text)",
     4},
#undef GL_REPORT_FORMAT
    {NULL, 'o', "FILE", 0, "Write the findings to FILE, not to standard output", 4},
    {"color", KEY_COLOR, "WHEN", OPTION_ARG_OPTIONAL, "auto (default), always or never", 4},
    {"stats", KEY_STATS, NULL, 0, "Tell what was analysed and where precision was lost", 4},
    {"dump", KEY_DUMP, "ir", 0, "Print the IR of every unit and stop", 4},
    {NULL, 'j', "N", 0, "Parse N units at a time (default: one a processor)", 2},
    {"strict", KEY_STRICT, NULL, 0, "Exit with status 3 also when a unit was analysed in part only", 2},
    {"verify", KEY_VERIFY, "FOLDER", 0, "Compare the findings with the `expect:` comments in FOLDER", 5},
    {0},
};

static const struct argp_option lower_options[] = {
    {NULL, 'o', "FILE", 0, "Write the unit's IR to FILE", 1},
    {0},
};

static unsigned number_parse(const char *text, unsigned most, struct argp_state *state, const char *option)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno || end == text || *end || *text == '-' || value == 0 || value > most)
        argp_error(state, "%s takes a number from 1 to %u, not '%s'", option, most, text);
    return (unsigned)value;
}

// "a,b" → one switch each. The list is cut up in place: argv belongs to the process.
static void switches_add(struct gl_options *options, char *list, bool is_enabled)
{
    for (char *save, *name = strtok_r(list, ", ", &save); name; name = strtok_r(NULL, ", ", &save))
        GL_VEC_PUSH(&options->switches, (struct gl_check_switch){name, is_enabled});
}

static enum gl_color color_parse(const char *text, struct argp_state *state)
{
    static const char *const names[] = {"auto", "always", "never"};
    if (!text)
        return GL_COLOR_ALWAYS;
    for (size_t i = 0; i < GL_COUNT(names); i++) {
        if (strcmp(text, names[i]) == 0)
            return (enum gl_color)i;
    }
    argp_error(state, "--color takes auto, always or never, not '%s'", text);
    return GL_COLOR_AUTO;
}

static error_t unit_option_parse(int key, char *arg, struct argp_state *state)
{
    struct gl_options *options = state->input;
    switch (key) {
    case 'p':
        options->build = arg;
        return 0;
    case KEY_CONFIG:
        options->config = arg;
        return 0;
    case KEY_NO_CONFIG:
        options->has_config = false;
        return 0;
    case KEY_TIMEOUT:
        options->unit_timeout = number_parse(arg, 86400, state, "--unit-timeout");
        return 0;
    case KEY_MEMORY:
        options->unit_memory = number_parse(arg, 1u << 20, state, "--unit-memory");
        return 0;
    case KEY_FRONTEND:
        options->frontend = arg;
        return 0;
    case ARGP_KEY_ARG:
        GL_VEC_PUSH(&options->files, arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void format_check(const char *name, struct argp_state *state)
{
    if (gl_report_format_find(name))
        return;
    const char *known[16];
    size_t count = gl_report_format_count();
    for (size_t i = 0; i < count; i++)
        known[i] = gl_report_format_at(i)->name;
    const char *nearest = gl_nearest_word(name, known, count);
    argp_error(state, "unknown report format '%s'%s%s%s", name, nearest ? "; did you mean '" : "",
               nearest ? nearest : "", nearest ? "'?" : "");
}

static void dump_check(const char *what, struct argp_state *state)
{
    if (strcmp(what, "ir") != 0)
        argp_error(state, "--dump takes ir, not '%s'", what);
}

// The options that say how findings are shown.
static error_t report_option_parse(int key, char *arg, struct argp_state *state)
{
    struct gl_options *options = state->input;
    switch (key) {
    case KEY_FORMAT:
        format_check(arg, state);
        options->format = arg;
        return 0;
    case 'o':
        options->output = arg;
        return 0;
    case KEY_COLOR:
        options->color = color_parse(arg, state);
        return 0;
    case KEY_STATS:
        options->has_stats = true;
        return 0;
    case KEY_DUMP:
        dump_check(arg, state);
        options->dumps_ir = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t check_option_parse(int key, char *arg, struct argp_state *state)
{
    struct gl_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options; // for unit_option_parse
        return 0;
    case KEY_RULES:
        GL_VEC_PUSH(&options->rules, arg);
        return 0;
    case KEY_CHECKS:
        GL_VEC_PUSH(&options->switches, (struct gl_check_switch){"all", false});
        switches_add(options, arg, true);
        return 0;
    case KEY_ENABLE:
    case KEY_DISABLE:
        switches_add(options, arg, key == KEY_ENABLE);
        return 0;
    case 'j':
        options->jobs = number_parse(arg, 1024, state, "-j");
        return 0;
    case KEY_STRICT:
        options->is_strict = true;
        return 0;
    case KEY_VERIFY:
        options->verify = arg;
        return 0;
    case ARGP_KEY_END:
        if (!options->files.count && !options->build && !options->verify)
            argp_error(state,
                       "nothing to check: name a source file, a .gir file or a folder, or give -p BUILD");
        if (options->verify && options->files.count)
            argp_error(state, "--verify FOLDER takes no further files");
        return 0;
    default:
        return report_option_parse(key, arg, state);
    }
}

static error_t lower_option_parse(int key, char *arg, struct argp_state *state)
{
    struct gl_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        return 0;
    case 'o':
        options->output = arg;
        return 0;
    case ARGP_KEY_END:
        if (options->files.count != 1 || !options->output)
            argp_error(state, "give one source file and -o FILE.gir");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char check_doc[] =
    "Reports device-memory guards that end before the work that uses their pointer."
    "\vFILE is a source file, a .gir file or a folder. With -p and no FILE every unit of the compile "
    "database is "
    "checked. What follows -- is passed to clang for every unit.\n\n"
    "Exit status: 0 clean, 1 findings, 2 wrong usage, configuration or rule file, 3 something could not be "
    "analysed.";
static const char lower_doc[] = "Writes the intermediate representation of one unit, to be checked later."
                                "\vWhat follows -- is passed to clang.";

// Everything after the first "--" is clang's; argp sees what stands before it.
static int clang_args_split(struct gl_options *options, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") != 0)
            continue;
        for (int j = i + 1; j < argc; j++)
            GL_VEC_PUSH(&options->clang_args, argv[j]);
        return i;
    }
    return argc;
}

static struct gl_options options_parse(int argc, char **argv, const struct argp_option *own,
                                       argp_parser_t parser, const char *args_doc, const char *doc,
                                       char *shown_name)
{
    struct gl_options options = {.format = "text", .has_config = true};
    const struct argp shared = {.options = unit_options, .parser = unit_option_parse};
    const struct argp_child children[] = {{&shared, 0, NULL, 0}, {0}};
    const struct argp argp = {own, parser, args_doc, doc, children, NULL, NULL};
    argc = clang_args_split(&options, argc, argv);
    argv[0] = shown_name; // what messages and help call the program
    argp_err_exit_status = GL_EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    return options;
}

struct gl_options gl_options_parse_check(int argc, char **argv)
{
    static char name[] = "guardlint check";
    return options_parse(argc, argv, check_options, check_option_parse, "[FILE...] [-- CLANG-ARGS]",
                         check_doc, name);
}

struct gl_options gl_options_parse_lower(int argc, char **argv)
{
    static char name[] = "guardlint lower";
    return options_parse(argc, argv, lower_options, lower_option_parse, "FILE [-- CLANG-ARGS]", lower_doc,
                         name);
}

void gl_options_free(struct gl_options *options)
{
    GL_VEC_FREE(&options->rules);
    GL_VEC_FREE(&options->switches);
    GL_VEC_FREE(&options->files);
    GL_VEC_FREE(&options->clang_args);
}
