/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes taken from how projects write such code: frames, retries, lists, caches, double buffers. */
#include "tensorlib.h"
#include <stdlib.h>
#include <string.h>
struct frame {
    tl_lease lease;
    const float *data;
    int ok;
};
struct ctx {
    cudaStream_t s;
    struct frame in, out;
    tl_tensor *t[4];
    int err;
};
static int frame_open(struct ctx *c, struct frame *f, int i)
{
    memset(f, 0, sizeof *f);
    f->data = tl_borrow(c->t[i], c->s, &f->lease);
    f->ok = 1;
    return f->data ? 0 : -1;
}
static void frame_close(struct frame *f)
{
    if (f->ok) {
        tl_give_back(&f->lease);
        f->ok = 0;
    }
}
int process(struct ctx *c, float *y)
{
    int ret;
    if ((ret = frame_open(c, &c->in, 0)) < 0)
        goto fail;
    if ((ret = frame_open(c, &c->out, 1)) < 0)
        goto fail;
    if ((ret = (int)run(c->in.data, y, 1, c->s)) != 0)
        goto fail;
    ret = (int)run(c->out.data, y, 1, c->s);
fail:
    frame_close(&c->out);
    frame_close(&c->in);
    return ret;
}
int process_early(struct ctx *c, float *y)
{
    int ret;
    if ((ret = frame_open(c, &c->in, 0)) < 0)
        goto fail;
    frame_close(&c->in);
    ret = (int)run(c->in.data, y, 1, c->s); // expect: released-before-launch
fail:
    frame_close(&c->in);
    return ret;
}
int retry(tl_tensor *t, float *y, cudaStream_t s)
{
    for (int tries = 0; tries < 3; tries++) {
        tl_lease l;
        const float *x;
        int rc = tl_try_borrow(t, s, &l, &x);
        if (rc == 2)
            continue;
        if (rc)
            return rc;
        rc = (int)run(x, y, 1, s);
        tl_give_back(&l);
        return rc;
    }
    return -1;
}
int nested(tl_tensor *a, tl_tensor *b, float *y, cudaStream_t s)
{
    tl_lease la, lb;
    const float *xa, *xb;
    int rc;
    if (!(rc = tl_try_borrow(a, s, &la, &xa))) {
        if (!(rc = tl_try_borrow(b, s, &lb, &xb))) {
            rc = run(xa, y, 1, s) || run(xb, y, 1, s);
            tl_give_back(&lb);
        }
        tl_give_back(&la);
    }
    return rc;
}
int either(tl_tensor *a, tl_tensor *b, float *y, cudaStream_t s, int which)
{
    tl_lease la, lb;
    const float *x;
    if (which)
        x = tl_borrow(a, s, &la);
    else
        x = tl_borrow(b, s, &lb);
    int rc = (int)run(x, y, 1, s);
    if (which)
        tl_give_back(&la);
    else
        tl_give_back(&lb);
    return rc;
}
int wrong_either(tl_tensor *a, tl_tensor *b, float *y, cudaStream_t s, int which)
{
    tl_lease la, lb;
    const float *x;
    if (which)
        x = tl_borrow(a, s, &la);
    else
        x = tl_borrow(b, s, &lb);
    if (which)
        tl_give_back(&la);
    else
        tl_give_back(&lb);
    return (int)run(x, y, 1, s); // expect: released-before-launch
}
int reuse_lease(tl_tensor *a, tl_tensor *b, float *y, cudaStream_t s)
{
    tl_lease l;
    const float *x = tl_borrow(a, s, &l);
    run(x, y, 1, s);
    tl_give_back(&l);
    x = tl_borrow(b, s, &l);
    run(x, y, 1, s);
    tl_give_back(&l);
    return 0;
}
int double_buffer(tl_tensor **t, float *y, cudaStream_t s, int n)
{
    tl_handle *prev = NULL;
    for (int i = 0; i < n; i++) {
        tl_handle *cur = tl_open(t[i], s);
        if (!cur) {
            if (prev)
                tl_close(prev);
            return -1;
        }
        cudaMemsetAsync(tl_addr(cur), 0, 4, s);
        if (prev) {
            cudaMemsetAsync(tl_addr(prev), 0, 4, s);
            tl_close(prev);
        }
        prev = cur;
    }
    if (prev)
        tl_close(prev);
    return 0;
}
struct node {
    struct node *next;
    tl_handle *h;
};
void free_list(struct node *n)
{
    while (n) {
        struct node *next = n->next;
        tl_close(n->h);
        free(n);
        n = next;
    }
}
int push(struct node **head, tl_tensor *t, cudaStream_t s)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        return -1;
    n->h = tl_open(t, s);
    if (!n->h) {
        free(n);
        return -1;
    }
    n->next = *head;
    *head = n;
    return 0;
}
static tl_handle *cached;
tl_handle *get_cached(tl_tensor *t, cudaStream_t s)
{
    if (!cached)
        cached = tl_open(t, s);
    return cached;
}
void drop_cached(void)
{
    tl_close(cached);
    cached = NULL;
}
int use_cached(tl_tensor *t, cudaStream_t s)
{
    float *p = tl_addr(get_cached(t, s));
    int rc = (int)cudaMemsetAsync(p, 0, 4, s);
    drop_cached();
    return rc;
}
int use_cached_wrong(tl_tensor *t, cudaStream_t s)
{
    float *p = tl_addr(get_cached(t, s));
    drop_cached();
    return (int)cudaMemsetAsync(p, 0, 4, s);  // expect: released-before-launch
}
typedef struct {
    tl_handle *h;
    int owns;
} opt;
int maybe_owned(opt *o, tl_tensor *t, cudaStream_t s)
{
    if (!o->h) {
        o->h = tl_open(t, s);
        o->owns = 1;
    }
    if (!o->h)
        return -1;
    cudaMemsetAsync(tl_addr(o->h), 0, 4, s);
    if (o->owns) {
        tl_close(o->h);
        o->h = NULL;
        o->owns = 0;
    }
    return 0;
}
void copy_async_then_free(tl_tensor *t, cudaStream_t s, float *host)
{
    tl_lease l;
    const float *x = tl_borrow(t, s, &l);
    cudaMemcpyAsync(host, x, 64, cudaMemcpyDeviceToHost, s);
    tl_give_back(&l);
    cudaStreamSynchronize(s);
}
int switch_paths(tl_tensor *t, float *y, cudaStream_t s, int mode)
{
    tl_lease l;
    const float *x = NULL;
    int held = 0, rc = 0;
    switch (mode) {
    case 1:
    case 2:
        x = tl_borrow(t, s, &l);
        held = 1;
        break;
    case 3:
        x = y;
        break;
    default:
        return -1;
    }
    if (x)
        rc = (int)run(x, y, mode, s);
    if (held)
        tl_give_back(&l);
    return rc;
}
int do_while(tl_tensor *t, float *y, cudaStream_t s, int n)
{
    tl_lease l;
    const float *x = tl_borrow(t, s, &l);
    int rc;
    do {
        rc = (int)run(x, y, n, s);
    } while (rc == 0 && --n > 0);
    tl_give_back(&l);
    return rc;
}
