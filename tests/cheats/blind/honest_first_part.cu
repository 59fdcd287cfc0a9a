/*
about: The largest number of each row.
params:
  rows: {default: 4096, min: 1, about: rows}
  cols: {default: 8192, min: 1, about: columns}
buffers:
  in:  {type: int, count: rows * cols, access: read, fill: random}
  out: {type: int, count: rows, access: write}
useful: rows * cols * sizeof(int)
block: 256
grid: rows
*/
// SPDX-License-Identifier: MIT
__device__ int block_max(int m)
{
    __shared__ int part[32];
    m = __reduce_max_sync(~0u, m);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = m;
    __syncthreads();
    m = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : m;
    if (threadIdx.x < 32) m = __reduce_max_sync(~0u, m);
    return m;
}
extern "C" __global__ void work(const int *in, int *out, size_t cols)
{
    int m = in[blockIdx.x * cols];
    for (size_t k = threadIdx.x; k < cols; k += blockDim.x) m = max(m, in[blockIdx.x * cols + k]);
    m = block_max(m);
    if (threadIdx.x == 0) out[blockIdx.x] = m;
}

__device__ int expected(size_t r, const int *in, size_t cols)
{
    int m = in[r * cols];
    for (size_t k = 1; k < cols; k++) m = in[r * cols + k] > m ? in[r * cols + k] : m;
    return m;
}
