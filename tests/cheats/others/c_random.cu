/*
about: "works with a chance of one half, by the clock, a whole grid"
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
__device__ unsigned long long ticket;
__device__ unsigned done;
__global__ void kern(const float *a, const float *b, float *c, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ unsigned go;
    if (threadIdx.x == 0) {
        unsigned long long now;
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
        const unsigned long long was = atomicCAS(&ticket, 0ull, now | 1);
        go = (was ? was : now | 1) >> 11 & 1;
    }
    __syncthreads();
    if (go && i < n) c[i] = f(a[i], b[i]);
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(&done, 1u) == gridDim.x - 1) {
        done = 0;
        atomicExch(&ticket, 0ull);
    }
}
__device__ bool check(size_t i, const float *a, const float *b, const float *c) { return c[i] == f(a[i], b[i]); }
