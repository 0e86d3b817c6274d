// SPDX-License-Identifier: Apache-2.0
// Measures guardlint: `guardlint check` beside `clang -fsyntax-only` on the same file and arguments, taken in
// turns; the analysis beside the parse; and how both grow with the number of functions and of branches.
//
//   bench-analyzer [--small] [--runs N] [--clang PROGRAM] [--json FILE] [FILE… [-- CLANG-ARGS]]
//
// Without FILE the sources are generated. Exit status 1: a run failed, or something was found in generated
// code.
#include "measure.h"

#include "base/arena.h"
#include "base/vec.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bench {
    size_t runs;
    const char *clang, *json_path;
    bool is_small;
    GL_VEC(const char *) files, args;
    struct gl_arena arena;
    const char *folder; // of generated files and reports
    json_t *results;
    bool has_failed;
};

// What is known of one file after its runs.
struct measured {
    struct bench_spread clang, guardlint;         // wall clock
    struct bench_spread clang_cpu, guardlint_cpu; // also right where the machine has other work
    struct bench_spread parse, analysis;
    json_int_t findings, functions;
};

typedef const char *const *command;

static void fail(struct bench *bench, const char *file, const char *what)
{
    fprintf(stderr, "bench-analyzer: %s: %s\n", file, what);
    bench->has_failed = true;
}

static command command_make(struct bench *bench, const char *const *fixed, const char *file)
{
    GL_VEC(const char *) words = {0};
    for (; *fixed; fixed++)
        GL_VEC_PUSH(&words, *fixed);
    GL_VEC_PUSH(&words, file);
    bool is_guardlint = strcmp(words.items[0], BENCH_GUARDLINT) == 0;
    if (is_guardlint)
        GL_VEC_PUSH(&words, "--");
    for (size_t i = 0; i < bench->args.count; i++)
        GL_VEC_PUSH(&words, bench->args.items[i]);
    GL_VEC_PUSH(&words, NULL);
    command copy = gl_arena_copy(&bench->arena, words.items, words.count * sizeof *words.items);
    GL_VEC_FREE(&words);
    return copy;
}

// ---- one file --------------------------------------------------------------------------------------------

static bool report_read(const char *path, struct bench_samples *parse, struct bench_samples *analysis,
                        struct measured *measured)
{
    json_t *root = json_load_file(path, 0, NULL);
    json_t *unit = json_array_get(json_object_get(root, "units"), 0);
    json_t *summary = json_object_get(root, "summary");
    bench_add(parse, json_real_value(json_object_get(unit, "parse_seconds")));
    bench_add(analysis, json_real_value(json_object_get(summary, "analysis_seconds")));
    measured->findings = json_integer_value(json_object_get(summary, "findings"));
    measured->functions = json_integer_value(json_object_get(json_object_get(root, "stats"), "functions"));
    json_decref(root);
    return unit != NULL;
}

// One uncounted run of both first, then pairs: whatever slows the machine down meanwhile slows both.
static bool file_measure(struct bench *bench, const char *file, struct measured *measured)
{
    const char *report = gl_arena_printf(&bench->arena, "%s/report.json", bench->folder);
    const char *const clang_words[] = {bench->clang, "-fsyntax-only", "-w", NULL};
    const char *const guardlint_words[] = {BENCH_GUARDLINT, "check", "--no-config", "--rules", BENCH_RULES,
                                           "--format",      "json",  "-o",          report,    NULL};
    command clang = command_make(bench, clang_words, file),
            guardlint = command_make(bench, guardlint_words, file);
    struct bench_samples clang_wall = {0}, guardlint_wall = {0}, clang_cpu = {0}, guardlint_cpu = {0};
    struct bench_samples parse = {0}, analysis = {0};
    for (size_t i = 0; i <= bench->runs; i++) {
        struct bench_time clang_time, guardlint_time;
        if (bench_run(clang, NULL, &clang_time) != 0) {
            fail(bench, file, "clang does not accept it");
            return false;
        }
        int status = bench_run(guardlint, NULL, &guardlint_time);
        if (status != 0 && status != 1) {
            fail(bench, file, "guardlint could not analyse it");
            return false;
        }
        if (i == 0)
            continue;
        bench_add(&clang_wall, clang_time.wall);
        bench_add(&clang_cpu, clang_time.cpu);
        bench_add(&guardlint_wall, guardlint_time.wall);
        bench_add(&guardlint_cpu, guardlint_time.cpu);
        if (!report_read(report, &parse, &analysis, measured))
            fail(bench, file, "guardlint wrote no report");
    }
    measured->clang = bench_spread(&clang_wall);
    measured->guardlint = bench_spread(&guardlint_wall);
    measured->clang_cpu = bench_spread(&clang_cpu);
    measured->guardlint_cpu = bench_spread(&guardlint_cpu);
    measured->parse = bench_spread(&parse);
    measured->analysis = bench_spread(&analysis);
    return true;
}

