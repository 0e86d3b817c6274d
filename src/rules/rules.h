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

// When a release is harmless: see the table in rules/README.md.
enum gl_release_kind {
    GL_RELEASE_NONE, // not said
    GL_RELEASE_EVENT,          // "event": must come after the enqueue of the work, on the same stream
    GL_RELEASE_STREAM_ORDERED, // "stream-ordered": after the enqueue, on a stream ordered after the last use
    GL_RELEASE_HOST_IMMEDIATE, // "host-immediate": after the completion of the work
    GL_RELEASE_SYNCHRONIZING,  // "synchronizing": the release itself waits
    GL_RELEASE_STATE,          // "state": after the statements that rely on the state
};

enum gl_access { GL_ACCESS_UNKNOWN, GL_ACCESS_READ, GL_ACCESS_WRITE, GL_ACCESS_READ_WRITE };
enum gl_memory { GL_MEMORY_UNKNOWN, GL_MEMORY_DEVICE, GL_MEMORY_PINNED, GL_MEMORY_MANAGED, GL_MEMORY_HOST };

// On which outcome of the call an effect happens. "success" and "failure" mean what the library's `success:`
// says (a result of zero, unless stated), and are stored resolved.
enum gl_when { GL_WHEN_ALWAYS, GL_WHEN_RESULT_ZERO, GL_WHEN_RESULT_NONZERO };

enum gl_effect_kind {
#define GL_EFFECT(name, key, slots) GL_EFFECT_##name,
#include "rules/effects.def"
#undef GL_EFFECT
    GL_EFFECT_COUNT
};

// Where an effect applies: an argument, the receiver or the result, and a path from there, written as in C:
// "arg0", "this", "result", "*arg1", "arg2[]", "*arg3[]", "arg0->stream", "arg0.ptr". Arguments count from 0,
// without the receiver. Also "default-stream", "device" (all streams of the device), "host-thread".
enum gl_target_base {
    GL_TARGET_NONE, // slot not given
    GL_TARGET_ARG,
    GL_TARGET_ALL_ARGS, // "args": every argument
    GL_TARGET_THIS,
    GL_TARGET_RESULT,
    GL_TARGET_DEFAULT_STREAM,
    GL_TARGET_DEVICE,
    GL_TARGET_STREAM_OF_HANDLE, // "stream-of(arg0)": the stream that was set on a library handle (index = arg)
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

// One effect of a call. Slots that a kind does not take are empty. By kind:
// ACQUIRE   target: the guard (handle, guard object, or what an out-parameter points to); of: the buffer or
//           owner it guards; stream; access; release: what its release means; pointer: shorthand for a DERIVE
//           of that target from the guard; state: the guard stands for a thread state ("device", "context")
// DERIVE    to: a pointer or view that may be used only while `from` (guard or owner) is held
// BORROW    target is used by the call and not kept (what an unknown call is taken to do)
// RELEASE   target: the guard; or state: the innermost guard of that thread state
// MOVE      the guard or owner in from is now in to (or handed to somebody unknown)
// LAUNCH    asynchronous work on stream: params (an array of pointers to kernel arguments, with kernel), extra
//           (the driver API's buffer form), and/or memory that it reads, writes or uses in a way not said
// RECORD    event on stream             WAIT   stream (none: the host) waits for event
// SYNC      the host waits for target: a stream, an event, or "device"
// ALLOC     target: the owner of new memory; FREE: it is given back; release: how that is ordered
// CREATE    target: a new object of kind `object` ("stream", "event", "graph", "texture", "mapping", "handle",
//           …); flags: an argument that holds its flags, or a word ("non-blocking")
// DESTROY   the end of such an object
// ESCAPE    target is kept by somebody the analysis does not see
// ADDRESS_ONLY  to is the address of from and needs no guard
// PURE      same arguments, same result; no other effect
// SET_STATE / GET_STATE   the thread state named `state` ("device", "context", "current-stream") is set to, or
//           read into, target
// READS / WRITES   the host reads or writes the memory that target points to, before the call returns
// KEEP      `in` (a handle or object) keeps using target until it is replaced
struct gl_effect {
    enum gl_effect_kind kind;
    enum gl_release_kind release;
    enum gl_access access;
    enum gl_memory memory;
    enum gl_when when;
    struct gl_target target; // also `to` of DERIVE, MOVE and ADDRESS_ONLY
    struct gl_target from;   // also `of` of ACQUIRE, `in` of KEEP
    struct gl_target stream;
    struct gl_target event;
    struct gl_target pointer;
    struct gl_target kernel;
    struct gl_target params;
    struct gl_target extra;
    struct gl_target flags;
    const char *flags_word; // CREATE: flags written as a word
    struct gl_targets reads, writes, uses;
    const char *state;  // interned
    const char *object; // interned
    unsigned line;      // in the rule file
};

enum gl_role {
    GL_ROLE_NONE,
    GL_ROLE_GUARD,       // "guard": every constructor acquires, the destructor releases (release-kind says how)
    GL_ROLE_OWNER,       // "owner": the destructor frees what it holds (release-kind; deleter: template argument)
    GL_ROLE_SHARED_OWNER, // "shared-owner": as owner, but another copy may keep it alive
    GL_ROLE_STATE_GUARD, // "state-guard": holds a thread state while it lives
    GL_ROLE_LOCK,        // "lock": a guard of something that is no device memory; never accused
    GL_ROLE_BUFFER,      // "buffer": device memory that guards are taken on
    GL_ROLE_VIEW,        // "view": a non-owning pointer, derived from what it was made of
    GL_ROLE_STREAM,      // "stream"
    GL_ROLE_EVENT,       // "event"
    GL_ROLE_OPTIONAL,    // "optional": holds at most one T (template argument 0), destroyed with it
    GL_ROLE_CONTAINER,   // "container": holds any number of T
};

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
    const char *name; // qualified, interned; may end in or contain '*' (any run of characters but ':')
    int arity;        // -1: any number of arguments
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
    GL_VEC(const char *) irrelevant; // functions that need no rule, so that coverage can be told
    const char *prelude;             // declarations put before every example
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

// The rule for a call of the function with this qualified name, or NULL. Later files win over earlier ones,
// exact names over patterns, a stated arity over any. Names are interned or not; lookups are hashed.
const struct gl_call_rule *gl_rules_find_call(const struct gl_rules *rules, const char *qualified_name,
                                              size_t arg_count);
// As above for a call whose class is not known (a dependent call in a template): the last component alone.
// NULL if rules of several classes would match.
const struct gl_call_rule *gl_rules_find_method(const struct gl_rules *rules, const char *method_name,
                                                size_t arg_count);
const struct gl_type_rule *gl_rules_find_type(const struct gl_rules *rules, const char *qualified_name);

size_t gl_rules_file_count(const struct gl_rules *rules);
const struct gl_ruleset_file *gl_rules_file_at(const struct gl_rules *rules, size_t index);
size_t gl_rules_call_count(const struct gl_rules *rules);
const struct gl_call_rule *gl_rules_call_at(const struct gl_rules *rules, size_t index);

// The JSON schema of the format, generated from the same tables as the reader. The caller frees it.
char *gl_rules_schema(void);

#endif
