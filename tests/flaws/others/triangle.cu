/*
about: Work that grows with the thread's number within its warp.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 256Ki}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
*/
// SPDX-License-Identifier: MIT
// Has to be found first: divergence
__device__ float iterate(float x, int times) { for (int k = 0; k < times; k++) x = x * x - 0.7f * x + 0.2f; return x; }
extern "C" __global__ void triangle_flawed(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = iterate(in[i], 4 << (i % 8));
}
extern "C" __global__ void triangle_clean(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = iterate(in[i], 4 << (i / 32 % 8));
}
