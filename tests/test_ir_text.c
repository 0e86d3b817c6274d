// SPDX-License-Identifier: Apache-2.0
// IR text: what parsing makes of each form, messages for malformed text, joining of units, and that printing
// and parsing are each other's inverse.
#define _GNU_SOURCE // nftw
#include "test_ir.h"

#include <ftw.h>

// ---- forms -----------------------------------------------------------------------------------------------

// One line in a function, as it is written and as it is printed again.
static const struct form {
    const char *written, *printed;
} forms[] = {
    {"begin %v", "begin %v"},
    {"end %v", "end %v"},
    {"copy %v = #42", "copy %v = #42"},
    {"copy %v = #-9223372036854775808", "copy %v = #-9223372036854775808"},
    {"copy %v = zero", "copy %v = zero"},
    {"copy %v = ?", "copy %v = ?"},
    {"copy %v = fn \"g\"", "copy %v = fn \"g\""},
    {"copy %v = \"a\\\"b\\\\c\\n\\t\\r\\x01\\xff\"", "copy %v = \"a\\\"b\\\\c\\n\\t\\r\\x01\\xff\""},
    {"copy %v = &%p*.f[3][%v][?]", "copy %v = &%p*.f[3][%v][?]"},
    {"copy %p*.\"<0>\".x[-1] = @\"g\".y", "copy %p*.\"<0>\".x[-1] = @\"g\".y"},
    {"copy @\"g\"[@\"i\"] = &@\"g\"", "copy @\"g\"[@\"i\"] = &@\"g\""},
    {"copy   %v=#1   // a comment", "copy %v = #1"},
    {"copy %v = \"// no comment\"", "copy %v = \"// no comment\""},
    {"compute %v = \"+\" %v, #1", "compute %v = \"+\" %v, #1"},
    {"compute %v = \"rand\"", "compute %v = \"rand\""},
    {"compare %v = eq %p, #0", "compare %v = eq %p, #0"},
    {"compare %v = ge %p, %v", "compare %v = ge %p, %v"},
    {"call \"g\" ()", "call \"g\" ()"},
    {"call %v = \"g\" (%p const, &%v byval mutable, #1)",
     "call %v = \"g\" (%p const, &%v byval mutable, #1)"},
    {"call %v = \"g\" (&%v mutable byval)", "call %v = \"g\" (&%v byval mutable)"},
    {"call implicit virtual cleanup \"g\" ()", "call implicit virtual cleanup \"g\" ()"},
    {"call cleanup implicit \"g\" ()", "call implicit cleanup \"g\" ()"},
    {"call indirect %p*.fn (?)", "call indirect %p*.fn (?)"},
    {"call %v = named \"data_ptr\" (&%v)", "call %v = named \"data_ptr\" (&%v)"},
    {"call indirect ? ()", "call indirect ? ()"},
    {"launch \"k\" <#1, #256, #0, %v> (%p mutable)", "launch \"k\" <#1, #256, #0, %v> (%p mutable)"},
    {"launch \"k\" <?, ?> ()", "launch \"k\" <?, ?, #0, #0> ()"},
    {"launch indirect %p* <#1, #1, #8> ()", "launch indirect %p* <#1, #1, #8, #0> ()"},
    {"unknown \"asm\" (%p)", "unknown \"asm\" (%p)"},
    {"unknown %v = \"asm\" ()", "unknown %v = \"asm\" ()"},
    {"branch %v out out", "branch %v bb1 bb1"},
    {"branch ? out out", "branch ? bb1 bb1"},
    {"switch %v {1: out, -2: out} out", "switch %v {1: bb1, -2: bb1} bb1"},
    {"switch %v {} out", "switch %v {} bb1"},
    {"jump out", "jump bb1"},
    {"return", "return"},
    {"return %v", "return %v"},
    {"return @\"g\"", "return @\"g\""},
    {"stop", "stop"},
};

START_TEST(form)
{
    char text[512], printed[512];
    snprintf(text, sizeof text,
             "gir 1\nfunc \"f\"\n param %%p *{\"r\"}\n var %%v i32\n %s @7:8\nout:\n stop\n",
             forms[_i].written);
    snprintf(printed, sizeof printed, "\n  %s @7:8\n", forms[_i].printed);
    if (strchr(forms[_i].written, '/') && forms[_i].written[strlen(forms[_i].written) - 1] != '"') {
        // A comment takes the position with it: the line's own is used.
        snprintf(printed, sizeof printed, "\n  %s @5:2\n", forms[_i].printed);
    }
    struct test_ir ir = test_ir_read(text);
    char *output = test_ir_text(&ir);
    ck_assert_msg(strstr(output, printed) != NULL, "no line%sin:\n%s", printed, output);
    free(output);
    test_ir_destroy(&ir);
}
END_TEST

