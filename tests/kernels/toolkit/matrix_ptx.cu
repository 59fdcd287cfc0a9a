/*
about: One warp multiplies 16 x 16 by 16 x 8 by ldmatrix and mma.sync.
params: {tiles: 16}
buffers:
  A: {type: half, count: tiles * 256, access: read, fill: "__float2half((float)(i % 5))"}
  B: {type: half, count: tiles * 128, access: read, fill: "__float2half((float)(i % 3))"}
  D: {type: float, count: tiles * 128, access: write}
grid: tiles
block: 32
*/
#include <cuda_fp16.h>
__global__ void mma16816(const half *A, const half *B, float *D)
{
    __shared__ __align__(16) half sA[16 * 16], sB[8 * 16];
    int lane = threadIdx.x;
    const half *a = A + blockIdx.x * 256, *b = B + blockIdx.x * 128;
    reinterpret_cast<uint4 *>(sA)[lane] = reinterpret_cast<const uint4 *>(a)[lane];
    if (lane < 16) reinterpret_cast<uint4 *>(sB)[lane] = reinterpret_cast<const uint4 *>(b)[lane];
    __syncwarp();
    unsigned ra[4], rb[2];
    unsigned pa = static_cast<unsigned>(__cvta_generic_to_shared(sA + (lane % 16) * 16 + (lane / 16) * 8));
    unsigned pb = static_cast<unsigned>(__cvta_generic_to_shared(sB + (lane % 8) * 16 + (lane / 8 % 2) * 8));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(pa));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(pb));
    float c[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    float2 *d = reinterpret_cast<float2 *>(D + blockIdx.x * 128);
    d[(lane / 4) * 4 + lane % 4] = make_float2(c[0], c[1]);
    d[(lane / 4 + 8) * 4 + lane % 4] = make_float2(c[2], c[3]);
}
__device__ float expected(size_t i, const half *A, const half *B)
{
    size_t t = i / 128, r = i % 128 / 8, n = i % 8;
    float s = 0;
    for (int k = 0; k < 16; k++) s += __half2float(A[t * 256 + r * 16 + k]) * __half2float(B[t * 128 + n * 16 + k]);
    return s;
}
