// SPDX-License-Identifier: Apache-2.0
// The word tables of the text form.
#include "ir/words.h"

#include "base/vec.h"
#include "ir/ir.h"

#define WORDS(name, ...)                                                                                     \
    static const struct gl_flag_word name##_items[] = {__VA_ARGS__};                                         \
    const struct gl_flag_words name = {name##_items, GL_COUNT(name##_items)}

WORDS(gl_decl_words, {"method", GL_DECL_METHOD}, {"static-method", GL_DECL_STATIC_METHOD},
      {"constructor", GL_DECL_CONSTRUCTOR}, {"destructor", GL_DECL_DESTRUCTOR},
      {"conversion", GL_DECL_CONVERSION}, {"virtual", GL_DECL_VIRTUAL}, {"noreturn", GL_DECL_NORETURN},
      {"kernel", GL_DECL_KERNEL}, {"device", GL_DECL_DEVICE}, {"internal", GL_DECL_INTERNAL},
      {"defaulted", GL_DECL_DEFAULTED}, {"copy-or-move", GL_DECL_COPY_OR_MOVE},
      {"template", GL_DECL_TEMPLATE}, {"nodiscard", GL_DECL_NODISCARD}, {"deleted", GL_DECL_DELETED},
      {"system", GL_DECL_SYSTEM});
WORDS(gl_record_words, {"complete", GL_RECORD_COMPLETE}, {"incomplete", GL_RECORD_INCOMPLETE},
      {"union", GL_RECORD_UNION}, {"closure", GL_RECORD_CLOSURE}, {"trivial", GL_RECORD_TRIVIAL});
WORDS(gl_global_words, {"internal", GL_GLOBAL_INTERNAL}, {"static", GL_GLOBAL_STATIC});
WORDS(gl_func_words, {"header", GL_FUNC_HEADER});
WORDS(gl_arg_words, {"byval", GL_ARG_BYVAL}, {"const", GL_ARG_CONST}, {"mutable", GL_ARG_MUTABLE});
WORDS(gl_call_words, {"implicit", GL_CALL_IMPLICIT}, {"virtual", GL_CALL_VIRTUAL},
      {"cleanup", GL_CALL_CLEANUP});

const char *const gl_compare_words[6] = {"eq", "ne", "lt", "le", "gt", "ge"};
const char *const gl_status_words[3] = {"ok", "partial", "failed"};
const char *const gl_var_words[3] = {"param", "var", "temp"};
