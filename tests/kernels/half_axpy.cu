/*
about: Two halves at a time, times a half, plus two halves; the scalar is a half too (after the fp16ScalarProduct
    sample).
params: {n: 500, a: 1.5}
buffers:
  x: {type: half2, count: n / 2, access: read}
  y: {type: half2, count: n / 2, access: both}
threads: n / 2
*/
#include <cuda_fp16.h>
__global__ void axpy(const half2 *x, half2 *y, half a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) y[i] = __hfma2(__half2half2(a), x[i], y[i]);
}
__device__ bool check(size_t i, const half2 *x, const half2 *y, const half2 *y_before)
{
    float2 got = __half22float2(y[i]), by = __half22float2(x[i]), old = __half22float2(y_before[i]);
    return fabsf(got.x - (1.5f * by.x + old.x)) < 2e-3f && fabsf(got.y - (1.5f * by.y + old.y)) < 2e-3f;
}
