/*
about: One of eight operations on each element.
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
__device__ float work(int which, float x)
{
    switch (which)
    {
    case 0: for (int k = 0; k < 20; k++) x = x * x + 0.1f; return x;
    case 1: for (int k = 0; k < 20; k++) x = sinf(x); return x;
    case 2: for (int k = 0; k < 20; k++) x = sqrtf(x + 1); return x;
    case 3: for (int k = 0; k < 20; k++) x = expf(-x); return x;
    case 4: for (int k = 0; k < 20; k++) x = logf(x + 2); return x;
    case 5: for (int k = 0; k < 20; k++) x = 1 / (x + 3); return x;
    case 6: for (int k = 0; k < 20; k++) x = x - 0.5f * x * x * x; return x;
    default: for (int k = 0; k < 20; k++) x = fabsf(x - 0.3f); return x;
    }
}
extern "C" __global__ void operations_flawed(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = work(i % 8, in[i]);
}
extern "C" __global__ void operations_clean(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = work(i / 32 % 8, in[i]);
}
