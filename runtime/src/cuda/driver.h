/* SPDX-License-Identifier: Apache-2.0 */
/* The CUDA driver, loaded at run time: a struct of its functions. */
#ifndef GRT_CUDA_DRIVER_H
#define GRT_CUDA_DRIVER_H

#include "../backend.h"

#include <cuda.h>

typedef struct cuda_driver {
#define X(name, arguments) __typeof__(&(name)) name;
#include "symbols.def"
#undef X
} cuda_driver;

/* Valid once grt_cuda_load succeeded. */
extern cuda_driver grt_cuda;

/* Loads libcuda.so.1, or the library that the variable GUARDRT_CUDA_LIBRARY names, once in a process.
 * Errors: GRT_NOT_FOUND. */
grt_status grt_cuda_load(void);
/* The status for a driver's result, with `call` in the error's detail. */
grt_status grt_cuda_status(CUresult result, const char *call);

#endif
