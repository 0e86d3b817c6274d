// SPDX-License-Identifier: Apache-2.0
// See cooperative_groups.h.
#pragma once
#pragma clang system_header
#include <cooperative_groups.h>
