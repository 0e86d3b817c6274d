// SPDX-License-Identifier: Apache-2.0
// The decode chain of column files: copies in, kernels, copies out, split by split over several streams.
#include "decode.h"

enum { SLOTS_MOST = DECODE_STREAMS_MOST + 2 };

// Device memory for one split at a time. More slots than streams: a slot goes from stream to stream.
typedef struct slot {
    grt_buffer *packed;
    grt_buffer *codes; // of a dictionary
    grt_buffer *values;
} slot;

typedef struct decoder {
    const column *c;
    grt_buffer *file;
    grt_buffer *result;
    gk_library *library;
    unsigned stream_count;
    grt_stream *streams[DECODE_STREAMS_MOST];
    slot slots[SLOTS_MOST];
    grt_buffer *whole[COLUMN_SECTIONS]; // sections that are not cut: dictionaries, runs, exceptions
    uint64_t split;                     // values of one
    uint64_t split_count;
} decoder;

// One split's part of everything.
typedef struct part {
    grt_stream *stream;
    uint64_t first; // value
    uint64_t count;
    grt_view from;   // packed, in the file
    grt_view packed; // ... on the device
    grt_view codes;
    grt_view values;
} part;

static size_t value_size(const decoder *d)
{
    return gk_type_size(d->c->type);
}

static bool is_cut(const decoder *d)
{
    return d->c->encoding != COLUMN_RUNEND;
}

/* ---- The chains ---- */

static grt_status unpack_to(const decoder *d, const part *p, grt_view out)
{
    return gk_unpack(d->library, p->stream, column_packed_type(d->c), d->c->width, d->c->reference, p->packed,
                     out);
}

static grt_status decode_packed(const decoder *d, const part *p)
{
    return unpack_to(d, p, p->values);
}

static grt_status decode_zigzag(const decoder *d, const part *p)
{
    grt_status status = unpack_to(d, p, p->values);
    if (status == GRT_OK)
        status = gk_zigzag(d->library, p->stream, column_packed_type(d->c), p->values);
    return status;
}

static grt_status decode_dictionary(const decoder *d, const part *p)
{
    grt_status status = unpack_to(d, p, p->codes);
    if (status == GRT_OK)
        status = gk_dictionary(d->library, p->stream, column_packed_type(d->c), d->c->type, p->codes,
                               grt_buffer_view(d->whole[1]), p->values);
    return status;
}

static grt_status decode_runend(const decoder *d, const part *p)
{
    return gk_runend(d->library, p->stream, d->c->width == 32 ? GK_U32 : GK_U64, d->c->type,
                     grt_buffer_view(d->whole[0]), grt_buffer_view(d->whole[1]), p->first, p->values);
}

static grt_status decode_alp(const decoder *d, const part *p)
{
    gk_exceptions exceptions;
    bool any = d->c->sections[2].size != 0;
    grt_status status = unpack_to(d, p, p->values);
    if (status == GRT_OK && any) {
        size_t skipped = (size_t)(p->first / GK_BLOCK) * sizeof(uint32_t);
        exceptions.positions = grt_buffer_view(d->whole[2]);
        exceptions.values = grt_buffer_view(d->whole[3]);
        status = grt_view_slice(grt_buffer_view(d->whole[1]), skipped,
                                (size_t)(GK_BLOCKS(p->count) + 1) * sizeof(uint32_t), &exceptions.starts);
    }
    if (status == GRT_OK)
        status = gk_alp(d->library, p->stream, d->c->type, d->c->exponent, d->c->factor,
                        any ? &exceptions : NULL, p->values);
    return status;
}

static grt_status (*const chains[COLUMN_ENCODINGS])(const decoder *d,
                                                    const part *p) = {[COLUMN_PACKED] = decode_packed,
                                                                      [COLUMN_ZIGZAG] = decode_zigzag,
                                                                      [COLUMN_DICTIONARY] = decode_dictionary,
                                                                      [COLUMN_RUNEND] = decode_runend,
                                                                      [COLUMN_ALP] = decode_alp};

/* ---- Splits ---- */

static grt_status slice(grt_buffer *buffer, size_t offset, size_t size, grt_view *out_view)
{
    return grt_view_slice(grt_buffer_view(buffer), offset, size, out_view);
}

static uint64_t split_size(const decoder *d, uint64_t i)
{
    uint64_t left = d->c->count - i * d->split;
    return left < d->split ? left : d->split;
}

static size_t section_offset(const decoder *d, unsigned section)
{
    const char *base = grt_view_address(grt_buffer_view(d->file));
    return (size_t)((const char *)d->c->sections[section].data - base);
}

static grt_status part_make(const decoder *d, uint64_t i, part *out_part)
{
    const slot *s = &d->slots[i % (d->stream_count + 2)];
    part p = {.stream = d->streams[i % d->stream_count], .first = i * d->split, .count = split_size(d, i)};
    grt_status status = slice(s->values, 0, (size_t)p.count * value_size(d), &p.values);
    if (status == GRT_OK && s->codes)
        status = slice(s->codes, 0, (size_t)p.count * gk_type_size(column_packed_type(d->c)), &p.codes);
    if (status == GRT_OK && s->packed) {
        size_t size = gk_packed_bytes(p.count, d->c->width);
        size_t offset = section_offset(d, 0) + (size_t)(p.first / GK_BLOCK) * GK_PACKED_BYTES(d->c->width);
        status = slice(s->packed, 0, size, &p.packed);
        if (status == GRT_OK)
            status = slice(d->file, offset, size, &p.from);
    }
    *out_part = p;
    return status;
}

