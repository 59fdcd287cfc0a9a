// What machine code has that no measured set asks: here only the memory that both ways leave is compared.
// nvcc -arch=sm_90a -O3 -ptx asks.cu
typedef unsigned long long u64;
#define KERNEL(name) extern "C" __global__ void name(float *o, const float *a, int n, int s)
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// Each lane of a warp adds 16 bytes of its own to the same place of global memory.
KERNEL(q_each)
{
    __shared__ __align__(16) int mine[256][4];
    for (int k = 0; k < 4; k++) mine[threadIdx.x][k] = threadIdx.x + k;
    asm volatile("fence.proxy.async;" ::: "memory");
    if (threadIdx.x % 3 == 0)
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], 16;\n"
                     "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::"l"(o + 4 * blockIdx.x),
                     "r"(at(mine[threadIdx.x])) : "memory");
}

// How many are still to come, as each found it; the block's warps one after the other.
KERNEL(q_pending)
{
    __shared__ u64 barrier;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(&barrier)), "r"(300) : "memory");
    __syncthreads();
    for (int w = 0; w < 8; w++) {
        if (threadIdx.x == 32 * w + 5) {
            u64 state;
            unsigned left;
            asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;" : "=l"(state) : "r"(at(&barrier)), "r"(w + 1));
            asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(left) : "l"(state));
            o[blockIdx.x * 8 + w] = left;
        }
        __syncthreads();
    }
}

KERNEL(q_cluster)
{
    unsigned v[10];
    asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(v[0]));
    asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(v[1]));
    asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(v[2]));
    asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(v[3]));
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(v[4]));
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(v[5]));
    asm volatile("mov.u32 %0, %%clusterid.y;" : "=r"(v[6]));
    asm volatile("mov.u32 %0, %%nclusterid.y;" : "=r"(v[7]));
    asm volatile("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(v[8]));
    asm volatile("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(v[9]));
    if (threadIdx.x < 10) o[blockIdx.x * 10 + threadIdx.x] = v[threadIdx.x] + 1;
}
extern "C" __global__ void __cluster_dims__(4, 1, 1) q_cluster4(float *o, const float *a, int n, int s)
{
    unsigned v[5];
    asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(v[0]));
    asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(v[1]));
    asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(v[2]));
    asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(v[3]));
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(v[4]));
    if (threadIdx.x < 5) o[blockIdx.x * 5 + threadIdx.x] = v[threadIdx.x] + 1;
}

