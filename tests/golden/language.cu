// Kernels that use the language, not the memory: run by tests/unit/sim_language.c from language_nvcc.ptx and language_clang.ptx,
// which two compilers made of this file. Each thread leaves an int (or float) that the test works out for itself.
#define T (blockIdx.x * blockDim.x + threadIdx.x)
typedef unsigned long long u64;

extern "C" __global__ void divergence(int *out, const int *in, int n)
{
    int t = T, v = in[t], sum = 0;
    for (int i = 0; i < (v & 15); i++) {
        if ((i * v) % 3 == 0) continue;
        if (sum > 500) break;
        switch ((v + i) % 7) {
        case 0: sum += 3; break;
        case 1: sum ^= v; break;
        case 2: sum += i * i;
        case 3: sum -= 1; break;
        case 4: sum = sum * 2 + 1; break;
        case 5: if (v & 64) sum += 100; else sum += 50; break;
        default: sum += v % 11;
        }
    }
    if (v % 5 == 2) return;
    out[t] = sum;
}

struct triple { int a; long long b; short c[3]; };
__device__ __noinline__ int inner(int x, int y) { return x > y ? x - y : (y - x) * 3; }
__device__ __noinline__ struct triple outer(struct triple s, int k)
{
    s.a += inner(k, s.c[1]);
    if (k & 1) s.b = s.b * 5 + inner(s.a, k);
    s.c[k % 3] += 7;
    return s;
}
extern "C" __global__ void calls(int *out, const int *in, int n)
{
    int v = in[T];
    struct triple s = {v, v * 3ll, {(short)v, (short)(v >> 3), 9}};
    if (v & 2) s = outer(s, v % 10);
    else if (v & 4) s = outer(outer(s, 3), 4);
    for (int i = 0; i < (v & 3); i++) s.a += inner(i, v & 7);
    out[T] = s.a + (int)s.b + s.c[0] + s.c[1] * 2 + s.c[2] * 3;
}

__constant__ int weights[8] = {1, -2, 3, -4, 5, -6, 7, -8};
__device__ int counter = 40;
__device__ int bias[4] = {10, 20, 30, 40};
__device__ int *chosen[2] = {bias + 1, &counter};
extern "C" __global__ void spaces(int *out, const int *in, int n)
{
    __shared__ int tile[64];
    int local[8], t = threadIdx.x;
    for (int i = 0; i < 8; i++) local[(i + in[t]) & 7] = in[t] * i;
    tile[t & 63] = in[T & 63] + 1;
    __syncthreads();
    int *any = in[T] % 3 == 0 ? local : in[T] % 3 == 1 ? tile : bias;
    out[T] = any[in[T] & 3] + weights[in[T] & 7] + *chosen[in[T] & 1] + local[in[T] & 7];
}

extern "C" __global__ void lanes(int *out, const int *in, int n)
{
    int t = T, lane = threadIdx.x & 31, v = in[t];
    unsigned all = 0xffffffffu;
    int r = __shfl_up_sync(all, v, 3) + 2 * __shfl_down_sync(all, v, 5) + 3 * __shfl_xor_sync(all, v, 9) + 5 * __shfl_sync(all, v, v & 31);
    r += 7 * __shfl_sync(all, v, lane + 3, 8);
    unsigned odd = __ballot_sync(all, v & 1);
    r ^= (int)odd;
    if (__any_sync(all, v > 990)) r += 1000;
    if (__all_sync(all, v > 5)) r += 2000;
    if (v & 1) r += 11 * __shfl_sync(odd, v, __ffs(odd) - 1);
    else r -= __popc(__activemask());
    out[t] = r;
}