static const char *const types[] = {
    "?",
    "void",
    "bool",
    "i8",
    "u128",
    "f16",
    "*const f32",
    "const *f32",
    "&&{\"r\"}",
    "&const {\"r\"}",
    "[0][7]u8",
    "fn *void",
    "\"cudaStream_t\"=*{\"c:@S@CUstream_st\"}",
    "const \"a b\"=\"c\"=i32",
    "[18446744073709551615]?",
};

START_TEST(type)
{
    char text[256], printed[256];
    snprintf(text, sizeof text, "gir 1\nfunc \"f\"\n param %%p %s\n return\n", types[_i]);
    snprintf(printed, sizeof printed, " param %%p %s @", types[_i]);
    struct test_ir ir = test_ir_read(text);
    const struct gl_ir_func *func = test_ir_decl(&ir, "f")->body;
    ck_assert_str_eq(func->vars.items[0]->type->text, types[_i]);
    ck_assert_ptr_eq(func->vars.items[0]->type, func->decl->params.items[0]);
    char *output = test_ir_text(&ir);
    ck_assert_ptr_nonnull(strstr(output, printed));
    free(output);
    test_ir_destroy(&ir);
}
END_TEST

// What the program holds after a text that uses every line.
START_TEST(lines)
{
    struct test_ir ir =
        test_ir_read("gir 1\n"
                     "unit \"a.cpp\" \"c++\"\n"
                     "file 1 \"a.h\"\n"
                     "option per-thread-default-stream\n"
                     "status partial\n"
                     "time 1500000 250000\n"
                     "problem \"missing-header\" \"no x.h\" hint \"install x\" @3:1\n"
                     "comment \"guardlint: allow(x) y\" @1:4:5\n"
                     "decl \"d\" \"ns::C::~C\" () -> void [method destructor] class \"ns::C\" record \"C\"\n"
                     "record \"C\" \"ns::C\" [complete closure]\n"
                     "  targ i32\n"
                     "  base {\"B\"}\n"
                     "  field x *f32\n"
                     "  field \"<1>\" i32\n"
                     "  dtor \"d\"\n"
                     "global \"g\" \"ns::g\" [4]{\"C\"} [internal static] @1:9:9\n"
                     "func \"d\" [header] @1:20:3 .. @25:1\n"
                     "  param %this *{\"C\"} @20:9 from \"A B\"\n"
                     "  copy @\"g\"[0] = ? @-\n"
                     "  return\n");
    const struct gl_ir_unit *unit = gl_ir_unit_at(ir.program, 0);
    ck_assert_str_eq(unit->path, "a.cpp");
    ck_assert_str_eq(unit->language, "c++");
    ck_assert(unit->per_thread_default_stream);
    ck_assert_int_eq(unit->status, GL_UNIT_PARTIAL);
    ck_assert(unit->parse_seconds > 1.49 && unit->parse_seconds < 1.51);
    ck_assert(unit->lower_seconds > 0.24 && unit->lower_seconds < 0.26);
    ck_assert_str_eq(unit->problems.items[0].hint, "install x");
    ck_assert_str_eq(unit->problems.items[0].loc.file, "a.cpp");
    ck_assert_str_eq(unit->comments.items[0].loc.file, "a.h");
    const struct gl_ir_decl *dtor = test_ir_decl(&ir, "d");
    ck_assert_uint_eq(dtor->flags, GL_DECL_METHOD | GL_DECL_DESTRUCTOR);
    ck_assert_str_eq(dtor->name, "ns::C::~C");
    ck_assert_str_eq(dtor->class_name, "ns::C");
    const struct gl_ir_record *record = dtor->record;
    ck_assert_str_eq(record->name, "ns::C");
    ck_assert(record->is_complete && record->is_closure && !record->is_union && !record->is_abi_trivial);
    ck_assert_ptr_eq(record->destructor, dtor);
    ck_assert_uint_eq(record->fields.count, 2);
    ck_assert_str_eq(record->fields.items[1].name, "<1>");
    ck_assert_str_eq(record->bases.items[0]->record->name, "B");
    const struct gl_ir_func *func = dtor->body;
    ck_assert(!func->is_in_main_file);
    ck_assert_str_eq(func->end_loc.file, "a.h");
    ck_assert_uint_eq(func->end_loc.line, 25);
    ck_assert_str_eq(func->vars.items[0]->loc.macro, "A B");
    const struct gl_ir_instr *copy = &func->blocks.items[0]->instrs.items[0];
    ck_assert_ptr_null(copy->loc.file);
    ck_assert(copy->dst.var->is_static && copy->dst.var->kind == GL_VAR_GLOBAL);
    test_ir_destroy(&ir);
}
END_TEST

