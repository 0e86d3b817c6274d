// SPDX-License-Identifier: Apache-2.0
// Included before every CUDA source that is not parsed through clang's own wrapper: what nvcc and that
// wrapper provide before the first line. <cuda_runtime.h> is the toolkit's or the built-in one, whichever is
// found.
#pragma once
#pragma clang system_header

// The toolkit's headers show the device library to a compiler that says it is nvcc; the host's view is
// wanted.
#include "guardlint_attributes.h"
#include <cuda_runtime.h>
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__ // the compiler that belongs to these headers
#define __CUDACC_VER_MAJOR__ (CUDART_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDART_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#endif
#include "guardlint_device.h"
