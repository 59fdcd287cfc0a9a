/*
about: Sums of blocks.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 1Mi}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n / 256, access: write}
threads: n
*/
// SPDX-License-Identifier: MIT
// Has to be found first: divergence
extern "C" __global__ void sums_flawed(const float *in, float *out)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    for (int d = 1; d < 256; d *= 2)
    {
        __syncthreads();
        if (t % (2 * d) == 0) s[t] += s[t + d];
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
extern "C" __global__ void sums_clean(const float *in, float *out)
{
    __shared__ float s[8];
    int t = threadIdx.x;
    float v = in[blockIdx.x * 256 + t];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (t % 32 == 0) s[t / 32] = v;
    __syncthreads();
    if (t < 8)
    {
        v = s[t];
        for (int d = 4; d; d /= 2) v += __shfl_down_sync(0xff, v, d);
        if (t == 0) out[blockIdx.x] = v;
    }
}
