// SPDX-License-Identifier: Apache-2.0
// The intermediate representation: what the front end makes of a translation unit and all that the analysis
// knows of it. A program holds the units of one run, joined by USR. Text form: docs/ir.md, ir/text.h.
//
// Everything hangs off one struct gl_ir_program and lives in its arena; nothing is freed on its own.
// Not thread safe. All strings are interned in program->strings, so equal names are equal pointers.
#ifndef GL_IR_IR_H
#define GL_IR_IR_H

#include "base/arena.h"
#include "base/strings.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A position in a source file. `macro` names the outermost macro whose expansion the code comes from (the
// position is then that of the expansion), or is NULL.
struct gl_ir_loc {
    const char *file; // NULL: no position (synthetic)
    unsigned line, column;
    const char *macro;
};

// ---- types -----------------------------------------------------------------------------------------------

enum gl_ir_type_kind {
    GL_TYPE_UNKNOWN,   // dependent, or not expressible                              text: ?
    GL_TYPE_VOID,      //                                                            text: void
    GL_TYPE_BOOL,      //                                                            text: bool
    GL_TYPE_INT,       // any integer or enum; bits, is_signed                       text: i32 u64 …
    GL_TYPE_FLOAT,     // bits                                                       text: f16 f32 f64 …
    GL_TYPE_POINTER,   // element                                                    text: *T
    GL_TYPE_REFERENCE, // element; lvalue reference                                  text: &T
    GL_TYPE_RVALUE,    // element; rvalue reference                                  text: &&T
    GL_TYPE_ARRAY,     // element, count (0: unknown bound)                          text: [N]T
    GL_TYPE_RECORD,    // record                                                     text: {"usr"}
    GL_TYPE_FUNCTION,  // element = return type                                      text: fn T
    GL_TYPE_ALIAS,     // typedef: name, element                                     text: "cudaStream_t"=T
};

// Types are interned: equal types are the same pointer. `const` is a property of a level: `*const f32` is a
// pointer to const float, `const *f32` a const pointer to float.
struct gl_ir_type {
    enum gl_ir_type_kind kind;
    bool is_const;
    bool is_signed;
    unsigned bits;
    uint64_t count;
    const char *name;           // alias name, qualified
    struct gl_ir_type *element; // pointee, referee, array element, alias target, return type
    struct gl_ir_record *record;
    const char *text; // the text form
};

struct gl_ir_field {
    const char *name; // never empty: anonymous members are named by their position, "<0>"
    struct gl_ir_type *type;
};

// A struct, class, union or closure. Members of bases are reached with the same places as own members.
struct gl_ir_record {
    const char *usr;
    const char *name; // qualified, without template arguments: "std::unique_ptr"
    bool is_complete; // fields, bases and dtor are known
    bool is_union;
    bool is_closure;
    bool is_abi_trivial; // copied and destroyed as plain bytes (so passed by value as bytes)
    GL_VEC(struct gl_ir_type *) template_args; // type arguments only, in order; GL_TYPE_UNKNOWN for others
    GL_VEC(struct gl_ir_type *) bases;
    GL_VEC(struct gl_ir_field) fields;
    // The destructor that runs at the end of an object's life: user written, or the implicit one when a member
    // or base has a destructor to run. NULL: none or trivial.
    struct gl_ir_decl *destructor;
};

// ---- variables and places --------------------------------------------------------------------------------

enum gl_ir_var_kind { GL_VAR_PARAM, GL_VAR_LOCAL, GL_VAR_TEMP, GL_VAR_GLOBAL };

// A variable of a function, or a global. A reference is a variable that holds an address, like a pointer: its
// referee is reached with an explicit dereference step.
struct gl_ir_var {
    enum gl_ir_var_kind kind;
    unsigned id;      // index in func->vars; globals: unique in the program
    const char *name; // source name; "" for temporaries
    const char *usr;  // globals only
    struct gl_ir_type *type;
    struct gl_ir_loc loc;
    bool is_static; // function-local static or thread_local: outlives the call (kind GLOBAL otherwise)
};

enum gl_ir_step_kind {
    GL_STEP_FIELD,   // .name
    GL_STEP_DEREF,   // *        what the pointer or reference points to
    GL_STEP_INDEX,   // [7]      constant index; of an array or, after a dereference, of what a pointer points at
    GL_STEP_INDEX_V, // [%3]     index held by a variable
    GL_STEP_INDEX_U, // [?]      index not known
};

