/*
about: Sixteen values a thread, turned round in shared memory.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 128Ki}
buffers:
  in: {type: float, count: 16 * n, access: read, fill: random}
  out: {type: float, count: 16 * n, access: write}
threads: n
block: 128
*/
// SPDX-License-Identifier: MIT
// Has to be found first: nothing
// (Its conflicts are worth 1 %: a block waits for the memory, which takes 98 % of the time. Shared memory, conflicts
// and all, 48 %. That is so at any n.)
template <int P> __device__ void exchange(const float *in, float *out, int n)
{
    __shared__ float s[128 * P];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    #pragma unroll
    for (int k = 0; k < 16; k++) s[t * P + k] = in[k * n + i];
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < 16; k++) out[k * n + i] = s[t * P + 15 - k];
}
extern "C" __global__ void butterfly_flawed(const float *in, float *out, int n) { exchange<16>(in, out, n); }
extern "C" __global__ void butterfly_clean(const float *in, float *out, int n) { exchange<17>(in, out, n); }
