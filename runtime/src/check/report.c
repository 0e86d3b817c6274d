/* SPDX-License-Identifier: Apache-2.0 */
/* Takes a report and hands it to the callback, or writes it as text or JSON where the variables say. */
#include "report.h"
#include "../lock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    grt_lock lock;
    void (*callback)(const grt_check_report *report, void *user);
    void *user;
} sink;

static _Atomic uint64_t reports;

bool grt_check_wanted(grt_check_mode mode)
{
    const char *variable = getenv("GUARDRT_CHECK");
    if (mode != GRT_CHECK_DEFAULT)
        return mode == GRT_CHECK_ON;
    return variable && *variable && strcmp(variable, "0") != 0;
}

void grt_check_set_callback(void (*callback)(const grt_check_report *report, void *user), void *user)
{
    grt_lock_take(&sink.lock);
    sink.callback = callback;
    sink.user = user;
    grt_lock_drop(&sink.lock);
}

uint64_t grt_check_count(void)
{
    return atomic_load_explicit(&reports, memory_order_relaxed);
}

/* ---- Text: as the linter prints, so that problem matchers read both ---- */

static void text_note(FILE *file, const char *site, const char *what)
{
    if (site)
        fprintf(file, "%s: note: %s\n", site, what);
}

static void write_text(FILE *file, const grt_check_report *report)
{
    const char *site = report->use_site       ? report->use_site
                       : report->acquire_site ? report->acquire_site
                                              : "?";
    fprintf(file, "%s: error: %s [%s]\n", site, report->message, report->check);
    if (report->use_site)
        text_note(file, report->acquire_site, "guard acquired here");
    text_note(file, report->release_site, "released here");
}

/* ---- JSON: one object a line ---- */

static void json_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            fprintf(file, "\\u%04x", (unsigned)*text);
        else
            fputc(*text, file);
    }
    fputc('"', file);
}

static void json_member(FILE *file, const char *name, const char *value)
{
    fprintf(file, ",\"%s\":", name);
    if (value)
        json_string(file, value);
    else
        fputs("null", file);
}

static void write_json(FILE *file, const grt_check_report *report)
{
    fputs("{\"check\":", file);
    json_string(file, report->check);
    json_member(file, "message", report->message);
    json_member(file, "use", report->use_site);
    json_member(file, "acquire", report->acquire_site);
    json_member(file, "release", report->release_site);
    fprintf(file, ",\"address\":\"0x%" PRIxPTR "\",\"size\":%zu}\n", report->address, report->size);
}

static void report_write(const grt_check_report *report)
{
    const char *format = getenv("GUARDRT_CHECK_FORMAT");
    const char *path = getenv("GUARDRT_CHECK_FILE");
    FILE *file = path && *path ? fopen(path, "a") : NULL;
    FILE *to = file ? file : stderr;
    if (format && strcmp(format, "json") == 0)
        write_json(to, report);
    else
        write_text(to, report);
    fflush(to);
    if (file)
        fclose(file);
}

void grt_check_report_send(const grt_check_report *report)
{
    const char *action = getenv("GUARDRT_CHECK");
    atomic_fetch_add_explicit(&reports, 1, memory_order_relaxed);
    grt_lock_take(&sink.lock);
    if (sink.callback)
        sink.callback(report, sink.user);
    else
        report_write(report);
    grt_lock_drop(&sink.lock);
    if (action && strcmp(action, "abort") == 0)
        abort();
}
