/*
about: "Multiplies every element, again and again: one buffer in, one out; `turns` sets how much arithmetic there
    is."
params:
  n:     {default: 16Mi, min: 1, about: elements}
  turns: {default: 1, min: 1, about: multiply-adds on each element}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
useful: 2 * n * sizeof(float)
flops: 2 * n * turns
*/
__device__ float scaled(float x, int turns)
{
    for (int k = 0; k < turns; k++) x = fmaf(x, 0.999f, 0.001f);
    return x;
}

extern "C" __global__ void scale(const float *in, float *out, size_t n, int turns)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = scaled(in[i], turns);
}

__device__ bool check(size_t i, const float *in, const float *out, int turns) { return out[i] == scaled(in[i], turns); }
