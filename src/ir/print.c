// SPDX-License-Identifier: Apache-2.0
// Writes a unit in text form: its header, then every declaration, record and global it uses, then its
// functions.
#include "ir/text.h"

#include "ir/print.h"
#include "ir/program.h"
#include "ir/uses.h"

#include <stdint.h>

static unsigned file_index(struct gl_ir_printer *printer, const char *file)
{
    if (file == printer->unit_path)
        return 0;
    void **slot = gl_map_put(&printer->file_index, file, NULL);
    if (!*slot) {
        GL_VEC_PUSH(&printer->files, file);
        *slot = (void *)(uintptr_t)printer->files.count;
    }
    return (unsigned)(uintptr_t)*slot;
}

void gl_ir_print_loc(struct gl_ir_printer *printer, const struct gl_ir_loc *loc)
{
    struct gl_buffer *out = &printer->out;
    gl_buffer_text(out, " @");
    if (!loc->file) {
        gl_buffer_text(out, "-");
        return;
    }
    if (loc->file != printer->short_file) {
        gl_buffer_uint(out, file_index(printer, loc->file));
        gl_buffer_text(out, ":");
    }
    gl_buffer_uint(out, loc->line);
    gl_buffer_text(out, ":");
    gl_buffer_uint(out, loc->column);
    if (loc->macro) {
        gl_buffer_text(out, " from ");
        gl_buffer_word(out, loc->macro);
    }
}

void gl_ir_print_flags(struct gl_buffer *out, const struct gl_flag_words *words, unsigned bits)
{
    const char *before = " [";
    for (size_t i = 0; i < words->count; i++) {
        if (!(bits & words->items[i].bit))
            continue;
        gl_buffer_text(out, before);
        gl_buffer_text(out, words->items[i].word);
        before = " ";
    }
    if (before[1] == '\0')
        gl_buffer_text(out, "]");
}

void gl_ir_print_files(const struct gl_ir_printer *printer, struct gl_buffer *out)
{
    for (size_t i = 0; i < printer->files.count; i++) {
        gl_buffer_text(out, "file ");
        gl_buffer_uint(out, i + 1);
        gl_buffer_text(out, " ");
        gl_buffer_quoted(out, printer->files.items[i]);
        gl_buffer_text(out, "\n");
    }
}

void gl_ir_printer_free(struct gl_ir_printer *printer)
{
    GL_VEC_FREE(&printer->out);
    GL_VEC_FREE(&printer->files);
    gl_map_free(&printer->file_index);
}

static void print_string(struct gl_buffer *out, const char *before, const char *text)
{
    gl_buffer_text(out, before);
    gl_buffer_quoted(out, text);
}

static void print_type(struct gl_buffer *out, const struct gl_ir_type *type)
{
    gl_buffer_text(out, type ? type->text : "?");
}

// The source name after a USR, where it says more than the USR.
static void print_name(struct gl_buffer *out, const char *name, const char *usr)
{
    if (name && name != usr)
        print_string(out, " ", name);
}

static void print_decl(struct gl_ir_printer *printer, const struct gl_ir_decl *decl)
{
    struct gl_buffer *out = &printer->out;
    print_string(out, "decl ", decl->usr);
    print_name(out, decl->name, decl->usr);
    gl_buffer_text(out, " (");
    for (size_t i = 0; i < decl->params.count; i++) {
        gl_buffer_text(out, i ? ", " : "");
        print_type(out, decl->params.items[i]);
    }
    if (decl->flags & GL_DECL_VARIADIC)
        gl_buffer_text(out, decl->params.count ? ", ..." : "...");
    gl_buffer_text(out, ") -> ");
    print_type(out, decl->result);
    gl_ir_print_flags(out, &gl_decl_words, decl->flags);
    if (decl->class_name)
        print_string(out, " class ", decl->class_name);
    if (decl->record)
        print_string(out, " record ", decl->record->usr);
    gl_ir_print_loc(printer, &decl->loc);
    gl_buffer_text(out, "\n");
}

static void print_member(struct gl_buffer *out, const char *word, const struct gl_ir_type *type)
{
    gl_buffer_text(out, word);
    print_type(out, type);
    gl_buffer_text(out, "\n");
}

static unsigned record_bits(const struct gl_ir_record *record)
{
    bool has_members = record->bases.count || record->fields.count || record->destructor;
    return (record->is_complete ? (unsigned)GL_RECORD_COMPLETE : 0) |
           (!record->is_complete && has_members ? (unsigned)GL_RECORD_INCOMPLETE : 0) |
           (record->is_union ? (unsigned)GL_RECORD_UNION : 0) |
           (record->is_closure ? (unsigned)GL_RECORD_CLOSURE : 0) |
           (record->is_abi_trivial ? (unsigned)GL_RECORD_TRIVIAL : 0);
}

