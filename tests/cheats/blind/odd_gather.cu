/*
about: "Reads at places that a hash of the index gives."
params:
  n: {default: 16Mi, min: 1024, about: "elements, a power of two"}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
useful: 2 * n * sizeof(float)
*/
// SPDX-License-Identifier: MIT
__device__ unsigned hash(unsigned x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}
__global__ void gather(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[hash(i) & (n - 1)];
}
__device__ bool check(size_t i, const float *in, const float *out, size_t n) { return out[i] == in[hash(i) & (n - 1)]; }
