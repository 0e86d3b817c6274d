// SPDX-License-Identifier: Apache-2.0
// The compile command of a unit, for nvcc, gcc or clang → the arguments with which libclang reads it.
#ifndef GL_CLI_ARGS_H
#define GL_CLI_ARGS_H

#include "base/diag.h"
#include "cli/words.h"

enum gl_compiler { GL_COMPILER_GCC, GL_COMPILER_CLANG, GL_COMPILER_NVCC };

// What kind of compiler a program is, by its name: "/usr/local/cuda/bin/nvcc", "clang++-19"; gcc is what is
// left.
enum gl_compiler gl_compiler_of(const char *program);

struct gl_args {
    struct gl_words words; // for libclang; without program, source and outputs
    const char *language;  // what -x says: "c", "c++", "cuda", …; NULL: nothing
    bool per_thread_default_stream;
};

// Translates a whole command line, its first word the compiler (or a launcher like ccache before it). Option
// files are read, relative ones from `directory`; one that cannot be read becomes a warning about `file`.
// Texts are put in the arena. Free with gl_args_free.
struct gl_args gl_args_translate(struct gl_arena *arena, const struct gl_words *command,
                                 const char *directory, const char *file, struct gl_diags *diags);
void gl_args_free(struct gl_args *args);
// Do arguments for libclang say that stream 0 is an ordinary stream of the thread?
bool gl_args_are_per_thread(const struct gl_words *words);

#endif
