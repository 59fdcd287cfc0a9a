/*
about: Each thread adds to one of eight counters; or each warp once.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 512Ki}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  counters: {type: int, count: 8, access: both, fill: 0}
  out: {type: int, count: n, access: write}
threads: n
*/
// SPDX-License-Identifier: MIT
// Has to be found first: same_address
extern "C" __global__ void tickets_flawed(const float *in, int *counters, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = atomicAdd(&counters[i & 7], in[i] > 0.5f ? 2 : 1);
}
extern "C" __global__ void tickets_clean(const float *in, int *counters, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i / 8 + (in[i] > 0.5f ? 2 : 1);
}
