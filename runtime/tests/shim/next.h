/* SPDX-License-Identifier: Apache-2.0 */
/* The driver behind the shim. */
#ifndef TEST_SHIM_NEXT_H
#define TEST_SHIM_NEXT_H

enum { NEXT_NOT_FOUND = 500 }; /* CUDA_ERROR_NOT_FOUND */

/* The driver's function of that name and interface version, or NULL. */
void *next_find(const char *symbol, int version);

#endif
