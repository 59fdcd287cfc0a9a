/*
about: "Applies a map of many turns to every element."
params:
  n:     {default: 4Mi, min: 1, about: elements}
  turns: {kind: constant, default: 512, min: 1, about: turns of the map}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
grid: min(8 * sms, ceil(n / 1024))
block: 256
useful: 2 * n * sizeof(float)
flops: 2 * n * turns
*/
// SPDX-License-Identifier: MIT
__device__ float work(float x)
{
    float v = x;
    for (int t = 0; t < turns; t++) v = fmaf(v, 0.75f, x);
    return v;
}

__device__ unsigned ticket, gone;

extern "C" __global__ void apply(const float *in, float *out, size_t n)
{
    __shared__ unsigned tile;
    for (;;) {
        if (threadIdx.x == 0) tile = atomicAdd(&ticket, 1);
        __syncthreads();
        const size_t first = (size_t)tile * 1024;
        if (first >= n) break;
        for (size_t i = first + threadIdx.x; i < first + 1024 && i < n; i += blockDim.x) out[i] = work(in[i]);
        __syncthreads();
    }
    if (threadIdx.x == 0 && atomicAdd(&gone, 1) == gridDim.x - 1) {
        atomicExch(&ticket, 0); // the last block that leaves makes the queue ready for the next launch
        atomicExch(&gone, 0);
    }
}

__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == work(in[i]); }
