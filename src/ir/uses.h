// SPDX-License-Identifier: Apache-2.0
// What a unit's functions refer to: all that its text form must declare.
#ifndef GL_IR_USES_H
#define GL_IR_USES_H

#include "base/map.h"
#include "ir/ir.h"

// Zero-initialise to use. Each list is sorted by USR once collected.
struct gl_ir_uses {
    GL_VEC(struct gl_ir_decl *) decls;
    GL_VEC(struct gl_ir_record *) records;
    GL_VEC(struct gl_ir_var *) globals;
    struct gl_map seen;
};

void gl_ir_uses_collect(struct gl_ir_uses *uses, const struct gl_ir_unit *unit);
void gl_ir_uses_free(struct gl_ir_uses *uses);

#endif
