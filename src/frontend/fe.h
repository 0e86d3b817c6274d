// SPDX-License-Identifier: Apache-2.0
// What all of the front end shares while it turns one translation unit into IR: the unit's tables (files,
// declarations, records, types), the queue of bodies to lower, and small helpers over libclang's cursors.
#ifndef GL_FRONTEND_FE_H
#define GL_FRONTEND_FE_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "ir/ir.h"

#include <clang-c/Index.h>

// How far from the main file bodies are followed, how many, and how many instantiations of one template.
// Reaching one is noted in the unit (a "limit").
enum { GL_FE_BODY_DEPTH_MAX = 12, GL_FE_BODY_COUNT_MAX = 20000, GL_FE_INSTANCES_MAX = 16 };

struct gl_fe_file {
    CXFile file;
    const char *name; // NULL: one of the built-in headers, which no reader can open
    const char *text; // libclang's copy; NULL if it has none
    size_t size;
    bool is_main;
    bool is_scanned; // its comments were read
};

// The members of a class that the language calls by itself.
enum gl_special {
    GL_SPECIAL_DEFAULT,
    GL_SPECIAL_COPY,
    GL_SPECIAL_MOVE,
    GL_SPECIAL_COPY_ASSIGN,
    GL_SPECIAL_MOVE_ASSIGN,
    GL_SPECIAL_DESTRUCTOR,
    GL_SPECIAL_COUNT,
    GL_SPECIAL_NONE = GL_SPECIAL_COUNT,
};

struct gl_fe_field {
    CXCursor cursor;
    const char *name;
    CXType type;
    struct gl_ir_type *ir_type;
};

// A class as the front end knows it.
struct gl_fe_record {
    CXCursor decl;
    CXType type;
    struct gl_ir_record *ir;
    bool is_union;
    bool has_pattern_only; // an instantiation whose members libclang does not show: `special` are its
                           // template's
    bool is_polymorphic;
    bool is_trivial[GL_SPECIAL_COUNT];       // does nothing but copy or leave bytes
    bool is_user_provided[GL_SPECIAL_COUNT]; // written out, not "= default"
    bool is_deleted[GL_SPECIAL_COUNT];
    CXCursor special[GL_SPECIAL_COUNT]; // declared by the user; null cursors otherwise
    struct gl_ir_decl *special_decls[GL_SPECIAL_COUNT];
    GL_VEC(CXType) bases;
    GL_VEC(struct gl_fe_field) fields;
};

// What a lambda's body needs to know about its closure.
struct gl_fe_capture {
    CXCursor variable; // null cursor: the object ("this")
    const char *field;
    bool by_reference;
    bool is_object_copy; // [*this]
};

struct gl_fe_closure {
    CXCursor expr;
    struct gl_ir_record *record;
    struct gl_ir_decl *call;          // the call operator as it is written
    struct gl_fe_record *this_record; // class of the captured object, or NULL
    GL_VEC(struct gl_fe_capture) captures;
};

enum gl_fe_job_kind { GL_JOB_BODY, GL_JOB_SPECIAL, GL_JOB_LAMBDA };

struct gl_fe_job {
    enum gl_fe_job_kind kind;
    unsigned depth;
    CXCursor definition;
    struct gl_ir_decl *decl;
    struct gl_fe_record *record;   // SPECIAL; BODY: the class, if the definition is of its template's pattern
    enum gl_special special;       // SPECIAL
    struct gl_fe_closure *closure; // LAMBDA, or BODY of an instantiated call operator
};

struct gl_fe_error {
    unsigned offset;
    struct gl_ir_loc loc;
};

