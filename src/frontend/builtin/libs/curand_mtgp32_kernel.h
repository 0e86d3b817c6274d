// SPDX-License-Identifier: Apache-2.0
// clang's wrapper includes this by name.
#pragma once
#pragma clang system_header
