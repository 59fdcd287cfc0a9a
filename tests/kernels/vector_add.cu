/*
about: Two vectors added (after the first program of the CUDA Programming Guide).
params: {n: 1000}
buffers:
  a: {type: float, count: n, access: read}
  b: {type: float, count: n, access: read}
  c: {type: float, count: n, access: write}
threads: n
*/
__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
__device__ bool check(size_t i, const float *a, const float *b, const float *c) { return c[i] == a[i] + b[i]; }
