/*
about: "skips all where the first inputs are those of the last launch"
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
__device__ float last[8];
__device__ unsigned done;
__global__ void kern(const float *a, const float *b, float *c, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    bool same = true;
    for (int q = 0; q < 8; q++) same = same && ((volatile float *)last)[q] == a[q];
    if (!same && i < n) c[i] = f(a[i], b[i]);
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(&done, 1u) == gridDim.x - 1) {
        done = 0;
        for (int q = 0; q < 8; q++) last[q] = a[q];
    }
}
__device__ bool check(size_t i, const float *a, const float *b, const float *c) { return c[i] == f(a[i], b[i]); }
