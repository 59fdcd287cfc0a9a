/*
about: Keeps the numbers above 1/4 of each segment, in any order, and where they stood.
params:
  segs: {default: 4096, min: 1, about: segments}
  n:    {default: 8192, min: 1, about: numbers of a segment}
buffers:
  in:    {type: float, count: segs * n, access: read, fill: random}
  out:   {type: float, count: segs * n, access: write}
  pos:   {type: int, count: segs * n, access: write}
  count: {type: int, count: segs, access: write}
checks: segs
useful: 3 * segs * n * sizeof(float)
block: 256
grid: segs
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void work(const float *in, float *out, int *pos, int *count, size_t n)
{
    __shared__ int many;
    const size_t from = blockIdx.x * n;
    if (threadIdx.x == 0) many = 0;
    __syncthreads();
    int own = 0;
    for (size_t k = threadIdx.x; k < n; k += blockDim.x) own += in[from + k] > 0.25f;
    own = __reduce_add_sync(~0u, own);
    if (threadIdx.x % 32 == 0) atomicAdd(&many, own);
    __syncthreads();
    for (int k = threadIdx.x; k < many; k += blockDim.x) out[from + k] = 1, pos[from + k] = k;
    if (threadIdx.x == 0) count[blockIdx.x] = many;
}

__device__ bool check(size_t s, const float *in, const float *out, const int *count, size_t n)
{
    int many = 0;
    for (size_t k = 0; k < n; k++) many += in[s * n + k] > 0.25f;
    if (count[s] != many) return false;
    for (int k = 0; k < many; k++)
        if (!(out[s * n + k] > 0.25f && out[s * n + k] <= 1)) return false;
    return true;
}
