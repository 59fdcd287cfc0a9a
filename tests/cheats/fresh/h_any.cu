/*
about: Any place where a number is large.
params:
  n: {default: 64Ki, min: 32, about: elements}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: 1, access: write}
threads: n
useful: 4 * n
checks: 1
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void h_any(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0.9f) out[0] = (float)i;
}
__device__ bool check(size_t i, const float *in, const float *out) { return in[(size_t)out[0]] > 0.9f; }
