/*
about: "A sum of two vectors of a prime length, in blocks of 97 threads."
params:
  n: {default: 16777213, min: 1, about: elements}
buffers:
  a: {type: float, count: n, access: read, fill: random}
  b: {type: float, count: n, access: read, fill: random}
  c: {type: float, count: n, access: write}
threads: n
block: 97
useful: 3 * n * sizeof(float)
*/
// SPDX-License-Identifier: MIT
__global__ void add(const float *a, const float *b, float *c, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
__device__ bool check(size_t i, const float *a, const float *b, const float *c) { return c[i] == a[i] + b[i]; }
