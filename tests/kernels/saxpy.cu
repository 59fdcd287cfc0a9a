/*
about: y = a x + y in place (after BLAS level 1).
params: {n: 1000, alpha: {as: a, default: 2.5}}
buffers: {x: {type: float, count: n, access: read}, y: {type: float, count: n, access: both}}
threads: n
*/
__global__ void axpy(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];
}
__device__ bool check(size_t i, const float *x, const float *y, const float *y_before, float a)
{
    return fabsf(y[i] - (a * x[i] + y_before[i])) < 1e-5f;
}
