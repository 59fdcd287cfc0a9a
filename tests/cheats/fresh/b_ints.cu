/*
about: The honest one.
params:
  n: {default: 4Mi, min: 32, about: elements}
buffers:
  in: {type: unsigned, count: n, access: read, fill: random}
  out: {type: unsigned, count: n, access: write}
threads: n
useful: 8 * n
*/
// SPDX-License-Identifier: MIT
__device__ unsigned work(unsigned x)
{
    for (int k = 0; k < 400; k++) x = x * 1664525 + (x >> 9) + 1;
    return x;
}
extern "C" __global__ void b_ints(const unsigned *in, unsigned *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = work(in[i]);
}
__device__ bool check(size_t i, const unsigned *in, const unsigned *out) { return out[i] == work(in[i]); }
