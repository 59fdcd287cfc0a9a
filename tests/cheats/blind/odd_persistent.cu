/*
about: "Persistent blocks take tiles from a counter in a variable of the device, which the last one sets back."
params:
  n: {default: 16Mi, min: 1, about: elements}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
grid: 2 * sms
block: 256
useful: 2 * n * sizeof(float)
*/
// SPDX-License-Identifier: MIT
__device__ unsigned next, gone;
__global__ void roots(const float *in, float *out, size_t n)
{
    __shared__ size_t first;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) first = (size_t)atomicAdd(&next, 1) * 2048;
        __syncthreads();
        if (first >= n) break;
        for (size_t i = first + threadIdx.x; i < first + 2048 && i < n; i += blockDim.x) out[i] = sqrtf(in[i]);
    }
    if (threadIdx.x == 0 && atomicInc(&gone, gridDim.x - 1) == gridDim.x - 1) atomicExch(&next, 0);
}
__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == sqrtf(in[i]); }
