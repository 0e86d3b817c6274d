// SPDX-License-Identifier: Apache-2.0
// The IR builder: interned types, joining by USR, places; and that programs made at random print and parse
// back.
#include "test_ir.h"

// ---- types -----------------------------------------------------------------------------------------------

static struct gl_ir_type *make_type(struct test_ir *ir, enum gl_ir_type_kind kind, struct gl_ir_type *element)
{
    return gl_ir_type_get(ir->program,
                          &(struct gl_ir_type){.kind = kind, .element = element, .name = "alias"});
}

START_TEST(types_are_interned)
{
    struct test_ir ir = test_ir_create();
    struct gl_ir_type pattern = {.kind = GL_TYPE_FLOAT, .bits = 32, .is_const = true};
    struct gl_ir_type *real = gl_ir_type_get(ir.program, &pattern);
    pattern.text = "ignored";
    pattern.count = 7; // means nothing for a number
    ck_assert_ptr_eq(gl_ir_type_get(ir.program, &pattern), real);
    ck_assert_str_eq(real->text, "const f32");
    pattern.is_const = false;
    ck_assert_ptr_ne(gl_ir_type_get(ir.program, &pattern), real);
    ck_assert_ptr_eq(gl_ir_type_pointer(ir.program, real), gl_ir_type_pointer(ir.program, real));
    ck_assert_str_eq(gl_ir_type_pointer(ir.program, real)->text, "*const f32");
    struct gl_ir_type *open = make_type(&ir, GL_TYPE_POINTER, NULL); // nothing known of the pointee
    ck_assert_str_eq(open->text, "*?");
    // Enough of them for the table to grow, each found again.
    struct gl_ir_type *many[1000];
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < GL_COUNT(many); i++) {
            struct gl_ir_type array = {.kind = GL_TYPE_ARRAY, .count = i, .element = real};
            struct gl_ir_type *got = gl_ir_type_get(ir.program, &array);
            ck_assert(round == 0 || many[i] == got);
            many[i] = got;
        }
    }
    test_ir_destroy(&ir);
}
END_TEST

START_TEST(types_are_stripped)
{
    struct test_ir ir = test_ir_create();
    struct gl_ir_record *record = gl_ir_record_get(ir.program, "r");
    struct gl_ir_type *object =
        gl_ir_type_get(ir.program, &(struct gl_ir_type){.kind = GL_TYPE_RECORD, .record = record});
    struct gl_ir_type *alias = make_type(&ir, GL_TYPE_ALIAS, make_type(&ir, GL_TYPE_ALIAS, object));
    struct gl_ir_type *array = make_type(&ir, GL_TYPE_ALIAS, make_type(&ir, GL_TYPE_ARRAY, alias));
    struct gl_ir_type *reference = make_type(&ir, GL_TYPE_ALIAS, make_type(&ir, GL_TYPE_REFERENCE, alias));
    ck_assert_ptr_eq(gl_ir_type_strip(alias), object);
    ck_assert_int_eq(gl_ir_type_strip(reference)->kind, GL_TYPE_REFERENCE);
    ck_assert_ptr_eq(gl_ir_type_strip_ref(reference), object);
    ck_assert_ptr_eq(gl_ir_type_strip_ref(object), object);
    ck_assert_ptr_eq(gl_ir_type_record(array), record);
    ck_assert_ptr_null(gl_ir_type_record(reference));
    ck_assert_ptr_null(gl_ir_type_record(NULL));
    test_ir_destroy(&ir);
}
END_TEST

START_TEST(references_collapse)
{
    struct test_ir ir = test_ir_create();
    struct gl_ir_type *lvalue = make_type(&ir, GL_TYPE_REFERENCE, NULL);
    struct gl_ir_type *rvalue = make_type(&ir, GL_TYPE_RVALUE, NULL);
    ck_assert_ptr_eq(make_type(&ir, GL_TYPE_REFERENCE, lvalue), lvalue);
    ck_assert_ptr_eq(make_type(&ir, GL_TYPE_REFERENCE, rvalue), lvalue);
    ck_assert_ptr_eq(make_type(&ir, GL_TYPE_RVALUE, lvalue), lvalue);
    ck_assert_ptr_eq(make_type(&ir, GL_TYPE_RVALUE, rvalue), rvalue);
    test_ir_destroy(&ir);
}
END_TEST

// ---- joining ---------------------------------------------------------------------------------------------

