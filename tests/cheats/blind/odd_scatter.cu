/*
about: "Writes to places of a permutation."
params:
  n: {default: 16Mi, min: 1024, about: "elements, a power of two"}
buffers:
  in:  {type: int, count: n, access: read, fill: random}
  out: {type: int, count: n, access: write}
threads: n
useful: 2 * n * sizeof(int)
checks: n
*/
// SPDX-License-Identifier: MIT
__global__ void scatter(const int *in, int *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i * 2654435761u + 12345 & (n - 1)] = in[i];
}
__device__ bool check(size_t i, const int *in, const int *out, size_t n)
{
    return out[i * 2654435761u + 12345 & (n - 1)] == in[i];
}
