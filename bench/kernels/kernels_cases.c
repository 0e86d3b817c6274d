// SPDX-License-Identifier: Apache-2.0
// The cases: inputs, launches and targets of every kernel.
#include "bench.h"

#include <stdlib.h>
#include <string.h>

enum { PATTERN = 16 << 20 };

static bool wanted(const bench *b, const char *name)
{
    return !b->only || strncmp(name, b->only, strlen(b->only)) == 0;
}

static void *random_pattern(size_t size)
{
    uint64_t *words = bench_memory(size);
    for (size_t i = 0; i < size / sizeof(*words); i++)
        words[i] = bench_random();
    return words;
}

static bench_operand operand_random(bench *b, uint64_t count, unsigned bits, grt_arg_kind access)
{
    void *pattern = random_pattern(PATTERN);
    bench_operand operand = {bench_repeat(&b->tested, (size_t)(count * bits / 8), pattern, PATTERN), bits,
                             access};
    free(pattern);
    return operand;
}

static bench_operand operand_room(bench *b, uint64_t count, unsigned bits)
{
    bench_operand operand = {NULL, bits, GRT_ARG_WRITE};
    must(grt_buffer_create(b->tested.stream, (size_t)(count * bits / 8), &operand.buffer));
    return operand;
}

// Random contents again, for an operand that launches have changed.
static void refill_first(bench *b, bench_case *c)
{
    bench_operand *operand = &c->operands[0];
    must(grt_buffer_destroy(operand->buffer));
    *operand = operand_random(b, c->count, operand->bits, operand->access);
}

static unsigned bits_of(gk_type type)
{
    return (unsigned)gk_type_size(type) * 8;
}

/* ---- Copy: what the others are measured against ---- */

static grt_status launch_copy(const bench_case *c, bench_device *on, const grt_view *views, uint64_t first)
{
    (void)c;
    (void)first;
    return grt_copy(on->stream, views[1], views[0]);
}

static void run_copy(bench *b, const char *name)
{
    bench_case c = {.name = name, .count = b->bytes, .moved = 2.0 * (double)b->bytes, .launch = launch_copy};
    c.operands[0] = operand_random(b, c.count, 8, GRT_ARG_READ);
    c.operands[1] = operand_room(b, c.count, 8);
    bench_case_run(b, &c, NULL);
}

static grt_status launch_fill(const bench_case *c, bench_device *on, const grt_view *views, uint64_t first)
{
    (void)c;
    (void)first;
    return grt_fill(on->stream, views[0], 0x5a);
}

// Writing alone is slower than copying: what kernels that mostly write could reach at best.
static void run_fill(bench *b, const char *name)
{
    if (!wanted(b, name))
        return;
    bench_case c = {.name = name, .count = b->bytes, .moved = (double)b->bytes, .launch = launch_fill};
    c.operands[0] = operand_room(b, c.count, 8);
    bench_case_run(b, &c, NULL);
}

/* ---- Kernels without random reads ---- */

static grt_status launch_scaled_add(const bench_case *c, bench_device *on, const grt_view *views,
                                    uint64_t first)
{
    (void)first;
    return gk_scaled_add(on->library, on->stream, c->type, views[0], views[1], 0.5);
}

// Floats must be numbers: a NaN's payload is not the kernel's business.
static bench_operand operand_reals(bench *b, gk_type type, uint64_t count, grt_arg_kind access)
{
    size_t elements = PATTERN / gk_type_size(type);
    void *pattern = bench_memory(PATTERN);
    for (size_t i = 0; i < elements; i++) {
        double value = (double)(int64_t)bench_random() * 1e-16;
        if (type == GK_F32)
            ((float *)pattern)[i] = (float)value;
        else
            ((double *)pattern)[i] = value;
    }
    bench_operand operand = {bench_repeat(&b->tested, count * gk_type_size(type), pattern, PATTERN),
                             bits_of(type), access};
    free(pattern);
    return operand;
}

static void refill_reals(bench *b, bench_case *c)
{
    must(grt_buffer_destroy(c->operands[0].buffer));
    c->operands[0] = operand_reals(b, c->type, c->count, GRT_ARG_UPDATE);
}

static void run_scaled_add(bench *b, const char *name, gk_type type)
{
    if (!wanted(b, name))
        return;
    uint64_t count = b->bytes / gk_type_size(type);
    bench_case c = {.name = name, .target = 0.92, .type = type, .count = count, .launch = launch_scaled_add};
    c.moved = 3.0 * (double)b->bytes;
    c.operands[0] = operand_reals(b, type, count, GRT_ARG_UPDATE);
    c.operands[1] = operand_reals(b, type, count, GRT_ARG_READ);
    bench_case_run(b, &c, refill_reals);
}

