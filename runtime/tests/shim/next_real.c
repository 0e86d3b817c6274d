/* SPDX-License-Identifier: Apache-2.0 */
/* The real driver, behind the shim. */
#include "next.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stddef.h>

void *next_find(const char *symbol, int version)
{
    static void *library;
    if (!library)
        library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
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
