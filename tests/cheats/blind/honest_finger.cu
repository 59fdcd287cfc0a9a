/*
about: "The product of a matrix of whole numbers and a vector, a block a row."
params:
  n: {default: 16Ki, min: 1, about: rows}
  w: {kind: constant, default: 1024, min: 256, about: columns}
buffers:
  a: {type: int, count: n * w, access: read, fill: random}
  x: {type: int, count: w, access: read, fill: random}
  y: {type: int, count: n, access: write}
grid: n
block: 128
useful: 4 * (n * w + w + n)
checks: n
*/
// SPDX-License-Identifier: MIT
__device__ int row_times(const int *row, const int *x)
{
    __shared__ int part[4];
    int sum = 0;
    for (int k = threadIdx.x; k < w; k += blockDim.x) sum += row[k] * x[k];
    for (int by = 16; by; by /= 2) sum += __shfl_down_sync(~0u, sum, by);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    return part[0] + part[1] + part[2] + part[3];
}

extern "C" __global__ void product(const int *a, const int *x, int *y)
{
    const int sum = row_times(a + (size_t)blockIdx.x * w, x);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

__device__ int expected(size_t i, const int *a, const int *x)
{
    int sum = 0;
    for (int k = 0; k < w; k++) sum += a[i * w + k] * x[k];
    return sum;
}