static grt_status result_part(const decoder *d, uint64_t i, grt_view *out_view)
{
    return slice(d->result, (size_t)(i * d->split) * value_size(d), (size_t)split_size(d, i) * value_size(d),
                 out_view);
}

// Enqueues one split: in, through the chain, out.
static grt_status split_enqueue(const decoder *d, uint64_t i)
{
    part p;
    grt_view to;
    grt_status status = part_make(d, i, &p);
    if (status == GRT_OK)
        status = result_part(d, i, &to);
    if (status == GRT_OK && is_cut(d) && p.packed.size != 0)
        status = grt_copy(p.stream, p.packed, p.from);
    if (status == GRT_OK)
        status = chains[d->c->encoding](d, &p);
    if (status == GRT_OK)
        status = grt_copy(p.stream, to, p.values);
    return status;
}

// Takes the results as they arrive: a host guard waits for its split alone.
static grt_status splits_take(const decoder *d, const decode_options *options, uint64_t *out_checksum)
{
    uint64_t checksum = column_checksum_start;
    for (uint64_t i = 0; i < d->split_count; i++) {
        grt_view view;
        grt_guard *reading;
        grt_status status = result_part(d, i, &view);
        if (status == GRT_OK)
            status = grt_acquire_host_read(view, &reading);
        if (status != GRT_OK)
            return status;
        checksum = column_checksum(checksum, grt_guard_pointer(reading), view.size);
        status = grt_release(reading);
        if (status != GRT_OK)
            return status;
        if (options->progress)
            options->progress(i + 1, d->split_count, options->user);
    }
    *out_checksum = checksum;
    return GRT_OK;
}

/* ---- Setting up and ending ---- */

// `size` 0: a width of 0 has no packed bytes, but the kernel still wants a view.
static grt_status room(grt_stream *stream, size_t size, grt_buffer **out_buffer)
{
    return grt_buffer_create(stream, size ? size : 1, out_buffer);
}

static grt_status slot_open(const decoder *d, slot *s)
{
    grt_stream *stream = d->streams[0];
    grt_status status = room(stream, (size_t)d->split * value_size(d), &s->values);
    if (status == GRT_OK && is_cut(d))
        status = room(stream, gk_packed_bytes(d->split, d->c->width), &s->packed);
    if (status == GRT_OK && d->c->encoding == COLUMN_DICTIONARY)
        status = room(stream, (size_t)d->split * gk_type_size(column_packed_type(d->c)), &s->codes);
    return status;
}

// Copies a section that all splits read.
static grt_status whole_open(decoder *d, unsigned section)
{
    size_t size = d->c->sections[section].size;
    grt_view from, to;
    if (size == 0)
        return GRT_OK;
    grt_status status = room(d->streams[0], size, &d->whole[section]);
    if (status == GRT_OK)
        status = slice(d->file, section_offset(d, section), size, &from);
    if (status == GRT_OK)
        status = slice(d->whole[section], 0, size, &to);
    return status == GRT_OK ? grt_copy(d->streams[0], to, from) : status;
}

static grt_status decoder_open(decoder *d, grt_device *device)
{
    grt_status status = GRT_OK;
    for (unsigned i = 0; i < d->stream_count && status == GRT_OK; i++)
        status = grt_stream_create(device, 0, &d->streams[i]);
    for (unsigned i = 0; i < d->stream_count + 2 && status == GRT_OK; i++)
        status = slot_open(d, &d->slots[i]);
    for (unsigned i = is_cut(d) ? 1 : 0; i < COLUMN_SECTIONS && status == GRT_OK; i++)
        status = whole_open(d, i);
    return status;
}

static grt_status first_error(grt_status first, grt_status second)
{
    return first != GRT_OK ? first : second;
}

// Streams and buffers go at once, even while work uses them.
static grt_status decoder_close(decoder *d, grt_device *device)
{
    grt_status status = grt_device_synchronize(device);
    for (unsigned i = 0; i < SLOTS_MOST; i++) {
        status = first_error(status, grt_buffer_destroy(d->slots[i].packed));
        status = first_error(status, grt_buffer_destroy(d->slots[i].codes));
        status = first_error(status, grt_buffer_destroy(d->slots[i].values));
    }
    for (unsigned i = 0; i < COLUMN_SECTIONS; i++)
        status = first_error(status, grt_buffer_destroy(d->whole[i]));
    for (unsigned i = 0; i < d->stream_count; i++)
        status = first_error(status, grt_stream_destroy(d->streams[i]));
    return status;
}

grt_status column_decode(grt_device *device, gk_library *library, const column *c, grt_buffer *file,
                         const decode_options *options, grt_buffer *result, uint64_t *out_checksum)
{
    decoder d = {
        .c = c, .file = file, .result = result, .library = library, .stream_count = options->streams};
    uint64_t blocks = GK_BLOCKS(c->count);
    *out_checksum = column_checksum_start;
    if (blocks == 0)
        return GRT_OK;
    d.split = (blocks + options->splits - 1) / options->splits * GK_BLOCK;
    d.split_count = (c->count + d.split - 1) / d.split;
    grt_status status = decoder_open(&d, device);
    for (uint64_t i = 0; i < d.split_count && status == GRT_OK; i++)
        status = split_enqueue(&d, i);
    if (status == GRT_OK)
        status = splits_take(&d, options, out_checksum);
    return first_error(status, decoder_close(&d, device));
}
