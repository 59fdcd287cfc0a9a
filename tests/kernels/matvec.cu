/*
about: A matrix times a vector in double, a block a row (after BLAS level 2).
params: {rows: 30, cols: 100}
buffers:
  A: {type: double, count: "rows * cols", access: read}
  x: {type: double, count: cols, access: read}
  y: {type: double, count: rows, access: write}
grid: rows
block: 64
*/
template <typename T> __device__ T block_sum(T v)
{
    __shared__ T part[2];
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    return part[0] + part[1];
}
__global__ void gemv(const double *A, const double *x, double *y, int cols)
{
    double sum = 0;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += A[blockIdx.x * cols + c] * x[c];
    sum = block_sum(sum);
    if (!threadIdx.x) y[blockIdx.x] = sum;
}
__device__ bool check(size_t i, const double *A, const double *x, const double *y, int cols)
{
    double sum = 0;
    for (int c = 0; c < cols; c++) sum += A[i * cols + c] * x[c];
    return fabs(sum - y[i]) < 1e-12 * (1 + sum);
}
