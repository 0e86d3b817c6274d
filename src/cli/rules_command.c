// SPDX-License-Identifier: Apache-2.0
// `guardlint rules`: lists rule files, prints their schema, and runs the examples they carry.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/paths.h"
#include "cli/settings.h"
#include "cli/verify.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- list and schema -------------------------------------------------------------------------------------

static void file_line_print(const struct gl_ruleset_file *file)
{
    printf("%-20s %s\n%20s %s\n", file->library ? file->library : "",
           file->description ? file->description : "", "", file->path);
}

static int rules_list(struct gl_rules *rules)
{
    for (size_t i = 0; i < gl_rules_file_count(rules); i++)
        file_line_print(gl_rules_file_at(rules, i));
    printf("\n%zu rule files, %zu calls\n", gl_rules_file_count(rules), gl_rules_call_count(rules));
    return GL_EXIT_CLEAN;
}

static int rules_schema(void)
{
    char *schema = gl_rules_schema();
    puts(schema);
    free(schema);
    return GL_EXIT_CLEAN;
}

// ---- test ------------------------------------------------------------------------------------------------

struct tester {
    struct gl_expectations expectations;
    struct gl_arena arena;
    struct gl_paths files;
    const char *folder; // of the examples, each as a file
};

static size_t lines_count(const char *text)
{
    size_t count = 0;
    for (; text && *text; text++)
        count += *text == '\n';
    return count;
}

static const char *extension_of(const char *language)
{
    if (language && strcmp(language, "cuda") == 0)
        return "cu";
    return language && strcmp(language, "c++") == 0 ? "cpp" : "c";
}

// Writes prelude and code; the lines of the code are shown as those of the rule file.
static bool example_add(struct tester *tester, const struct gl_ruleset_file *file,
                        const struct gl_rule_example *example)
{
    const char *path = gl_arena_printf(&tester->arena, "%s/%zu.%s", tester->folder, tester->files.list.count,
                                       extension_of(example->language));
    FILE *stream = fopen(path, "w");
    if (!stream)
        return false;
    if (file->prelude)
        fprintf(stream, "%s\n", file->prelude);
    fputs(example->code, stream);
    size_t before = file->prelude ? lines_count(file->prelude) + 1 : 0;
    if (fclose(stream) != 0)
        return false;
    gl_expectations_read(&tester->expectations, path, file->path, (int)example->line - (int)before - 1);
    GL_VEC_PUSH(&tester->files.list, path);
    return true;
}

static bool is_wanted(const struct gl_ruleset_file *file, const struct gl_options *options)
{
    for (size_t i = 0; i < options->rules.count; i++) {
        const char *name = options->rules.items[i];
        if (strcmp(name, file->path) == 0 || (file->library && strcmp(name, file->library) == 0) ||
            strcmp(gl_path_below(".", name), file->path) == 0)
            return true;
        const char *slash = strrchr(file->path, '/'), *base = slash ? slash + 1 : file->path;
        if (strncmp(base, name, strlen(name)) == 0 && strcmp(base + strlen(name), ".yaml") == 0)
            return true;
    }
    return options->rules.count == 0;
}

static bool examples_write(struct tester *tester, const struct gl_rules *rules,
                           const struct gl_options *options)
{
    for (size_t i = 0; i < gl_rules_file_count(rules); i++) {
        const struct gl_ruleset_file *file = gl_rules_file_at(rules, i);
        for (size_t j = 0; j < file->examples.count && is_wanted(file, options); j++) {
            if (!example_add(tester, file, &file->examples.items[j]))
                return false;
        }
    }
    return true;
}

static int examples_run(struct tester *tester, const struct gl_options *options)
{
    struct gl_expectations *expectations = &tester->expectations;
    if (!tester->files.list.count) {
        fputs("guardlint rules test: error: no examples in these rule files\n", stderr);
        return GL_EXIT_USAGE;
    }
    if (!gl_verify_files(expectations, options, tester->folder, &tester->files))
        return GL_EXIT_USAGE;
    gl_expectations_finish(expectations, stdout);
    printf("%zu examples, %zu findings as expected, %zu to do, %zu mismatches\n", tester->files.list.count,
           expectations->met, expectations->todo, expectations->mismatches);
    return expectations->mismatches ? GL_EXIT_FINDINGS : GL_EXIT_CLEAN;
}

static int rules_test(struct gl_rules *rules, const struct gl_options *options, struct gl_strings *strings)
{
    const char *parent = getenv("TMPDIR");
    struct tester tester = {0};
    int status = GL_EXIT_ANALYSIS;
    tester.expectations = (struct gl_expectations){.strings = strings, .arena = &tester.arena};
    char *folder =
        gl_arena_printf(&tester.arena, "%s/guardlint-rules-XXXXXX", parent && *parent ? parent : "/tmp");
    tester.folder = mkdtemp(folder);
    if (tester.folder && examples_write(&tester, rules, options))
        status = examples_run(&tester, options);
    else
        fprintf(stderr, "guardlint rules test: error: %s: %s\n", folder, strerror(errno));
    for (size_t i = 0; i < tester.files.list.count; i++)
        unlink(tester.files.list.items[i]);
    if (tester.folder)
        rmdir(tester.folder);
    GL_VEC_FREE(&tester.files.list);
    gl_expectations_free(&tester.expectations);
    gl_arena_free(&tester.arena);
    return status;
}

// ---- the command -----------------------------------------------------------------------------------------

static int usage_fail(void)
{
    fputs("Usage: guardlint rules list [FILE...]   the rule files in use\n"
          "       guardlint rules test [FILE...]   run the examples of these rule files, or of all\n"
          "       guardlint rules list --coverage HEADER [FILE...]\n"
          "                                        which of the C header's functions have no rule\n"
          "       guardlint rules schema           the JSON schema of the format\n",
          stderr);
    return GL_EXIT_USAGE;
}

static int rules_run(const char *what, const struct gl_options *options, const char *header)
{
    struct gl_arena arena = {0};
    struct gl_diags diags = {0};
    struct gl_strings *strings = gl_strings_create();
    const struct gl_settings none = {0};
    struct gl_rules *rules = gl_settings_rules(&none, &arena, options, strings, &diags);
    int status = GL_EXIT_USAGE;
    gl_diags_print(&diags, stderr);
    if (rules) {
        if (header)
            status = gl_rules_coverage(rules, header);
        else
            status = strcmp(what, "list") == 0 ? rules_list(rules) : rules_test(rules, options, strings);
        gl_rules_destroy(rules);
    }
    gl_strings_destroy(strings);
    gl_diags_free(&diags);
    gl_arena_free(&arena);
    return status;
}

int gl_command_rules(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "schema") == 0)
        return rules_schema();
    if (argc < 2 || (strcmp(argv[1], "list") != 0 && strcmp(argv[1], "test") != 0))
        return usage_fail();
    struct gl_options options = {.format = "text"};
    const char *header = NULL;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--coverage") == 0 && strcmp(argv[1], "list") == 0 && i + 1 < argc) {
            header = argv[++i];
            continue;
        }
        if (argv[i][0] == '-') {
            gl_options_free(&options);
            return usage_fail();
        }
        GL_VEC_PUSH(&options.rules, argv[i]);
    }
    int status = rules_run(argv[1], &options, header);
    gl_options_free(&options);
    return status;
}
