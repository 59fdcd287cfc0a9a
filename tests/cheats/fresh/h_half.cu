/*
about: Halves.
params:
  n: {default: 16Mi, min: 32, about: elements}
buffers:
  in: {type: __half, count: n, access: read, fill: random}
  out: {type: __half, count: n, access: write}
threads: n
useful: 4 * n
*/
// SPDX-License-Identifier: MIT
#include <cuda_fp16.h>
extern "C" __global__ void h_half(const __half *in, __half *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __hadd(in[i], in[i]);
}
__device__ bool check(size_t i, const __half *in, const __half *out)
{
    return __half2float(out[i]) == 2 * __half2float(in[i]);
}