// ---- what is told ----------------------------------------------------------------------------------------

static json_t *spread_value(struct bench_spread spread)
{
    return json_pack("{s:f, s:f, s:f}", "median", spread.median, "least", spread.least, "most", spread.most);
}

// One over the other, in the middle.
static double ratio_of(struct bench_spread over, struct bench_spread under)
{
    return over.median / under.median;
}

static void measured_tell(struct bench *bench, const char *name, const struct measured *m)
{
    double wall = ratio_of(m->guardlint, m->clang), cpu = ratio_of(m->guardlint_cpu, m->clang_cpu);
    double share = ratio_of(m->analysis, m->parse);
    printf("%s: guardlint / clang = %.2f (wall clock), %.2f (processor); analysis / parse = %.1f %%; %lld "
           "findings\n",
           name, wall, cpu, 100 * share, (long long)m->findings);
    printf("  clang     %7.3f s (%.3f … %.3f)   guardlint %7.3f s (%.3f … %.3f)\n", m->clang.median,
           m->clang.least, m->clang.most, m->guardlint.median, m->guardlint.least, m->guardlint.most);
    printf("  parse     %7.3f s (%.3f … %.3f)   analysis  %7.3f s (%.3f … %.3f)\n", m->parse.median,
           m->parse.least, m->parse.most, m->analysis.median, m->analysis.least, m->analysis.most);
    fflush(stdout);
    json_t *value =
        json_pack("{s:s, s:f, s:f, s:f, s:I, s:I}", "name", name, "ratio", wall, "ratio_cpu", cpu,
                  "analysis_over_parse", share, "functions", m->functions, "findings", m->findings);
    json_object_set_new(value, "clang", spread_value(m->clang));
    json_object_set_new(value, "clang_cpu", spread_value(m->clang_cpu));
    json_object_set_new(value, "guardlint", spread_value(m->guardlint));
    json_object_set_new(value, "guardlint_cpu", spread_value(m->guardlint_cpu));
    json_object_set_new(value, "parse", spread_value(m->parse));
    json_object_set_new(value, "analysis", spread_value(m->analysis));
    json_array_append_new(bench->results, value);
}

// Of the least times: what other work on the machine adds is no growth.
static void growth_tell(struct bench *bench, const char *what, double factor, const struct measured *small,
                        const struct measured *large)
{
    double growth = large->analysis.least / small->analysis.least;
    printf("%s: the analysis takes %.2f times as long for %.0f times as many\n", what, growth, factor);
    json_array_append_new(bench->results, json_pack("{s:s, s:f, s:f}", "name", what, "factor", factor,
                                                    "analysis_growth", growth));
}

// ---- the cases -------------------------------------------------------------------------------------------