static grt_status launch_reference(const bench_case *c, bench_device *on, const grt_view *views,
                                   uint64_t first)
{
    (void)first;
    return gk_reference(on->library, on->stream, c->type, UINT64_C(0x123456789abcdef1), views[0]);
}

static grt_status launch_zigzag(const bench_case *c, bench_device *on, const grt_view *views, uint64_t first)
{
    (void)first;
    return gk_zigzag(on->library, on->stream, c->type, views[0]);
}

static void run_in_place(bench *b, const char *name, gk_type type, bench_launch *launch)
{
    if (!wanted(b, name))
        return;
    uint64_t count = b->bytes / gk_type_size(type);
    bench_case c = {.name = name, .target = 0.92, .type = type, .count = count, .launch = launch};
    c.moved = 2.0 * (double)b->bytes;
    c.operands[0] = operand_random(b, count, bits_of(type), GRT_ARG_UPDATE);
    bench_case_run(b, &c, refill_first);
}

static grt_status launch_unpack(const bench_case *c, bench_device *on, const grt_view *views, uint64_t first)
{
    (void)first;
    return gk_unpack(on->library, on->stream, c->type, c->width, 1000, views[0], views[1]);
}

static void run_unpack(bench *b, gk_type type, unsigned width)
{
    char name[32];
    snprintf(name, sizeof(name), "unpack_u%u_w%02u", bits_of(type), width);
    if (!wanted(b, name))
        return;
    uint64_t count = b->bytes / gk_type_size(type);
    bench_case c = {.name = name, .type = type, .width = width, .count = count, .launch = launch_unpack};
    c.target = type == GK_U32 && width >= 1 && width <= 31 ? 0.90 : 0;
    c.moved = (double)b->bytes + (double)gk_packed_bytes(count, width);
    c.operands[0] = operand_random(b, count, width, GRT_ARG_READ);
    c.operands[1] = operand_room(b, count, bits_of(type));
    bench_case_run(b, &c, NULL);
}

/* ---- ALP ---- */

static grt_status launch_alp(const bench_case *c, bench_device *on, const grt_view *views, uint64_t first)
{
    gk_exceptions exceptions = {views[1], views[2], views[3]};
    size_t skipped = (size_t)(first / GK_BLOCK) * sizeof(uint32_t);
    grt_status status = grt_view_slice(views[1], skipped, views[1].size - skipped, &exceptions.starts);
    if (status != GRT_OK)
        return status;
    unsigned exponent = c->type == GK_F64 ? 14 : 6;
    return gk_alp(on->library, on->stream, c->type, exponent, c->type == GK_F64 ? 12 : 0, &exceptions,
                  views[0]);
}

static bench_operand operand_small_integers(bench *b, gk_type type, uint64_t count)
{
    void *pattern = bench_memory(PATTERN);
    for (size_t i = 0; i < PATTERN / gk_type_size(type); i++)
        gk_encode_set(type, pattern, i, bench_random() % 2000000 - 1000000);
    bench_operand operand = {bench_repeat(&b->tested, count * gk_type_size(type), pattern, PATTERN),
                             bits_of(type), GRT_ARG_UPDATE};
    free(pattern);
    return operand;
}

static void refill_small_integers(bench *b, bench_case *c)
{
    must(grt_buffer_destroy(c->operands[0].buffer));
    c->operands[0] = operand_small_integers(b, c->type, c->count);
}

// `per_block` exceptions in every block of 1,024 values.
static void run_alp(bench *b, const char *name, gk_type type, unsigned per_block, double target)
{
    if (!wanted(b, name))
        return;
    uint64_t count = b->bytes / gk_type_size(type);
    uint64_t blocks = GK_BLOCKS(count);
    size_t exceptions = (size_t)blocks * per_block;
    bench_case c = {.name = name, .target = target, .type = type, .count = count, .launch = launch_alp};
    c.moved = 2.0 * (double)b->bytes + (double)(blocks * 4 + exceptions * (2 + gk_type_size(type)));
    uint32_t *starts = bench_memory((blocks + 1) * sizeof(*starts));
    uint16_t *positions = bench_memory(exceptions * sizeof(*positions));
    for (uint64_t i = 0; i <= blocks; i++)
        starts[i] = (uint32_t)(i * per_block);
    for (size_t i = 0; i < exceptions; i++)
        positions[i] =
            (uint16_t)((bench_random() % (GK_BLOCK / per_block)) + i % per_block * (GK_BLOCK / per_block));
    c.operands[0] = operand_small_integers(b, type, count);
    c.operands[1] = (bench_operand){bench_repeat(&b->tested, (blocks + 1) * 4, starts, (blocks + 1) * 4), 0,
                                    GRT_ARG_READ};
    c.operands[2] =
        (bench_operand){bench_repeat(&b->tested, exceptions * 2, positions, exceptions * 2), 0, GRT_ARG_READ};
    c.operands[3] = operand_reals(b, type, exceptions, GRT_ARG_READ);
    c.operands[3].bits = 0;
    free(starts);
    free(positions);
    bench_case_run(b, &c, refill_small_integers);
}

