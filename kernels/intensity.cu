/*
about: "Each value is read, worked on and written: `work` sets how much arithmetic there is for a byte."
params:
  n:    {default: 32Mi, min: 8, about: "values, 8 a thread: a multiple of 8"}
  work: {kind: constant, default: 128, min: 1,
         about: "multiply-adds for a thread's 8 values: one for as many of them; from 8 on a multiple of 8, for all"}
  T:    {kind: type, default: float, one_of: [float, double, half2],
         about: "type of the values; half2 are two numbers, worked on at once"}
buffers:
  in:  {type: T, count: n, access: read, fill: code}
  out: {type: T, count: n, access: write}
threads: n // 8
useful: 2 * n * sizeof(T)
flops: 2 * n // 8 * work * (T == "half2" and 2 or 1)
needs: n % 8 == 0
*/
#include <cuda_fp16.h>

__device__ float worked(float v) { return v * 0.5f + 1; }
__device__ double worked(double v) { return v * 0.5 + 1; }
__device__ half2 worked(half2 v) { return __hfma2(v, __float2half2_rn(0.5f), __float2half2_rn(1)); }

enum { some = work < 8 ? work : 8, each = work < 8 ? 1 : work / 8 };

// Eight values side by side, so that one's multiply-adds need not wait for another's.
extern "C" __global__ void intensity(const T *in, T *out, size_t n)
{
    const size_t eighth = n / 8, i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= eighth) return;
    T v[8];
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = in[k * eighth + i];
#pragma unroll 16
    for (int j = 0; j < each; j++)
#pragma unroll
        for (int k = 0; k < some; k++) v[k] = worked(v[k]);
#pragma unroll
    for (int k = 0; k < 8; k++) out[k * eighth + i] = v[k];
}

__device__ void put(float *to, float v) { *to = v; }
__device__ void put(double *to, float v) { *to = v; }
__device__ void put(half2 *to, float v) { *to = __float2half2_rn(v); }
__device__ T fill_in(size_t i)
{
    T v;
    put(&v, i % 1021 / 8.0f);
    return v;
}

__device__ bool same(float a, float b) { return fabsf(a - b) <= 1e-5f * b; }
__device__ bool same(double a, double b) { return fabs(a - b) <= 1e-10 * b; }
__device__ bool same(half2 a, half2 b)
{
    return same(__low2float(a), __low2float(b)) && same(__high2float(a), __high2float(b));
}

__device__ bool check(size_t i, const T *in, const T *out, size_t n)
{
    T v = in[i];
    for (int j = 0; j < each && i / (n / 8) < some; j++) v = worked(v);
    return same(out[i], v);
}