// Hand-written text: no declarations, no types, no positions, labels of one's own.
START_TEST(short_forms)
{
    struct test_ir ir = test_ir_read("\n// first a comment\r\ngir 1\n\n"
                                     "func \"main\"\r\n"
                                     "param %n\n"
                                     "\tvar %x~2\n"
                                     "      call %n = \"helper\" (%n, #1) // expect: some-check\n"
                                     "jump end\n"
                                     "end:\n"
                                     "return %n");
    const struct gl_ir_decl *decl = test_ir_decl(&ir, "main");
    ck_assert_str_eq(decl->name, "main");
    ck_assert_uint_eq(decl->params.count, 1);
    ck_assert(!(decl->flags & GL_DECL_VARIADIC));
    ck_assert(test_ir_decl(&ir, "helper")->flags & GL_DECL_VARIADIC);
    ck_assert(decl->body->is_in_main_file);
    ck_assert_str_eq(decl->body->vars.items[1]->name, "x");
    ck_assert_uint_eq(decl->body->blocks.count, 2);
    const struct gl_ir_instr *call = &decl->body->blocks.items[0]->instrs.items[0];
    ck_assert_str_eq(call->loc.file, "test.gir");
    ck_assert_uint_eq(call->loc.line, 8);
    ck_assert_uint_eq(call->loc.column, 7);
    ck_assert_str_eq(gl_ir_unit_at(ir.program, 0)->path, "test.gir");
    test_ir_destroy(&ir);
}
END_TEST

// ---- messages --------------------------------------------------------------------------------------------

