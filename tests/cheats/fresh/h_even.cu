/*
about: Writes every other element; nobody asks for the rest.
params:
  n: {default: 16Mi, min: 32, about: elements}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
useful: 8 * n
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void h_even(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 2 == 0) out[i] = in[i] * 2;
}
__device__ bool check(size_t i, const float *in, const float *out) { return i % 2 || out[i] == in[i] * 2; }
