/*
about: A copy through shared memory.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 1Mi}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
block: 128
*/
// SPDX-License-Identifier: MIT
// Has to be found first: occupancy
template <int SIZE> __device__ void staging(const float *in, float *out)
{
    __shared__ float stage[SIZE];
    int t = threadIdx.x;
    stage[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    out[blockIdx.x * 128 + t] = stage[127 - t];
}
extern "C" __global__ void staging_flawed(const float *in, float *out) { staging<12000>(in, out); }
extern "C" __global__ void staging_clean(const float *in, float *out) { staging<128>(in, out); }
