/*
about: Four floats a thread by scalars, or by float4.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 256Ki}
buffers:
  in: {type: float, count: 4 * n, access: read, fill: random}
  out: {type: float, count: 4 * n, access: write}
threads: n
*/
// SPDX-License-Identifier: MIT
// Has to be found first: overfetch
extern "C" __global__ void vectors4_flawed(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 4; k++) out[4 * i + k] = in[4 * i + (k + 1) % 4] * 2;
}
extern "C" __global__ void vectors4_clean(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = ((const float4 *)in)[i];
    ((float4 *)out)[i] = make_float4(2 * v.y, 2 * v.z, 2 * v.w, 2 * v.x);
}