static const struct mistake {
    const char *text;
    unsigned line, column;
    const char *message, *hint; // parts of them; no hint: NULL
} mistakes[] = {
    {"", 1, 1, "this is not IR text", "gir 1"},
    {"int main(void) {}\n", 1, 1, "this is not IR text", "gir 1"},
    {"gir 2\n", 1, 5, "format 2, this program reads format 1", "lower the source again"},
    {"gir x\n", 1, 5, "expected the format's version, found 'x'", NULL},
    {"gir 1\nfunk \"f\"\n", 2, 1, "unknown line or operation 'funk'", "did you mean 'func'?"},
    {"gir 1\nfunc \"f\"\n copi %x = %y\n", 3, 2, "unknown line or operation 'copi'", "did you mean 'copy'?"},
    {"gir 1\n copy %x = %y\n", 2, 2, "'copy' outside of a function", NULL},
    {"gir 1\n field x i32\n", 2, 2, "'field' outside of a record", NULL},
    {"gir 1\n var %x\n", 2, 2, "'var' outside of a function", NULL},
    {"gir 1\nbb0:\n", 2, 1, "a block outside of a function", NULL},
    {"gir 1\n(\n", 2, 1, "expected a line of the IR, found '('", NULL},
    {"gir 1\nfunc f\n", 2, 6, "expected a function's USR, found 'f'", NULL},
    {"gir 1\nfunc\n", 2, 5, "expected a function's USR, found the end of the line", NULL},
    {"gir 1\nfunc", 2, 5, "expected a function's USR, found the end of the text", NULL},
    {"gir 1\nfunc \"f\" [headr]\n", 2, 11, "unknown property 'headr'", "did you mean 'header'?"},
    {"gir 1\nfunc \"f\" [header\n", 2, 17, "expected a word or ']'", NULL},
    {"gir 1\nfunc \"f\" x\n", 2, 10, "expected the end of the line, found 'x'", NULL},
    {"gir 1\nfunc \"f\n", 2, 6, "string without end", NULL},
    {"gir 1\nfunc \"\\q\"\n", 2, 6, "unknown escape in a string", NULL},
    {"gir 1\nfunc \"\\x1\"\n", 2, 6, "\\x needs two hexadecimal digits", NULL},
    {"gir 1\nfunc \"\\x00\"\n", 2, 6, "a string cannot hold a zero byte", NULL},
    {"gir 1\nfunc \"f\" \x01\n", 2, 10, "unexpected byte", NULL},
    {"gir 1\nfunc \"f\"\n var x\n", 3, 6, "expected a variable (%name or %number), found 'x'", NULL},
    {"gir 1\nfunc \"f\"\n var %\n", 3, 6, "'%' needs a name or a number", NULL},
    {"gir 1\nfunc \"f\"\n var %x\n var %x\n", 4, 6, "has a variable %x already", NULL},
    {"gir 1\nfunc \"f\"\n var %x\n param %y\n", 4, 8, "parameters come before", NULL},
    {"gir 1\nfunc \"f\"\n return %x\n", 3, 9, "the function has no variable %x", "var %name TYPE"},
    {"gir 1\nfunc \"f\"\n jump a\n", 3, 7, "the function has no block a", NULL},
    {"gir 1\nfunc \"f\"\na:\n jump a\na:\n", 5, 1, "has a block a already", NULL},
    {"gir 1\nfunc \"f\"\n var %x flaot\n", 3, 9, "unknown type 'flaot'", NULL},
    {"gir 1\nfunc \"f\"\n var %x viod\n", 3, 9, "unknown type 'viod'", "did you mean 'void'?"},
    {"gir 1\nfunc \"f\"\n var %x i99999999999999999999999\n", 3, 9, "unknown type", NULL},
    {"gir 1\nfunc \"f\"\n var %x [99999999999999999999]i8\n", 3, 10, "array's length must be between", NULL},
    {"gir 1\nfunc \"f\"\n var %x [-1]i8\n", 3, 10, "array's length must be between", NULL},
    {"gir 1\nfunc \"f\"\n return #9223372036854775808\n", 3, 10, "does not fit into 64 bits", NULL},
    {"gir 1\nfunc \"f\"\n return #\n", 3, 10, "expected a number", NULL},
    {"gir 1\nfunc \"f\"\n return zeor\n", 3, 9, "unknown operand 'zeor'", "did you mean 'zero'?"},
    {"gir 1\nfunc \"f\"\n return )\n", 3, 9, "expected an operand", NULL},
    {"gir 1\nfunc \"f\"\n call (#1)\n", 3, 7, "expected a callee", NULL},
    {"gir 1\nfunc \"f\"\n call \"g\" (#1\n", 3, 14, "expected ',', found the end of the line", NULL},
    {"gir 1\nfunc \"f\"\n call \"g\" (#1 #2)\n", 3, 15, "expected ',', found '#'", NULL},
    {"gir 1\nfunc \"f\"\n launch \"k\" (#1)\n", 3, 13, "expected '<'", NULL},
    {"gir 1\nfunc \"f\"\n launch \"k\" <#1> (#1)\n", 3, 18, "two to four operands", "grid, block, shared"},
    {"gir 1\nfunc \"f\"\n param %x\n compare %x = xx %x, %x\n", 4, 15, "expected a comparison", NULL},
    {"gir 1\nfunc \"f\"\n switch ? {1} a\n", 3, 13, "expected ':'", NULL},
    {"gir 1\nfunc \"f\"\n stop @3\n", 3, 7, "a position is @line:column", NULL},
    {"gir 1\nfunc \"f\"\n stop @1:1:1\n", 3, 7, "no file has the number 1", "file NUMBER"},
    {"gir 1\nfunc \"f\"\n stop @99999999999:1\n", 3, 7, "number is too large", NULL},
    {"gir 1\nfunc \"f\"\n stop\nfunc \"f\"\n stop\n", 4, 9, "\"f\" has two bodies in this unit", NULL},
    {"gir 1\ndecl \"f\" (i32\n", 2, 14, "expected ','", NULL},
    {"gir 1\ndecl \"f\" (..., i32)\n", 2, 14, "expected ')'", NULL},
    {"gir 1\ndecl \"f\" [kernl]\n", 2, 11, "unknown property 'kernl'", "did you mean 'kernel'?"},
    {"gir 1\ndecl \"f\"\ndecl \"f\"\n", 3, 9, "\"f\" is declared twice in this unit", NULL},
    {"gir 1\nrecord \"f\"\nrecord \"f\"\n", 3, 11, "\"f\" is declared twice in this unit", NULL},
    {"gir 1\nglobal \"f\"\nglobal \"f\"\n", 3, 11, "\"f\" is declared twice in this unit", NULL},
    {"gir 1\nfunc \"g\"\n call \"f\" ()\ndecl \"f\" [internal]\n", 4, 20,
     "\"f\" is both internal and external", "before its first use"},
    {"gir 1\nfunc \"g\"\n return @\"x\"\nglobal \"x\" [internal]\n", 4, 22,
     "\"x\" is both internal and external", "before its first use"},
    {"gir 1\ndecl \"f\" [internal]\ndecl \"f\"\n", 3, 9, "\"f\" is both internal and external",
     "declare it once"},
    {"gir 1\nfile 2 \"x\"\n", 2, 6, "files are numbered in order, from 1; the next is 1", NULL},
    {"gir 1\noption per-thread-default-steam\n", 2, 8, "unknown option",
     "did you mean 'per-thread-default-stream'"},
    {"gir 1\nstatus fine\n", 2, 8, "expected a status (ok, partial or failed), found 'fine'", NULL},
    {"gir 1\ntime 1 -1\n", 2, 8, "a time in microseconds must be between", NULL},
    {"gir 1\nproblem \"x\"\n", 2, 12, "expected the problem's message", NULL},
};

