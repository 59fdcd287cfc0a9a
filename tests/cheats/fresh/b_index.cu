/*
about: The honest one.
params:
  n: {default: 4Mi, min: 32, about: elements}
buffers:
  in: {type: float, count: n, access: read, fill: index}
  out: {type: float, count: n, access: write}
threads: n
useful: 8 * n
*/
// SPDX-License-Identifier: MIT

__device__ float work(float x)
{
    for (int k = 0; k < 400; k++) x = x * 0.75f + 0.125f + (x > 0.5f ? 0.001f : 0.002f);
    return x;
}
extern "C" __global__ void b_index(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = work(in[i]);
}
__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == work(in[i]); }