struct gl_ir_step {
    enum gl_ir_step_kind kind;
    const char *field;
    int64_t index;
    struct gl_ir_var *index_var;
};

// A variable and how to get from it to the memory meant. p[i] with a pointer p is  %p*[i];  p->f is  %p*.f;
// a[i] with an array a is  %a[i];  *p is  %p*.
struct gl_ir_place {
    struct gl_ir_var *var;
    struct gl_ir_step *steps;
    unsigned step_count;
};

enum gl_ir_operand_kind {
    GL_OPERAND_UNDEF,    // ?            a value that is not known
    GL_OPERAND_PLACE,    // %3*.f        the value in a place
    GL_OPERAND_ADDRESS,  // &%3.f        the address of a place
    GL_OPERAND_INTEGER,  // #42          also null pointers and false (#0), true (#1)
    GL_OPERAND_ZERO,     // zero         all bytes zero (aggregates)
    GL_OPERAND_STRING,   // "text"       a string literal
    GL_OPERAND_FUNCTION, // fn "usr"     the address of a function (host function or kernel)
};

enum {
    GL_ARG_BYVAL = 1,   // a class object passed by value: the operand is the address of a temporary that the
                        // caller destroys at the end of the full expression (the callee may move out of it)
    GL_ARG_CONST = 2,   // the parameter is a pointer or reference to const
    GL_ARG_MUTABLE = 4, // the parameter is a pointer or reference to non-const
};

struct gl_ir_operand {
    enum gl_ir_operand_kind kind;
    unsigned flags; // GL_ARG_*, for arguments of calls and launches
    struct gl_ir_place place;
    int64_t integer;
    const char *string;
    struct gl_ir_decl *function;
};

// ---- instructions ----------------------------------------------------------------------------------------

enum gl_ir_op {
#define GL_IR_OP(name, text, terminator) GL_IR_##name,
#include "ir/ops.def"
#undef GL_IR_OP
    GL_IR_OP_COUNT
};

enum gl_ir_compare { GL_CMP_EQ, GL_CMP_NE, GL_CMP_LT, GL_CMP_LE, GL_CMP_GT, GL_CMP_GE };

struct gl_ir_case {
    int64_t value;
    struct gl_ir_block *target;
};

// BEGIN    var                  the life of a variable begins (its content is undefined); scalar temporaries may
//                               do without
// END      var                  it ends; destructor calls stand before it as CALLs with is_implicit
// COPY     dst = args[0]        the same value (assignment, casts, binding a reference: args[0] an ADDRESS)
// COMPUTE  dst = name(args…)    a new value made from others: arithmetic, ?: of unknown shape. `name` is the
//                               operator ("+", "-", "!" is not one: it is COMPARE eq 0)
// COMPARE  dst = args[0] CMP args[1]     1 or 0
// CALL     [dst =] callee(args…)         methods: args[0] is the address of the object; arguments that the call
//          leaves out have their defaults
//          callee: the declaration, or NULL with `target` (a call through a value), or NULL with name only (a
//          dependent call in a template whose callee is not known)
// LAUNCH   kernel<<<grid, block, shared, stream>>>(args…)     callee or target as for CALL; config[0…3] are
//          grid, block, shared bytes and stream; config[3] is #0 when the launch does not name one
// UNKNOWN  [dst =] name(args…)  something that could not be expressed; args are what it may touch, `name` why
// BRANCH   args[0] ? targets[0] : targets[1]        args[0] UNDEF: either may happen
// SWITCH   args[0]: cases, targets[0] is the default        UNDEF: any may happen
// JUMP     targets[0]
// RETURN   [args[0]]
// STOP                          control does not come here or ends here (noreturn calls, throw out of a function)
struct gl_ir_instr {
    enum gl_ir_op op;
    enum gl_ir_compare compare;
    bool has_dst;
    bool is_implicit; // CALL synthesised by the language: destructor, conversion, copy or move
    bool is_virtual;  // CALL may dispatch to an override
    bool is_cleanup;  // CALL made by __attribute__((cleanup)) at the end of a scope
    struct gl_ir_loc loc;
    struct gl_ir_place dst;
    struct gl_ir_var *var; // BEGIN, END
    struct gl_ir_decl *callee;
    struct gl_ir_operand target; // indirect callee; UNDEF if none
    const char *name;
    struct gl_ir_operand *args;
    size_t arg_count;
    struct gl_ir_operand *config; // LAUNCH: 4 operands
    struct gl_ir_block *targets[2];
    struct gl_ir_case *cases;
    size_t case_count;
};

