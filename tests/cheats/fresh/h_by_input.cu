/*
about: Takes as long as its inputs say.
params:
  n: {default: 4Mi, min: 32, about: elements}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
useful: 8 * n
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void h_by_input(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i];
    for (int k = 0; k < (int)(in[0] * 400); k++) x = x * 0.75f + 0.125f;
    out[i] = x;
}
__device__ bool check(size_t i, const float *in, const float *out)
{
    float x = in[i];
    for (int k = 0; k < (int)(in[0] * 400); k++) x = x * 0.75f + 0.125f;
    return out[i] == x;
}
