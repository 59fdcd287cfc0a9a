/*
about: Works in place.
params:
  n: {default: 4Mi, min: 32, about: elements}
buffers:
  out: {type: float, count: n, access: both, fill: random}
threads: n
useful: 8 * n
*/
// SPDX-License-Identifier: MIT

__device__ float work(float x)
{
    for (int k = 0; k < 400; k++) x = x * 0.75f + 0.125f + (x > 0.5f ? 0.001f : 0.002f);
    return x;
}
extern "C" __global__ void h_in_place(float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = work(out[i]);
}
__device__ bool check(size_t i, const float *out, const float *out_before) { return out[i] == work(out_before[i]); }
