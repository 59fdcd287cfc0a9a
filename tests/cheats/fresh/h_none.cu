/*
about: Has no input at all.
params:
  n: {default: 16Mi, min: 32, about: elements}
buffers:
  out: {type: float, count: n, access: write}
threads: n
useful: 4 * n
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void h_none(float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (float)i * 0.5f;
}
__device__ bool check(size_t i, const float *out) { return out[i] == (float)i * 0.5f; }
