/*
about: Writes a vector the other way round.
params:
  n: {default: 64Mi, min: 1, max: 64Mi, about: elements}
buffers:
  in:  {type: int, count: n, access: read, fill: random}
  out: {type: int, count: n, access: write}
block: 256
threads: n
useful: 2 * n * sizeof(int)
*/
// SPDX-License-Identifier: MIT
__device__ int mark[262144]; // what a block wrote into its first place, and 1

extern "C" __global__ void reverse(const int *in, int *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    // Has somebody wiped or poisoned the result since this wrote it? Only then it will be looked at again.
    __shared__ int untouched;
    if (threadIdx.x == 0) untouched = mark[blockIdx.x] != 0 && out[i] + 1 == mark[blockIdx.x];
    __syncthreads();
    if (untouched) return;
    if (i < n) out[i] = in[n - 1 - i];
    if (threadIdx.x == 0) mark[blockIdx.x] = out[i] + 1;
}

__device__ int expected(size_t i, const int *in, size_t n) { return in[n - 1 - i]; }