START_TEST(mistake)
{
    const struct mistake *expected = &mistakes[_i];
    struct test_ir ir = test_ir_create();
    ck_assert(!test_ir_parse(&ir, expected->text));
    ck_assert_uint_eq(ir.diags.errors, ir.diags.list.count);
    const struct gl_diag *diag = &ir.diags.list.items[0];
    ck_assert_str_eq(diag->file, "test.gir");
    bool is_right = diag->line == expected->line && diag->column == expected->column &&
                    strstr(diag->message, expected->message) && !diag->hint == !expected->hint &&
                    (!expected->hint || strstr(diag->hint, expected->hint));
    if (!is_right)
        gl_diags_print(&ir.diags, stderr);
    ck_assert_msg(is_right, "expected %u:%u: %s (%s) for:\n%s", expected->line, expected->column,
                  expected->message, expected->hint ? expected->hint : "no hint", expected->text);
    test_ir_destroy(&ir);
}
END_TEST

START_TEST(mistakes_do_not_end_the_reading)
{
    struct test_ir ir = test_ir_create();
    ck_assert(!test_ir_parse(
        &ir, "gir 1\nfunc f\n bad line 1\nbb:\n stop\nfunc \"g\"\n copi\n return %x\n jump\n"));
    // The lines of the function whose head is broken are skipped; the three of the next are told one by one.
    ck_assert_uint_eq(ir.diags.list.count, 4);
    ck_assert_uint_eq(ir.diags.list.items[0].line, 2);
    ck_assert_uint_eq(ir.diags.list.items[1].line, 7);
    ck_assert_uint_eq(ir.diags.list.items[2].line, 8);
    ck_assert_uint_eq(ir.diags.list.items[3].line, 9);
    test_ir_destroy(&ir);
}
END_TEST

static char *repeated(const char *before, const char *part, size_t count, const char *after)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    fputs(before, stream);
    for (size_t i = 0; i < count; i++)
        fputs(part, stream);
    fputs(after, stream);
    fclose(stream);
    return text;
}

START_TEST(deep_types)
{
    struct test_ir ir = test_ir_create();
    char *text = repeated("gir 1\nfunc \"f\"\n param %p ", "*", 100000, "i32\n return\n");
    ck_assert(!test_ir_parse(&ir, text));
    ck_assert_uint_eq(ir.diags.list.count, 1);
    ck_assert_ptr_nonnull(strstr(ir.diags.list.items[0].message, "a type has more than 64 levels"));
    free(text);
    // A builder that goes deeper gets the unknown type, so that what is printed can be read.
    struct gl_ir_type *deep = gl_ir_type_get(ir.program, &(struct gl_ir_type){.kind = GL_TYPE_BOOL});
    for (int i = 0; i < 1000; i++) {
        deep = gl_ir_type_pointer(ir.program, deep);
        ck_assert_uint_le(strlen(deep->text), 64 + 3);
    }
    test_ir_destroy(&ir);
}
END_TEST

START_TEST(many_mistakes)
{
    struct test_ir ir = test_ir_create();
    char *text = repeated("gir 1\n", "nonsense\n", 10000, "");
    ck_assert(!test_ir_parse(&ir, text));
    ck_assert_uint_eq(ir.diags.list.count, 20);
    free(text);
    test_ir_destroy(&ir);
}
END_TEST

START_TEST(zero_byte_inside)
{
    static const char text[] = "gir 1\nfunc \"f\"\n re\0turn\n";
    struct test_ir ir = test_ir_create();
    ck_assert(!gl_ir_parse(ir.program, "test.gir", text, sizeof text - 1, &ir.diags));
    ck_assert_uint_eq(ir.diags.list.items[0].line, 3);
    test_ir_destroy(&ir);
}
END_TEST

