// SPDX-License-Identifier: Apache-2.0
// Guards of a thread state that are worked out from their destructors, and are created without a name.
#include <cuda_runtime.h>

class OnDevice {
  int before_ = -1;

 public:
  explicit OnDevice(int device) {
    cudaGetDevice(&before_);
    cudaSetDevice(device);
  }
  OnDevice() : OnDevice(0) {}
  OnDevice(const OnDevice&) = delete;
  ~OnDevice() { cudaSetDevice(before_); }
};

struct Place {
  int device;
  float* data;
};

inline OnDevice on(const Place& p) { return OnDevice(p.device); }

__global__ void clear(float* p) { p[threadIdx.x] = 0; }

void parentheses(const Place& p) {
  OnDevice(p.device);  // expect: unnamed-guard
  clear<<<1, 32>>>(p.data);
}

void braces(const Place& p) {
  OnDevice{p.device};  // expect: unnamed-guard
  clear<<<1, 32>>>(p.data);
}

void factory(const Place& p) {
  on(p);  // expect: unnamed-guard
  clear<<<1, 32>>>(p.data);
}

int chosen;

void vexing_variable(float* data) {
  OnDevice(chosen);  // expect: unnamed-guard
  clear<<<1, 32>>>(data);
}

void vexing_function(float* data) {
  OnDevice guard();  // expect: unnamed-guard
  clear<<<1, 32>>>(data);
}

void named_ok(const Place& p) {
  OnDevice guard(p.device);
  clear<<<1, 32>>>(p.data);
}

void named_factory_ok(const Place& p) {
  auto guard = on(p);
  clear<<<1, 32>>>(p.data);
}