static void print_record(struct gl_buffer *out, const struct gl_ir_record *record)
{
    print_string(out, "record ", record->usr);
    print_name(out, record->name, record->usr);
    gl_ir_print_flags(out, &gl_record_words, record_bits(record));
    gl_buffer_text(out, "\n");
    for (size_t i = 0; i < record->template_args.count; i++)
        print_member(out, "  targ ", record->template_args.items[i]);
    for (size_t i = 0; i < record->bases.count; i++)
        print_member(out, "  base ", record->bases.items[i]);
    for (size_t i = 0; i < record->fields.count; i++) {
        gl_buffer_text(out, "  field ");
        gl_buffer_word(out, record->fields.items[i].name);
        print_member(out, " ", record->fields.items[i].type);
    }
    if (record->destructor) {
        print_string(out, "  dtor ", record->destructor->usr);
        gl_buffer_text(out, "\n");
    }
}

static void print_global(struct gl_ir_printer *printer, const struct gl_ir_var *global)
{
    struct gl_buffer *out = &printer->out;
    print_string(out, "global ", global->usr);
    print_name(out, global->name, global->usr);
    gl_buffer_text(out, " ");
    print_type(out, global->type);
    gl_ir_print_flags(out, &gl_global_words,
                      (gl_ir_global_is_internal(global) ? (unsigned)GL_GLOBAL_INTERNAL : 0) |
                          (global->is_static ? (unsigned)GL_GLOBAL_STATIC : 0));
    gl_ir_print_loc(printer, &global->loc);
    gl_buffer_text(out, "\n");
}

static void print_notes(struct gl_ir_printer *printer, const struct gl_ir_unit *unit)
{
    struct gl_buffer *out = &printer->out;
    for (size_t i = 0; i < unit->problems.count; i++) {
        const struct gl_ir_problem *problem = &unit->problems.items[i];
        print_string(out, "problem ", problem->kind);
        print_string(out, " ", problem->message);
        if (problem->hint)
            print_string(out, " hint ", problem->hint);
        gl_ir_print_loc(printer, &problem->loc);
        gl_buffer_text(out, "\n");
    }
    for (size_t i = 0; i < unit->comments.count; i++) {
        print_string(out, "comment ", unit->comments.items[i].text);
        gl_ir_print_loc(printer, &unit->comments.items[i].loc);
        gl_buffer_text(out, "\n");
    }
}

static void print_body(struct gl_ir_printer *printer, const struct gl_ir_unit *unit)
{
    struct gl_ir_uses uses = {0};
    gl_ir_uses_collect(&uses, unit);
    print_notes(printer, unit);
    for (size_t i = 0; i < uses.decls.count; i++)
        print_decl(printer, uses.decls.items[i]);
    for (size_t i = 0; i < uses.records.count; i++)
        print_record(&printer->out, uses.records.items[i]);
    for (size_t i = 0; i < uses.globals.count; i++)
        print_global(printer, uses.globals.items[i]);
    for (size_t i = 0; i < unit->funcs.count; i++) {
        gl_buffer_text(&printer->out, "\n");
        gl_ir_print_func_text(printer, unit->funcs.items[i]);
    }
    gl_ir_uses_free(&uses);
}

static void print_head(const struct gl_ir_printer *printer, const struct gl_ir_unit *unit,
                       struct gl_buffer *out)
{
    gl_buffer_text(out, "gir ");
    gl_buffer_uint(out, GL_IR_FORMAT_VERSION);
    print_string(out, "\nunit ", unit->path);
    gl_buffer_text(out, " ");
    gl_buffer_word(out, unit->language);
    gl_buffer_text(out, "\n");
    gl_ir_print_files(printer, out);
    if (unit->per_thread_default_stream)
        gl_buffer_text(out, "option per-thread-default-stream\n");
    if (unit->status != GL_UNIT_OK) {
        gl_buffer_text(out, "status ");
        gl_buffer_text(out, gl_status_words[unit->status]);
        gl_buffer_text(out, "\n");
    }
    if (unit->parse_seconds > 0 || unit->lower_seconds > 0) {
        gl_buffer_text(out, "time ");
        gl_buffer_uint(out, (uint64_t)(unit->parse_seconds * 1e6 + 0.5));
        gl_buffer_text(out, " ");
        gl_buffer_uint(out, (uint64_t)(unit->lower_seconds * 1e6 + 0.5));
        gl_buffer_text(out, "\n");
    }
}

static bool write_out(const struct gl_buffer *buffer, FILE *stream)
{
    return !buffer->count || fwrite(buffer->items, 1, buffer->count, stream) == buffer->count;
}

// The body is made first: only then is it known which files the header must list.
bool gl_ir_print_unit(struct gl_ir_program *program, const struct gl_ir_unit *unit, FILE *stream)
{
    struct gl_ir_printer printer = {.unit_path = gl_intern(program->strings, unit->path)};
    struct gl_buffer head = {0};
    print_body(&printer, unit);
    print_head(&printer, unit, &head);
    bool is_written = write_out(&head, stream) && write_out(&printer.out, stream);
    GL_VEC_FREE(&head);
    gl_ir_printer_free(&printer);
    return is_written;
}

void gl_ir_print_func(const struct gl_ir_func *func, FILE *stream)
{
    struct gl_ir_printer printer = {.unit_path = func->unit->path};
    struct gl_buffer head = {0};
    gl_ir_print_func_text(&printer, func);
    gl_ir_print_files(&printer, &head);
    write_out(&head, stream);
    write_out(&printer.out, stream);
    GL_VEC_FREE(&head);
    gl_ir_printer_free(&printer);
}
