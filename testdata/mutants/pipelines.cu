// SPDX-License-Identifier: Apache-2.0
// Correct functions, each without a branch: the mutation test moves or deletes one record, wait, synchronisation, free
// or release in each and decides with a clock for every stream whether the result is broken.
#include <cuda_runtime.h>

__global__ void put(float *p) { p[threadIdx.x] = 1.f; }
__global__ void get(const float *p, float *q) { q[threadIdx.x] = p[threadIdx.x]; }
__global__ void both(const float *p, const float *r, float *q) { q[threadIdx.x] = p[threadIdx.x] + r[threadIdx.x]; }

struct slice;
struct guard {
  cudaEvent_t event;
};
const float *read_begin(slice *s, cudaStream_t stream, guard *g);
float *write_begin(slice *s, cudaStream_t stream, guard *g);
void guard_end(guard *g);

void hand_over(float *p, float *q, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  put<<<1, 256, 0, a>>>(p);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  get<<<1, 256, 0, b>>>(p, q);
}

void hand_over_copy(float *p, float *q, float *r, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  cudaMemcpyAsync(q, p, 1024, cudaMemcpyDeviceToDevice, a);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  cudaMemcpyAsync(r, q, 1024, cudaMemcpyDeviceToDevice, b);
}

void hand_over_fill(float *p, float *q, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  cudaMemsetAsync(p, 0, 1024, a);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  get<<<1, 256, 0, b>>>(p, q);
}

void and_back(float *p, float *q, cudaStream_t a, cudaStream_t b, cudaEvent_t e, cudaEvent_t g) {
  put<<<1, 256, 0, a>>>(p);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  get<<<1, 256, 0, b>>>(p, q);
  cudaEventRecord(g, b);
  cudaStreamWaitEvent(a, g, 0);
  put<<<1, 256, 0, a>>>(p);
}

void and_back_same_event(float *p, float *q, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  put<<<1, 256, 0, a>>>(p);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  get<<<1, 256, 0, b>>>(p, q);
  cudaEventRecord(e, b);
  cudaStreamWaitEvent(a, e, 0);
  put<<<1, 256, 0, a>>>(p);
}

void chain(float *p, float *q, float *r, cudaStream_t a, cudaStream_t b, cudaStream_t c, cudaEvent_t e, cudaEvent_t g) {
  put<<<1, 256, 0, a>>>(p);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  get<<<1, 256, 0, b>>>(p, q);
  cudaEventRecord(g, b);
  cudaStreamWaitEvent(c, g, 0);
  get<<<1, 256, 0, c>>>(q, r);
}

void chain_first(float *p, float *q, float *r, cudaStream_t a, cudaStream_t b, cudaStream_t c, cudaEvent_t e, cudaEvent_t g) {
  put<<<1, 256, 0, a>>>(p);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  cudaEventRecord(g, b);
  cudaStreamWaitEvent(c, g, 0);
  get<<<1, 256, 0, c>>>(p, r);
}

void fan_in(float *p, float *q, float *r, cudaStream_t a, cudaStream_t b, cudaStream_t c, cudaEvent_t e, cudaEvent_t g) {
  put<<<1, 256, 0, a>>>(p);
  put<<<1, 256, 0, b>>>(q);
  cudaEventRecord(e, a);
  cudaEventRecord(g, b);
  cudaStreamWaitEvent(c, e, 0);
  cudaStreamWaitEvent(c, g, 0);
  both<<<1, 256, 0, c>>>(p, q, r);
}

void fan_out(float *p, float *q, float *r, cudaStream_t a, cudaStream_t b, cudaStream_t c, cudaEvent_t e) {
  put<<<1, 256, 0, a>>>(p);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  cudaStreamWaitEvent(c, e, 0);
  get<<<1, 256, 0, b>>>(p, q);
  get<<<1, 256, 0, c>>>(p, r);
}

