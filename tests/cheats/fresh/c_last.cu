/*
about: Asks L2 to keep its lines beyond the flush.
params:
  n: {default: 5Mi, min: 32, about: elements}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
useful: 8 * n
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void c_last(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long policy;
    float v;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(v) : "l"(in + i), "l"(policy));
    asm volatile("st.global.L2::cache_hint.f32 [%0], %1, %2;" : : "l"(out + i), "f"(v * 2), "l"(policy));
}
__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == in[i] * 2; }
