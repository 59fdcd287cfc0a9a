/*
about: "A polynomial of 256 terms at each element, by Horner."
params:
  n:     {default: 8Mi, min: 2, about: "elements, even"}
  terms: {kind: constant, default: 256, min: 1, about: terms}
buffers:
  in:  {type: float, count: n, access: read, fill: {random: [-0.5, 0.5]}}
  out: {type: float, count: n, access: write}
threads: n // 2
useful: 2 * n * sizeof(float)
flops: 2 * n * terms
tolerance: {rel: 1e-2}
*/
// SPDX-License-Identifier: MIT
#include <cuda_fp16.h>

extern "C" __global__ void horner(const float2 *in, float2 *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2) return;
    const float2 x = in[i];
    float2 v = {1, 1};
    for (int t = 0; t < terms; t++) v.x = fmaf(v.x, x.x, 1), v.y = fmaf(v.y, x.y, 1);
    out[i] = v;
}

__device__ float expected(size_t i, const float *in)
{
    float v = 1;
    for (int t = 0; t < terms; t++) v = v * in[i] + 1;
    return v;
}