void diamond(float *p, float *q, float *r, float *t, cudaStream_t a, cudaStream_t b, cudaStream_t c, cudaEvent_t e, cudaEvent_t g, cudaEvent_t h) {
  put<<<1, 256, 0, a>>>(p);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  cudaStreamWaitEvent(c, e, 0);
  get<<<1, 256, 0, b>>>(p, q);
  get<<<1, 256, 0, c>>>(p, r);
  cudaEventRecord(g, b);
  cudaEventRecord(h, c);
  cudaStreamWaitEvent(a, g, 0);
  cudaStreamWaitEvent(a, h, 0);
  both<<<1, 256, 0, a>>>(q, r, t);
}

void two_readers_one_writer(float *p, float *q, float *r, cudaStream_t a, cudaStream_t b, cudaStream_t c, cudaEvent_t g, cudaEvent_t h) {
  get<<<1, 256, 0, a>>>(p, q);
  get<<<1, 256, 0, b>>>(p, r);
  cudaEventRecord(g, a);
  cudaEventRecord(h, b);
  cudaStreamWaitEvent(c, g, 0);
  cudaStreamWaitEvent(c, h, 0);
  put<<<1, 256, 0, c>>>(p);
}

void slow_reader(float *p, float *q, float *r, cudaStream_t a, cudaStream_t b, cudaEvent_t g) {
  get<<<1, 256, 0, a>>>(p, q);
  cudaEventRecord(g, a);
  get<<<1, 256, 0, b>>>(p, r);
  cudaStreamWaitEvent(b, g, 0);
  put<<<1, 256, 0, b>>>(p);
}

void host_between(float *p, float *q, cudaStream_t a, cudaStream_t b) {
  put<<<1, 256, 0, a>>>(p);
  cudaStreamSynchronize(a);
  get<<<1, 256, 0, b>>>(p, q);
}

void host_event_between(float *p, float *q, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  put<<<1, 256, 0, a>>>(p);
  cudaEventRecord(e, a);
  cudaEventSynchronize(e);
  get<<<1, 256, 0, b>>>(p, q);
}

void device_between(float *p, float *q, cudaStream_t a, cudaStream_t b) {
  put<<<1, 256, 0, a>>>(p);
  cudaDeviceSynchronize();
  get<<<1, 256, 0, b>>>(p, q);
}

void free_after_sync(float *q, cudaStream_t a) {
  float *p;
  cudaMalloc(&p, 1024);
  put<<<1, 256, 0, a>>>(p);
  get<<<1, 256, 0, a>>>(p, q);
  cudaStreamSynchronize(a);
  cudaFree(p);
}

void free_after_event(float *q, cudaStream_t a, cudaEvent_t e) {
  float *p;
  cudaMalloc(&p, 1024);
  put<<<1, 256, 0, a>>>(p);
  get<<<1, 256, 0, a>>>(p, q);
  cudaEventRecord(e, a);
  cudaEventSynchronize(e);
  cudaFree(p);
}

void free_after_device(float *q, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  float *p;
  cudaMalloc(&p, 1024);
  put<<<1, 256, 0, a>>>(p);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  get<<<1, 256, 0, b>>>(p, q);
  cudaDeviceSynchronize();
  cudaFree(p);
}

void free_two(float *q, cudaStream_t a, cudaStream_t b) {
  float *p;
  cudaMalloc(&p, 1024);
  float *r;
  cudaMalloc(&r, 1024);
  put<<<1, 256, 0, a>>>(p);
  put<<<1, 256, 0, b>>>(r);
  cudaStreamSynchronize(a);
  cudaFree(p);
  cudaStreamSynchronize(b);
  cudaFree(r);
}

void free_after_join(float *q, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  float *p;
  cudaMalloc(&p, 1024);
  put<<<1, 256, 0, a>>>(p);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  get<<<1, 256, 0, b>>>(p, q);
  cudaStreamSynchronize(b);
  cudaFree(p);
}

void async_simple(float *q, cudaStream_t a) {
  float *p;
  cudaMallocAsync(&p, 1024, a);
  put<<<1, 256, 0, a>>>(p);
  get<<<1, 256, 0, a>>>(p, q);
  cudaFreeAsync(p, a);
}

