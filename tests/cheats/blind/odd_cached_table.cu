/*
about: "Looks up a table of 16 KiB, which any cache holds, over and over: fast, and rightly so."
params:
  n: {default: 8Mi, min: 1, about: elements}
buffers:
  table: {type: int, count: 4096, access: read, fill: random}
  out:   {type: int, count: n, access: write}
threads: n
useful: n * sizeof(int)
*/
// SPDX-License-Identifier: MIT
__global__ void lookup(const int *__restrict__ table, int *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int sum = 0;
    for (int k = 0; k < 32; k++) sum += table[(i * 17 + k * 131) % 4096];
    out[i] = sum;
}
__device__ int expected(size_t i, const int *table)
{
    int sum = 0;
    for (int k = 0; k < 32; k++) sum += table[(i * 17 + k * 131) % 4096];
    return sum;
}
