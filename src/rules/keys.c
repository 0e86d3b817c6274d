// SPDX-License-Identifier: Apache-2.0
// Every key of a rule file: where it may stand, what it takes, what it means.
#include "rules/entries.h"

#include <string.h>

#define FIELD(type, field) offsetof(struct type, field)
#define MAPPING(what, keys, type, prototype) {what, keys, GL_COUNT(keys), sizeof(struct type), prototype}

static const struct gl_key type_keys[] = {
    {"name", GL_SHAPE_TEXT, NULL, FIELD(gl_type_entry, name), false,
     "qualified name, without template arguments"},
    {"names", GL_SHAPE_TEXTS, NULL, FIELD(gl_type_entry, names), false, "several names with the same role"},
    {"role", GL_SHAPE_WORD, &gl_role_words, FIELD(gl_type_entry, role), true, "what objects of the type are"},
    {"release", GL_SHAPE_WORD, &gl_release_words, FIELD(gl_type_entry, release), false,
     "what the destructor's release means"},
    {"memory", GL_SHAPE_WORD, &gl_memory_words, FIELD(gl_type_entry, memory), false, "where the memory is"},
    {"state", GL_SHAPE_WORD_NAME, &gl_state_words, FIELD(gl_type_entry, state), false,
     "state guards: the thread state held"},
    {"deleter", GL_SHAPE_INTEGER, NULL, FIELD(gl_type_entry, deleter), false,
     "owners: which template argument is the deleter"},
};
static const struct gl_type_entry type_prototype = {.deleter = -1};
static const struct gl_mapping type_mapping = MAPPING("type", type_keys, gl_type_entry, &type_prototype);

static const struct gl_key call_keys[] = {
    {"name", GL_SHAPE_TEXT, NULL, FIELD(gl_call_entry, name), false,
     "qualified name, without template arguments; '*' stands for any characters but ':'"},
    {"names", GL_SHAPE_TEXTS, NULL, FIELD(gl_call_entry, names), false,
     "several names with the same effects"},
    {"variants", GL_SHAPE_TEXTS, NULL, FIELD(gl_call_entry, variants), false,
     "suffixes with which the names occur too"},
    {"arity", GL_SHAPE_INTEGER, NULL, FIELD(gl_call_entry, arity), false,
     "only calls with so many arguments (the receiver not counted)"},
    {"noreturn", GL_SHAPE_BOOLEAN, NULL, FIELD(gl_call_entry, is_noreturn), false,
     "the call does not return"},
    {"source", GL_SHAPE_TEXT, NULL, FIELD(gl_call_entry, source), false, "where the behaviour is documented"},
    {"effects", GL_SHAPE_EFFECTS, NULL, FIELD(gl_call_entry, effects), true, "what the call does, in order"},
};
static const struct gl_call_entry call_prototype = {.arity = -1};
static const struct gl_mapping call_mapping = MAPPING("call", call_keys, gl_call_entry, &call_prototype);

static const struct gl_key example_keys[] = {
    {"name", GL_SHAPE_TEXT, NULL, FIELD(gl_example_entry, name), true, "what is shown"},
    {"language", GL_SHAPE_WORD_TEXT, &gl_language_words, FIELD(gl_example_entry, language), true,
     "c, c++ or cuda"},
    {"code", GL_SHAPE_BLOCK, NULL, FIELD(gl_example_entry, code), true,
     "put after the prelude; expected findings stand on their lines as // expect: check-name"},
};
static const struct gl_mapping example_mapping = MAPPING("example", example_keys, gl_example_entry, NULL);

