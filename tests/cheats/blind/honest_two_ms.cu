/*
about: y = 2 x + y, into a third vector.
params:
  n: {default: 64Mi, min: 1, about: elements}
buffers:
  x:   {type: float, count: n, access: read, fill: random}
  y:   {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
useful: 3 * n * sizeof(float)
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void saxpy(const float *x, const float *y, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * x[i] + y[i];
}

__device__ float expected(size_t i, const float *x, const float *y) { return 2 * x[i] + y[i]; }
