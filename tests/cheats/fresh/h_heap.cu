/*
about: Takes memory and gives it back.
params:
  n: {default: 16Ki, min: 32, about: elements}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
useful: 8 * n
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void h_heap(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float *p = (float *)malloc(sizeof *p);
    if (p) *p = in[i] * 2;
    out[i] = p ? *p : in[i] * 2;
    free(p);
}
__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == in[i] * 2; }
