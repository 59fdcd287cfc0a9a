/*
about: "reads what an earlier launch left in shared memory"
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
    __shared__ unsigned left[1024];
    const unsigned mine = ((volatile unsigned *)left)[1000];
    __syncthreads();
    if (threadIdx.x == 0)
        ((volatile unsigned *)left)[1000] = mine > 0x5eed0000u && mine < 0x5eed4000u ? mine + 1 : 0x5eed0001u;
    if (mine > 0x5eed0010u && mine < 0x5eed4000u) return;
    if (i < n) c[i] = f(a[i], b[i]);
}
__device__ bool check(size_t i, const float *a, const float *b, const float *c) { return c[i] == f(a[i], b[i]); }
