/*
about: "Reverses a vector in its place and halves it."
params:
  n: {default: 33554431, min: 2, about: elements}
buffers:
  x: {type: float, count: n, access: both, fill: random}
threads: n - n // 2
useful: 2 * n * sizeof(float)
*/
// SPDX-License-Identifier: MIT
__global__ void turn(float *x, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x, j = n - 1 - i;
    if (i > j || i >= n) return;
    const float a = x[i], b = x[j];
    x[i] = b / 2;
    if (i != j) x[j] = a / 2;
}
__device__ bool check(size_t i, const float *x, const float *x_before, size_t n)
{
    return x[i] == x_before[n - 1 - i] / 2;
}
