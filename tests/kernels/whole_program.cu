/*
about: A whole program as tutorials have it, with its host's part behind the kernel (y = a x + y).
params: {n: 4Ki, a: {default: 2.5}}
buffers: {x: {type: float, count: n, access: read}, y: {type: float, count: n, access: both}}
threads: n
*/
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECKED(call)                                                      \
    do {                                                                   \
        cudaError_t e = (call);                                            \
        if (e != cudaSuccess) {                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
            exit(EXIT_FAILURE);                                            \
        }                                                                  \
    } while (0)

__global__ void saxpy(size_t n, float a, const float *x, float *y)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

static float *on_device(const float *from, size_t bytes)
{
    float *p;
    CHECKED(cudaMalloc(&p, bytes));
    CHECKED(cudaMemcpy(p, from, bytes, cudaMemcpyHostToDevice));
    return p;
}

void on_host(size_t n, float a, const float *x, float *y)
{
    for (size_t i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

int main(int argc, char **argv)
{
    const size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1 << 20, bytes = n * sizeof(float);
    float *x = (float *)malloc(bytes), *y = (float *)malloc(bytes), most = 0;
    for (size_t i = 0; i < n; i++) x[i] = 1.0f, y[i] = 2.0f;
    float *dx = on_device(x, bytes), *dy = on_device(y, bytes);
    saxpy<<<(unsigned)((n + 255) / 256), 256>>>(n, 2.0f, dx, dy);
    CHECKED(cudaGetLastError());
    on_host(n, 2.0f, x, y);
    CHECKED(cudaMemcpy(x, dy, bytes, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++) most = x[i] - y[i] > most ? x[i] - y[i] : most;
    printf("largest error %g\n", most);
    return 0;
}

__device__ bool check(size_t i, const float *x, const float *y, const float *y_before, float a)
{
    return fabsf(y[i] - (a * x[i] + y_before[i])) <= 1e-6f;
}