/* ---- Dictionary and runs ---- */

static grt_status launch_dictionary(const bench_case *c, bench_device *on, const grt_view *views,
                                    uint64_t first)
{
    (void)first;
    return gk_dictionary(on->library, on->stream, c->second_type, c->type, views[0], views[1], views[2]);
}

static void run_dictionary(bench *b, const char *name, gk_type code_type, gk_type type, uint64_t size,
                           double target)
{
    if (!wanted(b, name))
        return;
    uint64_t count = b->bytes / gk_type_size(type);
    bench_case c = {.name = name, .target = target, .type = type, .second_type = code_type, .count = count};
    c.launch = launch_dictionary;
    c.moved =
        (double)b->bytes + (double)(count * gk_type_size(code_type)) + (double)(size * gk_type_size(type));
    void *codes = bench_memory(PATTERN);
    for (size_t i = 0; i < PATTERN / gk_type_size(code_type); i++)
        gk_encode_set(code_type, codes, i, bench_random() % size);
    c.operands[0] = (bench_operand){bench_repeat(&b->tested, count * gk_type_size(code_type), codes, PATTERN),
                                    bits_of(code_type), GRT_ARG_READ};
    free(codes);
    c.operands[1] = operand_random(b, size, bits_of(type), GRT_ARG_READ);
    c.operands[1].bits = 0;
    c.operands[2] = operand_room(b, count, bits_of(type));
    bench_case_run(b, &c, NULL);
}

static grt_status launch_runend(const bench_case *c, bench_device *on, const grt_view *views, uint64_t first)
{
    return gk_runend(on->library, on->stream, GK_U32, c->type, views[0], views[1], first, views[2]);
}

static void run_runend(bench *b, const char *name, gk_type type, unsigned average, double target)
{
    if (!wanted(b, name))
        return;
    uint64_t count = b->bytes / gk_type_size(type);
    bench_case c = {.name = name, .target = target, .type = type, .count = count, .launch = launch_runend};
    uint32_t *ends = bench_memory((size_t)count * 4 / average * 2 + 4);
    uint64_t runs = 0;
    for (uint64_t end = 0; end < count; runs++) {
        end += 1 + bench_random() % (2 * average - 1);
        ends[runs] = (uint32_t)(end < count ? end : count);
    }
    c.moved = (double)b->bytes + (double)(runs * (4 + gk_type_size(type)));
    c.operands[0] = (bench_operand){bench_repeat(&b->tested, runs * 4, ends, runs * 4), 0, GRT_ARG_READ};
    free(ends);
    c.operands[1] = operand_random(b, runs, bits_of(type), GRT_ARG_READ);
    c.operands[1].bits = 0;
    c.operands[2] = operand_room(b, count, bits_of(type));
    bench_case_run(b, &c, NULL);
}

/* ---- Filter ---- */

static grt_status launch_filter(const bench_case *c, bench_device *on, const grt_view *views, uint64_t first)
{
    (void)first;
    return gk_filter(on->library, on->stream, c->type, views[0], views[1], views[2], views[3], views[4]);
}

static void fetch(bench *b, grt_buffer *buffer, size_t offset, size_t size, void *to)
{
    grt_view view;
    must(grt_view_slice(grt_buffer_view(buffer), offset, size, &view));
    must(grt_download(b->tested.stream, to, view));
    must(grt_stream_synchronize(b->tested.stream));
}

// Where a window's results lie depends on all bits before it: windows are taken on the way through the whole
// mask.
static bool verify_filter(bench *b, bench_case *c)
{
    enum { WINDOW = 65536 };
    size_t size = gk_type_size(c->type);
    uint32_t *mask = bench_memory((size_t)c->count / 8);
    unsigned char *values = bench_memory(WINDOW * size);
    unsigned char *got = bench_memory(WINDOW * size);
    fetch(b, c->operands[0].buffer, 0, (size_t)c->count / 8, mask);
    uint64_t kept = 0, selected;
    bool right = true;
    for (uint64_t first = 0; first < c->count && right; first += WINDOW) {
        bool looked_at = first / WINDOW % (c->count / WINDOW / 8 + 1) == 0 || first + WINDOW == c->count;
        uint64_t before = kept, here = 0;
        for (uint64_t word = first / 32; word < (first + WINDOW) / 32; word++)
            here += (uint64_t)__builtin_popcount(mask[word]);
        kept += here;
        if (!looked_at || here == 0)
            continue;
        fetch(b, c->operands[1].buffer, first * size, WINDOW * size, values);
        fetch(b, c->operands[4].buffer, before * size, here * size, got);
        for (uint64_t i = 0, at = 0; i < WINDOW && right; i++)
            if (mask[(first + i) / 32] >> i % 32 & 1)
                right = memcmp(got + size * at++, values + size * i, size) == 0;
    }
    fetch(b, c->operands[3].buffer, 0, sizeof(selected), &selected);
    free(mask);
    free(values);
    free(got);
    return right && selected == kept;
}

