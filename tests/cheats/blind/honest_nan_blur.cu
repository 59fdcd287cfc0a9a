/*
about: The mean of each number and its two neighbours.
params:
  n: {default: 64Mi, min: 3, about: numbers}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
useful: 2 * n * sizeof(float)
*/
// SPDX-License-Identifier: MIT
__device__ float mean(const float *in, size_t i, size_t n)
{
    return (in[i > 0 ? i - 1 : 0] + in[i] + in[i + 1 < n ? i + 1 : i]) * (1 / 3.0f);
}

extern "C" __global__ void blur(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = mean(in, i, n);
}

__device__ bool check(size_t i, const float *in, const float *out, size_t n)
{
    return !(fabsf(out[i] - mean(in, i, n)) > 1e-5f);
}
