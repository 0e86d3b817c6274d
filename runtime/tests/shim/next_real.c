/* SPDX-License-Identifier: Apache-2.0 */
/* Another driver library behind the shim: the real one, or what GUARDRT_SHIM_DRIVER names. */
#include "next.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

void *next_find(const char *symbol, int version)
{
    static void *library;
    const char *name = getenv("GUARDRT_SHIM_DRIVER");
    if (!library)
        library = dlopen(name ? name : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    union {
        void *object;
        int (*function)(const char *, void **, int, uint64_t, int *);
    } get = {library ? dlsym(library, "cuGetProcAddress_v2") : NULL};
    void *function = NULL;
    int found = 0;
    if (!get.object || get.function(symbol, &function, version, 0, &found) != 0)
        return NULL;
    return function;
}