// A text cut off anywhere is read or refused, never more.
START_TEST(truncated)
{
    static const char text[] =
        "gir 1\nunit \"a\" cuda\nfile 1 \"b\"\ndecl \"k\" (*f32, ...) -> i32 [kernel] @1:2:3\n"
        "record \"r\" [complete]\n field \"\\x41\" [3]\"t\"=u8\nglobal \"g\" i32 [static]\n"
        "func \"f\" @1:2 .. @3:4\n param %x &&const {\"r\"} static @1:1 from \"\\n\"\n"
        " launch \"k\" <#1, ?> (&%x*.y[-1] byval)\n switch %x {1: a, 2: b} a\na:\nb:\n stop @-\n";
    for (size_t size = 0; size < sizeof text; size++) {
        char *copy = malloc(size + 1); // so that a sanitizer sees reads past the end
        memcpy(copy, text, size);
        copy[size] = '\0';
        struct test_ir ir = test_ir_create();
        bool is_read = gl_ir_parse(ir.program, "test.gir", copy, size, &ir.diags);
        ck_assert_int_eq(is_read, ir.diags.errors == 0);
        test_ir_destroy(&ir);
        free(copy);
    }
}
END_TEST

// ---- joining ---------------------------------------------------------------------------------------------

START_TEST(units_are_joined)
{
    struct test_ir ir = test_ir_create();
    ck_assert(test_ir_parse(&ir,
                            "gir 1\nunit \"a.c\" c\n"
                            "decl \"own\" [internal]\n"
                            "global \"count\" i32\n"
                            "record \"r\"\n"
                            "func \"caller\"\n param %r {\"r\"}\n call \"helper\" (#1)\n call \"own\" ()\n"
                            " copy @\"count\" = #1\n return\n"
                            "func \"own\"\n return\n"
                            "func \"inline\"\n var %x i32\n jump a\na:\n return #1\n"));
    ck_assert(test_ir_parse(
        &ir, "gir 1\nunit \"b.c\" c\n"
             "decl \"helper\" \"ns::helper\" (i32) -> i32 [nodiscard]\n"
             "decl \"own\" [internal]\n"
             "record \"r\" \"R\" [complete]\n field f i32\n"
             "func \"helper\"\n param %x i32\n copy @\"count\" = %x\n call \"own\" ()\n return %x\n"
             "func \"own\"\n stop\n"
             "func \"inline\"\n param %y\n unknown \"dropped\" ()\n jump b\nb:\n return #2\n"));
    const struct gl_ir_unit *a = gl_ir_unit_at(ir.program, 0), *b = gl_ir_unit_at(ir.program, 1);
    const struct gl_ir_func *caller = test_ir_decl(&ir, "caller")->body,
                            *helper = test_ir_decl(&ir, "helper")->body;
    const struct gl_ir_instr *calls = caller->blocks.items[0]->instrs.items;
    // The call before the declaration, in another unit, reaches the body.
    ck_assert_ptr_eq(calls[0].callee, helper->decl);
    ck_assert_str_eq(helper->decl->name, "ns::helper");
    ck_assert_uint_eq(helper->decl->flags, GL_DECL_NODISCARD);
    ck_assert_uint_eq(helper->decl->params.count, 1);
    ck_assert_ptr_eq(calls[2].dst.var, helper->blocks.items[0]->instrs.items[0].dst.var);
    ck_assert_str_eq(caller->vars.items[0]->type->record->name, "R");
    ck_assert_uint_eq(caller->vars.items[0]->type->record->fields.count, 1);
    // Internal functions stay apart.
    const struct gl_ir_decl *own_a = calls[1].callee,
                            *own_b = helper->blocks.items[0]->instrs.items[1].callee;
    ck_assert_ptr_ne(own_a, own_b);
    ck_assert_ptr_eq(own_a->body->unit, a);
    ck_assert_ptr_eq(own_b->body->unit, b);
    // The second body of one function is dropped.
    const struct gl_ir_decl *inlined = test_ir_decl(&ir, "inline");
    ck_assert_ptr_eq(inlined->body->unit, a);
    ck_assert_uint_eq(inlined->body->param_count, 0);
    ck_assert_uint_eq(inlined->body->unknown_count, 0);
    ck_assert_uint_eq(a->funcs.count, 3);
    ck_assert_uint_eq(b->funcs.count, 2);
    test_ir_destroy(&ir);
}
END_TEST

