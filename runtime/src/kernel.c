/* SPDX-License-Identifier: Apache-2.0 */
/* Modules and the kernels found in them. */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

struct grt_module {
    grt_device *device;
    void *native;
    grt_kernel *kernels;
};

grt_status grt_module_load(grt_device *device, const grt_module_desc *desc, grt_module **out_module)
{
    if (!device || !desc || !out_module)
        return grt_fail(GRT_INVALID_ARGUMENT, "device, desc or out_module is NULL");
    grt_module *module = calloc(1, sizeof(*module));
    if (!module)
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a module");
    module->device = device;
    grt_status status = device->ops->module_load(device->driver, desc, &module->native);
    if (status != GRT_OK) {
        free(module);
        return status;
    }
    grt_device_adopt(device);
    *out_module = module;
    return GRT_OK;
}

static void kernel_free(grt_kernel *kernel)
{
    free(kernel->name);
    free(kernel);
}

grt_status grt_module_unload(grt_module *module)
{
    if (!module)
        return GRT_OK;
    while (module->kernels) {
        grt_kernel *kernel = module->kernels;
        module->kernels = kernel->next;
        kernel_free(kernel);
    }
    module->device->ops->object_release(module->device->driver, GRT_OBJECT_MODULE, module->native);
    grt_device_disown(module->device);
    free(module);
    return GRT_OK;
}

static grt_status kernel_new(grt_device *device, const char *name, void *function, grt_kernel **out_kernel)
{
    grt_kernel *kernel = grt_object_allocate(sizeof(*kernel));
    if (kernel)
        kernel->name = strdup(name);
    if (!kernel || !kernel->name) {
        free(kernel);
        return grt_fail(GRT_OUT_OF_MEMORY, "no memory for a kernel");
    }
    kernel->device = device;
    kernel->function = function;
    *out_kernel = kernel;
    return GRT_OK;
}

static grt_status module_kernel_locked(grt_module *module, const char *name, grt_kernel **out_kernel)
{
    for (grt_kernel *kernel = module->kernels; kernel; kernel = kernel->next) {
        if (strcmp(kernel->name, name) == 0) {
            *out_kernel = kernel;
            return GRT_OK;
        }
    }
    void *function;
    grt_kernel *kernel;
    grt_status status =
        module->device->ops->module_kernel(module->device->driver, module->native, name, &function);
    if (status == GRT_OK)
        status = kernel_new(module->device, name, function, &kernel);
    if (status != GRT_OK)
        return status;
    kernel->module = module;
    kernel->next = module->kernels;
    module->kernels = kernel;
    *out_kernel = kernel;
    return GRT_OK;
}

grt_status grt_module_kernel(grt_module *module, const char *name, grt_kernel **out_kernel)
{
    if (!module || !name || !out_kernel)
        return grt_fail(GRT_INVALID_ARGUMENT, "module, name or out_kernel is NULL");
    grt_device_lock(module->device);
    grt_status status = module_kernel_locked(module, name, out_kernel);
    grt_device_unlock(module->device);
    return status;
}

grt_status grt_kernel_wrap(grt_device *device, const char *name, void *native, grt_kernel **out_kernel)
{
    if (!device || !name || !native || !out_kernel)
        return grt_fail(GRT_INVALID_ARGUMENT, "an argument is NULL");
    grt_kernel *kernel;
    grt_status status = kernel_new(device, name, native, &kernel);
    if (status != GRT_OK)
        return status;
    grt_device_adopt(device);
    *out_kernel = kernel;
    return GRT_OK;
}

grt_status grt_kernel_destroy(grt_kernel *kernel)
{
    if (!kernel)
        return GRT_OK;
    if (kernel->module)
        return grt_fail(GRT_INVALID_ARGUMENT, "the kernel '%s' belongs to its module", kernel->name);
    grt_device_disown(kernel->device);
    kernel_free(kernel);
    return GRT_OK;
}

grt_status grt_kernel_allow_shared(grt_kernel *kernel, uint32_t bytes)
{
    if (!kernel)
        return grt_fail(GRT_INVALID_ARGUMENT, "kernel is NULL");
    return kernel->device->ops->kernel_allow_shared(kernel->device->driver, kernel->function, bytes);
}
