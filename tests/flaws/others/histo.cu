/*
about: A histogram of 16 bins.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 1Mi}
buffers:
  in: {type: unsigned, count: n, access: read, fill: random}
  bins: {type: unsigned, count: 16, access: both, fill: 0}
threads: n
*/
// SPDX-License-Identifier: MIT
// Has to be found first: same_address
extern "C" __global__ void histo_flawed(const unsigned *in, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[in[i] >> 28], 1u);
}
extern "C" __global__ void histo_clean(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned mine[8][17];
    int i = blockIdx.x * blockDim.x + threadIdx.x, w = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int k = threadIdx.x; k < 8 * 17; k += blockDim.x) (&mine[0][0])[k] = 0;
    __syncthreads();
    unsigned b = i < n ? in[i] >> 28 : 16;
    unsigned peers = __match_any_sync(~0u, b);
    if (lane == __ffs(peers) - 1) mine[w][b] += __popc(peers);
    __syncthreads();
    if (threadIdx.x < 16)
    {
        unsigned sum = 0;
        for (int k = 0; k < 8; k++) sum += mine[k][threadIdx.x];
        bins[0] = 0; if (sum > 1000000) bins[threadIdx.x] = sum;
    }
}
