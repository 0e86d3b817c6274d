/* SPDX-License-Identifier: Apache-2.0 */
/* The table of backends, and the choice among them. A new backend is its file and a row here. */
#include "backend.h"
#include "error.h"

#include <stdlib.h>
#include <string.h>

static const grt_backend_ops *const backends[] = {
#ifdef GRT_HAVE_CUDA
    &grt_backend_cuda,
#endif
    &grt_backend_host,
};

enum { BACKENDS = sizeof(backends) / sizeof(backends[0]) };

const grt_backend_ops *grt_backend_find(grt_backend kind)
{
    for (size_t i = 0; i < BACKENDS; i++)
        if (backends[i]->kind == kind)
            return backends[i];
    return NULL;
}

static const grt_backend_ops *backend_named(const char *name)
{
    for (size_t i = 0; i < BACKENDS; i++)
        if (strcmp(backends[i]->name, name) == 0)
            return backends[i];
    return NULL;
}

static const grt_backend_ops *backend_with_device(void)
{
    for (size_t i = 0; i < BACKENDS; i++) {
        int count = 0;
        if (backends[i]->device_count(&count) == GRT_OK && count > 0)
            return backends[i];
    }
    return NULL;
}

grt_status grt_backend_choose(grt_backend kind, const grt_backend_ops **out_ops)
{
    const char *name = getenv("GUARDRT_BACKEND");
    const grt_backend_ops *ops;
    if (kind != GRT_BACKEND_DEFAULT)
        ops = grt_backend_find(kind);
    else if (name && *name)
        ops = backend_named(name);
    else
        ops = backend_with_device();
    if (!ops)
        return grt_fail(GRT_NOT_FOUND, "backend '%s' is not part of this build", name ? name : "");
    *out_ops = ops;
    return GRT_OK;
}

grt_status grt_device_count(grt_backend kind, int *out_count)
{
    const grt_backend_ops *ops;
    if (!out_count)
        return grt_fail(GRT_INVALID_ARGUMENT, "out_count is NULL");
    grt_status status = grt_backend_choose(kind, &ops);
    return status == GRT_OK ? ops->device_count(out_count) : status;
}
