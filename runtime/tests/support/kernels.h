/* SPDX-License-Identifier: Apache-2.0 */
/* The test kernels, for every backend. */
#ifndef TEST_KERNELS_H
#define TEST_KERNELS_H

#include <guardrt/guardrt.h>

/* All test kernels; `image` is NULL when they could not be compiled for CUDA. */
grt_module_desc test_kernels(void);

/* The twins alone, with what a driver knows of a kernel's signature: the sizes of its parameters, ended by 0.
 */
typedef struct test_kernel {
    const char *name;
    grt_host_kernel *function;
    size_t sizes[8];
} test_kernel;

extern const test_kernel test_kernel_table[];
extern const size_t test_kernel_count;

/* With false, kernels hold no stream: for the seeded scheduler, where nothing runs by the clock. */
void test_kernels_hold(bool hold);

#endif