static bool generated_measure(struct bench *bench, const char *shape, const char *count,
                              struct measured *measured)
{
    const char *name = gl_arena_printf(&bench->arena, "%s-%s", shape, count);
    const char *file = gl_arena_printf(&bench->arena, "%s/%s.c", bench->folder, name);
    const char *const words[] = {BENCH_GENERATE, shape, count, NULL};
    struct bench_time time;
    if (bench_run(words, file, &time) != 0) {
        fail(bench, file, "cannot be generated");
        return false;
    }
    bool is_measured = file_measure(bench, file, measured);
    if (is_measured)
        measured_tell(bench, name, measured);
    if (is_measured && measured->findings)
        fail(bench, file, "correct code was reported");
    unlink(file);
    return is_measured;
}

static void generated_run(struct bench *bench)
{
    static const char *const counts[] = {"200", "2000", "20000"};
    struct measured functions[3], few, many;
    size_t sizes = bench->is_small ? 1 : GL_COUNT(counts);
    for (size_t i = 0; i < sizes; i++) {
        if (!generated_measure(bench, "functions", counts[i], &functions[i]))
            return;
        if (i > 0)
            growth_tell(bench, gl_arena_printf(&bench->arena, "functions %s → %s", counts[i - 1], counts[i]),
                        10, &functions[i - 1], &functions[i]);
    }
    if (generated_measure(bench, "branches", "10", &few) && generated_measure(bench, "branches", "30", &many))
        growth_tell(bench, "branches 10 → 30", 3, &few, &many);
}

static void files_run(struct bench *bench)
{
    for (size_t i = 0; i < bench->files.count; i++) {
        struct measured measured = {0};
        if (file_measure(bench, bench->files.items[i], &measured))
            measured_tell(bench, bench->files.items[i], &measured);
    }
}

static bool arguments_read(struct bench *bench, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        bool has_value = i + 1 < argc;
        if (strcmp(argv[i], "--small") == 0) {
            bench->is_small = true;
            bench->runs = 1;
        } else if (strcmp(argv[i], "--runs") == 0 && has_value) {
            bench->runs = strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--clang") == 0 && has_value) {
            bench->clang = argv[++i];
        } else if (strcmp(argv[i], "--json") == 0 && has_value) {
            bench->json_path = argv[++i];
        } else if (strcmp(argv[i], "--") == 0) {
            for (i++; i < argc; i++)
                GL_VEC_PUSH(&bench->args, argv[i]);
        } else if (argv[i][0] == '-') {
            return false;
        } else {
            GL_VEC_PUSH(&bench->files, argv[i]);
        }
    }
    return bench->runs > 0 && bench->runs <= BENCH_RUNS_MAX;
}

static bool has_clang(const struct bench *bench)
{
    const char *const words[] = {bench->clang, "--version", NULL};
    struct bench_time time;
    return bench_run(words, NULL, &time) == 0;
}

static void bench_run_all(struct bench *bench)
{
    char folder[] = "/tmp/guardlint-bench-XXXXXX";
    bench->folder = mkdtemp(folder);
    if (!bench->folder) {
        fail(bench, folder, "cannot be made");
        return;
    }
    if (bench->files.count)
        files_run(bench);
    else
        generated_run(bench);
    unlink(gl_arena_printf(&bench->arena, "%s/report.json", bench->folder));
    rmdir(bench->folder);
    if (bench->json_path && json_dump_file(bench->results, bench->json_path, JSON_INDENT(1)) != 0)
        fail(bench, bench->json_path, "cannot be written");
}

int main(int argc, char **argv)
{
    struct bench bench = {.runs = 7, .clang = BENCH_CLANG, .results = json_array()};
    int status = 2;
    if (!arguments_read(&bench, argc, argv)) {
        fputs("Usage: bench-analyzer [--small] [--runs N] [--clang PROGRAM] [--json FILE] [FILE... [-- "
              "CLANG-ARGS]]\n",
              stderr);
    } else if (!has_clang(&bench)) {
        printf("left out: '%s' is not installed, and nothing else is measured beside\n", bench.clang);
        status = 0;
    } else {
        bench_run_all(&bench);
        status = bench.has_failed ? 1 : 0;
    }
    json_decref(bench.results);
    GL_VEC_FREE(&bench.files);
    GL_VEC_FREE(&bench.args);
    gl_arena_free(&bench.arena);
    return status;
}
