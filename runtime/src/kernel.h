/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel: the backend's function under a name. */
#ifndef GRT_KERNEL_H
#define GRT_KERNEL_H

#include "device.h"

struct grt_kernel {
    grt_device *device;
    grt_module *module; /* NULL: wrapped */
    void *function;
    char *name;
    grt_kernel *next; /* in its module */
};

#endif
