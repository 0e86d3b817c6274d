// SPDX-License-Identifier: Apache-2.0
// `guardlint lower`: one unit's IR into a file.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/run.h"
#include "cli/settings.h"

#include <errno.h>
#include <string.h>

static bool text_write(const struct gl_lowered *lowered, const char *path)
{
    struct gl_file_writer writer;
    bool is_written = gl_file_open(&writer, path);
    if (is_written) {
        fwrite(lowered->text, 1, lowered->size, writer.stream);
        is_written = gl_file_commit(&writer);
    }
    if (!is_written)
        fprintf(stderr, "%s: error: cannot be written: %s\n", path, strerror(errno));
    return is_written;
}

// A unit that does not parse has an IR that says so; that is no failure here.
static int unit_lower(const struct gl_options *options, const struct gl_settings *settings,
                      struct gl_arena *arena, struct gl_diags *diags)
{
    const struct gl_unit_settings unit_settings = gl_settings_for_units(settings, options);
    struct gl_unit_list units = {0};
    struct gl_progress_line line;
    int status = GL_EXIT_ANALYSIS;
    gl_units_collect(&units, arena, &unit_settings, options->files.items, 1, diags);
    struct gl_progress progress = gl_progress_start(&line);
    struct gl_lowered *lowered = gl_arena_alloc(arena, units.list.count * sizeof *lowered);
    gl_workers_run(&settings->limits, &units, arena, &progress, lowered);
    gl_progress_end(&line);
    if (units.list.count != 1)
        gl_diag_add(diags, GL_ERROR, options->files.items[0], 0, 0, NULL, "one source file is expected here");
    else if (!lowered[0].text)
        gl_diag_add(diags, GL_ERROR, units.list.items[0].shown, 0, 0, lowered[0].failure.hint, "%s",
                    lowered[0].failure.message);
    else if (text_write(&lowered[0], options->output))
        status = GL_EXIT_CLEAN;
    gl_lowered_free(lowered, units.list.count);
    gl_units_free(&units);
    return status;
}

int gl_command_lower(int argc, char **argv)
{
    struct gl_options options = gl_options_parse_lower(argc, argv);
    struct gl_arena arena = {0};
    struct gl_diags diags = {0};
    struct gl_settings settings = {0};
    int status = GL_EXIT_USAGE;
    if (gl_settings_load(&settings, &arena, &options, options.files.items[0], &diags))
        status = unit_lower(&options, &settings, &arena, &diags);
    gl_diags_print(&diags, stderr);
    gl_settings_free(&settings);
    gl_diags_free(&diags);
    gl_arena_free(&arena);
    gl_options_free(&options);
    return status;
}
