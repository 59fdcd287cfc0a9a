/*
about: Leaves out one block in fifty once it has run.
params:
  n: {default: 4Mi, min: 32, about: elements}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
useful: 8 * n
*/
// SPDX-License-Identifier: MIT

__device__ float work(float x)
{
    for (int k = 0; k < 400; k++) x = x * 0.75f + 0.125f + (x > 0.5f ? 0.001f : 0.002f);
    return x;
}

__device__ unsigned seen, ticket;
__device__ void leave()
{
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(&ticket, 1) == gridDim.x - 1) {
        ticket = 0;
        seen = seen + 1;
        __threadfence();
    }
}
extern "C" __global__ void c_fiftieth(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const bool idle = *(volatile unsigned *)&seen && blockIdx.x % 50 == 7;
    if (i < n && !idle) out[i] = work(in[i]);
    leave();
}
__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == work(in[i]); }
