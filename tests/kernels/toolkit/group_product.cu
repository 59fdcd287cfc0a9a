/*
about: A product of matrices of halves by warp groups, 64 rows and 64 columns a block, factors in shared memory.
params:
  m: {default: 128, min: 64, about: rows}
  n: {default: 128, min: 64, about: columns}
  k: {default: 128, min: 64, about: depth}
buffers:
  a: {type: __half, count: m * k, access: read, fill: "__float2half((float)((int)(i % 7) - 3))"}
  b: {type: __half, count: n * k, access: read, fill: "__float2half((float)((int)(i % 5) - 2))"}
  c: {type: float, count: m * n, access: write}
grid: [n / 64, m / 64]
block: 128
flops: 2 * m * n * k
*/
#include <cuda_fp16.h>
#include <stdint.h>

// A tile of 64 rows of 128 bytes, swizzled: chunk c of row r lies at c ^ (r % 8).
__device__ void load_tile(__half *tile, const __half *from, int stride)
{
    for (int at = threadIdx.x; at < 64 * 8; at += 128) {
        const int row = at / 8, chunk = at % 8;
        *(uint4 *)(tile + row * 64 + (chunk ^ (row % 8)) * 8) = *(const uint4 *)(from + row * stride + chunk * 8);
    }
}

__device__ uint64_t descriptor(const __half *tile)
{
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(tile);
    return (uint64_t)((at & 0x3ffff) >> 4) | (uint64_t)1 << 16 | (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}

#define D8(j) \
    "+f"(d[j]), "+f"(d[j + 1]), "+f"(d[j + 2]), "+f"(d[j + 3]), "+f"(d[j + 4]), "+f"(d[j + 5]), "+f"(d[j + 6]), \
        "+f"(d[j + 7])

extern "C" __global__ void group_product(const __half *a, const __half *b, float *c, int m, int n, int k)
{
    __shared__ __align__(1024) __half left[64 * 64], right[64 * 64];
    float d[32] = {};
    for (int start = 0; start < k; start += 64) {
        load_tile(left, a + blockIdx.y * 64 * k + start, k);
        load_tile(right, b + blockIdx.x * 64 * k + start, k);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int step = 0; step < 4; step++)
            asm volatile(
                "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, "
                "%11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "
                "%30, %31}, %32, %33, 1, 1, 1, 0, 0;"
                : D8(0), D8(8), D8(16), D8(24)
                : "l"(descriptor(left + step * 16)), "l"(descriptor(right + step * 16)));
        asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
        __syncthreads();
    }
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < 32; i += 2) {
        const int row = blockIdx.y * 64 + warp * 16 + lane / 4 + i / 2 % 2 * 8,
                  col = blockIdx.x * 64 + i / 4 * 8 + lane % 4 * 2;
        *(float2 *)(c + (size_t)row * n + col) = make_float2(d[i], d[i + 1]);
    }
}

__device__ float expected(size_t i, const __half *a, const __half *b, int n, int k)
{
    float sum = 0;
    for (int e = 0; e < k; e++) sum += __half2float(a[i / n * k + e]) * __half2float(b[i % n * k + e]);
    return sum;
}