START_TEST(objects_are_joined_by_usr)
{
    struct test_ir ir = test_ir_create();
    struct gl_ir_program *program = ir.program;
    struct gl_ir_unit *a = gl_ir_unit_add(program, "a.c"), *b = gl_ir_unit_add(program, "b.c");
    struct gl_ir_decl *shared = gl_ir_decl_get(program, a, "f", false);
    struct gl_ir_decl *own = gl_ir_decl_get(program, a, "f", true);
    ck_assert_ptr_eq(gl_ir_decl_get(program, b, "f", false), shared);
    ck_assert_ptr_eq(gl_ir_decl_get(program, a, "f", true), own);
    ck_assert_ptr_ne(own, shared);
    ck_assert_ptr_ne(gl_ir_decl_get(program, b, "f", true), own);
    ck_assert_uint_eq(own->flags, GL_DECL_INTERNAL);
    ck_assert_uint_eq(shared->flags, 0);
    ck_assert_uint_eq(gl_ir_decl_count(program), 3);
    ck_assert_ptr_eq(gl_ir_decl_at(program, 1), own);
    struct gl_ir_var *global = gl_ir_global_get(program, a, "g", false);
    ck_assert_ptr_eq(gl_ir_global_get(program, b, "g", false), global);
    ck_assert_ptr_ne(gl_ir_global_get(program, b, "g", true), global);
    ck_assert_int_eq(global->kind, GL_VAR_GLOBAL);
    ck_assert_ptr_eq(gl_ir_record_get(program, "r"), gl_ir_record_get(program, "r"));
    struct gl_ir_func *func = gl_ir_func_add(program, a, shared);
    ck_assert_ptr_eq(shared->body, func);
    ck_assert_ptr_null(gl_ir_func_add(program, b, shared));
    ck_assert_uint_eq(b->funcs.count, 0);
    ck_assert_ptr_eq(gl_ir_unit_at(program, 1), b);
    test_ir_destroy(&ir);
}
END_TEST

START_TEST(functions_are_built)
{
    struct test_ir ir = test_ir_create();
    struct gl_ir_unit *unit = gl_ir_unit_add(ir.program, "a.c");
    struct gl_ir_func *func = gl_ir_func_add(ir.program, unit, gl_ir_decl_get(ir.program, unit, "f", false));
    struct gl_ir_var *param = gl_ir_var_add(ir.program, func, GL_VAR_PARAM, "p", NULL, (struct gl_ir_loc){0});
    struct gl_ir_var *temp = gl_ir_var_add(ir.program, func, GL_VAR_TEMP, NULL, NULL, (struct gl_ir_loc){0});
    ck_assert_uint_eq(func->param_count, 1);
    ck_assert_str_eq(temp->name, "");
    ck_assert_uint_eq(temp->id, 1);
    struct gl_ir_block *block = gl_ir_block_add(ir.program, func);
    ck_assert(!gl_ir_block_is_closed(block));
    struct gl_ir_instr *instr =
        gl_ir_append(block, &(struct gl_ir_instr){.op = GL_IR_UNKNOWN, .name = "asm"});
    ck_assert_ptr_eq(instr, &block->instrs.items[0]);
    ck_assert_uint_eq(func->unknown_count, 1);
    ck_assert(!gl_ir_block_is_closed(block));
    gl_ir_append(block, &(struct gl_ir_instr){.op = GL_IR_RETURN});
    ck_assert(gl_ir_block_is_closed(block));
    struct gl_ir_place pointee = gl_ir_place_deref(ir.program, gl_ir_place_var(param));
    struct gl_ir_place x = gl_ir_place_field(ir.program, pointee, "x");
    struct gl_ir_place y = gl_ir_place_field(ir.program, pointee, "y");
    ck_assert_uint_eq(pointee.step_count, 1);
    ck_assert_uint_eq(x.step_count, 2);
    ck_assert_str_eq(x.steps[1].field, "x");
    ck_assert_str_eq(y.steps[1].field, "y");
    ck_assert_int_eq(y.steps[0].kind, GL_STEP_DEREF);
    test_ir_destroy(&ir);
}
END_TEST

// ---- programs made at random -----------------------------------------------------------------------------

// Builds a unit that is well-formed for the printer, though not for the checker: any operand anywhere.
struct maker {
    struct test_ir ir;
    struct gl_ir_unit *unit;
    struct gl_ir_func *func;
    uint64_t random;
};

static unsigned pick(struct maker *maker, unsigned count)
{
    maker->random = maker->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(maker->random >> 33) % count;
}

static const char *pick_text(struct maker *maker)
{
    static const char *const texts[] = {"x",    "y",   "x",        "p_",      "operator()", "a b",
                                        "~C",   "1st", "\xff\x01", "\"q\"\\", "bb0",        "static",
                                        "grün", "fn",  "zero",     "<0>",     "$d",         "default-"};
    return gl_intern(maker->ir.strings, texts[pick(maker, GL_COUNT(texts))]);
}

