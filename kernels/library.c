// SPDX-License-Identifier: Apache-2.0
// Loads the modules of kernels.def for a device and finds kernels in them.
#include "library.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct loaded_module {
    grt_module *module;
    _Atomic(grt_kernel *) *kernels; // as the table's entries; NULL until first asked for
} loaded_module;

struct gk_library {
    grt_device_info device;
    loaded_module modules[GK_ID_COUNT];
};

static const gk_table *const tables[GK_ID_COUNT] = {
#define GK_KERNEL(name, parameters) [GK_ID_##name] = &gk_##name##_table,
#include "kernels.def"
#undef GK_KERNEL
};

static const void *const *const images[GK_ID_COUNT] = {
#define GK_KERNEL(name, parameters) [GK_ID_##name] = &gk_##name##_image,
#include "kernels.def"
#undef GK_KERNEL
};

bool gk_has_gpu_code(void)
{
    return *images[0] != NULL;
}

static grt_status module_open(grt_device *device, gk_id id, loaded_module *out_module)
{
    grt_module_desc desc = {
        .image = *images[id], .host = tables[id]->entries, .host_count = tables[id]->count};
    out_module->kernels = calloc(tables[id]->count, sizeof(*out_module->kernels));
    if (!out_module->kernels)
        return GRT_OUT_OF_MEMORY;
    return grt_module_load(device, &desc, &out_module->module);
}

grt_status gk_library_open(grt_device *device, gk_library **out_library)
{
    if (!device || !out_library)
        return GRT_INVALID_ARGUMENT;
    grt_device_info info = grt_device_describe(device);
    if (info.backend == GRT_BACKEND_CUDA && !gk_has_gpu_code())
        return GRT_UNSUPPORTED;
    gk_library *library = calloc(1, sizeof(*library));
    if (!library)
        return GRT_OUT_OF_MEMORY;
    library->device = info;
    grt_status status = GRT_OK;
    for (gk_id id = 0; id < GK_ID_COUNT && status == GRT_OK; id++)
        status = module_open(device, id, &library->modules[id]);
    if (status != GRT_OK) {
        grt_status closed = gk_library_close(library);
        (void)closed; // the first error is the one that counts
        return status;
    }
    *out_library = library;
    return GRT_OK;
}

grt_status gk_library_close(gk_library *library)
{
    if (!library)
        return GRT_OK;
    grt_status first = GRT_OK;
    for (gk_id id = 0; id < GK_ID_COUNT; id++) {
        grt_status status = grt_module_unload(library->modules[id].module);
        if (first == GRT_OK)
            first = status;
        free(library->modules[id].kernels);
    }
    free(library);
    return first;
}

grt_status gk_kernel_get(gk_library *library, gk_id id, size_t entry, grt_kernel **out_kernel)
{
    if (!library || entry >= tables[id]->count)
        return GRT_INVALID_ARGUMENT;
    loaded_module *loaded = &library->modules[id];
    grt_kernel *kernel = atomic_load_explicit(&loaded->kernels[entry], memory_order_acquire);
    if (!kernel) {
        // Two threads may both ask: the module gives both the same kernel.
        grt_status status = grt_module_kernel(loaded->module, tables[id]->entries[entry].name, &kernel);
        if (status != GRT_OK)
            return status;
        atomic_store_explicit(&loaded->kernels[entry], kernel, memory_order_release);
    }
    *out_kernel = kernel;
    return GRT_OK;
}

grt_status gk_library_kernel(gk_library *library, const char *name, grt_kernel **out_kernel)
{
    if (!library || !name || !out_kernel)
        return GRT_INVALID_ARGUMENT;
    for (gk_id id = 0; id < GK_ID_COUNT; id++)
        for (size_t entry = 0; entry < tables[id]->count; entry++)
            if (strcmp(tables[id]->entries[entry].name, name) == 0)
                return gk_kernel_get(library, id, entry, out_kernel);
    return GRT_NOT_FOUND;
}

uint32_t gk_multiprocessors(const gk_library *library)
{
    return library->device.multiprocessors ? library->device.multiprocessors : 1;
}

size_t gk_type_size(gk_type type)
{
    static const uint8_t sizes[] = {[GK_U8] = 1,  [GK_U16] = 2, [GK_U32] = 4,
                                    [GK_U64] = 8, [GK_F32] = 4, [GK_F64] = 8};
    return (size_t)type < sizeof(sizes) ? sizes[type] : 0;
}

gk_number gk_number_integer(gk_type type, uint64_t value)
{
    gk_number number = {.u64 = 0};
    switch (gk_type_size(type)) {
    case 1:
        number.u8 = (uint8_t)value;
        break;
    case 2:
        number.u16 = (uint16_t)value;
        break;
    case 4:
        number.u32 = (uint32_t)value;
        break;
    default:
        number.u64 = value;
    }
    return number;
}

gk_number gk_number_real(gk_type type, double value)
{
    gk_number number = {.f64 = value};
    if (type == GK_F32)
        number.f32 = (float)value;
    return number;
}

grt_arg gk_number_argument(const gk_number *number, gk_type type)
{
    return (grt_arg){.as.value = {number, gk_type_size(type)}, .kind = GRT_ARG_VALUE};
}

bool gk_view_fits(grt_view view, gk_type type)
{
    size_t size = gk_type_size(type);
    return size != 0 && view.size % size == 0 && (uintptr_t)grt_view_address(view) % size == 0;
}

grt_config gk_config_packs(size_t bytes)
{
    size_t packs = bytes / 16 + 1;
    return grt_config_linear((packs + GK_ACCESSES - 1) / GK_ACCESSES, GK_THREADS);
}
