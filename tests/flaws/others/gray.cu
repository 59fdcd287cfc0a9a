/*
about: Gray of RGB, interleaved with one byte a component of four, or in planes.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 1Mi}
buffers:
  in: {type: unsigned char, count: 12 * n, access: read, fill: random}
  out: {type: unsigned char, count: n, access: write}
threads: n
*/
// SPDX-License-Identifier: MIT
// Has to be found first: overfetch
extern "C" __global__ void gray_flawed(const unsigned char *in, unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (in[12 * i] * 30 + in[12 * i + 4] * 59 + in[12 * i + 8] * 11) / 100;
}
extern "C" __global__ void gray_clean(const unsigned char *in, unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (in[i] * 30 + in[n + i] * 59 + in[2 * n + i] * 11) / 100;
}