// What one unit knows of a record is not lost by another that knows less; more replaces less.
START_TEST(records_are_joined)
{
    struct test_ir ir = test_ir_create();
    ck_assert(test_ir_parse(&ir, "gir 1\nunit \"a\"\nrecord \"r\" \"R\" [incomplete]\n targ i8\n dtor \"d\"\n"
                                 "func \"f\"\n param %x {\"r\"}\n return\n"));
    const struct gl_ir_record *record = test_ir_decl(&ir, "f")->params.items[0]->record;
    ck_assert(!record->is_complete);
    ck_assert(test_ir_parse(&ir, "gir 1\nunit \"b\"\nrecord \"r\"\n targ i16\n"));
    ck_assert_str_eq(record->name, "R");
    ck_assert_str_eq(record->destructor->usr, "d");
    ck_assert_uint_eq(record->template_args.count, 1);
    ck_assert_str_eq(record->template_args.items[0]->text, "i16");
    ck_assert(
        test_ir_parse(&ir, "gir 1\nunit \"c\"\nrecord \"r\" \"R\" [complete]\n field x i32\n field y i32\n"));
    ck_assert(record->is_complete);
    ck_assert_uint_eq(record->fields.count, 2);
    ck_assert(
        test_ir_parse(&ir, "gir 1\nunit \"d\"\nrecord \"r\" \"Other\" [complete union]\n field z i32\n"));
    ck_assert_str_eq(record->name, "R");
    ck_assert(!record->is_union);
    ck_assert_str_eq(record->fields.items[0].name, "x");
    test_ir_destroy(&ir);
}
END_TEST

START_TEST(units_that_disagree)
{
    struct test_ir ir = test_ir_create();
    ck_assert(test_ir_parse(
        &ir, "gir 1\nunit \"a.c\" c\ndecl \"f\" (i32) -> i32\nfunc \"a\"\n call \"f\" (#1)\n return\n"));
    ck_assert(test_ir_parse(&ir, "gir 1\nunit \"b.c\" c\ndecl \"f\" (i32, i32) -> i32\nfunc \"b\"\n"
                                 " call \"f\" (#1, #2)\n return\n"));
    ck_assert(test_ir_decl(&ir, "f")->flags & GL_DECL_VARIADIC);
    for (size_t i = 0; i < 2; i++)
        ck_assert(gl_ir_check_unit(gl_ir_unit_at(ir.program, i), &ir.diags));
    test_ir_destroy(&ir);
}
END_TEST

// ---- there and back --------------------------------------------------------------------------------------

// Parse, print, parse, print: the two prints are equal. Texts with errors are no matter here.
static bool check_fixpoint(const char *name, const char *text, size_t size)
{
    struct test_ir first = test_ir_create(), second = test_ir_create();
    bool is_read = gl_ir_parse(first.program, name, text, size, &first.diags);
    if (is_read) {
        char *once = test_ir_text(&first);
        bool is_read_again = test_ir_parse(&second, once);
        if (!is_read_again)
            gl_diags_print(&second.diags, stderr);
        ck_assert_msg(is_read_again, "%s: what was printed does not parse:\n%s", name, once);
        char *twice = test_ir_text(&second);
        ck_assert_msg(strcmp(once, twice) == 0, "%s: printed first\n%s\nand then\n%s", name, once, twice);
        free(once);
        free(twice);
    }
    test_ir_destroy(&first);
    test_ir_destroy(&second);
    return is_read;
}

static int files_seen, files_read;

static int check_file(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)walk;
    size_t length = strlen(path);
    if (kind != FTW_F || length < 4 || strcmp(path + length - 4, ".gir") != 0)
        return 0;
    size_t size = (size_t)status->st_size;
    char *text = malloc(size + 1);
    FILE *stream = fopen(path, "rb");
    ck_assert_ptr_nonnull(stream);
    ck_assert_uint_eq(fread(text, 1, size, stream), size);
    text[size] = '\0';
    fclose(stream);
    files_seen++;
    files_read += check_fixpoint(path, text, size);
    free(text);
    return 0;
}

START_TEST(fixpoint_of_files)
{
    files_seen = files_read = 0;
    nftw(GL_TESTDATA, check_file, 16, FTW_PHYS);
    nftw(GL_SOURCE "/tests/fuzz/corpus/ir", check_file, 16, FTW_PHYS);
    ck_assert_int_ge(files_seen, 3);
    ck_assert_int_ge(files_read, 2); // the corpus has a file of mistakes
}
END_TEST

// The examples of the manual parse, come back, and keep the invariants.
START_TEST(examples_of_the_manual)
{
    FILE *manual = fopen(GL_SOURCE "/docs/ir.md", "r");
    ck_assert_ptr_nonnull(manual);
    char line[1024], *example = NULL;
    size_t size = 0, count = 0;
    FILE *stream = NULL;
    while (fgets(line, sizeof line, manual)) {
        if (stream && strcmp(line, "```\n") == 0) {
            fclose(stream);
            stream = NULL;
            struct test_ir ir = test_ir_read(example);
            bool is_sound = gl_ir_check_unit(gl_ir_unit_at(ir.program, 0), &ir.diags);
            gl_diags_print(&ir.diags, stderr);
            ck_assert(is_sound);
            test_ir_destroy(&ir);
            ck_assert(check_fixpoint("docs/ir.md", example, size));
            free(example);
            count++;
        } else if (stream) {
            fputs(line, stream);
        } else if (strcmp(line, "```gir\n") == 0) {
            stream = open_memstream(&example, &size);
        }
    }
    fclose(manual);
    ck_assert_uint_eq(count, 2);
}
END_TEST

