// SPDX-License-Identifier: Apache-2.0
// Rule files: what the calls of a library mean for guards, pointers, streams and events. Read from YAML
// (rules/NAME.yaml, format: rules/README.md), bound to calls of the IR by name when the analysis needs them.
// This stage knows nothing of the IR.
#ifndef GL_RULES_RULES_H
#define GL_RULES_RULES_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/strings.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The words of words.def as enumerations. The first value of each stands for "not said".
// clang-format off
enum gl_release_kind {
    GL_RELEASE_NONE,
#define GL_RELEASE_WORD(name, text, meaning) GL_RELEASE_##name,
#include "rules/words.def"
};
enum gl_access {
    GL_ACCESS_UNKNOWN,
#define GL_ACCESS_WORD(name, text, meaning) GL_ACCESS_##name,
#include "rules/words.def"
};
enum gl_memory {
    GL_MEMORY_UNKNOWN,
#define GL_MEMORY_WORD(name, text, meaning) GL_MEMORY_##name,
#include "rules/words.def"
};
// On which outcome of the call an effect happens. "success" and "failure" mean what the library's `success:`
// says (a result of zero, unless stated), and are stored resolved.
enum gl_when {
#define GL_WHEN_WORD(name, text, meaning) GL_WHEN_##name,
#include "rules/words.def"
};
// clang-format on

enum gl_effect_kind {
#define GL_EFFECT(name, key, slots) GL_EFFECT_##name,
#include "rules/effects.def"
#undef GL_EFFECT
    GL_EFFECT_COUNT
};

// Where an effect applies: an argument, the receiver or the result, and a path from there, written as in C:
// "arg0", "this", "result", "*arg1", "arg2[]", "*arg3[]", "arg0->stream", "arg0.ptr", "(*arg1)[2]". Arguments
// count from 0, without the receiver. "arg0" is what the caller wrote there: for a reference or a class
// passed by value the object itself, for a pointer the pointer. "this" is the object, "result" the value
// returned. An argument that the call leaves out has its default; a stream left out is the default stream.
// Also "default-stream", "current-stream" (the thread state), "device" (all streams of the device).
enum gl_target_base {
    GL_TARGET_NONE, // slot not given
    GL_TARGET_ARG,
    GL_TARGET_ALL_ARGS, // "args": every argument; "args2": those from number 2 on. As `params` of a launch:
                        // the kernel's arguments themselves. In `uses` of a launch: those that point to
                        // memory a device can reach or that a guard or owner holds (a host variable's address
                        // is no use), read if the parameter points to const
    GL_TARGET_LAST_ARG, // "last-arg": the last argument of the call
    GL_TARGET_THIS,
    GL_TARGET_RESULT,
    GL_TARGET_DEFAULT_STREAM,
    GL_TARGET_DEVICE,
    GL_TARGET_STREAM_OF_HANDLE, // "stream-of(arg0)": the stream set on a library handle or owner (index =
                                // arg; "stream-of(this)": arg is -1)
    GL_TARGET_CURRENT_STREAM,
};

enum gl_target_step_kind { GL_TSTEP_DEREF, GL_TSTEP_FIELD, GL_TSTEP_ELEMENTS, GL_TSTEP_ELEMENT };

struct gl_target_step {
    enum gl_target_step_kind kind; // ELEMENTS: any element of an array or of what a pointer points to
    const char *field;             // interned
    int64_t index;
};

struct gl_target {
    enum gl_target_base base;
    int arg;
    struct gl_target_step *steps; // applied in order, starting at the base
    unsigned step_count;
    const char *text; // as written
};

struct gl_targets {
    struct gl_target *items;
    size_t count;
};

// "if: arg3 != 3": the effect happens only if the argument's value satisfies it. A value that is not known is
// taken to satisfy it.
enum gl_condition_kind { GL_COND_NONE, GL_COND_EQUAL, GL_COND_NOT_EQUAL };
struct gl_condition {
    enum gl_condition_kind kind;
    int arg;
    int64_t value; // null pointers are 0
};

