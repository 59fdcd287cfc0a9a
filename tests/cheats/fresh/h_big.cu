/*
about: Has a large variable to work in.
params:
  n: {default: 16Mi, min: 32, about: elements}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
useful: 8 * n
*/
// SPDX-License-Identifier: MIT

__device__ unsigned hidden[20 << 20];
extern "C" __global__ void h_big(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        hidden[i] = __float_as_uint(in[i]);
        out[i] = __uint_as_float(hidden[i]) * 2;
    }
}
__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == in[i] * 2; }
