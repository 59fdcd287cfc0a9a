/*
about: "The sum of two vectors: the plainest coalesced kernel, two reads and a write side by side."
params:
  n: {default: 64Mi, min: 1, about: elements}
buffers:
  a: {type: float, count: n, access: read, fill: random}
  b: {type: float, count: n, access: read, fill: random}
  c: {type: float, count: n, access: write}
threads: n
useful: 3 * n * sizeof(float)
flops: n
*/
extern "C" __global__ void vecadd(const float *a, const float *b, float *c, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

__device__ bool check(size_t i, const float *a, const float *b, const float *c)
{
    return c[i] == a[i] + b[i];
}
