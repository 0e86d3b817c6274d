// SPDX-License-Identifier: Apache-2.0
// cuBLAS, as far as host code commonly calls it.
#pragma once
#pragma clang system_header
#include <cuComplex.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <stdint.h>

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef cublasStatus_t cublasStatus;
typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_32I = 72
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;

#ifdef __cplusplus
extern "C" {
#endif
cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
const char *cublasGetStatusString(cublasStatus_t status);
const char *cublasGetStatusName(cublasStatus_t status);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *device, int incy);
cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int cols, int size, const void *a, int lda, void *b, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int cols, int size, const void *a, int lda, void *b, int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int size, const void *a, int lda, void *b, int ldb,
                                    cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int size, const void *a, int lda, void *b, int ldb,
                                    cudaStream_t stream);
#define GL_BLAS(L, T, R)                                                                                     \
    cublasStatus_t cublas##L##axpy(cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *y,      \
                                   int incy);                                                                \
    cublasStatus_t cublas##L##scal(cublasHandle_t h, int n, const T *alpha, T *x, int incx);                 \
    cublasStatus_t cublas##L##copy(cublasHandle_t h, int n, const T *x, int incx, T *y, int incy);           \
    cublasStatus_t cublas##L##swap(cublasHandle_t h, int n, T *x, int incx, T *y, int incy);                 \
    cublasStatus_t cublasI##L##amax(cublasHandle_t h, int n, const T *x, int incx, int *result);             \
    cublasStatus_t cublasI##L##amin(cublasHandle_t h, int n, const T *x, int incx, int *result);             \
    cublasStatus_t cublas##L##gemv(cublasHandle_t h, cublasOperation_t op, int m, int n, const T *alpha,     \
                                   const T *a, int lda, const T *x, int incx, const T *beta, T *y,           \
                                   int incy);                                                                \
    cublasStatus_t cublas##L##gemm(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m,    \
                                   int n, int k, const T *alpha, const T *a, int lda, const T *b, int ldb,   \
                                   const T *beta, T *c, int ldc);                                            \
    cublasStatus_t cublas##L##gemmBatched(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb,    \
                                          int m, int n, int k, const T *alpha, const T *const a[], int lda,  \
                                          const T *const b[], int ldb, const T *beta, T *const c[], int ldc, \
                                          int count);                                                        \
    cublasStatus_t cublas##L##gemmStridedBatched(                                                            \
        cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, const T *alpha, \
        const T *a, int lda, long long int stride_a, const T *b, int ldb, long long int stride_b,            \
        const T *beta, T *c, int ldc, long long int stride_c, int count);                                    \
    cublasStatus_t cublas##L##geam(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m,    \
                                   int n, const T *alpha, const T *a, int lda, const T *beta, const T *b,    \
                                   int ldb, T *c, int ldc);                                                  \
    cublasStatus_t cublas##L##syrk(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n,     \
                                   int k, const T *alpha, const T *a, int lda, const T *beta, T *c,          \
                                   int ldc);                                                                 \
    cublasStatus_t cublas##L##symm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, int m,    \
                                   int n, const T *alpha, const T *a, int lda, const T *b, int ldb,          \
                                   const T *beta, T *c, int ldc);                                            \
    cublasStatus_t cublas##L##trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill,           \
                                   cublasOperation_t op, cublasDiagType_t diag, int m, int n,                \
                                   const T *alpha, const T *a, int lda, T *b, int ldb);                      \
    cublasStatus_t cublas##L##trsmBatched(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill,    \
                                          cublasOperation_t op, cublasDiagType_t diag, int m, int n,         \
                                          const T *alpha, const T *const a[], int lda, T *const b[],         \
                                          int ldb, int count);                                               \
    cublasStatus_t cublas##L##getrfBatched(cublasHandle_t h, int n, T *const a[], int lda, int *pivots,      \
                                           int *info, int count);                                            \
    cublasStatus_t cublas##L##getriBatched(cublasHandle_t h, int n, const T *const a[], int lda,             \
                                           const int *pivots, T *const c[], int ldc, int *info, int count);
GL_BLAS(S, float, float)
GL_BLAS(D, double, double)
GL_BLAS(C, cuComplex, float)
GL_BLAS(Z, cuDoubleComplex, double)
#undef GL_BLAS
cublasStatus_t cublasSdot(cublasHandle_t h, int n, const float *x, int incx, const float *y, int incy,
                          float *result);
cublasStatus_t cublasDdot(cublasHandle_t h, int n, const double *x, int incx, const double *y, int incy,
                          double *result);
cublasStatus_t cublasSnrm2(cublasHandle_t h, int n, const float *x, int incx, float *result);
cublasStatus_t cublasDnrm2(cublasHandle_t h, int n, const double *x, int incx, double *result);
cublasStatus_t cublasSasum(cublasHandle_t h, int n, const float *x, int incx, float *result);
cublasStatus_t cublasDasum(cublasHandle_t h, int n, const double *x, int incx, double *result);
cublasStatus_t cublasSger(cublasHandle_t h, int m, int n, const float *alpha, const float *x, int incx,
                          const float *y, int incy, float *a, int lda);
cublasStatus_t cublasDger(cublasHandle_t h, int m, int n, const double *alpha, const double *x, int incx,
                          const double *y, int incy, double *a, int lda);
cublasStatus_t cublasHgemm(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
                           int k, const __half *alpha, const __half *a, int lda, const __half *b, int ldb,
                           const __half *beta, __half *c, int ldc);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb,
                                         int m, int n, int k, const __half *alpha, const __half *a, int lda,
                                         long long int stride_a, const __half *b, int ldb,
                                         long long int stride_b, const __half *beta, __half *c, int ldc,
                                         long long int stride_c, int count);
cublasStatus_t cublasSgemmEx(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
                             int k, const float *alpha, const void *a, cudaDataType ta, int lda,
                             const void *b, cudaDataType tb, int ldb, const float *beta, void *c,
                             cudaDataType tc, int ldc);
#ifdef __cplusplus
}
cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
                            int k, const void *alpha, const void *a, cudaDataType ta, int lda, const void *b,
                            cudaDataType tb, int ldb, const void *beta, void *c, cudaDataType tc, int ldc,
                            cudaDataType type, cublasGemmAlgo_t algorithm);
extern "C" {
#endif
cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
                            int k, const void *alpha, const void *a, cudaDataType ta, int lda, const void *b,
                            cudaDataType tb, int ldb, const void *beta, void *c, cudaDataType tc, int ldc,
                            cublasComputeType_t type, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m,
                                   int n, int k, const void *alpha, const void *const a[], cudaDataType ta,
                                   int lda, const void *const b[], cudaDataType tb, int ldb, const void *beta,
                                   void *const c[], cudaDataType tc, int ldc, int count,
                                   cublasComputeType_t type, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb,
                                          int m, int n, int k, const void *alpha, const void *a,
                                          cudaDataType ta, int lda, long long int stride_a, const void *b,
                                          cudaDataType tb, int ldb, long long int stride_b, const void *beta,
                                          void *c, cudaDataType tc, int ldc, long long int stride_c,
                                          int count, cublasComputeType_t type, cublasGemmAlgo_t algorithm);
#ifdef __cplusplus
}
#endif
