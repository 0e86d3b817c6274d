// SPDX-License-Identifier: Apache-2.0
// Measures guardlint: `guardlint check` beside `clang -fsyntax-only` on the same file and arguments, taken in turns;
// the analysis beside the parse; and how both grow with the number of functions and of branches.
//
//   bench-analyzer [--small] [--runs N] [--clang PROGRAM] [--json FILE] [FILE… [-- CLANG-ARGS]]
//
// Without FILE the sources are generated. Exit status 1: a run failed, or something was found in generated code.
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
    struct bench_spread clang, guardlint, parse, analysis;
    json_int_t findings, functions;
    double ratio; // median of guardlint over median of clang
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
    const char *const guardlint_words[] = {BENCH_GUARDLINT, "check", "--no-config", "--rules", BENCH_RULES, "--format",
                                           "json", "-o", report, NULL};
    command clang = command_make(bench, clang_words, file), guardlint = command_make(bench, guardlint_words, file);
    struct bench_samples clang_times = {0}, guardlint_times = {0}, parse = {0}, analysis = {0};
    for (size_t i = 0; i <= bench->runs; i++) {
        double clang_seconds, guardlint_seconds;
        if (bench_run(clang, NULL, &clang_seconds) != 0) {
            fail(bench, file, "clang does not accept it");
            return false;
        }
        int status = bench_run(guardlint, NULL, &guardlint_seconds);
        if (status != 0 && status != 1) {
            fail(bench, file, "guardlint could not analyse it");
            return false;
        }
        if (i == 0)
            continue;
        bench_add(&clang_times, clang_seconds);
        bench_add(&guardlint_times, guardlint_seconds);
        if (!report_read(report, &parse, &analysis, measured))
            fail(bench, file, "guardlint wrote no report");
    }
    measured->clang = bench_spread(&clang_times);
    measured->guardlint = bench_spread(&guardlint_times);
    measured->parse = bench_spread(&parse);
    measured->analysis = bench_spread(&analysis);
    measured->ratio = measured->guardlint.median / measured->clang.median;
    return true;
}

// ---- what is told ----------------------------------------------------------------------------------------

static json_t *spread_value(struct bench_spread spread)
{
    return json_pack("{s:f, s:f, s:f}", "median", spread.median, "least", spread.least, "most", spread.most);
}

static void measured_tell(struct bench *bench, const char *name, const struct measured *m)
{
    printf("%-24s clang %.3f s (%.3f … %.3f)  guardlint %.3f s (%.3f … %.3f)  ratio %.2f  "
           "analysis %.4f s = %.1f %% of the parse  %lld findings\n",
           name, m->clang.median, m->clang.least, m->clang.most, m->guardlint.median, m->guardlint.least,
           m->guardlint.most, m->ratio, m->analysis.median, 100 * m->analysis.median / m->parse.median,
           (long long)m->findings);
    fflush(stdout);
    json_array_append_new(bench->results,
                          json_pack("{s:s, s:o, s:o, s:o, s:o, s:f, s:I, s:I}", "name", name, "clang",
                                    spread_value(m->clang), "guardlint", spread_value(m->guardlint), "parse",
                                    spread_value(m->parse), "analysis", spread_value(m->analysis), "ratio", m->ratio,
                                    "functions", m->functions, "findings", m->findings));
}

static void growth_tell(struct bench *bench, const char *what, double factor, const struct measured *small,
                        const struct measured *large)
{
    double growth = large->analysis.median / small->analysis.median;
    printf("%-24s analysis time grows by %.2f for a factor of %.0f\n", what, growth, factor);
    json_array_append_new(bench->results,
                          json_pack("{s:s, s:f, s:f}", "name", what, "factor", factor, "analysis_growth", growth));
}

// ---- the cases -------------------------------------------------------------------------------------------

static bool generated_measure(struct bench *bench, const char *shape, const char *count, struct measured *measured)
{
    const char *name = gl_arena_printf(&bench->arena, "%s-%s", shape, count);
    const char *file = gl_arena_printf(&bench->arena, "%s/%s.c", bench->folder, name);
    const char *const words[] = {BENCH_GENERATE, shape, count, NULL};
    double seconds;
    if (bench_run(words, file, &seconds) != 0) {
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
            growth_tell(bench, gl_arena_printf(&bench->arena, "functions %s → %s", counts[i - 1], counts[i]), 10,
                        &functions[i - 1], &functions[i]);
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
    double seconds;
    return bench_run(words, NULL, &seconds) == 0;
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
        fputs("Usage: bench-analyzer [--small] [--runs N] [--clang PROGRAM] [--json FILE] [FILE... [-- CLANG-ARGS]]\n",
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
