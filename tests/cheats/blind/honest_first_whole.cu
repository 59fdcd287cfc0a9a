/*
about: Multiplies a vector by 3.
params:
  n: {default: 64Mi, min: 1, about: elements}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
useful: 2 * n * sizeof(float)
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void scale(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 3 * in[i];
}

__device__ float expected(size_t i, const float *in) { return 3 * in[i]; }