static struct gl_ir_loc pick_loc(struct maker *maker)
{
    static const char *const files[] = {"random.cu", "a.h", "dir/b \"c\".h"};
    if (pick(maker, 8) == 0)
        return (struct gl_ir_loc){0};
    return (struct gl_ir_loc){gl_intern(maker->ir.strings, files[pick(maker, 3)]), pick(maker, 5000),
                              pick(maker, 200), pick(maker, 6) == 0 ? pick_text(maker) : NULL};
}

static struct gl_ir_type *pick_type(struct maker *maker, int depth)
{
    static const unsigned bits[] = {8, 16, 32, 64, 128};
    struct gl_ir_type type = {
        .kind = (enum gl_ir_type_kind)pick(maker, GL_TYPE_ALIAS + 1),
        .is_const = pick(maker, 4) == 0,
        .is_signed = pick(maker, 2),
        .bits = bits[pick(maker, 5)],
        .count = pick(maker, 9),
        .name = pick_text(maker),
        .element = depth > 0 ? pick_type(maker, depth - 1) : NULL,
        .record = gl_ir_record_get(maker->ir.program, pick_text(maker)),
    };
    type.record->name = type.record->usr;
    return gl_ir_type_get(maker->ir.program, &type);
}

// External functions have names of texts, internal ones a suffix: a USR has one linkage.
static struct gl_ir_decl *pick_decl(struct maker *maker)
{
    bool is_internal = pick(maker, 3) == 0;
    const char *usr = pick_text(maker);
    if (is_internal)
        usr =
            gl_intern(maker->ir.strings, gl_arena_printf(gl_ir_arena(maker->ir.program), "%s@internal", usr));
    struct gl_ir_decl *decl = gl_ir_decl_get(maker->ir.program, maker->unit, usr, is_internal);
    if (decl->name)
        return decl;
    decl->name = pick(maker, 2) ? pick_text(maker) : decl->usr;
    decl->result = pick_type(maker, 2);
    decl->flags |= pick(maker, GL_DECL_DELETED * 2) & ~(unsigned)GL_DECL_INTERNAL;
    decl->class_name = pick(maker, 3) ? NULL : pick_text(maker);
    decl->record = pick(maker, 3) ? NULL : gl_ir_record_get(maker->ir.program, pick_text(maker));
    decl->loc = pick_loc(maker);
    for (unsigned i = pick(maker, 4); i; i--)
        GL_VEC_PUSH(&decl->params, pick_type(maker, 2));
    return decl;
}

static struct gl_ir_var *pick_var(struct maker *maker)
{
    if (pick(maker, 4))
        return maker->func->vars.items[pick(maker, (unsigned)maker->func->vars.count)];
    struct gl_ir_var *global = gl_ir_global_get(maker->ir.program, maker->unit, pick_text(maker), false);
    if (!global->name) {
        global->name = pick_text(maker);
        global->type = pick_type(maker, 2);
        global->is_static = pick(maker, 2);
        global->loc = pick_loc(maker);
    }
    return global;
}

static struct gl_ir_place pick_place(struct maker *maker)
{
    struct gl_ir_place place = gl_ir_place_var(pick_var(maker));
    for (unsigned i = pick(maker, 4); i; i--) {
        struct gl_ir_step step = {
            .kind = (enum gl_ir_step_kind)pick(maker, GL_STEP_INDEX_U + 1),
            .field = pick_text(maker),
            .index = (int64_t)pick(maker, 100) - 50,
            .index_var = pick_var(maker),
        };
        if (step.kind != GL_STEP_INDEX_V)
            step.index_var = NULL;
        place = gl_ir_place_step(maker->ir.program, place, step);
    }
    return place;
}

static struct gl_ir_operand pick_operand(struct maker *maker)
{
    struct gl_ir_operand operand = {.kind = (enum gl_ir_operand_kind)pick(maker, GL_OPERAND_FUNCTION + 1)};
    operand.integer = operand.kind == GL_OPERAND_INTEGER ? (int64_t)maker->random : 0;
    if (operand.kind == GL_OPERAND_PLACE || operand.kind == GL_OPERAND_ADDRESS)
        operand.place = pick_place(maker);
    if (operand.kind == GL_OPERAND_STRING)
        operand.string = pick_text(maker);
    if (operand.kind == GL_OPERAND_FUNCTION)
        operand.function = pick_decl(maker);
    return operand;
}

