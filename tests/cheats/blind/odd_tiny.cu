/*
about: "One thread adds up a few numbers."
params:
  n: {default: 7, min: 1, about: elements}
buffers:
  in:  {type: int, count: n, access: read, fill: random}
  out: {type: int, count: 1, access: write}
grid: 1
block: 1
useful: n * sizeof(int)
*/
// SPDX-License-Identifier: MIT
__global__ void tiny(const int *in, int *out, size_t n)
{
    int sum = 0;
    for (size_t i = 0; i < n; i++) sum += in[i];
    *out = sum;
}
__device__ int expected(size_t, const int *in, size_t n)
{
    int sum = 0;
    for (size_t i = 0; i < n; i++) sum += in[i];
    return sum;
}
