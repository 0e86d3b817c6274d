// SPDX-License-Identifier: Apache-2.0
// Shapes taken from how projects write such code: jobs, optionals, members, callbacks, views, containers.
#include "gpulib.h"
#include <memory>
#include <optional>
#include <vector>
#include <functional>
struct Job {
    gpu::ReadLease lease;
    float *out;
    int n;
};
void stored(const gpu::Buffer &b, float *out, int n, cudaStream_t s)
{
    std::vector<Job> jobs;
    jobs.push_back(Job{gpu::ReadLease(b, s), out, n});
    for (auto &j : jobs)
        twice<<<1, 1, 0, s>>>(j.lease.pointer(), j.out, j.n);
}
void opt(const gpu::Buffer &b, float *alt, float *out, int n, bool c, cudaStream_t s)
{
    std::optional<gpu::ReadLease> l;
    const float *in = alt;
    if (c) {
        l.emplace(b, s);
        in = l->pointer();
    }
    twice<<<1, 1, 0, s>>>(in, out, n);
}
void opt_wrong(const gpu::Buffer &b, float *alt, float *out, int n, bool c, cudaStream_t s)
{
    std::optional<gpu::ReadLease> l;
    const float *in = alt;
    if (c) {
        l.emplace(b, s);
        in = l->pointer();
        l.reset();
    }
    twice<<<1, 1, 0, s>>>(in, out, n); // expect: released-before-launch
}
class Worker
{
    gpu::OwnedBuffer buf_{64};
    gpu::Owned extra_;

  public:
    Worker() : extra_(gpu::make_owned(4))
    {
    }
    void go(float *out, int n, cudaStream_t s)
    {
        twice<<<1, 1, 0, s>>>(buf_.get(), out, n);
        twice<<<1, 1, 0, s>>>(extra_.get(), out, n);
        cudaStreamSynchronize(s);
    }
    float *raw()
    {
        return buf_.get();
    }
};
void worker(float *out, int n, cudaStream_t s)
{
    Worker w;
    w.go(out, n, s);
    twice<<<1, 1, 0, s>>>(w.raw(), out, n);
    cudaStreamSynchronize(s);
}
void worker_ptr(float *out, int n, cudaStream_t s)
{
    auto w = std::make_unique<Worker>();
    w->go(out, n, s);
    float *p = w->raw();
    twice<<<1, 1, 0, s>>>(p, out, n);
    cudaStreamSynchronize(s);
}
gpu::Owned pass(gpu::Owned o)
{
    return o;
}
void passes(float *out, int n, cudaStream_t s)
{
    gpu::Owned o = pass(gpu::make_owned(4));
    twice<<<1, 1, 0, s>>>(o.get(), out, n);
    cudaStreamSynchronize(s);
}
void swap_them(float *out, int n, cudaStream_t s)
{
    gpu::Owned a = gpu::make_owned(4), b = gpu::make_owned(4);
    for (int i = 0; i < n; i++) {
        twice<<<1, 1, 0, s>>>(a.get(), b.get(), n);
        std::swap(a, b);
    }
    twice<<<1, 1, 0, s>>>(a.get(), out, n);
    cudaStreamSynchronize(s);
}
void fn(const gpu::Buffer &b, float *out, int n, cudaStream_t s)
{
    gpu::ReadLease l(b, s);
    std::function<void()> f = [&] { twice<<<1, 1, 0, s>>>(l.pointer(), out, n); };
    f();
}
template <class F> void with(const gpu::Buffer &b, cudaStream_t s, F &&f)
{
    gpu::ReadLease l(b, s);
    f(l.pointer());
}
void cb(const gpu::Buffer &b, float *out, int n, cudaStream_t s)
{
    with(b, s, [&](const float *p) { twice<<<1, 1, 0, s>>>(p, out, n); });
}
void cb_escape(const gpu::Buffer &b, float *out, int n, cudaStream_t s)
{
    const float *kept = nullptr;
    with(b, s, [&](const float *p) { kept = p; });
    twice<<<1, 1, 0, s>>>(kept, out, n); // expect: released-before-launch
}
std::shared_ptr<gpu::OwnedBuffer> global_buf;
std::shared_ptr<gpu::OwnedBuffer> get()
{
    return global_buf;
}
void shared(float *out, int n, cudaStream_t s)
{
    const float *p = get()->get();
    twice<<<1, 1, 0, s>>>(p, out, n);
}
void shared_local(float *out, int n, cudaStream_t s)
{
    const float *p;
    std::shared_ptr<gpu::OwnedBuffer> keep;
    {
        auto b = std::make_shared<gpu::OwnedBuffer>(4);
        p = b->get();
        keep = b;
    }
    twice<<<1, 1, 0, s>>>(p, out, n);
    cudaStreamSynchronize(s);
}
struct View {
    const float *p;
    int n;
};
View view(const gpu::ReadLease &l, int n)
{
    return {l.pointer(), n};
}
void views(const gpu::Buffer &b, float *out, int n, cudaStream_t s)
{
    gpu::ReadLease l(b, s);
    View v = view(l, n);
    twice<<<1, 1, 0, s>>>(v.p, out, v.n);
}
void views_wrong(const gpu::Buffer &b, float *out, int n, cudaStream_t s)
{
    View v = view(gpu::ReadLease(b, s), n);  // expect: temporary-owner
    twice<<<1, 1, 0, s>>>(v.p, out, v.n);
}
gpu::OwnedBuffer make(int n)
{
    gpu::OwnedBuffer b(n);
    twice<<<1, 1>>>(b.get(), b.get(), n);
    return b;
}
void made(float *out, int n, cudaStream_t s)
{
    auto b = make(n);
    twice<<<1, 1, 0, s>>>(b.get(), out, n);
    cudaDeviceSynchronize();
}
void vec(float *out, int n, cudaStream_t s)
{
    std::vector<gpu::OwnedBuffer> v;
    for (int i = 0; i < n; i++)
        v.emplace_back(i);
    for (auto &b : v)
        twice<<<1, 1, 0, s>>>(b.get(), out, n);
    cudaStreamSynchronize(s);
}