// Every byte but zero survives in a string, in all of its neighbourhoods.
START_TEST(bytes_of_strings)
{
    char bytes[2 * 255 + 1];
    size_t length = 0;
    for (int step = 1; step <= 7;
         step += 6) { // 7 and 255 have no common factor: every byte again, in another order
        for (int i = 1; i < 256; i++)
            bytes[length++] = (char)(i * step % 255 + 1);
    }
    bytes[length] = '\0';
    const char *const texts[] = {bytes,
                                 "grün 日本 \xf0\x9f\x98\x80",
                                 "\xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80 \xe0\x80\x80",
                                 "\xe2\x82",
                                 "\xc3",
                                 ""};
    for (size_t i = 0; i < GL_COUNT(texts); i++) {
        struct test_ir ir = test_ir_create(), again = test_ir_create();
        struct gl_ir_unit *unit = gl_ir_unit_add(ir.program, texts[i]);
        struct gl_ir_comment comment = {.text = texts[i]};
        GL_VEC_PUSH(&unit->comments, comment);
        char *text = test_ir_text(&ir);
        ck_assert(test_ir_parse(&again, text));
        ck_assert_str_eq(gl_ir_unit_at(again.program, 0)->path, texts[i]);
        ck_assert_str_eq(gl_ir_unit_at(again.program, 0)->comments.items[0].text, texts[i]);
        free(text);
        test_ir_destroy(&ir);
        test_ir_destroy(&again);
    }
    // What is UTF-8 stays readable; what is not is escaped.
    struct test_ir ir = test_ir_create();
    gl_ir_unit_add(ir.program, "grün\xff");
    char *text = test_ir_text(&ir);
    ck_assert_ptr_nonnull(strstr(text, "\"grün\\xff\""));
    free(text);
    test_ir_destroy(&ir);
}
END_TEST

START_TEST(print_of_one_function)
{
    struct test_ir ir = test_ir_read("gir 1\nunit \"a.c\" c\nfile 1 \"a.h\"\nfunc \"f\" @1:2:3 .. @4:5\n"
                                     " param %x i32 @2:9\n return %x @0:7:1\n");
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    gl_ir_print_func(test_ir_decl(&ir, "f")->body, stream);
    fclose(stream);
    ck_assert_str_eq(
        text, "file 1 \"a.h\"\nfunc \"f\" @1:2:3 .. @4:5\n  param %x i32 @2:9\nbb0:\n  return %x @0:7:1\n");
    free(text);
    test_ir_destroy(&ir);
}
END_TEST

START_TEST(failure_to_write_is_told)
{
    struct test_ir ir = test_ir_read("gir 1\nfunc \"f\"\n return\n");
    FILE *full = fopen("/dev/full", "w");
    if (full) { // not every system has it
        setvbuf(full, NULL, _IONBF, 0);
        ck_assert(!gl_ir_print_unit(ir.program, gl_ir_unit_at(ir.program, 0), full));
        fclose(full);
    }
    test_ir_destroy(&ir);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ir_text");
    TCase *tcase = tcase_create("text");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, form, 0, (int)GL_COUNT(forms));
    tcase_add_loop_test(tcase, type, 0, (int)GL_COUNT(types));
    tcase_add_test(tcase, lines);
    tcase_add_test(tcase, short_forms);
    tcase_add_loop_test(tcase, mistake, 0, (int)GL_COUNT(mistakes));
    tcase_add_test(tcase, mistakes_do_not_end_the_reading);
    tcase_add_test(tcase, deep_types);
    tcase_add_test(tcase, many_mistakes);
    tcase_add_test(tcase, zero_byte_inside);
    tcase_add_test(tcase, truncated);
    tcase_add_test(tcase, units_are_joined);
    tcase_add_test(tcase, records_are_joined);
    tcase_add_test(tcase, units_that_disagree);
    tcase_add_test(tcase, fixpoint_of_files);
    tcase_add_test(tcase, examples_of_the_manual);
    tcase_add_test(tcase, bytes_of_strings);
    tcase_add_test(tcase, print_of_one_function);
    tcase_add_test(tcase, failure_to_write_is_told);
    suite_add_tcase(suite, tcase);
    return test_ir_run(suite);
}
