/*
about: "each launch turns the order of the blocks"
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
__device__ unsigned blocks, turn;
__global__ void kern(const float *a, const float *b, float *c, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned t = *(volatile unsigned *)&turn;
    const size_t j = (size_t)(t & 1 ? gridDim.x - 1 - blockIdx.x : blockIdx.x) * blockDim.x + threadIdx.x;
    if (j < n) c[j] = f(a[j], b[j]);
    __syncthreads();
    if (threadIdx.x == 0 && atomicInc(&blocks, gridDim.x - 1) == gridDim.x - 1) turn = t + 1;
}
__device__ bool check(size_t i, const float *a, const float *b, const float *c) { return c[i] == f(a[i], b[i]); }