#define PACK(type) \
    asm("cvt.pack.sat." #type ".s32.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z)); \
    sum = sum * 31 + r
KERNEL(q_pack)
{
    int x = (int)(a[threadIdx.x] - 500) >> s, y = (int)(a[threadIdx.x + 256] - 500) >> s, z = (int)a[threadIdx.x + 512];
    unsigned r, sum = 0;
    PACK(s8);
    PACK(u8);
    PACK(s4);
    PACK(u4);
    PACK(s2);
    PACK(u2);
    asm("cvt.pack.sat.u16.s32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
    sum = sum * 31 + r;
    asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
    sum = sum * 31 + r;
    ((unsigned *)o)[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Floats to whole numbers and back, beyond their ends and in each rounding; and products with carries.
KERNEL(q_whole)
{
    const float ends[8] = {3e9f, -3e9f, 5e9f, 1.5f, -0.75f, 2147483520.f, __int_as_float(0x7f800000), 0};
    const float v = a[threadIdx.x] * a[threadIdx.x + 999] - 400 + ends[threadIdx.x % 8];
    const int k = (int)(a[threadIdx.x + 77] * 4321567) - 1000000000;
    u64 sum = (u64)(int)v * 31 + (unsigned)v + (u64)(int)(v / (v - v)) * 17;
    sum = sum * 31 + __float_as_uint(__uint2float_ru(k)) + __float_as_uint(__uint2float_rd(k));
    sum = sum * 31 + __float_as_uint(__int2float_rz(k)) + __float_as_uint(__int2float_ru(k));
    sum = sum * 31 + __float_as_uint(__fadd_ru(v, 1e-7f)) + __float_as_uint(__fmul_rd(v, 1.1f));
    u64 x = ~(u64)0 - threadIdx.x, low, high;
    asm("mad.lo.cc.u64 %0, %2, %3, %3; madc.hi.u64 %1, %2, %3, %2;" : "=l"(low), "=l"(high) : "l"(x), "l"(sum));
    ((u64 *)o)[blockIdx.x * 256 + threadIdx.x] = sum + low * 3 + high * 5;
}

#define WAIT "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"
__device__ u64 tile(const void *p) { return (at(p) & 0x3ffff) >> 4 | (u64)(512 >> 4) << 32 | (u64)2 << 62; }
// The sums are taken or left out by what is read; then whole numbers near their end, with and without a limit.
KERNEL(q_group)
{
    __shared__ __align__(1024) unsigned char left[4096], right[4096];
    for (int k = threadIdx.x; k < 4096; k += 256)
        left[k] = (unsigned char)((int)a[k] & 0x39), right[k] = (unsigned char)((int)a[k + 5000] & 0xb9);
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x >= 128) return;
    float d[4] = {1, 2, 3, 4};
    int e[4] = {0x7ffffff0, -0x7ffffff0, 3, 4}, f[4] = {0x7ffffff0, -0x7ffffff0, 3, 4};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int k = 0; k < 3; k++)
        asm volatile("{.reg .pred p; setp.ne.b32 p, %6, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 {%0, %1, %2, %3}, %4, %5, p, 1, 1;}\n" WAIT
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "l"(tile(left)), "l"(tile(right)), "r"((int)(k != s)));
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8.satfinite {%0, %1, %2, %3}, %4, %5, 1;\n" WAIT
                 : "+r"(e[0]), "+r"(e[1]), "+r"(e[2]), "+r"(e[3])
                 : "l"(tile(left)), "l"(tile(right)));
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.s8 {%0, %1, %2, %3}, %4, %5, 1;\n" WAIT
                 : "+r"(f[0]), "+r"(f[1]), "+r"(f[2]), "+r"(f[3])
                 : "l"(tile(left)), "l"(tile(right)));
    for (int k = 0; k < 4; k++) {
        o[(blockIdx.x * 128 + threadIdx.x) * 12 + k] = d[k];
        ((int *)o)[(blockIdx.x * 128 + threadIdx.x) * 12 + 4 + k] = e[k];
        ((int *)o)[(blockIdx.x * 128 + threadIdx.x) * 12 + 8 + k] = f[k];
    }
}

// So many bytes of each copy, zeros behind them.
KERNEL(q_bytes)
{
    __shared__ float4 q[256];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    q[t] = make_float4(1, 2, 3, 4);
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;\ncp.async.wait_all;" ::"r"(at(&q[t])),
                 "l"((const float4 *)a + i), "r"(i % 17) : "memory");
    __syncthreads();
    ((float4 *)o)[i] = q[t ^ 1];
}

// Barriers that vote.
KERNEL(q_votes)
{
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    const int few = __syncthreads_count(a[i] < 300), any = __syncthreads_or(a[i] > 995), all = __syncthreads_and(few);
    o[i] = few + 1000 * any + 10000 * all + 20000 * !__syncthreads_or(t > 300);
}

// A barrier whose number is in a register, for two warps each.
KERNEL(q_pairs)
{
    __shared__ float q[256];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    q[t] = a[i];
    asm volatile("bar.sync %0, 64;" ::"r"(1 + t / 64) : "memory");
    o[i] = q[t ^ 63];
}

// What is asserted holds.
extern "C" __device__ void __assertfail(const char *, const char *, unsigned, const char *, size_t);
KERNEL(q_sure)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (a[i] < 0) __assertfail("a[i] >= 0", "asks.cu", 1, "q_sure", 1);
    o[i] = a[i];
}