struct gl_ir_block {
    unsigned id;
    GL_VEC(struct gl_ir_instr) instrs; // grown with realloc; program destruction frees it
};

// ---- functions -------------------------------------------------------------------------------------------

enum {
    GL_DECL_METHOD = 1 << 0, // has an object argument (args[0])
    GL_DECL_STATIC_METHOD = 1 << 1,
    GL_DECL_CONSTRUCTOR = 1 << 2,
    GL_DECL_DESTRUCTOR = 1 << 3,
    GL_DECL_CONVERSION = 1 << 4,
    GL_DECL_VIRTUAL = 1 << 5,
    GL_DECL_NORETURN = 1 << 6,
    GL_DECL_KERNEL = 1 << 7,   // __global__
    GL_DECL_DEVICE = 1 << 8,   // __device__ only: never runs on the host
    GL_DECL_VARIADIC = 1 << 9,
    GL_DECL_INTERNAL = 1 << 10, // internal linkage: joined only within its unit
    GL_DECL_DEFAULTED = 1 << 11, // implicit or = default
    GL_DECL_COPY_OR_MOVE = 1 << 12, // copy/move constructor or assignment
    GL_DECL_TEMPLATE = 1 << 13, // a template's pattern, or an instantiation known by its pattern only
    GL_DECL_NODISCARD = 1 << 14,
    GL_DECL_DELETED = 1 << 15,
    GL_DECL_SYSTEM = 1 << 16, // declared in a system header
};

// A function that is called or defined. One a USR in a program (internal linkage: one a USR and unit).
struct gl_ir_decl {
    const char *usr;
    const char *name;  // qualified, without template arguments or parameters: "ns::Class::method"
    const char *class_name; // methods: qualified name of the class, else NULL
    struct gl_ir_record *record; // methods: the class where known, else NULL
    struct gl_ir_type *result;
    GL_VEC(struct gl_ir_type *) params; // without the object argument
    unsigned flags;
    struct gl_ir_loc loc;
    struct gl_ir_func *body; // NULL: only declared in the units of this program
};

struct gl_ir_func {
    struct gl_ir_decl *decl;
    struct gl_ir_unit *unit;
    struct gl_ir_loc loc;     // of the definition's name
    struct gl_ir_loc end_loc; // of the closing brace
    bool is_in_main_file;     // written in the unit's own source, not in a header
    unsigned param_count;     // vars[0 … param_count) are the parameters; methods: vars[0] is the object's address
    GL_VEC(struct gl_ir_var *) vars;
    GL_VEC(struct gl_ir_block *) blocks; // blocks[0] is the entry
    size_t unknown_count;                // UNKNOWN instructions in it; gl_ir_append counts them
};

// ---- units and programs ----------------------------------------------------------------------------------

enum gl_ir_status {
    GL_UNIT_OK,
    GL_UNIT_PARTIAL, // analysed, but something was missing: see problems
    GL_UNIT_FAILED,  // could not be analysed at all: see problems
};

// Why a unit is partial or failed, or a compiler diagnostic that is itself a lead (vexing parse).
struct gl_ir_problem {
    const char *kind; // "missing-header" "parse-error" "unreadable" "crash" "timeout" "memory" "limit"
                      // "vexing-parse" "warning" …
    struct gl_ir_loc loc;
    const char *message;
    const char *hint; // or NULL
};

// A comment that speaks to the tool ("guardlint: …"), raw: what it means is decided after the analysis.
struct gl_ir_comment {
    struct gl_ir_loc loc;
    const char *text; // without the comment marks, trimmed
};

struct gl_ir_unit {
    const char *path;     // as given on the command line or in the compile database
    const char *language; // "c" "c++" "cuda"
    enum gl_ir_status status;
    bool per_thread_default_stream; // stream 0 is an ordinary stream of the thread
    double parse_seconds, lower_seconds; // how long the front end took; 0 in golden files
    GL_VEC(struct gl_ir_problem) problems;
    GL_VEC(struct gl_ir_comment) comments;
    GL_VEC(struct gl_ir_func *) funcs;
};

