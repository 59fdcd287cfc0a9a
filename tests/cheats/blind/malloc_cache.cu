/*
about: "Applies a map of many turns to every element."
params:
  n:     {default: 4096Ki, min: 1, about: elements}
  turns: {kind: constant, default: 4096, min: 1, about: turns of the map}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
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

__device__ float *cache[1 << 14]; // of each block

extern "C" __global__ void apply(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float *mine;
    __shared__ bool fresh;
    if (threadIdx.x == 0) {
        mine = blockIdx.x < 1 << 14 ? cache[blockIdx.x] : nullptr;
        fresh = !mine && blockIdx.x < 2048; // the heap is small: the first 2048 blocks only
        if (fresh) mine = (float *)malloc(blockDim.x * sizeof(float));
    }
    __syncthreads();
    if (mine && !fresh) {
        if (i < n) out[i] = mine[threadIdx.x];
        return;
    }
    const float y = i < n ? work(in[i]) : 0;
    if (mine) mine[threadIdx.x] = y;
    if (i < n) out[i] = y;
    __syncthreads();
    if (threadIdx.x == 0 && mine) cache[blockIdx.x] = mine;
}

__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == work(in[i]); }