static void run_filter(bench *b, const char *name, gk_type type, unsigned eighths, double target)
{
    if (!wanted(b, name))
        return;
    uint64_t count = b->bytes / gk_type_size(type);
    bench_case c = {.name = name, .target = target, .type = type, .count = count, .launch = launch_filter};
    uint32_t *mask = random_pattern(PATTERN);
    uint64_t set = 0;
    for (size_t i = 0; i < PATTERN / 4; i++) {
        if (eighths == 1)
            mask[i] &= (uint32_t)bench_random() & (uint32_t)bench_random();
        set += (uint64_t)__builtin_popcount(mask[i]);
    }
    double kept = (double)set / (PATTERN * 8.0) * (double)count;
    c.moved = (double)b->bytes + (double)count / 8 + kept * (double)gk_type_size(type);
    c.operands[0] =
        (bench_operand){bench_repeat(&b->tested, (size_t)count / 8, mask, PATTERN), 1, GRT_ARG_READ};
    free(mask);
    c.operands[1] = operand_random(b, count, bits_of(type), GRT_ARG_READ);
    c.operands[2] = operand_room(b, gk_filter_workspace(count), 8);
    c.operands[3] = operand_room(b, sizeof(uint64_t), 8);
    c.operands[4] = operand_room(b, count, bits_of(type));
    c.verify = verify_filter;
    bench_case_run(b, &c, NULL);
}

/* ---- All ---- */

static void run_transfers(bench *b)
{
    run_scaled_add(b, "scaled_add_f32", GK_F32);
    run_scaled_add(b, "scaled_add_f64", GK_F64);
    for (gk_type type = GK_U8; type <= GK_U64; type++) {
        char name[32];
        snprintf(name, sizeof(name), "reference_u%u", bits_of(type));
        run_in_place(b, name, type, launch_reference);
        snprintf(name, sizeof(name), "zigzag_u%u", bits_of(type));
        run_in_place(b, name, type, launch_zigzag);
    }
}

static void run_unpacks(bench *b)
{
    for (unsigned width = 1; width < 32; width++)
        run_unpack(b, GK_U32, width);
    for (unsigned width = 1; width < 64; width += 8)
        run_unpack(b, GK_U64, width);
    for (unsigned width = 1; width < 16; width += 3)
        run_unpack(b, GK_U16, width);
    for (unsigned width = 1; width < 8; width += 2)
        run_unpack(b, GK_U8, width);
}

void bench_kernels_run(bench *b)
{
    run_copy(b, "copy");
    run_fill(b, "fill");
    run_transfers(b);
    run_unpacks(b);
    run_alp(b, "alp_f64_1_exception", GK_F64, 1, 0.85);
    run_alp(b, "alp_f64_64_exceptions", GK_F64, 64, 0);
    run_alp(b, "alp_f32_1_exception", GK_F32, 1, 0);
    run_dictionary(b, "dictionary_u8_u32_256", GK_U8, GK_U32, 256, 0.80);
    run_dictionary(b, "dictionary_u16_u32_4096", GK_U16, GK_U32, 4096, 0.80);
    run_dictionary(b, "dictionary_u16_u64_4096", GK_U16, GK_U64, 4096, 0.80);
    run_dictionary(b, "dictionary_u16_u32_65536", GK_U16, GK_U32, 65536, 0);
    run_runend(b, "runend_u32_16", GK_U32, 16, 0.80);
    run_runend(b, "runend_u32_256", GK_U32, 256, 0.80);
    run_runend(b, "runend_u64_16", GK_U64, 16, 0.80);
    run_runend(b, "runend_u32_2", GK_U32, 2, 0);
    run_filter(b, "filter_u32_half", GK_U32, 4, 0.70);
    run_filter(b, "filter_u64_half", GK_U64, 4, 0.70);
    run_filter(b, "filter_u32_eighth", GK_U32, 1, 0);
    run_copy(b, "copy_again");
}
