/*
about: y += a x by a grid of 16 blocks, or of 1056.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 1Mi}
buffers:
  x: {type: float, count: n, access: read, fill: random}
  y: {type: float, count: n, access: both, fill: random}
block: 256
grid: 16
*/
// SPDX-License-Identifier: MIT
// Has to be found first: small_grid; flawed grid: 16; clean grid: 1056
extern "C" __global__ void axpy_few_flawed(const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += 2.5f * x[i];
}
extern "C" __global__ void axpy_few_clean(const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += 2.5f * x[i];
}
