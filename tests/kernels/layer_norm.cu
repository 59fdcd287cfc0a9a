/*
about: Rows brought to mean 0 and variance 1, in half precision with sums in float (after Ba, Kiros and Hinton, 2016).
params: {rows: 10, cols: {kind: constant, default: 64}, eps: 1e-5}
buffers: {x: {type: half, count: rows * cols, access: read}, y: {type: half, count: rows * cols, access: write}}
block: 32
grid: rows
checks: rows
*/
#include <cuda_fp16.h>
__global__ void layer_norm(const __half *x, __half *y, __half eps)
{
    float sum = 0, squares = 0;
    for (int i = threadIdx.x; i < cols; i += 32) {
        float v = __half2float(x[blockIdx.x * cols + i]);
        sum += v, squares += v * v;
    }
    for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o), squares += __shfl_xor_sync(~0u, squares, o);
    float mean = sum / cols, scale = rsqrtf(squares / cols - mean * mean + __half2float(eps));
    for (int i = threadIdx.x; i < cols; i += 32)
        y[blockIdx.x * cols + i] = __float2half((__half2float(x[blockIdx.x * cols + i]) - mean) * scale);
}
__device__ bool check(size_t i, const __half *y)
{
    float sum = 0, squares = 0;
    for (int k = 0; k < cols; k++) { float v = __half2float(y[i * cols + k]); sum += v, squares += v * v; }
    return fabsf(sum / cols) < 0.01f && fabsf(squares / cols - 1) < 0.02f;
}