// One effect of a call. Slots that a kind does not take are empty. By kind:
// ACQUIRE   target: the guard (handle, guard object, or what an out-parameter points to); of: the buffer or
//           owner it guards; stream; access; release: what its release means; pointer: shorthand for a DERIVE
//           of that target from the guard; state: the guard stands for a thread state ("device", "context")
// DERIVE    to: a pointer or view that may be used only while `from` (guard or owner) is held
// BORROW    target is used by the call and not kept (what an unknown call is taken to do)
// RELEASE   target: the guard; or state: the innermost guard of that thread state
// MOVE      the guard or owner in from is now in to (or handed to somebody unknown). From an lvalue reference
// it is
//           a copy: a pointer is the same pointer, a shared owner shares, any other owner gets something of
//           its own
// SWAP      to and from exchange what they hold
// CONSTRUCT a T (template argument 0 of the target's type) is made in target from the arguments in params
//           ("args", "args1"): what its constructor does, happens (std::optional::emplace, std::make_unique)
// LAUNCH    asynchronous work on stream: params (an array of pointers to kernel arguments, with kernel),
// extra
//           (the driver API's buffer form), and/or memory that it reads, writes or uses in a way not said;
//           tracked: memory that it uses and that the library orders between streams itself (must live at the
//           enqueue, no ordering is asked for); staged: those of reads and writes that the call itself is
//           done with when they are ordinary (pageable) host memory and no capture is under way
// RECORD    event on stream ("device": all streams)      WAIT   stream (none: the host) waits for event
// ("device":
//           for all that is enqueued so far, where the order is made in a way that is not seen)
// SYNC      the host waits for target: a stream, an event, or "device"
// ALLOC     target: the owner of new memory; of: the pool that it comes from, which may hand a block out again as
//           soon as it is given back; FREE: it is given back; release: how that is ordered. In stream
// order
//           without a stream: on the stream that it was allocated on or that was set last
// CREATE    target: a new object of kind `object` ("stream", "event", "graph", "texture", "mapping",
// "handle",
//           …); flags: an argument that holds its flags, or a word ("non-blocking"). The target of a mapping
//           or a registration is what is mapped (the resource) or registered (the memory).
// DESTROY   the end of such an object; stream: release is ordered on it
// ESCAPE    target is kept by somebody the analysis does not see
// ADDRESS_ONLY  to is the address of from and needs no guard
// PURE      same arguments, same result; no other effect
// SET_STATE / GET_STATE   the thread state named `state` ("device", "context", "current-stream") is set to,
// or
//           read into, target
// READS / WRITES   the host reads or writes the memory that target points to, before the call returns
// (In these and in reads, writes, uses of LAUNCH, a reference to an object that is neither pointer nor owner
// stands for the object's own memory.) KEEP      `in` (a handle or object) keeps target besides what it keeps
// already: every later LAUNCH that uses `in`
//           or runs on stream-of(in) uses target too. Without target: `in` keeps nothing any more
// SAME      to is the same value as from; a result that is a reference or pointer refers to the object in
// from, if
//           that is an object (std::move, std::addressof)
// INHERIT   to keeps all that from keeps, but not from itself (an executable graph of a graph)
// SET_STREAM  later work and the release of `in` (a library handle, a stream-ordered owner) run on stream
// USED_ON   the owner in target is not reused before the work that stream has at its release is done
// CAPTURE_BEGIN / CAPTURE_END   work enqueued on stream is recorded and not run; at the end target is the
// graph,
//           which keeps using all memory of that work
struct gl_effect {
    enum gl_effect_kind kind;
    enum gl_release_kind release;
    enum gl_access access;
    enum gl_memory memory;
    enum gl_when when;
    struct gl_target target; // also every `to`
    struct gl_target from;   // also `of` of ACQUIRE, `in` of KEEP and SET_STREAM
    struct gl_target stream;
    struct gl_target event;
    struct gl_target pointer;
    struct gl_target kernel;
    struct gl_target params;
    struct gl_target extra;
    struct gl_target flags;
    const char *flags_word; // CREATE: flags written as a word
    struct gl_targets reads, writes, uses, tracked, staged;
    struct gl_condition condition; // `if`
    const char *state;             // interned
    const char *object;            // interned
    unsigned line;                 // in the rule file
};

