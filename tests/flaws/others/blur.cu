/*
about: A blur of five pixels in a row, and one by shared memory; both are well.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 512Ki}
buffers:
  in: {type: float, count: n + 256, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
*/
// SPDX-License-Identifier: MIT
// Has to be found first: nothing
extern "C" __global__ void blur_flawed(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 0.1f * in[i] + 0.2f * in[i + 1] + 0.4f * in[i + 2] + 0.2f * in[i + 3] + 0.1f * in[i + 4];
}
extern "C" __global__ void blur_clean(const float *in, float *out, int n)
{
    __shared__ float s[256 + 4];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    s[t] = in[i];
    if (t < 4) s[256 + t] = in[i + 256];
    __syncthreads();
    out[i] = 0.1f * s[t] + 0.2f * s[t + 1] + 0.4f * s[t + 2] + 0.2f * s[t + 3] + 0.1f * s[t + 4];
}