struct gl_ir_program;

// `strings` must outlive the program.
struct gl_ir_program *gl_ir_program_create(struct gl_strings *strings);
void gl_ir_program_destroy(struct gl_ir_program *program);
struct gl_strings *gl_ir_strings(struct gl_ir_program *program);
struct gl_arena *gl_ir_arena(struct gl_ir_program *program);

struct gl_ir_unit *gl_ir_unit_add(struct gl_ir_program *program, const char *path);
size_t gl_ir_unit_count(const struct gl_ir_program *program);
struct gl_ir_unit *gl_ir_unit_at(const struct gl_ir_program *program, size_t index);

// Find or make. A new record or declaration is empty; the caller fills it in.
struct gl_ir_record *gl_ir_record_get(struct gl_ir_program *program, const char *usr);
// `unit` matters only with `is_internal`. Sets GL_DECL_INTERNAL accordingly.
struct gl_ir_decl *gl_ir_decl_get(struct gl_ir_program *program, struct gl_ir_unit *unit, const char *usr,
                                  bool is_internal);
struct gl_ir_var *gl_ir_global_get(struct gl_ir_program *program, struct gl_ir_unit *unit, const char *usr,
                                   bool is_internal);
// All declarations of the program, in the order in which they were made.
size_t gl_ir_decl_count(const struct gl_ir_program *program);
struct gl_ir_decl *gl_ir_decl_at(const struct gl_ir_program *program, size_t index);

// Interned types. The pattern is copied; its `text` is ignored and filled in.
struct gl_ir_type *gl_ir_type_get(struct gl_ir_program *program, const struct gl_ir_type *pattern);
struct gl_ir_type *gl_ir_type_pointer(struct gl_ir_program *program, struct gl_ir_type *element);
// The type behind aliases, and the same without references.
const struct gl_ir_type *gl_ir_type_strip(const struct gl_ir_type *type);
const struct gl_ir_type *gl_ir_type_strip_ref(const struct gl_ir_type *type);
// The record of an object of this type (behind aliases and arrays), or NULL.
struct gl_ir_record *gl_ir_type_record(const struct gl_ir_type *type);

// Takes a function's body away again (it turned out to be broken): its declaration stays, without a body.
void gl_ir_func_drop(struct gl_ir_func *func);
// Starts the body of `decl`. A declaration that has a body already (an inline function of another unit) gets
// none: NULL is returned and the caller skips the function.
struct gl_ir_func *gl_ir_func_add(struct gl_ir_program *program, struct gl_ir_unit *unit, struct gl_ir_decl *decl);
// Parameters come first, in order; param_count is kept.
struct gl_ir_var *gl_ir_var_add(struct gl_ir_program *program, struct gl_ir_func *func, enum gl_ir_var_kind kind,
                                const char *name, struct gl_ir_type *type, struct gl_ir_loc loc);
struct gl_ir_block *gl_ir_block_add(struct gl_ir_program *program, struct gl_ir_func *func);
// Appends a copy of `instr` (arrays it points to must live in the program's arena) and returns it. The pointer
// is valid until the next append to the block.
struct gl_ir_instr *gl_ir_append(struct gl_ir_block *block, const struct gl_ir_instr *instr);
bool gl_ir_block_is_closed(const struct gl_ir_block *block); // ends in a terminator

struct gl_ir_place gl_ir_place_var(struct gl_ir_var *var);
// The place extended by one step; the old one stays valid.
struct gl_ir_place gl_ir_place_step(struct gl_ir_program *program, struct gl_ir_place place, struct gl_ir_step step);
struct gl_ir_place gl_ir_place_field(struct gl_ir_program *program, struct gl_ir_place place, const char *field);
struct gl_ir_place gl_ir_place_deref(struct gl_ir_program *program, struct gl_ir_place place);
struct gl_ir_operand gl_ir_operand_place(struct gl_ir_place place);
struct gl_ir_operand gl_ir_operand_address(struct gl_ir_place place);
struct gl_ir_operand gl_ir_operand_integer(int64_t value);
struct gl_ir_operand gl_ir_operand_function(struct gl_ir_decl *decl);

extern const char *const gl_ir_op_names[GL_IR_OP_COUNT];
bool gl_ir_op_is_terminator(enum gl_ir_op op);

#endif
