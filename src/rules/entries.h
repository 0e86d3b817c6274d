// SPDX-License-Identifier: Apache-2.0
// A rule file as it is written: what the reader makes of the YAML document, before it is bound into rules.
// Also the tables of all keys, from which the reader and the JSON schema work.
#ifndef GL_RULES_ENTRIES_H
#define GL_RULES_ENTRIES_H

#include "rules/rules.h"
#include "rules/words.h"

#include <yaml.h>

struct gl_mark {
    unsigned line, column; // 1-based
};

struct gl_text {
    const char *text; // NULL: not given
    struct gl_mark mark;
};

struct gl_texts {
    struct gl_text *items;
    size_t count;
};

// Entries of one kind; which, says the key that the list belongs to.
struct gl_list {
    void *items;
    size_t count;
};

struct gl_effect_list {
    struct gl_effect *items;
    size_t count;
};

// Every entry starts with its mark, the place of the mapping.
struct gl_type_entry {
    struct gl_mark mark;
    struct gl_text name;
    struct gl_texts names;
    unsigned role, release, memory;
    const char *state;
    int deleter;
};

struct gl_call_entry {
    struct gl_mark mark;
    struct gl_text name;
    struct gl_texts names, variants;
    struct gl_text source;
    int arity;
    bool is_noreturn;
    struct gl_effect_list effects;
};

struct gl_example_entry {
    struct gl_mark mark;
    struct gl_text name, language, code;
};

struct gl_file_entry {
    struct gl_mark mark;
    struct gl_text library, description, prelude;
    struct gl_texts headers, irrelevant;
    unsigned success; // enum gl_when
    struct gl_list types, calls, examples;
};

// What may stand as the value of a key.
enum gl_shape {
    GL_SHAPE_TEXT,      // struct gl_text
    GL_SHAPE_BLOCK,     // struct gl_text: code, lines kept
    GL_SHAPE_TEXTS,     // struct gl_texts; a single text is a list of one
    GL_SHAPE_INTEGER,   // int, 0 … 255
    GL_SHAPE_BOOLEAN,   // bool
    GL_SHAPE_WORD,      // unsigned: the value of a word of the set in detail
    GL_SHAPE_WORD_TEXT, // struct gl_text: a word of the set in detail
    GL_SHAPE_WORD_NAME, // const char *: a word of the set in detail
    GL_SHAPE_TARGET,    // struct gl_target
    GL_SHAPE_TARGETS,   // struct gl_targets; a single target is a list of one
    GL_SHAPE_FLAGS,     // in struct gl_effect: flags or flags_word
    GL_SHAPE_CONDITION, // struct gl_condition
    GL_SHAPE_LIST,      // struct gl_list of the mapping in detail
    GL_SHAPE_EFFECTS,   // struct gl_effect_list
    GL_SHAPE_COUNT,
};

struct gl_key {
    const char *name;
    enum gl_shape shape;
    const void *detail; // struct gl_word_set or struct gl_mapping, by shape
    size_t offset;      // of the field in the mapping's entry
    bool is_required;
    const char *meaning;
};

// A mapping whose keys are known. Keys are read in the order of the table.
struct gl_mapping {
    const char *what; // "call"
    const struct gl_key *keys;
    size_t key_count;
    size_t entry_size;
    const void *prototype; // the entry before anything is read, or NULL for all zero
};

extern const struct gl_mapping gl_file_mapping, gl_slot_mapping;

enum { GL_MOST_KEYS = 32 };

// effects.def's slot lists, looked up by effect and position in gl_slot_mapping.
struct gl_slot_table {
    unsigned char use[GL_EFFECT_COUNT][GL_MOST_KEYS]; // enum gl_slot_use
    unsigned char first[GL_EFFECT_COUNT];             // the slot that a single value stands for
};
void gl_slot_table_fill(struct gl_slot_table *table);

// What a reader works with: where everything is allocated and interned, and where errors go.
struct gl_read_context {
    struct gl_arena *arena;
    struct gl_strings *strings;
    const struct gl_slot_table *slots;
    const char *file;
    struct gl_diags *diags;
};

// Reads the document into *entry; false if there was an error.
bool gl_entries_read(const struct gl_read_context *context, yaml_document_t *document,
                     struct gl_file_entry *entry);

#endif