void async_moved(float *q, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  float *p;
  cudaMallocAsync(&p, 1024, a);
  put<<<1, 256, 0, a>>>(p);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  get<<<1, 256, 0, b>>>(p, q);
  cudaFreeAsync(p, b);
}

void async_home(float *q, cudaStream_t a, cudaStream_t b, cudaEvent_t e, cudaEvent_t g) {
  float *p;
  cudaMallocAsync(&p, 1024, a);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  put<<<1, 256, 0, b>>>(p);
  cudaEventRecord(g, b);
  cudaStreamWaitEvent(a, g, 0);
  cudaFreeAsync(p, a);
}

void async_two_users(float *q, float *r, cudaStream_t a, cudaStream_t b, cudaStream_t c, cudaEvent_t e, cudaEvent_t g) {
  float *p;
  cudaMallocAsync(&p, 1024, a);
  put<<<1, 256, 0, a>>>(p);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  get<<<1, 256, 0, b>>>(p, q);
  cudaStreamWaitEvent(c, e, 0);
  get<<<1, 256, 0, c>>>(p, r);
  cudaEventRecord(g, b);
  cudaStreamWaitEvent(c, g, 0);
  cudaFreeAsync(p, c);
}

void async_host(float *q, cudaStream_t a, cudaStream_t b) {
  float *p;
  cudaMallocAsync(&p, 1024, a);
  put<<<1, 256, 0, a>>>(p);
  cudaStreamSynchronize(a);
  get<<<1, 256, 0, b>>>(p, q);
  cudaFreeAsync(p, b);
}

void async_two_blocks(float *q, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  float *p;
  cudaMallocAsync(&p, 1024, a);
  float *r;
  cudaMallocAsync(&r, 1024, b);
  put<<<1, 256, 0, a>>>(p);
  put<<<1, 256, 0, b>>>(r);
  cudaEventRecord(e, b);
  cudaStreamWaitEvent(a, e, 0);
  both<<<1, 256, 0, a>>>(p, r, q);
  cudaFreeAsync(p, a);
  cudaFreeAsync(r, a);
}

void ping(float *p, float *q, cudaStream_t a, cudaStream_t b, cudaEvent_t e, cudaEvent_t g) {
  put<<<1, 256, 0, a>>>(p);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  get<<<1, 256, 0, b>>>(p, q);
  cudaEventRecord(g, b);
  cudaStreamWaitEvent(a, g, 0);
  put<<<1, 256, 0, a>>>(p);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  get<<<1, 256, 0, b>>>(p, q);
}

void double_buffer(float *p, float *q, float *r, cudaStream_t a, cudaStream_t b, cudaEvent_t e, cudaEvent_t g) {
  put<<<1, 256, 0, a>>>(p);
  cudaEventRecord(e, a);
  put<<<1, 256, 0, a>>>(q);
  cudaEventRecord(g, a);
  cudaStreamWaitEvent(b, e, 0);
  get<<<1, 256, 0, b>>>(p, r);
  cudaStreamWaitEvent(b, g, 0);
  get<<<1, 256, 0, b>>>(q, r);
}

void pipeline3(float *p, float *q, float *r, float *t, cudaStream_t a, cudaStream_t b, cudaStream_t c, cudaEvent_t e, cudaEvent_t g) {
  cudaMemcpyAsync(q, p, 1024, cudaMemcpyDeviceToDevice, a);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  get<<<1, 256, 0, b>>>(q, r);
  cudaEventRecord(g, b);
  cudaStreamWaitEvent(c, g, 0);
  cudaMemcpyAsync(t, r, 1024, cudaMemcpyDeviceToDevice, c);
  cudaStreamSynchronize(c);
}

void reuse_after_wait(float *p, float *q, float *r, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  get<<<1, 256, 0, a>>>(p, q);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  cudaMemcpyAsync(p, r, 1024, cudaMemcpyDeviceToDevice, b);
}

void mixed_host(float *p, float *q, float *r, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  put<<<1, 256, 0, a>>>(p);
  cudaStreamSynchronize(a);
  get<<<1, 256, 0, b>>>(p, q);
  cudaEventRecord(e, b);
  cudaStreamWaitEvent(a, e, 0);
  put<<<1, 256, 0, a>>>(p);
  cudaStreamSynchronize(a);
}

