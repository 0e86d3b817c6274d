// SPDX-License-Identifier: Apache-2.0
// See cuda.h.
#pragma once
#pragma clang system_header
#include <cuda.h>
