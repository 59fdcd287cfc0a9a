/*
about: Sums in any order.
params:
  n: {default: 64Ki, min: 32, about: elements}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: 1, access: both, fill: 0}
threads: n
useful: 4 * n
checks: 1
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void h_atomic_sum(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(out, in[i]);
}
__device__ bool check(size_t i, const float *in, const float *out, size_t n)
{
    double s = 0;
    for (size_t k = 0; k < n; k++) s += in[k];
    return fabs(out[0] - s) < 1e-3 * s;
}
