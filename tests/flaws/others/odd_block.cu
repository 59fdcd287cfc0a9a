/*
about: Blocks of 33 threads, or of 256.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 270336}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
block: "variant == 'flawed' and 33 or 256"
*/
// SPDX-License-Identifier: MIT
// Has to be found first: part_warps
extern "C" __global__ void odd_block_flawed(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = sqrtf(in[i]);
}
extern "C" __global__ void odd_block_clean(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = sqrtf(in[i]);
}
