// SPDX-License-Identifier: Apache-2.0
// `kernel<<<grid, block, shared, stream>>>(arguments)` → LAUNCH.
#include "frontend/lower.h"

#include "frontend/operator.h"

#include <string.h>

enum { CONFIG_COUNT = 4 };

bool gl_lower_is_launch(struct gl_lower *lower, CXCursor call, CXCursor *out_config)
{
    if (strcmp(lower->fe->unit->language, "cuda") != 0)
        return false;
    struct gl_kids kids = gl_fe_expr_kids(lower->fe, call);
    if (kids.count < 2 || gl_fe_kind(kids.at[1]) != CXCursor_CallExpr)
        return false;
    // libclang shows the configuration as a call of the compiler's own hook.
    const char *name = gl_fe_spelling(lower->fe, kids.at[1]);
    *out_config = kids.at[1];
    return strcmp(name, "__cudaPushCallConfiguration") == 0 || strcmp(name, "cudaConfigureCall") == 0;
}

// `<<<256, …>>>` converts 256 to a dim3 with two default arguments: the number says it all.
static CXCursor without_conversion(struct gl_lower *lower, CXCursor argument)
{
    CXCursor inner = gl_fe_strip(lower->fe, argument), constructor;
    if (!gl_lower_is_constructor_call(inner, &constructor))
        return argument;
    int count = clang_Cursor_getNumArguments(inner);
    CXCursor first = count > 0 ? clang_Cursor_getArgument(inner, 0) : argument;
    if (gl_fe_special_kind(constructor) != GL_SPECIAL_NONE)
        return first;
    for (int i = 1; i < count; i++)
        if (!clang_equalLocations(clang_getCursorLocation(clang_Cursor_getArgument(inner, (unsigned)i)),
                                  clang_getNullLocation()))
            return argument;
    return first;
}

static struct gl_ir_operand config_value(struct gl_lower *lower, CXCursor config, unsigned index)
{
    CXCursor argument = clang_Cursor_getArgument(config, index);
    if (gl_fe_is_null(argument) ||
        clang_equalLocations(clang_getCursorLocation(argument), clang_getNullLocation()))
        return gl_ir_operand_integer(0);
    struct gl_ir_operand value = gl_lower_value(lower, without_conversion(lower, argument));
    return value;
}

static CXType function_type(CXCursor callee)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(callee));
    if (type.kind == CXType_Pointer || gl_fe_is_reference(type))
        type = clang_getCanonicalType(clang_getPointeeType(type));
    return type;
}

static void set_kernel(struct gl_lower *lower, struct gl_ir_instr *launch, CXCursor written)
{
    CXCursor callee = gl_fe_strip(lower->fe, written), candidate = gl_lower_only_candidate(lower, callee);
    int parameters = clang_getNumArgTypes(function_type(written));
    if (parameters >= 0) {
        launch->target = gl_lower_value(lower, written);
        if (launch->target.kind == GL_OPERAND_FUNCTION) {
            launch->callee = launch->target.function;
            launch->target = gl_lower_undef();
            return;
        }
        if (launch->target.kind != GL_OPERAND_UNDEF)
            return;
    }
    if (!gl_fe_is_null(candidate))
        launch->callee = gl_fe_decl(lower->fe, candidate);
    else
        launch->name = gl_fe_written_name(lower->fe, callee);
    if (!launch->callee && !launch->name)
        launch->name = gl_intern(gl_ir_strings(lower->program), "?");
}

// Which parameters are pointers to const, from the kernel's pattern if the launch itself is dependent.
static CXType parameter_type(struct gl_lower *lower, CXCursor written, unsigned index)
{
    CXType type = function_type(written);
    if (clang_getNumArgTypes(type) < 0) {
        CXCursor candidate = gl_lower_only_candidate(lower, gl_fe_strip(lower->fe, written));
        type = gl_fe_is_null(candidate) ? type : clang_getCursorType(candidate);
    }
    if ((int)index < clang_getNumArgTypes(type))
        return clang_getArgType(type, index);
    return (CXType){.kind = CXType_Invalid};
}

void gl_lower_launch(struct gl_lower *lower, CXCursor call, CXCursor config)
{
    CXCursor written = gl_fe_expr_kid(lower->fe, call);
    struct gl_ir_loc loc = lower->loc;
    struct gl_ir_instr launch = {.op = GL_IR_LAUNCH};
    set_kernel(lower, &launch, written);
    struct gl_ir_operand values[CONFIG_COUNT];
    for (unsigned i = 0; i < CONFIG_COUNT; i++)
        values[i] = config_value(lower, config, i);
    int count = clang_Cursor_getNumArguments(call);
    count = count < 0 ? 0 : count;
    launch.args = GL_ARENA_ARRAY(gl_ir_arena(lower->program), struct gl_ir_operand, (size_t)count + 1);
    launch.arg_count = (size_t)count;
    CXCursor kernel = clang_getCursorReferenced(call);
    for (unsigned i = 0; i < (unsigned)count; i++)
        launch.args[i] = gl_lower_argument(lower, clang_Cursor_getArgument(call, i),
                                           parameter_type(lower, written, i), kernel, i);
    launch.config = gl_lower_operands(lower, values, CONFIG_COUNT);
    lower->loc = loc;
    gl_lower_append(lower, launch);
}
