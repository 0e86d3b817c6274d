/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decoding kernels for columns, launched through guardrt: the functions of kernels.def and the library they
 * need.
 *
 * A library holds one device's modules. On the CUDA backend they are the fat binaries compiled into this
 * library, on the host backend the host twins. Functions may be called from several threads at once.
 */
#ifndef GUARDKERNELS_KERNELS_H
#define GUARDKERNELS_KERNELS_H

#include "layout.h"

#include <guardrt/guardrt.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gk_library gk_library;

typedef enum gk_type { GK_U8, GK_U16, GK_U32, GK_U64, GK_F32, GK_F64 } gk_type;

/* The exceptions of an ALP column, grouped by blocks of GK_BLOCK values. */
typedef struct gk_exceptions {
    grt_view
        starts; /* uint32_t a block, and one more: block b has the exceptions starts[b] to starts[b + 1] */
    grt_view positions; /* uint16_t an exception: its index in its block */
    grt_view values;    /* of the column's type */
} gk_exceptions;

/* Whether this build has the kernels' GPU code (it was built where nvcc was). */
bool gk_has_gpu_code(void);
/* Loads the kernels for `device`. The caller owns the library: gk_library_close before the device closes.
 * Errors: GRT_UNSUPPORTED for a CUDA device when the build has no GPU code; those of grt_module_load. */
GRT_MUST_USE grt_status gk_library_open(grt_device *device, gk_library **out_library);
/* No launch of the library may be pending. NULL is allowed. */
GRT_MUST_USE grt_status gk_library_close(gk_library *library);

/* The kernel called `name` in its .cu file ("gk_unpack_u32_w7"), for launches of one's own under guards; it
 * belongs to the library. Errors: GRT_NOT_FOUND. */
GRT_MUST_USE grt_status gk_library_kernel(gk_library *library, const char *name, grt_kernel **out_kernel);

/* Bytes of an element; 0 for what is no gk_type. */
size_t gk_type_size(gk_type type);
/* The largest exponent of gk_alp: 10 for GK_F32, 18 for GK_F64. */
unsigned gk_alp_digits(gk_type type);
/* The double nearest to 10^exponent, -18 <= exponent <= 18: what gk_alp multiplies by, for GK_F32 rounded to
 * float. */
double gk_alp_power(int exponent);
/* Bytes of `count` values packed to `width` bits, the last block filled up. */
static inline size_t gk_packed_bytes(uint64_t count, unsigned width)
{
    return (size_t)GK_BLOCKS(count) * GK_PACKED_BYTES(width);
}
/* Bytes of workspace that filtering `count` values needs: never 0. */
static inline size_t gk_filter_workspace(uint64_t count)
{
    return (size_t)(count / GK_FILTER_CHUNK + count / GK_FILTER_TILE + 2) * sizeof(uint64_t);
}

#define GK_KERNEL(name, parameters) GRT_MUST_USE grt_status gk_##name parameters;
#include "kernels.def"
#undef GK_KERNEL

#ifdef __cplusplus
}
#endif

#endif
