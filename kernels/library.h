/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel's host code needs: its kernels by number, arguments of a chosen type, shapes of launches. */
#ifndef GUARDKERNELS_LIBRARY_H
#define GUARDKERNELS_LIBRARY_H

#include "kernels.h"

/* The kernels' modules, numbered as in kernels.def. */
typedef enum gk_id {
#define GK_KERNEL(name, parameters) GK_ID_##name,
#include "kernels.def"
#undef GK_KERNEL
    GK_ID_COUNT
} gk_id;

/* A module's host twins. Their names are also those of the CUDA kernels. */
typedef struct gk_table {
    const grt_host_entry *entries;
    size_t count;
} gk_table;

/* NAME.c defines gk_NAME_table; the build generates gk_NAME_image, NULL without nvcc. */
#define GK_KERNEL(name, parameters)                                                                          \
    extern const gk_table gk_##name##_table;                                                                 \
    extern const void *const gk_##name##_image;
#include "kernels.def"
#undef GK_KERNEL

#define GK_TABLE(name, list) const gk_table gk_##name##_table = {list, sizeof(list) / sizeof(list[0])}

/* Shape of the kernels (device.cuh): threads a block, 16-byte accesses a thread. */
enum { GK_THREADS = 256, GK_ACCESSES = 4 };

/* The i-th argument of a host twin. */
#define GK_ARGUMENT(type, i) (*(type *)arguments[i])

/* A number of a type that is chosen at run time. */
typedef union gk_number {
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    float f32;
    double f64;
} gk_number;

/* Kernel `entry` of module `id`, in the order of its table. */
GRT_MUST_USE grt_status gk_kernel_get(gk_library *library, gk_id id, size_t entry, grt_kernel **out_kernel);
/* Multiprocessors of the library's device. */
uint32_t gk_multiprocessors(const gk_library *library);
/* `value` converted to `type`. */
gk_number gk_number_integer(gk_type type, uint64_t value);
gk_number gk_number_real(gk_type type, double value);
/* An argument of type `type`; `number` must live through the launch. */
grt_arg gk_number_argument(const gk_number *number, gk_type type);
/* Whether `view` holds whole elements of `type`, at an address where they may lie. */
bool gk_view_fits(grt_view view, gk_type type);
/* One thread for every GK_ACCESSES packs of 16 bytes. */
grt_config gk_config_packs(size_t bytes);

static inline bool gk_is_unsigned(gk_type type)
{
    return type <= GK_U64;
}

/* 0 for a type of 4 bytes, 1 for one of 8, 2 for others: how kernels that only move values are numbered. */
static inline size_t gk_moved_entry(gk_type type)
{
    size_t size = gk_type_size(type);
    return size == 4 ? 0 : size == 8 ? 1 : 2;
}

#endif
