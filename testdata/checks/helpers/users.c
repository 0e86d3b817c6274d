/* SPDX-License-Identifier: Apache-2.0 */
/* Callers that see only the helpers' declarations: what the helpers do is known from the other unit. */
#include "helpers.h"

int early(tl_tensor *t, float *y, cudaStream_t s)
{
    tl_lease l;
    const float *x;
    if (lease_open(t, s, &l, &x))
        return -1;
    lease_close(&l);
    return lease_step(x, y, s); // expect: released-before-launch
}

int right(tl_tensor *t, float *y, cudaStream_t s)
{
    tl_lease l;
    const float *x;
    int rc = lease_open(t, s, &l, &x);
    if (rc)
        return rc;
    rc = lease_step(x, y, s);
    lease_close(&l);
    return rc;
}

int forgets(tl_tensor *t, float *y, cudaStream_t s)
{
    tl_lease l;
    const float *x;
    if (lease_open(t, s, &l, &x) != 0)
        return -1;
    return lease_step(x, y, s); // expect: guard-leak
}

int conditional(tl_tensor *t, float *y, cudaStream_t s, int c)
{
    tl_lease l;
    const float *x;
    if (lease_open(t, s, &l, &x) != 0)
        return -1;
    lease_close_if(&l, c);
    if (!c) {
        lease_step(x, y, s);
        lease_close(&l);
    }
    return 0;
}

int conditional_wrong(tl_tensor *t, float *y, cudaStream_t s, int c)
{
    tl_lease l;
    const float *x;
    if (lease_open(t, s, &l, &x) != 0)
        return -1;
    lease_close_if(&l, c);
    lease_step(x, y, s); // expect: released-before-launch
    if (!c)
        lease_close(&l);
    return 0;
}

int deep(tl_tensor *t, float *y, cudaStream_t s)
{
    tl_lease l;
    const float *x;
    if (lease_open(t, s, &l, &x) != 0)
        return -1;
    lease_close_deep(&l, 3);
    return lease_step(x, y, s); // expect: released-before-launch
}

typedef void (*closer)(tl_lease *);

int through_pointer(tl_tensor *t, float *y, cudaStream_t s)
{
    closer close = lease_close;
    tl_lease l;
    const float *x;
    if (lease_open(t, s, &l, &x) != 0)
        return -1;
    close(&l);
    return lease_step(x, y, s); // expect: released-before-launch
}
