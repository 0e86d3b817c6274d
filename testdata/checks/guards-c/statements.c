/* SPDX-License-Identifier: Apache-2.0 */
/* Every kind of statement between acquire, release and launch. */
#include "tensorlib.h"

#define AUTO_LEASE __attribute__((cleanup(tl_give_back))) tl_lease
#define CHECK(call)                     \
    do {                                \
        cudaError_t check_rc = (call);  \
        if (check_rc != cudaSuccess)    \
            return (int)check_rc;       \
    } while (0)

int straight(tl_tensor *t, float *y, cudaStream_t s)
{
    tl_lease l;
    const float *x = tl_borrow(t, s, &l);
    tl_give_back(&l);
    return (int)run(x, y, 1, s); // expect: released-before-launch
}

int straight_ok(tl_tensor *t, float *y, cudaStream_t s)
{
    tl_lease l;
    const float *x = tl_borrow(t, s, &l);
    int rc = (int)run(x, y, 1, s);
    tl_give_back(&l);
    return rc;
}

int cleanup_scope(tl_tensor *t, float *y, cudaStream_t s)
{
    const float *x;
    {
        AUTO_LEASE l;
        x = tl_borrow(t, s, &l);
    }
    return (int)run(x, y, 1, s); // expect: released-before-launch
}

int cleanup_scope_ok(tl_tensor *t, float *y, cudaStream_t s)
{
    AUTO_LEASE l;
    const float *x = tl_borrow(t, s, &l);
    CHECK(run(x, y, 1, s));
    CHECK(run(x, y, 2, s));
    return 0;
}

int macro_leak(tl_tensor *t, float *y, cudaStream_t s)
{
    tl_lease l;
    const float *x = tl_borrow(t, s, &l);
    CHECK(run(x, y, 1, s)); // expect: guard-leak
    tl_give_back(&l);
    return 0;
}

int goto_ladder_ok(tl_tensor *a, tl_tensor *b, float *y, cudaStream_t s)
{
    tl_lease la, lb;
    const float *xa, *xb;
    int rc = tl_try_borrow(a, s, &la, &xa);
    if (rc)
        return rc;
    rc = tl_try_borrow(b, s, &lb, &xb);
    if (rc)
        goto out_a;
    rc = (int)run(xa, y, 1, s);
    if (rc)
        goto out_b;
    rc = (int)run(xb, y, 1, s);
out_b:
    tl_give_back(&lb);
out_a:
    tl_give_back(&la);
    return rc;
}

int goto_ladder_wrong_label(tl_tensor *a, tl_tensor *b, float *y, cudaStream_t s)
{
    tl_lease la, lb;
    const float *xa, *xb;
    int rc = tl_try_borrow(a, s, &la, &xa);
    if (rc)
        return rc;
    rc = tl_try_borrow(b, s, &lb, &xb);
    if (rc)
        goto out_a;
    rc = (int)run(xa, y, 1, s);
    if (rc)
        goto out_a; // lb is still held
    rc = (int)run(xb, y, 1, s);
    tl_give_back(&lb);
out_a:
    tl_give_back(&la);
    return rc; // expect: guard-leak
}

int switch_fallthrough(tl_tensor *t, float *y, cudaStream_t s, int mode)
{
    tl_lease l;
    const float *x = tl_borrow(t, s, &l);
    int rc = 0;
    switch (mode) {
    case 0:
        tl_give_back(&l);
        /* falls through */
    case 1:
        rc = (int)run(x, y, 1, s); // expect: released-before-launch
        if (mode == 1)
            tl_give_back(&l);
        break;
    default:
        tl_give_back(&l);
        break;
    }
    return rc;
}

int loop_breaks(tl_tensor *t, float *y, cudaStream_t s, int n)
{
    for (int i = 0; i < n; i++) {
        tl_lease l;
        const float *x = tl_borrow(t, s, &l);
        if (i == 7) {
            tl_give_back(&l);
            continue;
        }
        if (run(x, y, i, s) != cudaSuccess) {
            tl_give_back(&l);
            break;
        }
        tl_give_back(&l);
    }
    return 0;
}

int loop_releases_early(tl_tensor *t, float *y, cudaStream_t s, int n)
{
    for (int i = 0; i < n; i++) {
        tl_lease l;
        const float *x = tl_borrow(t, s, &l);
        while (n-- > 3) {
            if (n == 12)
                goto done;
        }
    done:
        tl_give_back(&l);
        run(x, y, i, s); // expect: released-before-launch
    }
    return 0;
}

int many_leases_ok(tl_tensor **t, float *y, cudaStream_t s, int n)
{
    tl_lease leases[8];
    const float *xs[8];
    for (int i = 0; i < n; i++)
        xs[i] = tl_borrow(t[i], s, &leases[i]);
    for (int i = 0; i < n; i++)
        run(xs[i], y, i, s);
    for (int i = 0; i < n; i++)
        tl_give_back(&leases[i]);
    return 0;
}

int correlated_ok(tl_tensor *t, float *y, cudaStream_t s, int wants_early, int n)
{
    tl_lease l;
    const float *x = tl_borrow(t, s, &l);
    if (wants_early && n > 3)
        tl_give_back(&l);
    tl_log("between");
    if (!(wants_early && n > 3)) {
        run(x, y, n, s);
        tl_give_back(&l);
    }
    return 0;
}

