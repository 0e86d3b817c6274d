// SPDX-License-Identifier: Apache-2.0
// See ../nvToolsExt.h.
#pragma once
#pragma clang system_header
#include <nvToolsExt.h>
