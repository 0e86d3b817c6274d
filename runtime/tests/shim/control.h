/* SPDX-License-Identifier: Apache-2.0 */
/* The control of the shim that the runtime under test has loaded. */
#ifndef TEST_SHIM_CONTROL_H
#define TEST_SHIM_CONTROL_H

#include "shim.h"

#include <check.h>
#include <dlfcn.h>
#include <stdlib.h>

static inline const shim_control *shim(void)
{
    void *library = dlopen(getenv("GUARDRT_CUDA_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
    ck_assert_ptr_nonnull(library);
    const shim_control *control = dlsym(library, "shim_control_table");
    ck_assert_ptr_nonnull(control);
    return control;
}

#endif
