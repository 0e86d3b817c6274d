// SPDX-License-Identifier: Apache-2.0
// See cublas_api.h.
#pragma once
#pragma clang system_header
#include <cublas_api.h>
