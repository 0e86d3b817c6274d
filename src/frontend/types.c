// SPDX-License-Identifier: Apache-2.0
// Types: libclang's CXType → the IR's interned types.
#include "frontend/fe.h"

static struct gl_ir_type *make(struct gl_fe *fe, struct gl_ir_type pattern)
{
    return gl_ir_type_get(fe->program, &pattern);
}

struct gl_ir_type *gl_fe_simple_type(struct gl_fe *fe, enum gl_ir_type_kind kind)
{
    return make(fe, (struct gl_ir_type){.kind = kind});
}

struct gl_ir_type *gl_fe_reference_to(struct gl_fe *fe, struct gl_ir_type *element)
{
    return make(fe, (struct gl_ir_type){.kind = GL_TYPE_REFERENCE, .element = element});
}

struct gl_ir_type *gl_fe_record_type(struct gl_fe *fe, struct gl_ir_record *record)
{
    return make(fe, (struct gl_ir_type){.kind = GL_TYPE_RECORD, .record = record});
}

static unsigned size_bits(CXType type)
{
    long long size = clang_Type_getSizeOf(type);
    return size > 0 && size < 1024 ? (unsigned)size * 8 : 32;
}

static bool is_signed_kind(enum CXTypeKind kind)
{
    switch (kind) {
    case CXType_Char_S:
    case CXType_SChar:
    case CXType_WChar:
    case CXType_Short:
    case CXType_Int:
    case CXType_Long:
    case CXType_LongLong:
    case CXType_Int128:
        return true;
    default:
        return false;
    }
}

static struct gl_ir_type scalar_pattern(CXType type)
{
    struct gl_ir_type pattern = {0};
    switch (type.kind) {
    case CXType_Void:
        pattern.kind = GL_TYPE_VOID;
        break;
    case CXType_Bool:
        pattern.kind = GL_TYPE_BOOL;
        break;
    case CXType_Half:
    case CXType_Float16:
    case CXType_BFloat16:
    case CXType_Float:
    case CXType_Double:
    case CXType_LongDouble:
    case CXType_Float128:
        pattern.kind = GL_TYPE_FLOAT;
        pattern.bits = size_bits(type);
        break;
    default:
        if (type.kind >= CXType_Char_U && type.kind <= CXType_Int128) {
            pattern.kind = GL_TYPE_INT;
            pattern.bits = size_bits(type);
            pattern.is_signed = is_signed_kind(type.kind);
        }
    }
    return pattern;
}

static struct gl_ir_type enum_pattern(CXType type)
{
    CXType underlying = clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type)));
    struct gl_ir_type pattern = {.kind = GL_TYPE_INT, .bits = 32};
    if (underlying.kind != CXType_Invalid) {
        pattern.bits = size_bits(underlying);
        pattern.is_signed = is_signed_kind(underlying.kind);
    }
    return pattern;
}

static struct gl_ir_type *convert(struct gl_fe *fe, CXType type);

static struct gl_ir_type array_pattern(struct gl_fe *fe, CXType type)
{
    long long count = type.kind == CXType_ConstantArray ? clang_getArraySize(type) : 0;
    return (struct gl_ir_type){.kind = GL_TYPE_ARRAY,
                               .count = count > 0 ? (uint64_t)count : 0,
                               .element = gl_fe_type(fe, clang_getArrayElementType(type))};
}

static struct gl_ir_type derived_pattern(struct gl_fe *fe, CXType type)
{
    switch (type.kind) {
    case CXType_Pointer:
    case CXType_BlockPointer:
        return (struct gl_ir_type){.kind = GL_TYPE_POINTER,
                                   .element = gl_fe_type(fe, clang_getPointeeType(type))};
    case CXType_NullPtr:
        return (struct gl_ir_type){.kind = GL_TYPE_POINTER, .element = gl_fe_simple_type(fe, GL_TYPE_VOID)};
    case CXType_LValueReference:
        return (struct gl_ir_type){.kind = GL_TYPE_REFERENCE,
                                   .element = gl_fe_type(fe, clang_getPointeeType(type))};
    case CXType_RValueReference:
        return (struct gl_ir_type){.kind = GL_TYPE_RVALUE,
                                   .element = gl_fe_type(fe, clang_getPointeeType(type))};
    case CXType_ConstantArray:
    case CXType_IncompleteArray:
    case CXType_VariableArray:
    case CXType_DependentSizedArray:
        return array_pattern(fe, type);
    case CXType_FunctionProto:
    case CXType_FunctionNoProto:
        return (struct gl_ir_type){.kind = GL_TYPE_FUNCTION,
                                   .element = gl_fe_type(fe, clang_getResultType(type))};
    case CXType_Record:
        return (struct gl_ir_type){.kind = GL_TYPE_RECORD,
                                   .record = gl_fe_record_named(fe, clang_getTypeDeclaration(type))};
    case CXType_Enum:
        return enum_pattern(type);
    default:
        return scalar_pattern(type);
    }
}

// A typedef at namespace scope is a name that rules and readers may know; one inside a class is how a library
// computes a type.
static bool is_named_alias(CXCursor declaration)
{
    enum CXCursorKind kind = gl_fe_kind(clang_getCursorSemanticParent(declaration));
    return kind == CXCursor_TranslationUnit || kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec;
}

static struct gl_ir_type *convert(struct gl_fe *fe, CXType type)
{
    bool is_const = clang_isConstQualifiedType(type);
    struct gl_ir_type pattern;
    if (type.kind == CXType_Elaborated)
        pattern = *gl_fe_type(fe, clang_Type_getNamedType(type));
    else if (type.kind == CXType_Typedef && is_named_alias(clang_getTypeDeclaration(type)))
        pattern = (struct gl_ir_type){
            .kind = GL_TYPE_ALIAS,
            .name = gl_fe_qualified_name(fe, clang_getTypeDeclaration(type)),
            .element = gl_fe_type(fe, clang_getTypedefDeclUnderlyingType(clang_getTypeDeclaration(type)))};
    else if (type.kind == CXType_Attributed)
        pattern = *gl_fe_type(fe, clang_Type_getModifiedType(type));
    else if (type.kind == CXType_Atomic)
        pattern = *gl_fe_type(fe, clang_Type_getValueType(type));
    else {
        pattern = derived_pattern(fe, type);
        CXType canonical = clang_getCanonicalType(type);
        if (pattern.kind == GL_TYPE_UNKNOWN && !clang_equalTypes(canonical, type))
            pattern = *gl_fe_type(fe, canonical);
    }
    pattern.is_const |= is_const;
    pattern.text = NULL;
    return make(fe, pattern);
}

struct gl_ir_type *gl_fe_type(struct gl_fe *fe, CXType type)
{
    if (!type.data[0])
        return gl_fe_simple_type(fe, GL_TYPE_UNKNOWN);
    struct gl_ir_type *known = gl_map_get(&fe->types, type.data[0], NULL);
    if (known)
        return known;
    known = convert(fe, type);
    *gl_map_put(&fe->types, type.data[0], NULL) = known;
    return known;
}

bool gl_fe_is_reference(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_LValueReference || kind == CXType_RValueReference;
}
