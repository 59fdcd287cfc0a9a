/*
about: Leaves out a twentieth at the end, by the clock.
params:
  n: {default: 4Mi, min: 32, about: elements}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
useful: 8 * n
*/
// SPDX-License-Identifier: MIT

__device__ float work(float x)
{
    for (int k = 0; k < 400; k++) x = x * 0.75f + 0.125f + (x > 0.5f ? 0.001f : 0.002f);
    return x;
}

__device__ unsigned long long now()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}
__device__ unsigned hash(unsigned long long x)
{
    x ^= x >> 31;
    x *= 0x7fb5d329728ea185ull;
    x ^= x >> 27;
    x *= 0x81dadef4bc2dd44dull;
    return (unsigned)(x >> 33);
}
extern "C" __global__ void c_tail(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t end = hash(now() >> 16) % 2 ? n : n - n / 20;
    if (i < end) out[i] = work(in[i]);
}
__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == work(in[i]); }
