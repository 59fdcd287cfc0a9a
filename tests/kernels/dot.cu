/*
about: A dot product, a block's part by a tree in shared memory and one atomic (after Sanders and Kandrot, chapter 5).
params: {n: 1000}
buffers:
  a: {type: int, count: n, access: read}
  b: {type: int, count: n, access: read}
  c: {type: int, count: 1, access: both, fill: 0}
block: 128
threads: n
*/
#define THREADS 128
__global__ void dot(const int *a, const int *b, int *c, int n)
{
    __shared__ int cache[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cache[threadIdx.x] = i < n ? a[i] * b[i] : 0;
    __syncthreads();
    for (int k = THREADS / 2; k; k /= 2) {
        if (threadIdx.x < k) cache[threadIdx.x] += cache[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(c, cache[0]);
}
__device__ bool check(size_t i, const int *a, const int *b, const int *c, int n)
{
    int sum = 0;
    for (int k = 0; k < n; k++) sum += a[k] * b[k];
    return c[0] == sum;
}
