// SPDX-License-Identifier: Apache-2.0
// `guardlint check`: the whole pipeline, from the command line to the exit status.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/run.h"
#include "cli/settings.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { PROBLEMS_SHOWN = 5 }; // a unit; more of them rarely tell more

// Everything that lives as long as the run.
struct run {
    const struct gl_options *options;
    struct gl_arena arena;
    struct gl_diags diags;
    struct gl_strings *strings;
    struct gl_settings settings;
    struct gl_rules *rules;
    struct gl_unit_list units;
    struct gl_lowered *lowered;
    struct gl_result result;
    struct gl_summary summary;
};

// ---- the stages ------------------------------------------------------------------------------------------

// One run, one configuration: that of the first file. Said once if another file has its own.
static void other_config_warn(struct run *run)
{
    const struct gl_options *options = run->options;
    const char *used = run->settings.config.path;
    for (size_t i = 1; options->has_config && !options->config && i < options->files.count; i++) {
        const char *own = gl_config_find(&run->arena, options->files.items[i]);
        if (!own || (used && strcmp(own, used) == 0))
            continue;
        gl_diag_add(&run->diags, GL_WARNING, options->files.items[i], 0, 0, "check it in a run of its own",
                    "its configuration %s is not used here, but %s", own, used ? used : "none");
        return;
    }
}

static bool settings_read(struct run *run)
{
    const struct gl_options *options = run->options;
    const char *start = options->files.count ? options->files.items[0] : ".";
    if (!gl_settings_load(&run->settings, &run->arena, options, start, &run->diags))
        return false;
    other_config_warn(run);
    run->rules = gl_settings_rules(&run->settings, &run->arena, options, run->strings, &run->diags);
    return run->rules != NULL;
}

static void units_lower(struct run *run)
{
    const struct gl_unit_settings settings = gl_settings_for_units(&run->settings, run->options);
    struct gl_progress_line line;
    double start = gl_seconds_now();
    gl_units_collect(&run->units, &run->arena, &settings, run->options->files.items,
                     run->options->files.count, &run->diags);
    run->lowered = gl_arena_alloc(&run->arena, run->units.list.count * sizeof *run->lowered);
    struct gl_progress progress = gl_progress_start(&line);
    gl_workers_run(&run->settings.limits, &run->units, &run->arena, &progress, run->lowered);
    gl_progress_end(&line);
    run->summary.frontend_seconds = gl_seconds_now() - start;
}

static void program_analyze(struct run *run)
{
    size_t count = run->units.list.count;
    size_t *all = gl_arena_alloc(&run->arena, count * sizeof *all);
    for (size_t i = 0; i < count; i++)
        all[i] = i;
    run->result = gl_result_make(&run->units, run->lowered, (struct gl_selection){all, count}, run->rules,
                                 &run->settings.enabled, run->strings, &run->arena);
    run->summary.link_seconds = run->result.link_seconds;
    run->summary.analysis_seconds = run->result.analysis_seconds;
}

// ---- what is told ----------------------------------------------------------------------------------------

static bool has_problem(const struct gl_ir_unit *unit, const char *kind)
{
    for (size_t i = 0; i < unit->problems.count; i++) {
        if (strcmp(unit->problems.items[i].kind, kind) == 0)
            return true;
    }
    return false;
}

// A file that does not parse is never clean. Errors after a missing header are its consequences, and what is
// missing there is the environment's fault: such a unit is partial and no more.
static bool is_unparsed(const struct gl_ir_unit *unit)
{
    return unit->status == GL_UNIT_FAILED ||
           (unit->status == GL_UNIT_PARTIAL && has_problem(unit, "parse-error") &&
            !has_problem(unit, "missing-header"));
}

static bool has_unparsed(const struct gl_ir_program *program)
{
    for (size_t i = 0; i < gl_ir_unit_count(program); i++) {
        if (is_unparsed(gl_ir_unit_at(program, i)))
            return true;
    }
    return false;
}

static int status_choose(const struct run *run)
{
    const struct gl_summary *summary = &run->summary;
    const struct gl_analysis_stats *stats = &run->result.stats;
    bool is_partial = summary->partial || stats->states_joined || stats->functions_over_budget;
    if (has_unparsed(run->result.program) || (run->settings.is_strict && is_partial))
        return GL_EXIT_ANALYSIS;
    return summary->findings ? GL_EXIT_FINDINGS : GL_EXIT_CLEAN;
}

static void summary_make(struct run *run, double start)
{
    struct gl_summary *summary = &run->summary;
    summary->units = gl_ir_unit_count(run->result.program);
    for (size_t i = 0; i < summary->units; i++) {
        enum gl_ir_status status = gl_ir_unit_at(run->result.program, i)->status;
        summary->partial += status == GL_UNIT_PARTIAL;
        summary->failed += status == GL_UNIT_FAILED;
    }
    summary->excluded = run->units.excluded;
    summary->findings = run->result.findings.list.count;
    summary->suppressed = run->result.suppressed.list.count;
    summary->seconds = gl_seconds_now() - start;
    summary->exit_status = status_choose(run);
}

static bool color_choose(const struct gl_options *options)
{
    const char *no_color = getenv("NO_COLOR");
    if (options->color != GL_COLOR_AUTO)
        return options->color == GL_COLOR_ALWAYS;
    return !options->output && isatty(STDOUT_FILENO) && !(no_color && *no_color);
}

