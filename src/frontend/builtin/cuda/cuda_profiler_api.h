// SPDX-License-Identifier: Apache-2.0
// cudaProfilerStart and cudaProfilerStop.
#pragma once
#pragma clang system_header
#include <cuda_runtime_api.h>
