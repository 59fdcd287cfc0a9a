/*
about: Writes a vector the other way round.
params:
  n: {default: 64Mi, min: 1, max: 64Mi, about: elements}
buffers:
  in:  {type: int, count: n, access: read, fill: random}
  out: {type: int, count: n, access: write}
block: 256
threads: n
useful: 2 * n * sizeof(int)
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void reverse(const int *in, int *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i < n) out[i] = in[n - 1 - i];
}

__device__ int expected(size_t i, const int *in, size_t n) { return in[n - 1 - i]; }
