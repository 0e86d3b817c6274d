/* SPDX-License-Identifier: Apache-2.0 */
/* A small library of device memory that is shared by streams. slice_read_begin makes `stream` wait for earlier
 * writes and returns the device pointer; slice_end records an event that later writers wait for. Only the
 * declarations are visible to guardlint: slices.yaml says what they do. */
#ifndef SLICES_H
#define SLICES_H

#include <cuda_runtime.h>

typedef struct slice slice;
typedef struct slice_guard {
    cudaEvent_t done;
    cudaStream_t stream;
} slice_guard;

#ifdef __cplusplus
extern "C" {
#endif
const float *slice_read_begin(slice *s, cudaStream_t stream, slice_guard *guard);
float *slice_write_begin(slice *s, cudaStream_t stream, slice_guard *guard);
void slice_end(slice_guard *guard);
#ifdef __cplusplus
}
#endif

#endif
