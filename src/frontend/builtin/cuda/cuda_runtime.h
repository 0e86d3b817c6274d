// SPDX-License-Identifier: Apache-2.0
// The CUDA runtime API, and the overloads that C++ adds to it. A built-in stand-in for the toolkit's header:
// declarations only, for hosts without a toolkit.
#pragma once
#pragma clang system_header
#include <cuda_runtime_api.h>

#ifdef __cplusplus
template <class T> cudaError_t cudaMalloc(T **pointer, size_t size);
template <class T> cudaError_t cudaMallocHost(T **pointer, size_t size, unsigned int flags = 0);
template <class T> cudaError_t cudaHostAlloc(T **pointer, size_t size, unsigned int flags);
template <class T> cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags);
template <class T>
cudaError_t cudaMallocManaged(T **pointer, size_t size, unsigned int flags = cudaMemAttachGlobal);
template <class T> cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height);
template <class T> cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaStream_t stream);
template <class T>
cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream);
template <class T>
cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags);
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice);
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0);
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0);
template <class T> cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol);
template <class T> cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol);
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc();
template <class T>
cudaError_t cudaLaunchKernel(T *func, dim3 grid, dim3 block, void **args, size_t shared = 0,
                             cudaStream_t stream = 0);
template <class T>
cudaError_t cudaLaunchCooperativeKernel(T *func, dim3 grid, dim3 block, void **args, size_t shared = 0,
                                        cudaStream_t stream = 0);
template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...), A &&...args);
template <class T> cudaError_t cudaFuncSetCacheConfig(T *func, cudaFuncCache config);
template <class T> cudaError_t cudaFuncSetSharedMemConfig(T *func, cudaSharedMemConfig config);
template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attr, T *func);
template <class T> cudaError_t cudaFuncSetAttribute(T func, cudaFuncAttribute attr, int value);
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T func, int block_size, size_t shared);
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T func, int block_size,
                                                                   size_t shared, unsigned int flags);
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid, int *block_size, T func, size_t shared = 0,
                                               int limit = 0);
template <class S, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid, int *block_size, T func, S shared,
                                                           int limit = 0);
template <class T>
cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, T *func, const cudaLaunchConfig_t *config);
#endif
