/*
about: Takes its index as addresses.
params:
  n: {default: 1Mi, min: 32, about: elements}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  at: {type: unsigned, count: n, access: read, fill: cycle}
  out: {type: float, count: n, access: write}
threads: n
useful: 8 * n
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void h_gather(const float *in, const unsigned *at, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[at[i]];
}
__device__ bool check(size_t i, const float *in, const unsigned *at, const float *out) { return out[i] == in[at[i]]; }