int flag_ok(tl_tensor *t, float *y, cudaStream_t s, int c)
{
    tl_lease l;
    const float *x = y;
    int is_held = 0;
    if (c) {
        x = tl_borrow(t, s, &l);
        is_held = 1;
    }
    int rc = (int)run(x, y, 1, s);
    if (is_held)
        tl_give_back(&l);
    return rc;
}

int ternary(tl_tensor *t, float *y, cudaStream_t s, int c)
{
    tl_lease l;
    const float *x = tl_borrow(t, s, &l);
    const float *z = c ? x + 4 : x;
    tl_give_back(&l);
    return (int)run(z, y, 1, s); // expect: released-before-launch
}

int through_integer(tl_tensor *t, float *y, cudaStream_t s)
{
    tl_lease l;
    unsigned long long address = (unsigned long long)tl_borrow(t, s, &l);
    address += 256;
    tl_give_back(&l);
    return (int)run((const float *)address, y, 1, s); // expect: released-before-launch
}

struct inner {
    const float *p;
    int n;
};
struct outer {
    struct inner in[2];
    float *out;
};

int through_structs(tl_tensor *t, float *y, cudaStream_t s)
{
    tl_lease l;
    struct outer o = {.in = {[1] = {.p = tl_borrow(t, s, &l), .n = 3}}, .out = y};
    struct outer copy = o;
    struct inner *second = &copy.in[1];
    tl_give_back(&l);
    return (int)run(second->p, copy.out, second->n, s); // expect: released-before-launch
}

int union_ok(tl_tensor *t, float *y, cudaStream_t s)
{
    union {
        const float *p;
        unsigned long bits;
    } u;
    tl_lease l;
    u.p = tl_borrow(t, s, &l);
    int rc = (int)run((const float *)u.bits, y, 1, s);
    tl_give_back(&l);
    return rc;
}

int union_bad(tl_tensor *t, float *y, cudaStream_t s)
{
    union {
        const float *p;
        unsigned long bits;
    } u;
    tl_lease l;
    u.p = tl_borrow(t, s, &l);
    tl_give_back(&l);
    return (int)run((const float *)u.bits, y, 1, s); // expect: released-before-launch
}

int statement_expression(tl_tensor *t, float *y, cudaStream_t s)
{
    tl_lease l;
    const float *x = ({
        const float *inner = tl_borrow(t, s, &l);
        tl_give_back(&l);
        inner;
    });
    return (int)run(x, y, 1, s); // expect: released-before-launch
}

int ticket(tl_tensor *t, float *y, cudaStream_t s)
{
    tl_ticket k = tl_ticket_of(t, s);
    const float *x = tl_ticket_ptr(k);
    tl_ticket_done(k);
    return (int)run(x, y, 1, s); // expect: released-before-launch
}

int ticket_ok(tl_tensor *t, float *y, cudaStream_t s)
{
    tl_ticket k = tl_ticket_of(t, s);
    int rc = (int)run(tl_ticket_ptr(k), y, 1, s);
    tl_ticket_done(k);
    return rc;
}

int heap(tl_tensor *t, cudaStream_t s)
{
    tl_handle *h = tl_open(t, s);
    if (!h)
        return -1;
    float *p = tl_addr(h);
    tl_close(h);
    return (int)cudaMemsetAsync(p, 0, 64, s); // expect: released-before-launch
}

int heap_ok(tl_tensor *t, cudaStream_t s)
{
    tl_handle *h = tl_open(t, s);
    if (!h)
        return -1;
    int rc = (int)cudaMemsetAsync(tl_addr(h), 0, 64, s);
    tl_close(h);
    return rc;
}

int twice(tl_tensor *t, float *y, cudaStream_t s)
{
    tl_lease l;
    const float *x = tl_borrow(t, s, &l);
    int rc = (int)run(x, y, 1, s);
    if (rc)
        tl_give_back(&l);
    tl_give_back(&l); // expect: double-release
    return rc;
}

int overwritten(tl_tensor *a, tl_tensor *b, float *y, cudaStream_t s)
{
    tl_handle *h = tl_open(a, s);
    float *p = tl_addr(h);
    h = tl_open(b, s); // expect: guard-overwritten
    run(p, y, 1, s);
    tl_close(h);
    return 0;
}

int two_streams(tl_tensor *t, float *y, cudaStream_t load, cudaStream_t compute)
{
    tl_lease l;
    const float *x = tl_borrow(t, load, &l);
    int rc = (int)run(x, y, 1, compute); // expect: wrong-stream
    tl_give_back(&l);
    return rc;
}

int writes_through_reader(tl_tensor *t, cudaStream_t s)
{
    tl_lease l;
    float *x = (float *)tl_borrow(t, s, &l);
    int rc = (int)cudaMemsetAsync(x, 0, 16, s); // expect: access-mismatch
    tl_give_back(&l);
    return rc;
}

int holds_too_long(tl_tensor *t, float *y, cudaStream_t s)
{
    tl_lease l;
    const float *x = tl_borrow(t, s, &l);
    int rc = (int)run(x, y, 1, s);
    cudaStreamSynchronize(s);
    tl_give_back(&l); // expect: held-too-long
    return rc;
}

int handed_out_ok(tl_tensor *t, cudaStream_t s, tl_lease *lease, const float **out)
{
    *out = tl_borrow(t, s, lease);
    return 0;
}

tl_handle *returned_ok(tl_tensor *t, cudaStream_t s)
{
    tl_handle *h = tl_open(t, s);
    return h;
}