// Returns false with errno set.
static bool report_write(const struct run *run)
{
    const struct gl_options *options = run->options;
    const struct gl_report_format *format = gl_report_format_find(options->format);
    const struct gl_report report = {
        .version = GL_VERSION,
        .program = run->result.program,
        .findings = &run->result.findings,
        .suppressed = &run->result.suppressed,
        .stats = &run->result.stats,
        .summary = run->summary,
        .has_color = color_choose(options),
        .has_excerpts = !options->output && (isatty(STDOUT_FILENO) || options->color == GL_COLOR_ALWAYS),
    };
    if (!options->output) {
        format->write(&report, stdout);
        return fflush(stdout) == 0 && !ferror(stdout);
    }
    struct gl_file_writer writer;
    if (!gl_file_open(&writer, options->output))
        return false;
    format->write(&report, writer.stream);
    return gl_file_commit(&writer);
}

static void unit_problems_print(const struct gl_ir_unit *unit)
{
    const char *severity = is_unparsed(unit) ? "error" : "warning";
    const char *what = unit->status == GL_UNIT_FAILED ? "not analysed" : "analysed in part";
    size_t shown = unit->problems.count < PROBLEMS_SHOWN ? unit->problems.count : PROBLEMS_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        const struct gl_ir_problem *problem = &unit->problems.items[i];
        if (strcmp(problem->kind, "vexing-parse") == 0) // a finding, told as one
            continue;
        const char *file = problem->loc.file ? problem->loc.file : unit->path;
        char position[32] = "";
        if (problem->loc.line)
            snprintf(position, sizeof position, ":%u:%u", problem->loc.line, problem->loc.column);
        fprintf(stderr, "%s%s: %s: %s: %s\n", file, position, severity, what, problem->message);
        if (problem->hint)
            fprintf(stderr, "%s%s: note: %s\n", file, position, problem->hint);
    }
    if (shown < unit->problems.count)
        fprintf(stderr, "%s: note: %zu more problems\n", unit->path, unit->problems.count - shown);
}

static void problems_print(const struct run *run)
{
    gl_diags_print(&run->diags, stderr);
    for (size_t i = 0; i < gl_ir_unit_count(run->result.program); i++) {
        const struct gl_ir_unit *unit = gl_ir_unit_at(run->result.program, i);
        if (unit->status != GL_UNIT_OK)
            unit_problems_print(unit);
    }
}

static void stats_print(const struct run *run)
{
    const struct gl_analysis_stats *stats = &run->result.stats;
#define GL_STAT(field, text) fprintf(stderr, "%12zu  %s\n", stats->field, text);
#include "report/stats.def"
#undef GL_STAT
    fprintf(stderr, "%12.3f  seconds in the front end (wall clock)\n", run->summary.frontend_seconds);
    fprintf(stderr, "%12.3f  seconds linking\n", run->summary.link_seconds);
    fprintf(stderr, "%12.3f  seconds analysing\n", run->summary.analysis_seconds);
}

static void summary_print(const struct gl_summary *summary)
{
    fprintf(stderr, "guardlint: %zu unit%s analysed", summary->units - summary->failed,
            summary->units - summary->failed == 1 ? "" : "s");
    fprintf(stderr, " (%zu partial), %zu failed", summary->partial, summary->failed);
    if (summary->excluded)
        fprintf(stderr, ", %zu excluded", summary->excluded);
    fprintf(stderr, "; %zu finding%s, %zu suppressed; %.2f s\n", summary->findings,
            summary->findings == 1 ? "" : "s", summary->suppressed, summary->seconds);
}

static int results_tell(struct run *run)
{
    problems_print(run);
    if (!report_write(run)) {
        fprintf(stderr, "guardlint: error: the report cannot be written to %s: %s\n",
                run->options->output ? run->options->output : "standard output", strerror(errno));
        return GL_EXIT_USAGE;
    }
    if (run->options->has_stats)
        stats_print(run);
    summary_print(&run->summary);
    return run->summary.exit_status;
}

// --dump=ir: the text of each unit as it came.
static int ir_dump(struct run *run)
{
    int status = GL_EXIT_CLEAN;
    for (size_t i = 0; i < run->units.list.count; i++) {
        if (run->lowered[i].text) {
            fwrite(run->lowered[i].text, 1, run->lowered[i].size, stdout);
            continue;
        }
        fprintf(stderr, "%s: error: not analysed: %s\n", run->units.list.items[i].shown,
                run->lowered[i].failure.message);
        status = GL_EXIT_ANALYSIS;
    }
    gl_diags_print(&run->diags, stderr);
    return status;
}

static void run_free(struct run *run)
{
    gl_lowered_free(run->lowered, run->lowered ? run->units.list.count : 0);
    gl_units_free(&run->units);
    if (run->rules)
        gl_rules_destroy(run->rules);
    gl_settings_free(&run->settings);
    gl_strings_destroy(run->strings);
    gl_diags_free(&run->diags);
    gl_arena_free(&run->arena);
}

// The pipeline.
static int check_run(const struct gl_options *options)
{
    double start = gl_seconds_now();
    struct run run = {.options = options, .strings = gl_strings_create()};
    int status;
    if (!settings_read(&run)) {
        gl_diags_print(&run.diags, stderr);
        status = GL_EXIT_USAGE;
    } else {
        units_lower(&run);
        if (options->dumps_ir) {
            status = ir_dump(&run);
        } else {
            program_analyze(&run);
            summary_make(&run, start);
            status = results_tell(&run);
            gl_result_free(&run.result);
        }
    }
    run_free(&run);
    return status;
}

int gl_command_check(int argc, char **argv)
{
    struct gl_options options = gl_options_parse_check(argc, argv);
    int status = options.verify ? gl_verify_run(&options) : check_run(&options);
    gl_options_free(&options);
    return status;
}
