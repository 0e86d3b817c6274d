// SPDX-License-Identifier: Apache-2.0
// Launches: configuration, arguments, and which parameters the kernel may write through.
#include <cuda_runtime.h>

struct View {
    float *data;
    int n;
};
class Texture {
    cudaTextureObject_t handle;

  public:
    Texture(const Texture &) = default;
    __host__ __device__ ~Texture();
};

__global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * undeclared_on_the_host(i);
}
__global__ void view(View v);
__global__ void owned(Texture t, float *out);
template <class T> __global__ void copy(const T *in, T *out) {}
__device__ int helper()
{
    return __shfl_down_sync(0xffffffffu, 1, 2);
}
#define LAUNCH(kernel, stream) kernel<<<1, 32, 0, stream>>>

template <class T> void launch_template(const T *in, T *out, cudaStream_t stream)
{
    copy<T><<<1, 32, 0, stream>>>(in, out);
    copy<<<1, 32>>>(in, out);
}

cudaError_t launches(const float *in, float *out, int n, cudaStream_t stream, const Texture &texture)
{
    dim3 block(16, 16), grid((n + 15) / 16);
    scale<<<grid, block, 0, stream>>>(in, out, n);
    scale<<<(n + 255) / 256, 256>>>(in, out, n);
    LAUNCH(scale, stream)(in, out, n);
    View v{out, n};
    view<<<1, 1, 4 * sizeof(float)>>>(v);
    owned<<<1, 1, 0, stream>>>(texture, out);
    launch_template(in, out, stream);
    void (*chosen)(const float *, float *, int) = scale;
    chosen<<<1, 1>>>(in, out, n);
    void *args[] = {&in, &out, &n};
    cudaLaunchKernel((const void *)scale, grid, block, args, 0, stream);
    cudaMemcpyAsync(out, in, n * sizeof(float), cudaMemcpyDeviceToDevice, stream);
    return cudaGetLastError();
}
