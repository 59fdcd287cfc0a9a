/*
about: "A block a run of 49152 numbers, turned around in 192 KiB of shared memory."
params:
  n: {default: 12976128, min: 49152, about: "elements, a multiple of 49152"}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
grid: n // 49152
block: 1024
shared: 196608
useful: 2 * n * sizeof(float)
*/
// SPDX-License-Identifier: MIT
__global__ void turn(const float *in, float *out)
{
    extern __shared__ float s[];
    const size_t first = (size_t)blockIdx.x * 49152;
    for (int k = threadIdx.x; k < 49152; k += blockDim.x) s[k] = in[first + k];
    __syncthreads();
    for (int k = threadIdx.x; k < 49152; k += blockDim.x) out[first + k] = s[49151 - k];
}
__device__ bool check(size_t i, const float *in, const float *out)
{
    return out[i] == in[i / 49152 * 49152 + 49151 - i % 49152];
}
