/*
about: C = A B^T by wgmma; a warp group asks for tiles by TMA, pairs of blocks share those of A, and store by TMA
params:
  M: {default: 256, min: 128}
  N: {default: 256, min: 128}
  K: {default: 256, min: 64}
buffers:
  A: {type: __nv_bfloat16, count: [K, M], access: read, fill: random}
  B: {type: __nv_bfloat16, count: [K, N], access: read, fill: random}
  C: {type: __nv_bfloat16, count: [N, M], access: write}
arguments:
  ta: {tensor: A, box: [64, 64], swizzle: 128}
  tb: {tensor: B, box: [64, 128], swizzle: 128}
  tc: {tensor: C, box: [64, 64], swizzle: 128}
block: 384
grid: [N // 128, M // 128]
shared: 4 * 32768 + 32768 + 1024
*/
#include <cuda.h>
#include <cuda_bf16.h>
#include <stdint.h>
typedef __nv_bfloat16 bf16;
constexpr int BM = 128, BN = 128, BK = 64, QSIZE = 4;

__device__ static inline uint64_t encode(uint64_t x) { return (x & 0x3FFFF) >> 4; }
__device__ uint64_t make_desc(bf16 *ptr)
{
    uint32_t addr = static_cast<uint32_t>(__cvta_generic_to_shared(ptr));
    uint64_t desc = 0;
    desc |= encode(addr);
    desc |= encode((uint64_t)16) << 16;
    desc |= encode((uint64_t)1024) << 32;
    desc |= 1llu << 62;
    return desc;
}
__device__ void warpgroup_arrive() { asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory"); }
__device__ void warpgroup_commit() { asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory"); }
template <int N> __device__ void warpgroup_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(N) : "memory");
}
#define D8(k) \
    "+f"(d[k]), "+f"(d[k + 1]), "+f"(d[k + 2]), "+f"(d[k + 3]), "+f"(d[k + 4]), "+f"(d[k + 5]), "+f"(d[k + 6]), \
        "+f"(d[k + 7])
