// SPDX-License-Identifier: Apache-2.0
// Bit-unpacking against the packer: every width of every type, cut blocks, references, unaligned views.
#include "rig.h"

#include <string.h>

static const gk_type types[] = {GK_U8, GK_U16, GK_U32, GK_U64};

typedef struct unpack_case {
    gk_type type;
    unsigned width;
    uint64_t count;
    uint64_t reference;
    size_t packed_shift;
    size_t out_shift;
} unpack_case;

static void run(rig *on, const unpack_case *c)
{
    char what[128];
    snprintf(what, sizeof(what), "%zu bits from %u, reference %#llx, shifts %zu and %zu",
             gk_type_size(c->type) * 8, c->width, (unsigned long long)c->reference, c->packed_shift,
             c->out_shift);
    size_t size = c->count * gk_type_size(c->type);
    size_t packed_size = gk_packed_bytes(c->count, c->width);
    void *values = rig_memory(size);
    void *packed = rig_memory(packed_size);
    rig_random_values(c->type, values, c->count, c->width, c->reference);
    gk_encode_pack(c->type, c->width, c->reference, values, c->count, packed);
    grt_view from = rig_bytes(on, packed, packed_size, c->packed_shift);
    grt_view to = rig_room(on, size, c->out_shift);
    ok(gk_unpack(on->library, on->stream, c->type, c->width, c->reference, from, to));
    rig_compare(c->type, rig_fetch(on, to), values, c->count, what);
}

START_TEST(unpacks_every_width)
{
    const uint64_t counts[] = {1, 1023, 1024, 1025, 40000};
    for (size_t t = 0; t < 4; t++) {
        for (unsigned width = 0; width <= gk_type_size(types[t]) * 8; width++) {
            for (size_t c = 0; c < 5; c++) {
                unpack_case all = {.type = types[t], .width = width, .count = counts[c]};
                run(&rigs[_i], &all);
            }
        }
    }
}
END_TEST

START_TEST(adds_the_reference)
{
    for (size_t t = 0; t < 4; t++) {
        unsigned bits = (unsigned)gk_type_size(types[t]) * 8;
        for (unsigned width = 0; width <= bits; width += bits / 8) {
            unpack_case all = {
                .type = types[t], .width = width, .count = 5001, .reference = UINT64_C(0xfedcba9876543291)};
            run(&rigs[_i], &all);
            all.reference = UINT64_MAX;
            run(&rigs[_i], &all);
        }
    }
}
END_TEST

START_TEST(takes_unaligned_views)
{
    for (size_t t = 0; t < 4; t++) {
        unpack_case all = {.type = types[t], .width = 5, .count = 4100, .reference = 77};
        all.out_shift = gk_type_size(types[t]);
        run(&rigs[_i], &all);
        all.packed_shift = 16 - gk_type_size(types[t]);
        run(&rigs[_i], &all);
        all.out_shift = 0;
        run(&rigs[_i], &all);
    }
}
END_TEST

// The order of the format itself, written out: what an encoder and a decoder that are wrong alike would not
// show.
START_TEST(follows_the_layout)
{
    rig *on = &rigs[_i];
    uint32_t *packed = rig_memory(GK_PACKED_BYTES(4));
    // 32-bit words: 32 lanes; width 4: eight rows a word. Row 9, lane 3 is bits 4 to 7 of word 1 of lane 3,
    // and holds index order[1] * 16 + 1 * 128 + 3 = 4 * 16 + 131 = 195.
    packed[1 * 32 + 3] = 0xdu << 4;
    grt_view from = rig_bytes(on, packed, GK_PACKED_BYTES(4), 0);
    grt_view to = rig_room(on, GK_BLOCK * 4, 0);
    ok(gk_unpack(on->library, on->stream, GK_U32, 4, 0, from, to));
    const uint32_t *out = rig_fetch(on, to);
    for (uint32_t i = 0; i < GK_BLOCK; i++)
        ck_assert_uint_eq(out[i], i == 195 ? 0xd : 0);
}
END_TEST

