/*
about: "Clamps numbers in place, and writes only those that change: a second time there would be nothing to write."
params:
  n: {default: 32Mi, min: 1, about: elements}
buffers:
  x: {type: int, count: n, access: both, fill: {random: [-1000, 1000]}}
threads: n
useful: 2 * n * sizeof(int)
*/
// SPDX-License-Identifier: MIT
__global__ void clamp(int *x, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int v = x[i];
    if (v < -10) x[i] = -10;
    if (v > 10) x[i] = 10;
}
__device__ bool check(size_t i, const int *x, const int *x_before) { return x[i] == min(max(x_before[i], -10), 10); }
