/*
about: "Needs `live` values all the time: what does not fit into the registers allowed (`maxregs`) is spilled to
    local memory."
params:
  n:     {default: 4Mi, min: 1, about: threads}
  live:  {kind: constant, default: 32, min: 2, max: 256, about: values that are needed in every turn}
  turns: {kind: constant, default: 16, min: 1, about: turns}
buffers:
  in:  {type: float, count: n, access: read, fill: cycle}
  out: {type: float, count: n, access: write}
threads: n
useful: 2 * n * sizeof(float)
flops: 2 * n * live * turns
*/

// In every turn each value becomes a sum with its neighbour's: none can be dropped, and none follows from the others.
__device__ float work(float seed)
{
    float v[live];
#pragma unroll
    for (int k = 0; k < live; k++) v[k] = seed + k;
#pragma unroll 1
    for (int t = 0; t < turns; t++) {
        const float first = v[0];
#pragma unroll
        for (int k = 0; k < live; k++) v[k] = fmaf(v[k], 0.5f, k + 1 < live ? v[k + 1] : first);
    }
    float sum = 0;
#pragma unroll
    for (int k = 0; k < live; k++) sum += v[k];
    return sum;
}

extern "C" __global__ void registers(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = work(in[i]);
}

__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == work(in[i]); }