static struct gl_ir_operand *pick_operands(struct maker *maker, size_t count, bool has_flags)
{
    struct gl_ir_operand *operands =
        GL_ARENA_ARRAY(gl_ir_arena(maker->ir.program), struct gl_ir_operand, count);
    for (size_t i = 0; i < count; i++) {
        operands[i] = pick_operand(maker);
        operands[i].flags = has_flags ? pick(maker, 8) : 0;
    }
    return operands;
}

static struct gl_ir_block *pick_block(struct maker *maker)
{
    return maker->func->blocks.items[pick(maker, (unsigned)maker->func->blocks.count)];
}

static void make_callee(struct maker *maker, struct gl_ir_instr *instr)
{
    unsigned kind = pick(maker, 3);
    instr->name = kind == 0 ? pick_text(maker) : NULL;
    if (kind == 1)
        instr->callee = pick_decl(maker);
    if (kind == 2)
        instr->target = pick_operand(maker);
    if (instr->op == GL_IR_LAUNCH)
        instr->config = pick_operands(maker, 4, false);
    instr->is_implicit = pick(maker, 2);
    instr->is_virtual = pick(maker, 2);
    instr->is_cleanup = pick(maker, 2);
}

static size_t pick_arg_count(struct maker *maker, enum gl_ir_op op)
{
    switch (op) {
    case GL_IR_COPY:
    case GL_IR_BRANCH:
    case GL_IR_SWITCH:
        return 1;
    case GL_IR_COMPARE:
        return 2;
    case GL_IR_RETURN:
        return pick(maker, 2);
    case GL_IR_COMPUTE:
    case GL_IR_CALL:
    case GL_IR_LAUNCH:
    case GL_IR_UNKNOWN:
        return pick(maker, 4);
    default:
        return 0;
    }
}

static void make_targets(struct maker *maker, struct gl_ir_instr *instr)
{
    if (instr->op == GL_IR_BRANCH || instr->op == GL_IR_SWITCH || instr->op == GL_IR_JUMP)
        instr->targets[0] = pick_block(maker);
    if (instr->op == GL_IR_BRANCH)
        instr->targets[1] = pick_block(maker);
    if (instr->op != GL_IR_SWITCH)
        return;
    instr->case_count = pick(maker, 4);
    instr->cases = GL_ARENA_ARRAY(gl_ir_arena(maker->ir.program), struct gl_ir_case, instr->case_count);
    for (size_t i = 0; i < instr->case_count; i++)
        instr->cases[i] = (struct gl_ir_case){(int64_t)maker->random, pick_block(maker)};
}

static void make_instr(struct maker *maker, struct gl_ir_block *block)
{
    struct gl_ir_instr instr = {.op = (enum gl_ir_op)pick(maker, GL_IR_OP_COUNT), .loc = pick_loc(maker)};
    bool is_call = instr.op == GL_IR_CALL || instr.op == GL_IR_LAUNCH || instr.op == GL_IR_UNKNOWN;
    instr.has_dst = instr.op == GL_IR_COPY || instr.op == GL_IR_COMPUTE || instr.op == GL_IR_COMPARE ||
                    (is_call && pick(maker, 2));
    if (instr.has_dst)
        instr.dst = pick_place(maker);
    if (instr.op == GL_IR_BEGIN || instr.op == GL_IR_END)
        instr.var = pick_var(maker);
    if (instr.op == GL_IR_COMPARE)
        instr.compare = (enum gl_ir_compare)pick(maker, GL_CMP_GE + 1);
    if (instr.op == GL_IR_COMPUTE || instr.op == GL_IR_UNKNOWN)
        instr.name = pick_text(maker);
    if (instr.op == GL_IR_CALL || instr.op == GL_IR_LAUNCH)
        make_callee(maker, &instr);
    instr.arg_count = pick_arg_count(maker, instr.op);
    instr.args = pick_operands(maker, instr.arg_count, is_call);
    make_targets(maker, &instr);
    gl_ir_append(block, &instr);
}

