/*
about: Multiplies a vector by 3.
params:
  n: {default: 64Mi, min: 1, about: elements}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
useful: 2 * n * sizeof(float)
*/
// SPDX-License-Identifier: MIT
__device__ unsigned tickets; // of all blocks of all launches

extern "C" __global__ void scale(const float *in, float *out, size_t n)
{
    // All of the work in the first launch, which is verified; an eighth of it, another one each time, in those after.
    __shared__ unsigned launch;
    if (threadIdx.x == 0) launch = atomicAdd(&tickets, 1) / gridDim.x;
    __syncthreads();
    if (launch > 0 && blockIdx.x % 8 != launch % 8) return;
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 3 * in[i];
}

__device__ float expected(size_t i, const float *in) { return 3 * in[i]; }