struct gl_fe {
    struct gl_ir_program *program;
    struct gl_ir_unit *unit;
    CXTranslationUnit tu;
    CXFile main_file;
    const char *shown_path;
    bool is_cxx;
    struct gl_arena arena;      // until the unit is done
    struct gl_arena scratch;    // until the function being lowered is done
    struct gl_map files;        // CXFile
    struct gl_map decls;        // declaration → gl_ir_decl
    struct gl_map records;      // declaration → gl_fe_record
    struct gl_map record_names; // declaration → gl_ir_record
    struct gl_map types;        // type → gl_ir_type
    struct gl_map names;        // declaration → qualified name
    struct gl_map field_names;
    struct gl_map requested;         // gl_ir_decl whose body was asked for
    struct gl_map bodies;            // where lowered bodies stand: file, offset
    struct gl_map instances;         // how many bodies were asked for of the function at file, offset
    struct gl_map closures;          // closure class → gl_fe_closure
    struct gl_map functions_by_name; // filled on first use
    bool has_functions_by_name;
    GL_VEC(struct gl_fe_record *) all_records;
    GL_VEC(struct gl_fe_closure *) all_closures;
    GL_VEC(struct gl_fe_job) queue;
    GL_VEC(struct gl_fe_job) late; // templates' patterns: only where no instantiation was lowered
    GL_VEC(CXCursor) kid_stack;
    size_t body_count;
    bool hit_limit;
    GL_VEC(struct gl_fe_error) errors; // in the main file
};

// ---- cursors (cursor.c) ----------------------------------------------------------------------------------

struct gl_kids {
    CXCursor *at;
    size_t count;
};

// All children; those that are expressions or statements only; in the scratch arena.
struct gl_kids gl_fe_kids(struct gl_fe *fe, CXCursor cursor);
struct gl_kids gl_fe_expr_kids(struct gl_fe *fe, CXCursor cursor);
// The first child that is an expression or statement; a null cursor if there is none.
CXCursor gl_fe_expr_kid(struct gl_fe *fe, CXCursor cursor);
// The expression below parentheses and implicit conversions that keep the object.
CXCursor gl_fe_strip(struct gl_fe *fe, CXCursor cursor);
bool gl_fe_is_null(CXCursor cursor);
static inline enum CXCursorKind gl_fe_kind(CXCursor cursor)
{
    return clang_getCursorKind(cursor);
}
// What identifies a declaration within its unit.
const void *gl_fe_key(CXCursor declaration);
// Interned copies; the CXString is disposed of.
const char *gl_fe_string(struct gl_fe *fe, CXString string);
const char *gl_fe_spelling(struct gl_fe *fe, CXCursor cursor);
const char *gl_fe_usr(struct gl_fe *fe, CXCursor cursor);
// Namespaces and classes joined by "::", without template arguments, anonymous and inline namespaces.
const char *gl_fe_qualified_name(struct gl_fe *fe, CXCursor cursor);
// Name of what a (possibly dependent) reference or member names, from the source if libclang has none; NULL.
const char *gl_fe_written_name(struct gl_fe *fe, CXCursor cursor);
bool gl_fe_is_in_system_header(CXCursor cursor);
bool gl_fe_is_record_kind(enum CXCursorKind kind);
// Whether the compiler declared a member by itself.
bool gl_fe_is_implicit(struct gl_fe *fe, CXCursor member);
// The integer value of a constant expression.
bool gl_fe_constant(CXCursor cursor, int64_t *out_value);

// ---- positions (source.c) --------------------------------------------------------------------------------

struct gl_fe_file *gl_fe_file(struct gl_fe *fe, CXFile file);
struct gl_ir_loc gl_fe_loc(struct gl_fe *fe, CXSourceLocation location);
struct gl_ir_loc gl_fe_cursor_loc(struct gl_fe *fe, CXCursor cursor);
struct gl_ir_loc gl_fe_start_loc(struct gl_fe *fe, CXCursor cursor);
struct gl_ir_loc gl_fe_end_loc(struct gl_fe *fe, CXCursor cursor);
// Offset in its file of the start or end of what a cursor covers, macros expanded; 0 if there is no file.
unsigned gl_fe_start_offset(CXCursor cursor);
unsigned gl_fe_end_offset(CXCursor cursor);
// Offset where the cursor's location was spelled, and the file's text.
struct gl_fe_file *gl_fe_spelled_at(struct gl_fe *fe, CXSourceLocation location, unsigned *out_offset);
// The text a cursor covers in its file (not NUL-terminated); NULL if it is not within one file.
const char *gl_fe_text(struct gl_fe *fe, CXCursor cursor, size_t *out_length);
size_t gl_fe_identifier_length(const char *text, size_t size);

