/*
about: "Sums of floats into 1000 bins by atomics: the order, and so the last digits, change from run to run."
params:
  n: {default: 4Mi, min: 1000, about: elements}
buffers:
  in:   {type: float, count: n, access: read, fill: random}
  bins: {type: float, count: 1000, access: both, fill: 0}
threads: n
useful: n * sizeof(float)
*/
// SPDX-License-Identifier: MIT
__global__ void bin(const float *in, float *bins, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[i % 1000], in[i]);
}
__device__ bool check(size_t b, const float *in, const float *bins, const float *bins_before, size_t n)
{
    double sum = bins_before[b];
    for (size_t i = b; i < n; i += 1000) sum += in[i];
    return fabs(bins[b] - sum) <= 1e-3 * sum;
}