extern "C" __global__ void atomics(int *out, const int *in, int n)
{
    __shared__ unsigned s[8];
    if (threadIdx.x < 8) s[threadIdx.x] = threadIdx.x == 3 ? 1000 : 0;
    __syncthreads();
    int v = in[T];
    atomicAdd(&s[0], 1u);
    atomicAdd(&s[1], (unsigned)v);
    atomicMax(&s[2], (unsigned)v);
    atomicMin(&s[3], (unsigned)v);
    atomicOr(&s[4], 1u << (v & 31));
    atomicXor(&s[5], (unsigned)v);
    atomicInc(&s[6], 9u);
    unsigned old = s[7], seen;
    do {
        seen = old;
        old = atomicCAS(&s[7], seen, seen + (unsigned)(v & 3));
    } while (old != seen);
    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(out + threadIdx.x, (int)s[threadIdx.x]);
    atomicMax(out + 8, v);
    atomicMin(out + 9, v - 2000);
    atomicExch(out + 10, 77);
    atomicAdd((float *)(out + 11), 0.5f);
    atomicAdd((u64 *)(out + 12), 1ull << 33);
    atomicAnd(out + 14, ~(1 << (v & 31)));
    atomicDec((unsigned *)(out + 15), 5u);
    atomicSub(out + 16, 3);
}

extern "C" __global__ void barriers(int *out, const int *in, int n)
{
    extern __shared__ int dynamic[];
    int t = threadIdx.x, v = in[T];
    dynamic[t] = v;
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) dynamic[t] += dynamic[t + d];
    }
    __syncthreads();
    int sum = dynamic[0];
    if (v == 3) return;
    sum += __syncthreads_count(v & 1) * 3;
    if (__syncthreads_or(v == 998)) sum += 5;
    if (__syncthreads_and(v < 1000)) sum += 9;
    if (t >= 64) asm volatile("bar.sync 1, 64;");
    out[T] = sum;
}

extern "C" __global__ void vectors(int *out, const int *in, int n)
{
    uchar4 b = ((const uchar4 *)in)[T];
    int4 q = ((const int4 *)in)[T & 63];
    longlong2 l = ((const longlong2 *)in)[T & 63];
    short2 s = ((const short2 *)in)[T];
    int2 pair = make_int2(b.x + b.y * 2 + b.z * 3 + b.w, s.x - s.y);
    out[T] = pair.x + pair.y + q.x - q.y + q.z * q.w + (int)(l.x >> 3) + (int)l.y;
}

extern "C" __global__ void reals(float *out, const int *in, int n)
{
    float f = (float)in[T] / 64, g = sqrtf(f + 1) * rsqrtf(f + 2);
    double d = (double)in[T] / 3 + 1e-3 * (double)(in[T] * in[T]);
    g += sinf(f) * cosf(f) + expf(-f) + logf(f + 1) + powf(f + 0.5f, 1.25f) + fminf(f, 3.f) + floorf(f) + fabsf(f - 4);
    out[T] = g + (float)(d / (d + 7) + sqrt(d)) + (float)(int)(f * 10.f) + (float)(unsigned)(d + 0.5);
}

extern "C" __global__ void wide(int *out, const int *in, int n)
{
    u64 a = (u64)in[T] * 0x9e3779b97f4a7c15ull, b = a ^ a >> 29;
    u64 r = __umul64hi(a, b) + a / (b % 1000 + 1) + (u64)__popcll(a) + (u64)__clzll((long long)(b >> 20));
    unsigned x = (unsigned)a, y = (unsigned)(b >> 32);
    r += __byte_perm(x, y, 0x5410) + __brev(x) + __funnelshift_l(x, y, in[T] & 31) + __umulhi(x, y);
    out[T] = (int)(r ^ r >> 32);
}

// A lock that one lane of each warp takes at a time, and blocks that wait for one another in order.
extern "C" __global__ void locks(int *out, const int *in, int n)
{
    if ((threadIdx.x & 31) == 0) {
        while (atomicCAS(out, 0, 1) != 0);
        int v = ((volatile int *)out)[1];
        ((volatile int *)out)[1] = v + in[T];
        __threadfence();
        atomicExch(out, 0);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        while (((volatile int *)out)[2] != (int)blockIdx.x);
        __threadfence();
        ((volatile int *)out)[2] = blockIdx.x + 1;
    }
}
