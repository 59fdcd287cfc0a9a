/*
about: "takes its work from a queue that the last block resets"
params: {n: {default: 4Mi}}
buffers:
  a: {type: float, count: n, access: read, fill: random}
  b: {type: float, count: n, access: read, fill: random}
  c: {type: float, count: n, access: write}
threads: n
useful: 12 * n
*/
__device__ float f(float x, float y)
{
    for (int k = 0; k < 24; k++) x = x * 0.75f + y * 0.5f - 0.125f * x * x;
    return x;
}
__device__ unsigned next, left;
__global__ void kern(const float *a, const float *b, float *c, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ unsigned tile;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) tile = atomicAdd(&next, 1u);
        __syncthreads();
        const size_t j = (size_t)tile * blockDim.x + threadIdx.x;
        if ((size_t)tile * blockDim.x >= n) break;
        if (j < n) c[j] = f(a[j], b[j]);
    }
    if (threadIdx.x == 0 && atomicAdd(&left, 1u) == gridDim.x - 1) {
        left = 0;
        next = 0;
        __threadfence();
    }
}
__device__ bool check(size_t i, const float *a, const float *b, const float *c) { return c[i] == f(a[i], b[i]); }
