// SPDX-License-Identifier: Apache-2.0
// See the prelude.
#pragma once
#pragma clang system_header
#include <cuda_runtime_api.h>
