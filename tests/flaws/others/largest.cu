/*
about: The largest of all, by an atomic of each thread or of each block.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 512Ki}
buffers:
  in: {type: int, count: n, access: read, fill: index}
  out: {type: int, count: 1, access: both, fill: 0}
threads: n
block: 256
*/
// SPDX-License-Identifier: MIT
// Has to be found first: same_address
extern "C" __global__ void largest_flawed(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] % 2 == 0) atomicMax(out, in[i]);
}
extern "C" __global__ void largest_clean(const int *in, int *out, int n)
{
    __shared__ int most[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    v = __reduce_max_sync(~0u, v);
    if (threadIdx.x % 32 == 0) most[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0)
    {
        for (int k = 1; k < 8; k++) v = max(v, most[k]);
        atomicMax(out, v);
    }
}
