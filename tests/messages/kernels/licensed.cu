/* Copyright (c) 2020 Somebody. A licence may stand in front of what describes the kernel. */
/*
about: Doubles every element.
params: {n: {default: 1Ki, about: elements}}
buffers:
  in: {type: float, count: n, access: read, fill: zeros}
threads: n
*/
extern "C" __global__ void licensed(const float *in, float *result, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = 2 * in[i];
}
__device__ bool check(size_t i, const float *in) { return true; }
