// SPDX-License-Identifier: Apache-2.0
// Nothing of its own: see cuda_runtime.h and the prelude.
#pragma once
#pragma clang system_header
#include <cuda_runtime_api.h>
