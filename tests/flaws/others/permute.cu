/*
about: A gather by an index that is drawn, or sorted.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 512Ki}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  index: {type: unsigned, count: n, access: read, fill: {random: [0, 2147483647]}}
  out: {type: float, count: n, access: write}
threads: n
*/
// SPDX-License-Identifier: MIT
// Has to be found first: overfetch
// (The index is drawn from all there are: `fill: random` alone draws from 1 to 100, which gathers from 400 bytes.)
extern "C" __global__ void permute_flawed(const float *in, const unsigned *index, float *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[i] % n];
}
extern "C" __global__ void permute_clean(const float *in, const unsigned *index, float *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[i] > 5 ? i : 0];
}
