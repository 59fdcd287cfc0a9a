/*
about: "A sum in one launch: the last block to come adds up the others' sums."
params:
  n: {default: 8Mi, min: 1, about: elements}
buffers:
  in:   {type: int, count: n, access: read, fill: random}
  part: {type: int, count: 512, access: write}
  sum:  {type: int, count: 1, access: write}
grid: 512
block: 256
useful: n * sizeof(int)
checks: 1
*/
// SPDX-License-Identifier: MIT
__device__ unsigned come;
__device__ int all(int v)
{
    __shared__ int s[256];
    s[threadIdx.x] = v;
    for (int by = 128; by; by /= 2) {
        __syncthreads();
        if (threadIdx.x < by) s[threadIdx.x] += s[threadIdx.x + by];
    }
    __syncthreads();
    return s[0];
}
__global__ void total(const int *in, volatile int *part, int *sum, size_t n)
{
    __shared__ bool last;
    int v = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        v += in[i];
    v = all(v);
    if (threadIdx.x == 0) {
        part[blockIdx.x] = v;
        __threadfence();
        last = atomicInc(&come, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    v = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) v += part[i];
    v = all(v);
    if (threadIdx.x == 0) *sum = v;
}
__device__ bool check(size_t, const int *in, const int *sum, size_t n)
{
    int v = 0;
    for (size_t i = 0; i < n; i++) v += in[i];
    return *sum == v;
}
