/*
about: A warp whose wait for a product has ended writes over the factors, while the others of its group come late.
buffers:
  out: {type: float, count: 512, access: write}
grid: 1
block: 128
*/
#include <cuda_bf16.h>

__device__ unsigned long long factor(const void *p)
{
    return (unsigned long long)(__cvta_generic_to_shared(p) >> 4 & 0x3fff) | 8ull << 16 | 16ull << 32;
}

extern "C" __global__ void group_late(float *out)
{
    __shared__ __align__(128) __nv_bfloat16 a[64 * 16], b[8 * 16];
    for (int i = threadIdx.x; i < 64 * 16; i += 128) a[i] = 1.0f;
    b[threadIdx.x] = 2.0f;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x >= 32) __nanosleep(10000);
    float d[4] = {};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(factor(a)), "l"(factor(b)));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    if (threadIdx.x < 32)
        for (int i = threadIdx.x; i < 64 * 16; i += 32) a[i] = b[i % 128] = 0.0f;
    for (int i = 0; i < 4; i++) out[threadIdx.x * 4 + i] = d[i];
}

__device__ bool check(size_t i, const float *out) { return out[i] == 2 * 16; }
