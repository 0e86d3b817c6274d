// SPDX-License-Identifier: Apache-2.0
// A command line in one string → its words, quoted as POSIX shells and compilers' option files do.
#ifndef GL_CLI_WORDS_H
#define GL_CLI_WORDS_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>

struct gl_words {
    GL_VEC(const char *) list;
};

// Appends the words of `text`: separated by blanks and line ends; single quotes keep everything, double
// quotes everything but a backslash before '"', '\', '$' or '`'; outside quotes a backslash keeps the next
// character. Nothing is expanded. Texts are put in the arena. Returns false if a quote is not closed (what
// there is of the last word is kept).
bool gl_words_split(struct gl_arena *arena, const char *text, struct gl_words *out_words);

#endif
