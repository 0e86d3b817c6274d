// SPDX-License-Identifier: Apache-2.0
// The word tables, made from words.def and effects.def.
#include "rules/words.h"

#include "rules/rules.h"

#include <string.h>

static const struct gl_word release_words[] = {
#define GL_RELEASE_WORD(name, text, meaning) {text, GL_RELEASE_##name, meaning},
#include "rules/words.def"
};
static const struct gl_word access_words[] = {
#define GL_ACCESS_WORD(name, text, meaning) {text, GL_ACCESS_##name, meaning},
#include "rules/words.def"
};
static const struct gl_word memory_words[] = {
#define GL_MEMORY_WORD(name, text, meaning) {text, GL_MEMORY_##name, meaning},
#include "rules/words.def"
};
static const struct gl_word when_words[] = {
    {"success", GL_WHEN_SUCCESS, "if the call succeeds, as the file's `success` says"},
    {"failure", GL_WHEN_FAILURE, "if the call fails"},
#define GL_WHEN_WORD(name, text, meaning) {text, GL_WHEN_##name, meaning},
#include "rules/words.def"
};
static const struct gl_word role_words[] = {
#define GL_ROLE_WORD(name, text, meaning) {text, GL_ROLE_##name, meaning},
#include "rules/words.def"
};
// Words that stay text need no value.
static const struct gl_word state_words[] = {
#define GL_STATE_WORD(name, text, meaning) {text, 0, meaning},
#include "rules/words.def"
};
static const struct gl_word object_words[] = {
#define GL_OBJECT_WORD(name, text, meaning) {text, 0, meaning},
#include "rules/words.def"
};
static const struct gl_word flag_words[] = {
#define GL_FLAG_WORD(name, text, meaning) {text, 0, meaning},
#include "rules/words.def"
};
static const struct gl_word language_words[] = {
#define GL_LANGUAGE_WORD(name, text, meaning) {text, 0, meaning},
#include "rules/words.def"
};
static const struct gl_word success_words[] = {
    {"zero", GL_WHEN_RESULT_ZERO, "a call succeeded if it returns zero"},
    {"nonzero", GL_WHEN_RESULT_NONZERO, "a call succeeded if it returns anything but zero, NULL or false"},
};

#define WORD_SET(what, words) {what, words, GL_COUNT(words)}
const struct gl_word_set gl_release_words = WORD_SET("release kind", release_words);
const struct gl_word_set gl_access_words = WORD_SET("access", access_words);
const struct gl_word_set gl_memory_words = WORD_SET("memory", memory_words);
const struct gl_word_set gl_when_words = WORD_SET("outcome", when_words);
const struct gl_word_set gl_role_words = WORD_SET("role", role_words);
const struct gl_word_set gl_state_words = WORD_SET("thread state", state_words);
const struct gl_word_set gl_object_words = WORD_SET("kind of object", object_words);
const struct gl_word_set gl_flag_words = WORD_SET("flag", flag_words);
const struct gl_word_set gl_language_words = WORD_SET("language", language_words);
const struct gl_word_set gl_success_words = WORD_SET("meaning of success", success_words);

const struct gl_word *gl_word_find(const struct gl_word_set *set, const char *text)
{
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->words[i].text, text) == 0)
            return &set->words[i];
    }
    return NULL;
}

const struct gl_effect_info gl_effect_infos[] = {
#define GL_EFFECT(name, key, slots) {key, slots},
#include "rules/effects.def"
#undef GL_EFFECT
};

enum gl_slot_use gl_effect_slot(const struct gl_effect_info *effect, const char *slot)
{
    size_t length = strlen(slot);
    for (const char *at = effect->slots; *at;) {
        size_t word = strcspn(at, " !?");
        if (word == length && strncmp(at, slot, length) == 0)
            return at[word] == '!' ? GL_SLOT_REQUIRED : at[word] == '?' ? GL_SLOT_ANY_OF : GL_SLOT_OPTIONAL;
        at += word;
        at += strspn(at, " !?");
    }
    return GL_SLOT_UNKNOWN;
}

bool gl_effect_stands_alone(const struct gl_effect_info *effect)
{
    return strpbrk(effect->slots, "!?") == NULL;
}
