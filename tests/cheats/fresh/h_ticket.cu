/*
about: The last block sums what the others left in scratch.
params:
  n: {default: 256Ki, min: 32, about: elements}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  scratch: {type: float, count: n, access: write}
  out: {type: float, count: 1, access: write}
threads: n
useful: 4 * n
checks: 1
block: 256
*/
// SPDX-License-Identifier: MIT
__device__ unsigned ticket;
extern "C" __global__ void h_ticket(const float *in, float *scratch, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float s[1024];
    __shared__ bool last;
    s[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int k = blockDim.x / 2; k; k /= 2) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        scratch[blockIdx.x] = s[0];
        __threadfence();
        last = atomicAdd(&ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x) return;
    ticket = 0;
    double sum = 0;
    for (unsigned b = 0; b < gridDim.x; b++) sum += ((volatile float *)scratch)[b];
    out[0] = (float)sum;
}
__device__ bool check(size_t i, const float *in, const float *out, size_t n)
{
    double s = 0;
    for (size_t k = 0; k < n; k++) s += in[k];
    return fabs(out[0] - s) < 1e-3 * s;
}
