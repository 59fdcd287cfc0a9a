/*
about: A window that begins one element late, in doubles.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 512Ki}
buffers:
  in: {type: double, count: n + 8, access: read, fill: random}
  out: {type: double, count: n + 8, access: write}
threads: n
*/
// SPDX-License-Identifier: MIT
// Has to be found first: nothing
// (A warp's ninth sector is its neighbour's first: it comes from L1 or L2, not from the memory, which takes 96 % of
// the time. That is so at any n.)
extern "C" __global__ void shifted_vec_flawed(const double *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + 1] * 3;
}
extern "C" __global__ void shifted_vec_clean(const double *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + 4] * 3;
}
