/*
about: Softmax of rows, a warp a row (after Milakov and Gimelshein, "Online normalizer calculation for softmax").
params: {rows: 20, cols: 77}
buffers:
  x: {type: float, count: rows * cols, access: read, fill: {random: [-4, 4]}}
  y: {type: float, count: rows * cols, access: write}
block: 32
grid: rows
checks: rows
*/
__global__ void softmax(const float *x, float *y, int cols)
{
    const float *row = x + blockIdx.x * cols;
    float m = -INFINITY, sum = 0;
    for (int i = threadIdx.x; i < cols; i += 32) m = fmaxf(m, row[i]);
    for (int o = 16; o; o >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
    for (int i = threadIdx.x; i < cols; i += 32) sum += expf(row[i] - m);
    for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
    for (int i = threadIdx.x; i < cols; i += 32) y[blockIdx.x * cols + i] = expf(row[i] - m) / sum;
}
__device__ bool check(size_t i, const float *x, const float *y, int cols)
{
    float sum = 0;
    bool ordered = true;
    for (int k = 0; k < cols; k++) {
        size_t at = i * cols + k;
        sum += y[at], ordered &= !k || (x[at] > x[at - 1] ? y[at] >= y[at - 1] : y[at] <= y[at - 1]);
    }
    return fabsf(sum - 1) < 1e-4f && ordered;
}