// `success` stands before `calls`: it decides what `when: success` means in them.
static const struct gl_key file_keys[] = {
    {"library", GL_SHAPE_TEXT, NULL, FIELD(gl_file_entry, library), true, "the library's name"},
    {"description", GL_SHAPE_TEXT, NULL, FIELD(gl_file_entry, description), false, "one sentence"},
    {"headers", GL_SHAPE_TEXTS, NULL, FIELD(gl_file_entry, headers), false, "the headers that declare it"},
    {"success", GL_SHAPE_WORD, &gl_success_words, FIELD(gl_file_entry, success), false,
     "the result of a call that succeeded; zero if not given"},
    {"types", GL_SHAPE_LIST, &type_mapping, FIELD(gl_file_entry, types), false, "types with a role"},
    {"calls", GL_SHAPE_LIST, &call_mapping, FIELD(gl_file_entry, calls), false,
     "functions and their effects"},
    {"irrelevant", GL_SHAPE_TEXTS, NULL, FIELD(gl_file_entry, irrelevant), false,
     "functions (or patterns) known to need no rule"},
    {"prelude", GL_SHAPE_BLOCK, NULL, FIELD(gl_file_entry, prelude), false, "declarations for all examples"},
    {"examples", GL_SHAPE_LIST, &example_mapping, FIELD(gl_file_entry, examples), false,
     "code that must and must not be flagged"},
};
static const struct gl_file_entry file_prototype = {.success = GL_WHEN_RESULT_ZERO};
const struct gl_mapping gl_file_mapping = MAPPING("rule file", file_keys, gl_file_entry, &file_prototype);

#define TARGET_SLOT(name, field, meaning)                                                                    \
    {name, GL_SHAPE_TARGET, NULL, FIELD(gl_effect, field), false, meaning}
#define TARGETS_SLOT(name, field, meaning)                                                                   \
    {name, GL_SHAPE_TARGETS, NULL, FIELD(gl_effect, field), false, meaning}
#define WORD_SLOT(name, set, field, meaning)                                                                 \
    {name, GL_SHAPE_WORD, &set, FIELD(gl_effect, field), false, meaning}

// Slots of effects; which effect takes which, says effects.def.
static const struct gl_key slot_keys[] = {
    TARGET_SLOT("target", target, "what the effect is about"),
    TARGET_SLOT("to", target, "what receives it"),
    TARGET_SLOT("of", from, "the buffer or owner that is guarded"),
    TARGET_SLOT("from", from, "where it comes from"),
    TARGET_SLOT("in", from, "the handle or object that keeps it"),
    TARGET_SLOT("stream", stream, "the stream it happens on"),
    TARGET_SLOT("event", event, "the event"),
    TARGET_SLOT("pointer", pointer, "the pointer that the guard hands out"),
    TARGET_SLOT("kernel", kernel, "the kernel or host function that runs"),
    TARGET_SLOT("params", params, "an array of pointers to the kernel's arguments, or the arguments (args2)"),
    TARGET_SLOT("extra", extra, "the driver API's packed argument buffer"),
    TARGETS_SLOT("reads", reads, "pointers to memory that the work reads"),
    TARGETS_SLOT("writes", writes, "pointers to memory that the work writes"),
    TARGETS_SLOT("uses", uses, "pointers and objects that the work uses in a way not said"),
    TARGETS_SLOT("tracked", tracked, "memory that the work uses and the library orders by itself"),
    TARGETS_SLOT("staged", staged,
                 "of reads and writes: those done with at the return if they are pageable memory"),
    WORD_SLOT("access", gl_access_words, access, "what the guarded work does"),
    WORD_SLOT("release", gl_release_words, release, "when giving it up is harmless"),
    WORD_SLOT("memory", gl_memory_words, memory, "where the memory is"),
    {"state", GL_SHAPE_WORD_NAME, &gl_state_words, FIELD(gl_effect, state), false, "the thread state"},
    {"object", GL_SHAPE_WORD_NAME, &gl_object_words, FIELD(gl_effect, object), false, "the kind of object"},
    {"flags", GL_SHAPE_FLAGS, &gl_flag_words, 0, false,
     "an argument that holds the object's flags, or a word"},
    WORD_SLOT("when", gl_when_words, when, "on which outcome of the call"),
    {"if", GL_SHAPE_CONDITION, NULL, FIELD(gl_effect, condition), false, "for which value of an argument"},
};
const struct gl_mapping gl_slot_mapping = MAPPING("effect", slot_keys, gl_effect, NULL);

void gl_slot_table_fill(struct gl_slot_table *table)
{
    for (size_t i = 0; i < GL_EFFECT_COUNT; i++) {
        const struct gl_effect_info *effect = &gl_effect_infos[i];
        size_t first_length = strcspn(effect->slots, " !?");
        for (size_t j = 0; j < GL_COUNT(slot_keys); j++) {
            const char *name = slot_keys[j].name;
            table->use[i][j] = (unsigned char)gl_effect_slot(effect, name);
            if (strlen(name) == first_length && strncmp(name, effect->slots, first_length) == 0)
                table->first[i] = (unsigned char)j;
        }
    }
}
