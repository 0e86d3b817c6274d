/* SPDX-License-Identifier: Apache-2.0 */
/* Memory from the runtime: error paths, early frees, and what is left alone on purpose. */
#include <cuda_runtime.h>
#include <stdlib.h>

extern const void *kernel;

#define TRY(call)                            \
    do {                                     \
        cudaError_t try_rc = (call);         \
        if (try_rc != cudaSuccess)           \
            return try_rc;                   \
    } while (0)

static cudaError_t go(float *p, int n, cudaStream_t s)
{
    dim3 grid = {1, 1, 1}, block = {32, 1, 1};
    void *args[2];
    int count = 0;
    args[count++] = &p;
    args[count++] = &n;
    return cudaLaunchKernel(kernel, grid, block, args, 0, s);
}

cudaError_t leaks_on_error(int n, cudaStream_t s)
{
    float *p = NULL;
    TRY(cudaMalloc((void **)&p, 64));
    TRY(go(p, n, s)); // expect: guard-leak
    TRY(cudaStreamSynchronize(s)); // a further step of the same finding
    return cudaFree(p);
}

cudaError_t frees_on_error_ok(int n, cudaStream_t s)
{
    float *p = NULL;
    cudaError_t rc = cudaMalloc((void **)&p, 64);
    if (rc != cudaSuccess)
        return rc;
    rc = go(p, n, s);
    if (rc == cudaSuccess)
        rc = cudaStreamSynchronize(s);
    cudaFree(p);
    return rc;
}

cudaError_t two_buffers_ok(int n, cudaStream_t s)
{
    float *a = NULL, *b = NULL;
    cudaError_t rc = cudaMalloc((void **)&a, 64);
    if (rc != cudaSuccess)
        goto out;
    rc = cudaMalloc((void **)&b, 64);
    if (rc != cudaSuccess)
        goto out;
    rc = go(a, n, s);
    if (rc == cudaSuccess)
        rc = go(b, n, s);
out:
    cudaStreamSynchronize(s);
    cudaFree(b);
    cudaFree(a);
    return rc;
}

cudaError_t frees_first(int n, cudaStream_t s)
{
    float *p = NULL;
    TRY(cudaMalloc((void **)&p, 64));
    cudaFree(p);
    return go(p, n, s); // expect: released-before-launch
}

cudaError_t keeps_for_the_caller_ok(float **out)
{
    float *p = NULL;
    TRY(cudaMalloc((void **)&p, 64));
    *out = p;
    return cudaSuccess;
}

struct state {
    float *buffer;
    int is_ready;
};

int init_ok(struct state *st)
{
    if (cudaMalloc((void **)&st->buffer, 64) != cudaSuccess)
        return -1;
    st->is_ready = 1;
    return 0;
}

void fini_ok(struct state *st)
{
    if (st->is_ready)
        cudaFree(st->buffer);
    st->buffer = NULL;
}

cudaError_t regrow_ok(struct state *st, int n, cudaStream_t s)
{
    if (n > 64) {
        cudaFree(st->buffer);
        st->buffer = NULL;
        TRY(cudaMalloc((void **)&st->buffer, (size_t)n));
    }
    return go(st->buffer, n, s);
}

cudaError_t regrow_with_old_pointer(struct state *st, int n, cudaStream_t s)
{
    float *p = st->buffer;
    if (n > 64) {
        cudaFree(st->buffer);
        TRY(cudaMalloc((void **)&st->buffer, (size_t)n));
    }
    return go(p, n, s); // expect: released-before-launch
}

/* A program that ends gives everything back. */
int main(void)
{
    float *p = NULL;
    if (cudaMalloc((void **)&p, 64) != cudaSuccess)
        return 1;
    if (go(p, 1, 0) != cudaSuccess)
        return 2;
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}

/* A helper that stops the program on errors leaves nothing behind. */
static void check(cudaError_t rc)
{
    if (rc != cudaSuccess)
        exit(1);
}

void exits_ok(int n, cudaStream_t s)
{
    float *p = NULL;
    check(cudaMalloc((void **)&p, 64));
    check(go(p, n, s));
    check(cudaStreamSynchronize(s));
    check(cudaFree(p));
}

void loop_ok(int n, cudaStream_t s)
{
    for (int i = 0; i < n; i++) {
        float *p = NULL;
        if (cudaMallocAsync((void **)&p, 64, s) != cudaSuccess)
            continue;
        go(p, i, s);
        cudaFreeAsync(p, s);
    }
}

void double_free(int n, cudaStream_t s)
{
    float *p = NULL;
    if (cudaMallocAsync((void **)&p, 64, s) != cudaSuccess)
        return;
    if (n < 0)
        cudaFreeAsync(p, s);
    cudaFreeAsync(p, s); // expect: double-release
}