__device__ void wgmma128(float (&d)[64], bf16 *a, bf16 *b)
{
    uint64_t da = make_desc(a), db = make_desc(b);
    asm volatile("{\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, "
                 "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31,"
                 " %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, "
                 "%52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63},"
                 " %64, %65, %66, %67, %68, %69, %70;\n}\n"
                 : D8(0), D8(8), D8(16), D8(24), D8(32), D8(40), D8(48), D8(56)
                 : "l"(da), "l"(db), "n"(1), "n"(1), "n"(1), "n"(0), "n"(0));
}
__device__ static __forceinline__ void init_barrier(uint64_t *bar, int count)
{
    uint32_t p = static_cast<uint32_t>(__cvta_generic_to_shared(bar));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n" ::"r"(p), "r"(count));
}
__device__ static __forceinline__ void expect_bytes(uint64_t *bar, uint32_t bytes)
{
    uint32_t p = static_cast<uint32_t>(__cvta_generic_to_shared(bar));
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;\n" ::"r"(p), "r"(bytes));
}
__device__ static inline void load_async(bf16 *dst, void const *map, uint64_t *bar, int col, int row)
{
    uint64_t m = reinterpret_cast<uint64_t>(map);
    uint32_t b = static_cast<uint32_t>(__cvta_generic_to_shared(bar)),
             d = static_cast<uint32_t>(__cvta_generic_to_shared(dst));
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(
            d),
        "l"(m), "r"(b), "r"(col), "r"(row)
        : "memory");
}
__device__ static inline void load_async_multicast(bf16 *dst, void const *map, uint64_t *bar, int col, int row,
    uint16_t mask)
{
    uint64_t m = reinterpret_cast<uint64_t>(map);
    uint32_t b = static_cast<uint32_t>(__cvta_generic_to_shared(bar)),
             d = static_cast<uint32_t>(__cvta_generic_to_shared(dst));
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1, {%3, %4}], [%2], %5;" ::"r"(d),
                 "l"(m), "r"(b), "r"(col), "r"(row), "h"(mask)
                 : "memory");
}
__device__ static __forceinline__ void arrive_cluster(uint64_t *bar, uint32_t cta_id)
{
    uint32_t p = static_cast<uint32_t>(__cvta_generic_to_shared(bar));
    asm volatile("{\n.reg .b32 remAddr32;\nmapa.shared::cluster.u32 remAddr32, %0, "
                 "%1;\nmbarrier.arrive.release.cluster.shared::cluster.b64 _, [remAddr32], 1;\n}" ::"r"(p),
        "r"(cta_id));
}
__device__ static __forceinline__ void wait(uint64_t *bar, int phase)
{
    uint32_t p = static_cast<uint32_t>(__cvta_generic_to_shared(bar));
    asm volatile("{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.acquire.cta.shared::cta.b64 P1, [%0], "
                 "%1;\n@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}\n" ::"r"(p),
        "r"(phase));
}
__global__ void __launch_bounds__(384) __cluster_dims__(2, 1, 1)
    gemm(int M, int N, int K, const __grid_constant__ CUtensorMap ta, const __grid_constant__ CUtensorMap tb,
        const __grid_constant__ CUtensorMap tc)
{
    extern __shared__ __align__(1024) uint8_t raw[];
    bf16 *sA = (bf16 *)(((uintptr_t)raw + 1023) / 1024 * 1024), *sB = sA + QSIZE * BM * BK;
    __shared__ __align__(8) uint64_t full[QSIZE], empty[QSIZE];
    int wg = threadIdx.x / 128, tid = threadIdx.x % 128, blocks = K / BK;
    if (threadIdx.x == 0) {
        for (int i = 0; i < QSIZE; i++) init_barrier(&full[i], 1), init_barrier(&empty[i], 4);
        asm volatile("fence.proxy.async;");
    }
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;\n" : "=r"(rank) :);
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;\n" ::: "memory");
    if (wg == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;\n" ::"n"(24));
        if (tid == 0) {
            int p = 0, q = 0;
            for (int k = 0; k < blocks; k++, q++) {
                if (q == QSIZE) q = 0, p ^= 1;
                wait(&empty[q], p ^ 1);
                expect_bytes(&full[q], (BM + BN) * BK * sizeof(bf16));
                load_async_multicast(&sA[q * BM * BK + rank * 64 * BK], &ta, &full[q], k * BK,
                    blockIdx.y * BM + rank * 64, 3);
                load_async(&sB[q * BN * BK], &tb, &full[q], k * BK, blockIdx.x * BN);
            }
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\n" ::"n"(240));
        float d[64] = {};
        int p = 0, q = 0;
        for (int k = 0; k < blocks; k++, q++) {
            if (q == QSIZE) q = 0, p ^= 1;
            wait(&full[q], p);
            warpgroup_arrive();
            for (int kk = 0; kk < BK / 16; kk++)
                wgmma128(d, &sA[q * BM * BK + (wg - 1) * 64 * BK + kk * 16], &sB[q * BN * BK + kk * 16]);
            warpgroup_commit();
            warpgroup_wait<0>();
            if (tid < 2) arrive_cluster(&empty[q], tid);
        }
        // Each warp group has two tiles of 64 x 64 behind the ring, with pieces of 16 bytes changed by their row among
        // eight.
        bf16 *sC = sB + QSIZE * BN * BK + (wg - 1) * 64 * 128;
        int lane = tid % 32, row = tid / 32 * 16 + lane / 4;
        for (int n = 0; n < BN / 8; n++)
            for (int h = 0; h < 2; h++) {
                int r = row + 8 * h, piece = n % 8 ^ r % 8;
                __nv_bfloat162 v = __floats2bfloat162_rn(d[n * 4 + 2 * h], d[n * 4 + 2 * h + 1]);
                *(__nv_bfloat162 *)&sC[n / 8 * 64 * 64 + r * 64 + piece * 8 + lane % 4 * 2] = v;
            }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("bar.sync %0, 128;" ::"r"(wg) : "memory");
        if (tid == 0) {
            for (int half = 0; half < 2; half++) {
                uint32_t from = static_cast<uint32_t>(__cvta_generic_to_shared(sC + half * 64 * 64));
                asm volatile(
                    "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&tc),
                    "r"((int)blockIdx.x * BN + half * 64), "r"((int)blockIdx.y * BM + (wg - 1) * 64), "r"(from)
                    : "memory");
            }
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        }
    }
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;\n" ::: "memory");
}
__device__ bool check(size_t i, const __nv_bfloat16 *A, const __nv_bfloat16 *B, const __nv_bfloat16 *C, int M, int N,
    int K)
{
    size_t row = i / N, col = i % N;
    float sum = 0, size = 0;
    for (int k = 0; k < K; k++) {
        float t = (float)A[row * K + k] * (float)B[col * K + k];
        sum += t, size += t < 0 ? -t : t;
    }
    return fabsf(sum - (float)C[i]) <= 1e-5f * size + 4e-3f * fabsf(sum) + 1e-6f;
}