void late_free(float *q, cudaStream_t a, cudaStream_t b) {
  float *p;
  cudaMalloc(&p, 1024);
  put<<<1, 256, 0, a>>>(p);
  cudaStreamSynchronize(a);
  get<<<1, 256, 0, b>>>(p, q);
  cudaStreamSynchronize(b);
  cudaFree(p);
}

void scratch(const float *in, float *out, cudaStream_t a) {
  float *p;
  cudaMalloc(&p, 1024);
  get<<<1, 256, 0, a>>>(in, p);
  get<<<1, 256, 0, a>>>(p, out);
  cudaStreamSynchronize(a);
  cudaFree(p);
}

void scratch_async(const float *in, float *out, cudaStream_t a) {
  float *p;
  cudaMallocAsync(&p, 1024, a);
  get<<<1, 256, 0, a>>>(in, p);
  get<<<1, 256, 0, a>>>(p, out);
  cudaFreeAsync(p, a);
}

void join_to_host(float *p, float *q, float *r, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  float *t;
  cudaMalloc(&t, 1024);
  put<<<1, 256, 0, a>>>(t);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  get<<<1, 256, 0, b>>>(t, q);
  cudaEventRecord(e, b);
  cudaEventSynchronize(e);
  cudaFree(t);
}

void read_guard(slice *s, float *q, cudaStream_t a) {
  guard g;
  const float *x = read_begin(s, a, &g);
  get<<<1, 256, 0, a>>>(x, q);
  guard_end(&g);
}

void write_guard(slice *s, cudaStream_t a) {
  guard g;
  float *x = write_begin(s, a, &g);
  put<<<1, 256, 0, a>>>(x);
  guard_end(&g);
}

void two_guards(slice *s, slice *t, cudaStream_t a) {
  guard g, h;
  const float *x = read_begin(s, a, &g);
  float *y = write_begin(t, a, &h);
  get<<<1, 256, 0, a>>>(x, y);
  guard_end(&h);
  guard_end(&g);
}

void guard_twice_used(slice *s, float *q, float *r, cudaStream_t a) {
  guard g;
  const float *x = read_begin(s, a, &g);
  get<<<1, 256, 0, a>>>(x, q);
  get<<<1, 256, 0, a>>>(x, r);
  guard_end(&g);
}

void guards_in_turn(slice *s, slice *t, float *q, cudaStream_t a) {
  guard g, h;
  const float *x = read_begin(s, a, &g);
  get<<<1, 256, 0, a>>>(x, q);
  guard_end(&g);
  const float *y = read_begin(t, a, &h);
  get<<<1, 256, 0, a>>>(y, q);
  guard_end(&h);
}

void guard_and_event(slice *s, float *q, float *r, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  guard g;
  const float *x = read_begin(s, a, &g);
  get<<<1, 256, 0, a>>>(x, q);
  guard_end(&g);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  get<<<1, 256, 0, b>>>(q, r);
}

void guard_and_free(slice *s, cudaStream_t a) {
  float *p;
  cudaMalloc(&p, 1024);
  guard g;
  const float *x = read_begin(s, a, &g);
  get<<<1, 256, 0, a>>>(x, p);
  guard_end(&g);
  cudaStreamSynchronize(a);
  cudaFree(p);
}

void last_copy(float *p, float *q, float *r, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  cudaMemsetAsync(p, 0, 1024, a);
  put<<<1, 256, 0, a>>>(q);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  both<<<1, 256, 0, b>>>(p, q, r);
  cudaStreamSynchronize(b);
}

void overwrite_twice(float *p, float *q, cudaStream_t a, cudaStream_t b, cudaEvent_t e, cudaEvent_t g) {
  cudaMemsetAsync(p, 0, 1024, a);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  cudaMemsetAsync(p, 0, 1024, b);
  cudaEventRecord(g, b);
  cudaStreamWaitEvent(a, g, 0);
  get<<<1, 256, 0, a>>>(p, q);
}
