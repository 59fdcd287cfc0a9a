/*
about: Adds to what is there.
params:
  n: {default: 16Mi, min: 32, about: elements}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: both, fill: random}
threads: n
useful: 8 * n
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void h_steps(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += in[i];
}
__device__ bool check(size_t i, const float *in, const float *out, const float *out_before)
{
    return out[i] == out_before[i] + in[i];
}
