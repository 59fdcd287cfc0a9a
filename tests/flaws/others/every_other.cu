/*
about: Newton's method where only every fourth thread has work, or each.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 256Ki}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: both, fill: 0}
threads: n
*/
// SPDX-License-Identifier: MIT
// Has to be found first: divergence
extern "C" __global__ void every_other_flawed(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i], y = 1;
    if (i % 4 == 0)
        for (int k = 0; k < 64; k++) y = 0.5f * (y + x / y);
    out[i] = y;
}
extern "C" __global__ void every_other_clean(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i], y = 1;
    if (i < n / 4)
        for (int k = 0; k < 64; k++) y = 0.5f * (y + x / y);
    out[i] = y;
}
