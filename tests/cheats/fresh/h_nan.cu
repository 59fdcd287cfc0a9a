/*
about: Makes no numbers of some.
params:
  n: {default: 16Mi, min: 32, about: elements}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
useful: 8 * n
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void h_nan(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] > 0.5f ? __uint_as_float(0x7fc00001u) : in[i];
}
__device__ bool check(size_t i, const float *in, const float *out)
{
    return in[i] > 0.5f ? out[i] != out[i] : out[i] == in[i];
}
