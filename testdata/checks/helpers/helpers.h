/* SPDX-License-Identifier: Apache-2.0 */
#include "../guards-c/tensorlib.h"
int lease_open(tl_tensor *t, cudaStream_t s, tl_lease *lease, const float **out);
void lease_close(tl_lease *lease);
void lease_close_if(tl_lease *lease, int condition);
int lease_step(const float *x, float *y, cudaStream_t s);
void lease_close_deep(tl_lease *lease, int depth);
