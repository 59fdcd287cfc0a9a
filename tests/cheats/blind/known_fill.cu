/*
about: "Twice each number, and one."
params:
  n: {default: 64Mi, min: 1, about: elements}
buffers:
  in:  {type: int, count: n, access: read, fill: index}
  out: {type: int, count: n, access: write}
threads: n
useful: 2 * n * sizeof(int)
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void twice(const int *in, int *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * (int)i + 1;
}

__device__ bool check(size_t i, const int *in, const int *out) { return out[i] == 2 * in[i] + 1; }