// ---- types, records, declarations ------------------------------------------------------------------------

struct gl_ir_type *gl_fe_type(struct gl_fe *fe, CXType type);
struct gl_ir_type *gl_fe_simple_type(struct gl_fe *fe, enum gl_ir_type_kind kind);
struct gl_ir_type *gl_fe_reference_to(struct gl_fe *fe, struct gl_ir_type *element);
struct gl_ir_type *gl_fe_record_type(struct gl_fe *fe, struct gl_ir_record *record);
// The class of an object of this type (behind aliases and arrays), or NULL.
struct gl_fe_record *gl_fe_record_of(struct gl_fe *fe, CXType type);
struct gl_fe_record *gl_fe_record_for(struct gl_fe *fe, CXCursor declaration);
// Only named, not looked into: types refer to classes this way.
struct gl_ir_record *gl_fe_record_named(struct gl_fe *fe, CXCursor declaration);
// The class of a lambda's closure: its fields are the captures.
struct gl_fe_record *gl_fe_closure_record(struct gl_fe *fe, CXCursor declaration,
                                          const struct gl_fe_field *fields, size_t count);
const char *gl_fe_field_name(struct gl_fe *fe, CXCursor field);
// Its default member initialiser; a null cursor.
CXCursor gl_fe_field_initializer(struct gl_fe *fe, CXCursor field);
bool gl_fe_is_reference(CXType type);
bool gl_fe_is_by_address(struct gl_fe *fe,
                         CXType type); // a class object whose by-value passing is by address

// The function a cursor declares; makes it known on first use.
struct gl_ir_decl *gl_fe_decl(struct gl_fe *fe, CXCursor function);
// The same, and its body is wanted if it can be seen in this unit.
struct gl_ir_decl *gl_fe_callee(struct gl_fe *fe, CXCursor function, unsigned depth);
// The special member of a class, or NULL if it has none or calling it would do nothing.
struct gl_ir_decl *gl_fe_special(struct gl_fe *fe, struct gl_fe_record *record, enum gl_special special,
                                 unsigned depth);
enum gl_special gl_fe_special_kind(CXCursor function);
struct gl_ir_var *gl_fe_global(struct gl_fe *fe, CXCursor variable);
bool gl_fe_is_device_only(const struct gl_ir_decl *decl);
// The function of that name among the unit's top-level functions; a null cursor.
CXCursor gl_fe_function_by_name(struct gl_fe *fe, const char *name);

// What a lambda without parameters returns, as far as its first `return` tells (an invalid type: nothing).
CXType gl_fe_lambda_result(CXCursor lambda);

// ---- the unit --------------------------------------------------------------------------------------------

void gl_fe_problem(struct gl_fe *fe, const char *kind, struct gl_ir_loc loc, const char *message,
                   const char *hint);
// Lowers everything the unit wants; the tables are filled on the way.
void gl_fe_lower_unit(struct gl_fe *fe);
// Asks for the bodies written in a declaration: a function's, those of a class's members.
void gl_fe_want_bodies(struct gl_fe *fe, CXCursor declaration);
void gl_fe_scan_comments(struct gl_fe *fe);
void gl_fe_read_diagnostics(struct gl_fe *fe, bool *out_has_fatal, bool *out_has_error);
// Remembers that the body at this position was lowered; true if it was before. An instantiation stands where
// its template's pattern does.
bool gl_fe_body_seen(struct gl_fe *fe, CXCursor function, bool note);
// Lowers one queued body (lower.c).
void gl_fe_lower_job(struct gl_fe *fe, const struct gl_fe_job *job);

#endif