// clang-format off
enum gl_role {
    GL_ROLE_NONE,
#define GL_ROLE_WORD(name, text, meaning) GL_ROLE_##name,
#include "rules/words.def"
};
// clang-format on

struct gl_type_rule {
    const char *name; // qualified, interned
    enum gl_role role;
    enum gl_release_kind release; // guards and owners
    const char *state;            // state guards: which thread state
    int deleter;                  // owners: template argument that is the deleter, or -1
    enum gl_memory memory;        // containers and owners: what they hold
    struct gl_ruleset_file *file;
    unsigned line;
};

struct gl_call_rule {
    const char *name; // qualified, interned; may contain '*' (any run of characters but ':'); of operators
                      // only "C::operator *" (with the blank) is a pattern: a conversion to any type
    int arity; // -1: any number of arguments
    bool is_noreturn;
    GL_VEC(struct gl_effect) effects; // in the order in which they happen
    struct gl_ruleset_file *file;
    unsigned line;
    const char *source; // where the behaviour is documented, or NULL
};

struct gl_rule_example {
    const char *name;
    const char *language; // "c" "c++" "cuda"
    const char *code;     // expectations stand on its lines: // expect: check-name
    unsigned line;        // where the code starts in the rule file
};

struct gl_ruleset_file {
    const char *path;
    const char *library;
    const char *description;
    GL_VEC(const char *) headers;
    GL_VEC(const char *)
    irrelevant;          // functions (or patterns) that need no rule, so that coverage can be told
    const char *prelude; // declarations put before every example
    GL_VEC(struct gl_rule_example) examples;
};

struct gl_rules; // every rule file of a run

// `strings` must outlive the rules; names are interned there.
struct gl_rules *gl_rules_create(struct gl_strings *strings);
void gl_rules_destroy(struct gl_rules *rules);
// Reads one file (or text, for tests and fuzzers). Errors have file, line, column and the nearest known word.
// Returns false if there was any error; nothing of the file is kept then.
bool gl_rules_load_file(struct gl_rules *rules, const char *path, struct gl_diags *diags);
bool gl_rules_load_text(struct gl_rules *rules, const char *name, const char *text, size_t size,
                        struct gl_diags *diags);
// Finds NAME.yaml in the pack folder, or treats `name_or_path` as a path if it contains '/' or ends in .yaml.
bool gl_rules_load(struct gl_rules *rules, const char *pack_folder, const char *name_or_path,
                   struct gl_diags *diags);
bool gl_rules_load_all(struct gl_rules *rules, const char *pack_folder, struct gl_diags *diags);

// The rule for a call of the function with this qualified name, or NULL. Exact names win over patterns; then
// later files over earlier ones; then, of patterns, the longer; then a stated arity over any. Names are
// interned or not; lookups are hashed.
const struct gl_call_rule *gl_rules_find_call(const struct gl_rules *rules, const char *qualified_name,
                                              size_t arg_count);
// As above for a call whose class is not known (a dependent call in a template): the last component alone.
// NULL if rules with different effects would match.
const struct gl_call_rule *gl_rules_find_method(const struct gl_rules *rules, const char *method_name,
                                                size_t arg_count);
const struct gl_type_rule *gl_rules_find_type(const struct gl_rules *rules, const char *qualified_name);

// Whether some file lists the function as one that needs no rule.
bool gl_rules_is_irrelevant(const struct gl_rules *rules, const char *qualified_name);

size_t gl_rules_file_count(const struct gl_rules *rules);
const struct gl_ruleset_file *gl_rules_file_at(const struct gl_rules *rules, size_t index);
size_t gl_rules_call_count(const struct gl_rules *rules);
const struct gl_call_rule *gl_rules_call_at(const struct gl_rules *rules, size_t index);

// The JSON schema of the format, generated from the same tables as the reader. The caller frees it.
char *gl_rules_schema(void);

#endif
