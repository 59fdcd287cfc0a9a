/*
about: Writes what is large in any order.
params:
  n: {default: 256Ki, min: 32, about: elements}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n + 1, access: both, fill: 0}
threads: n
useful: 8 * n
checks: n
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void h_append(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0.5f) out[1 + atomicAdd((unsigned *)out, 1)] = in[i];
}
__device__ bool check(size_t i, const float *out, size_t n)
{
    const unsigned k = *(const unsigned *)out;
    return k > n / 4 && k < n && (i >= k || out[1 + i] > 0.5f);
}
