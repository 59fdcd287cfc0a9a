/*
about: "Every block does the same arithmetic: as many as fit run at once, the others wait until those are done."
params:
  blocks: {default: 132, min: 1, about: blocks of 1024 threads}
  turns:  {kind: constant, default: 2048, min: 1, about: multiply-adds of a thread}
buffers:
  out: {type: float, count: blocks * 1024, access: write}
threads: blocks * 1024
useful: blocks * 1024 * sizeof(float)
flops: 2 * blocks * 1024 * turns
*/
__device__ float work(size_t i)
{
    float v = i % 1024;
#pragma unroll 16
    for (int k = 0; k < turns; k++) v = fmaf(v, 0.5f, 1); // each waits for the one before
    return v;
}

extern "C" __global__ void waves(float *out)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = work(i);
}

__device__ bool check(size_t i, const float *out) { return out[i] == work(i); }
