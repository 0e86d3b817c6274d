// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's dense API: handles and common calls.
#pragma once
#pragma clang system_header
#include <cublas_api.h>
typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef enum { CUSOLVER_STATUS_SUCCESS = 0, CUSOLVER_STATUS_NOT_INITIALIZED = 1 } cusolverStatus_t;
typedef enum { CUSOLVER_EIG_MODE_NOVECTOR = 0, CUSOLVER_EIG_MODE_VECTOR = 1 } cusolverEigMode_t;
#ifdef __cplusplus
extern "C" {
#endif
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
#define GL_SOLVER(L, T, R)                                                                                   \
    cusolverStatus_t cusolverDn##L##getrf_bufferSize(cusolverDnHandle_t h, int m, int n, T *a, int lda,      \
                                                     int *size);                                             \
    cusolverStatus_t cusolverDn##L##getrf(cusolverDnHandle_t h, int m, int n, T *a, int lda, T *work,        \
                                          int *pivots, int *info);                                           \
    cusolverStatus_t cusolverDn##L##getrs(cusolverDnHandle_t h, cublasOperation_t op, int n, int nrhs,       \
                                          const T *a, int lda, const int *pivots, T *b, int ldb, int *info); \
    cusolverStatus_t cusolverDn##L##potrf_bufferSize(cusolverDnHandle_t h, cublasFillMode_t fill, int n,     \
                                                     T *a, int lda, int *size);                              \
    cusolverStatus_t cusolverDn##L##potrf(cusolverDnHandle_t h, cublasFillMode_t fill, int n, T *a, int lda, \
                                          T *work, int size, int *info);                                     \
    cusolverStatus_t cusolverDn##L##geqrf_bufferSize(cusolverDnHandle_t h, int m, int n, T *a, int lda,      \
                                                     int *size);                                             \
    cusolverStatus_t cusolverDn##L##geqrf(cusolverDnHandle_t h, int m, int n, T *a, int lda, T *tau,         \
                                          T *work, int size, int *info);                                     \
    cusolverStatus_t cusolverDn##L##gesvd_bufferSize(cusolverDnHandle_t h, int m, int n, int *size);         \
    cusolverStatus_t cusolverDn##L##gesvd(cusolverDnHandle_t h, signed char ju, signed char jv, int m,       \
                                          int n, T *a, int lda, R *s, T *u, int ldu, T *vt, int ldvt,        \
                                          T *work, int size, R *rwork, int *info);
GL_SOLVER(S, float, float)
GL_SOLVER(D, double, double)
GL_SOLVER(C, cuComplex, float)
GL_SOLVER(Z, cuDoubleComplex, double)
#undef GL_SOLVER
cusolverStatus_t cusolverDnSsyevd_bufferSize(cusolverDnHandle_t h, cusolverEigMode_t mode,
                                             cublasFillMode_t fill, int n, const float *a, int lda,
                                             const float *w, int *size);
cusolverStatus_t cusolverDnSsyevd(cusolverDnHandle_t h, cusolverEigMode_t mode, cublasFillMode_t fill, int n,
                                  float *a, int lda, float *w, float *work, int size, int *info);
cusolverStatus_t cusolverDnDsyevd_bufferSize(cusolverDnHandle_t h, cusolverEigMode_t mode,
                                             cublasFillMode_t fill, int n, const double *a, int lda,
                                             const double *w, int *size);
cusolverStatus_t cusolverDnDsyevd(cusolverDnHandle_t h, cusolverEigMode_t mode, cublasFillMode_t fill, int n,
                                  double *a, int lda, double *w, double *work, int size, int *info);
#ifdef __cplusplus
}
#endif
