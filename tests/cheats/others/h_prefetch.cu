/*
about: "asks for its data before"
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
__global__ void kern(const float *a, const float *b, float *c, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1024 < n) asm volatile("prefetch.global.L2 [%0];" ::"l"(a + i + 1024));
    if (i < n) c[i] = f(a[i], b[i]);
}
__device__ bool check(size_t i, const float *a, const float *b, const float *c) { return c[i] == f(a[i], b[i]); }