START_TEST(inverts_the_order)
{
    for (unsigned bits = 8; bits <= 64; bits *= 2) {
        for (uint32_t i = 0; i < GK_BLOCK; i++) {
            ck_assert_uint_lt(gk_row_of(i, bits), bits);
            ck_assert_uint_lt(gk_lane_of(i, bits), GK_BLOCK / bits);
            ck_assert_uint_eq(gk_index_of(gk_row_of(i, bits), gk_lane_of(i, bits)), i);
        }
    }
}
END_TEST

// More values than 31 bits count, where the device has the memory: 2 GiB of output from blocks that are all
// alike.
START_TEST(counts_past_2_to_31)
{
    rig *on = &rigs[_i];
    const uint64_t count = (UINT64_C(1) << 31) + 1;
    if (!on->is_gpu || grt_device_describe(on->device).memory_bytes < UINT64_C(16) << 30)
        return;
    uint8_t *values = rig_memory(GK_BLOCK);
    uint8_t *packed = rig_memory(GK_PACKED_BYTES(1));
    rig_random_values(GK_U8, values, GK_BLOCK, 1, 0);
    gk_encode_pack(GK_U8, 1, 0, values, GK_BLOCK, packed);
    grt_buffer *from, *to;
    ok(grt_buffer_create(on->stream, gk_packed_bytes(count, 1), &from));
    ok(grt_buffer_create(on->stream, count, &to));
    grt_view part, done, next;
    ok(grt_view_slice(grt_buffer_view(from), 0, GK_PACKED_BYTES(1), &part));
    ok(grt_upload(on->stream, part, packed));
    for (size_t have = GK_PACKED_BYTES(1), all = gk_packed_bytes(count, 1); have < all; have *= 2) {
        size_t more = have < all - have ? have : all - have;
        ok(grt_view_slice(grt_buffer_view(from), 0, more, &done));
        ok(grt_view_slice(grt_buffer_view(from), have, more, &next));
        ok(grt_copy(on->stream, next, done));
    }
    ok(gk_unpack(on->library, on->stream, GK_U8, 1, 0, grt_buffer_view(from), grt_buffer_view(to)));
    const uint64_t looked_at[] = {0, (UINT64_C(1) << 30) - 512 * 1024, count - 1 - GK_BLOCK, count - 1};
    for (size_t i = 0; i < 4; i++) {
        uint8_t got[GK_BLOCK];
        uint64_t here = count - looked_at[i] < GK_BLOCK ? count - looked_at[i] : GK_BLOCK;
        ok(grt_view_slice(grt_buffer_view(to), looked_at[i], here, &part));
        ok(grt_download(on->stream, got, part));
        ok(grt_stream_synchronize(on->stream));
        rig_compare(GK_U8, got, values, here, "far values");
    }
    ok(grt_buffer_destroy(from));
    ok(grt_buffer_destroy(to));
}
END_TEST

START_TEST(refuses_wrong_arguments)
{
    rig *on = &rigs[_i];
    grt_view packed = rig_room(on, gk_packed_bytes(1024, 7), 0);
    grt_view out = rig_room(on, 1025 * 4, 0);
    grt_view odd = rig_room(on, 1024, 1);
    ck_assert_int_eq(gk_unpack(on->library, on->stream, GK_U32, 33, 0, packed, out), GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_unpack(on->library, on->stream, GK_F32, 7, 0, packed, out), GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_unpack(on->library, on->stream, GK_U32, 7, 0, packed, out), GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_unpack(on->library, on->stream, GK_U16, 1, 0, packed, odd), GRT_INVALID_ARGUMENT);
    ck_assert_int_eq(gk_unpack(on->library, on->stream, GK_U16, 1, 0, odd, packed), GRT_INVALID_ARGUMENT);
}
END_TEST

void tests_add(TCase *tests)
{
    rig_add(tests, unpacks_every_width);
    rig_add(tests, adds_the_reference);
    rig_add(tests, takes_unaligned_views);
    rig_add(tests, follows_the_layout);
    tcase_add_test(tests, inverts_the_order);
    rig_add(rig_large, counts_past_2_to_31);
    rig_add(tests, refuses_wrong_arguments);
}
