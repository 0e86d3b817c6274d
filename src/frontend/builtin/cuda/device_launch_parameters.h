// SPDX-License-Identifier: Apache-2.0
// threadIdx and its like: declared by the prelude of CUDA sources.
#pragma once
#pragma clang system_header
#include <vector_types.h>