static void make_func(struct maker *maker)
{
    maker->func = gl_ir_func_add(maker->ir.program, maker->unit, pick_decl(maker));
    if (!maker->func)
        return;
    maker->func->loc = pick_loc(maker);
    maker->func->end_loc = pick_loc(maker);
    maker->func->is_in_main_file = pick(maker, 2);
    unsigned params = pick(maker, 3);
    for (unsigned i = 0; i < params + pick(maker, 8) + 1; i++) {
        enum gl_ir_var_kind kind = i < params ? GL_VAR_PARAM : pick(maker, 2) ? GL_VAR_LOCAL : GL_VAR_TEMP;
        gl_ir_var_add(maker->ir.program, maker->func, kind, pick_text(maker), pick_type(maker, 4),
                      pick_loc(maker))
            ->is_static = kind == GL_VAR_LOCAL && pick(maker, 4) == 0;
    }
    for (unsigned i = pick(maker, 5) + 1; i; i--)
        gl_ir_block_add(maker->ir.program, maker->func);
    for (size_t i = 0; i < maker->func->blocks.count; i++) {
        for (unsigned j = pick(maker, 12); j; j--)
            make_instr(maker, maker->func->blocks.items[i]);
    }
}

static void make_records(struct maker *maker)
{
    for (unsigned i = 0; i < 6; i++) {
        struct gl_ir_record *record = gl_ir_record_get(maker->ir.program, pick_text(maker));
        if (record->name) // made before
            continue;
        record->name = pick(maker, 2) ? pick_text(maker) : record->usr;
        record->is_complete = pick(maker, 2);
        record->is_union = pick(maker, 2);
        record->is_closure = pick(maker, 2);
        record->is_abi_trivial = pick(maker, 2);
        record->destructor = pick(maker, 2) ? pick_decl(maker) : NULL;
        for (unsigned j = pick(maker, 3); j; j--) {
            GL_VEC_PUSH(&record->bases, pick_type(maker, 1));
            GL_VEC_PUSH(&record->template_args, pick_type(maker, 3));
            struct gl_ir_field field = {pick_text(maker), pick_type(maker, 3)};
            GL_VEC_PUSH(&record->fields, field);
        }
    }
}

static struct maker make_unit(uint64_t seed)
{
    struct maker maker = {.ir = test_ir_create(), .random = seed};
    maker.unit = gl_ir_unit_add(maker.ir.program, "random.cu");
    maker.unit->language = pick_text(&maker);
    maker.unit->status = (enum gl_ir_status)pick(&maker, 3);
    maker.unit->per_thread_default_stream = pick(&maker, 2);
    maker.unit->parse_seconds = pick(&maker, 2) ? (double)pick(&maker, 1000000) * 1e-5 : 0;
    for (unsigned i = pick(&maker, 3); i; i--) {
        struct gl_ir_problem problem = {pick_text(&maker), pick_loc(&maker), pick_text(&maker),
                                        pick(&maker, 2) ? pick_text(&maker) : NULL};
        struct gl_ir_comment comment = {pick_loc(&maker), pick_text(&maker)};
        GL_VEC_PUSH(&maker.unit->problems, problem);
        GL_VEC_PUSH(&maker.unit->comments, comment);
    }
    make_records(&maker);
    for (unsigned i = pick(&maker, 6); i; i--)
        make_func(&maker);
    return maker;
}

START_TEST(random_programs_come_back)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct maker maker = make_unit((uint64_t)_i * 50 + seed);
        struct test_ir again = test_ir_create();
        char *once = test_ir_text(&maker.ir);
        bool is_read = test_ir_parse(&again, once);
        if (!is_read)
            gl_diags_print(&again.diags, stderr);
        ck_assert_msg(is_read, "does not parse:\n%s", once);
        char *twice = test_ir_text(&again);
        ck_assert_msg(strcmp(once, twice) == 0, "printed first\n%s\nand then\n%s", once, twice);
        const struct gl_ir_unit *unit = gl_ir_unit_at(again.program, 0);
        ck_assert_uint_eq(unit->funcs.count, maker.unit->funcs.count);
        for (size_t i = 0; i < unit->funcs.count; i++)
            ck_assert_uint_eq(unit->funcs.items[i]->unknown_count, maker.unit->funcs.items[i]->unknown_count);
        // The checker may complain, but neither crashes nor tells the two apart.
        ck_assert_int_eq(gl_ir_check_unit(unit, &again.diags), gl_ir_check_unit(maker.unit, &maker.ir.diags));
        ck_assert_uint_eq(again.diags.errors, maker.ir.diags.errors);
        free(once);
        free(twice);
        test_ir_destroy(&again);
        test_ir_destroy(&maker.ir);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ir_build");
    TCase *tcase = tcase_create("build");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, types_are_interned);
    tcase_add_test(tcase, types_are_stripped);
    tcase_add_test(tcase, references_collapse);
    tcase_add_test(tcase, objects_are_joined_by_usr);
    tcase_add_test(tcase, functions_are_built);
    tcase_add_loop_test(tcase, random_programs_come_back, 0, 20);
    suite_add_tcase(suite, tcase);
    return test_ir_run(suite);
}
