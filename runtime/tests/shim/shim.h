/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A CUDA driver library that stands between the runtime and a driver: it counts every call and makes chosen
 * ones fail. GUARDRT_CUDA_LIBRARY makes the runtime load it. Behind it is the real driver, or one made of
 * host threads.
 */
#ifndef TEST_SHIM_H
#define TEST_SHIM_H

#include <stdbool.h>
#include <stdint.h>

/* What the shim exports as `shim_control`, for tests to find with dlsym. NULL as a name: all functions. */
typedef struct shim_control {
    uint64_t (*count)(const char *name);
    /* The call of `name` after `after` more ones returns `result` without doing anything; with `forever` so
     * do all later ones. Functions that end objects or bind contexts are never made to fail by NULL. */
    void (*inject)(const char *name, uint64_t after, int result, bool forever);
    void (*reset)(void);
} shim_control;

#endif
