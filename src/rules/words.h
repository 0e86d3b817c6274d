// SPDX-License-Identifier: Apache-2.0
// The closed sets of words (words.def) as tables for the reader and the schema.
#ifndef GL_RULES_WORDS_H
#define GL_RULES_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct gl_word {
    const char *text;
    unsigned value;
    const char *meaning;
};

struct gl_word_set {
    const char *what; // "release kind"
    const struct gl_word *words;
    size_t count;
};

extern const struct gl_word_set gl_release_words, gl_access_words, gl_memory_words, gl_when_words,
    gl_role_words, gl_state_words, gl_object_words, gl_flag_words, gl_language_words, gl_success_words;

// Values of `when: success` and `when: failure` in gl_when_words, until the file's `success:` resolves them.
enum { GL_WHEN_SUCCESS = 100, GL_WHEN_FAILURE };

// The word, or NULL.
const struct gl_word *gl_word_find(const struct gl_word_set *set, const char *text);

struct gl_effect_info {
    const char *key;
    const char *slots; // as in effects.def
};
extern const struct gl_effect_info gl_effect_infos[];

// What an effect says of a slot.
enum gl_slot_use { GL_SLOT_UNKNOWN, GL_SLOT_OPTIONAL, GL_SLOT_REQUIRED, GL_SLOT_ANY_OF };
enum gl_slot_use gl_effect_slot(const struct gl_effect_info *effect, const char *slot);
// Whether the effect's name alone says enough ("pure").
bool gl_effect_stands_alone(const struct gl_effect_info *effect);

#endif
