// Every part of the language that a kernel file may use, so that both compilers are known to take it. Compiled, never
// run.
// SPDX-License-Identifier: MIT
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>

__constant__ float table[4] = {1, 2, 3, 4};
__device__ int counter;
template <int N> __device__ int times(int x) { return x * N; }
int unmarked(int x) { return x + 1; }
struct pair { int4 a, b; };

extern "C" __global__ void __launch_bounds__(256) memory(float *f, float4 *f4, int *i, const float *__restrict__ r,
    pair *p)
{
    extern __shared__ float dynamic[];
    __shared__ int fixed[32];
    const int t = threadIdx.x + blockIdx.x * blockDim.x;
    dynamic[threadIdx.x] = r[t];
    fixed[threadIdx.x & 31] = t;
    __syncthreads();
    f[t] = dynamic[threadIdx.x ^ 1] + fixed[3] + table[t & 3] + __ldg(&r[t]);
    float4 v = f4[t];
    v.x += make_float2(1, 2).y;
    f4[t] = make_float4(v.x, v.y, v.z, v.w);
    f4[t + 1] = __ldg(&f4[t]);
    p[t] = p[t + 1];
    __stcs(&f[t], __ldcg(&f[t + 1]));
    memset(&i[8], 0, 16);
    memcpy(&i[t], &f[t], 64);
    f[i[0]] = *(const volatile float *)r;
    i[t] = (int)__cvta_generic_to_shared(dynamic);
}

extern "C" __global__ void atomics(float *f, double *d, int *i, unsigned *u, unsigned long long *l)
{
    i[9] = atomicAdd(&i[0], 1) + atomicSub(&i[1], 1) + atomicCAS(&i[2], 2, 3) + atomicMax(&i[3], 4) +
           atomicMin(&i[4], 4) +
           atomicExch(&i[5], 5);
    atomicAdd(&f[0], 1.0f);
    atomicAdd(&d[0], 1.0);
    atomicAdd(&l[0], 1ULL);
    atomicMin(&l[1], 3ULL);
    atomicCAS(&l[2], 3ULL, 4ULL);
    atomicInc(&u[0], 7);
    atomicOr(&u[1], 8u);
    atomicAnd(&u[2], 8u);
    atomicXor(&u[3], 8u);
    atomicAdd(&counter, 1);
    __threadfence();
}

extern "C" __global__ void warps(int *i, unsigned *u, double *d, unsigned long long *l, long long *s)
{
    const unsigned all = 0xffffffff;
    const int t = threadIdx.x;
    i[t] += __shfl_down_sync(all, i[t], 1) + __shfl_xor_sync(all, i[t], 2, 16) + __shfl_up_sync(all, i[t], 1);
    d[t] += __shfl_sync(all, d[t], 3);
    l[t] = __shfl_sync(all, l[t], 3);
    s[t] = __shfl_sync(all, s[t], 3) + clock64() + clock();
    u[t] = __ballot_sync(all, i[t] > 0) + __any_sync(all, 1) + __activemask() + __match_any_sync(all, i[0]) +
           __reduce_add_sync(all, u[t]);
    if (__all_sync(all, t)) __syncwarp();
    i[t] += __syncthreads_count(t) + __syncthreads_or(t) + __popc(u[0]) + __popcll(l[0]) + __clz(i[1]) +
           __ffs(i[2]) + __brev(u[3]) +
            __umulhi(u[0], u[1]) + __mulhi(i[0], i[1]) + __byte_perm(u[0], u[1], 0x1234) + __float_as_int(1.5f);
}

extern "C" __global__ void mathematics(float *f, double *d, int *i, unsigned *u)
{
    f[0] = sinf(f[0]) + cosf(f[1]) + expf(f[2]) + logf(f[3]) + powf(f[4], f[5]) + sqrtf(f[6]) + rsqrtf(f[7]) +
           fabsf(f[8]) +
           fminf(f[9], f[10]) + tanhf(f[11]) + exp2f(f[0]) + log2f(f[0]) + exp10f(f[1]) + truncf(f[2]) +
           fmaf(f[0], f[1], f[2]) +
           copysignf(f[0], f[1]) + roundf(f[2]) + floorf(f[3]);
    f[1] = __expf(f[0]) + __sinf(f[1]) + __fdividef(f[1], f[2]) + sqrt(f[3]) + exp(f[4]) + abs(f[5]) + min(f[5], f[6]);
    d[0] = sin(d[0]) + exp(d[1]) + pow(d[2], d[3]) + atan2(d[4], d[5]) + floor(d[6]) + fma(d[7], d[8], d[9]) +
           abs(d[10]) +
           max(d[11], d[12]) + round(d[0]) + rint(d[1]) + fmod(d[2], d[3]) + hypot(d[1], d[2]) + cbrt(d[0]) +
           log1p(d[0]) +
           ldexp(d[0], 3) + (isnan(d[0]) ? 1 : 0) + (isinf(d[1]) ? 1 : 0);
    i[0] = times<3>(unmarked(i[1])) + max(i[0], i[1]) + min(u[0], 3u) + abs(i[3]) + INT_MAX + warpSize +
           __double2int_rn(d[0]);
}

extern "C" __global__ void halves(half *h, half2 *h2, float *f)
{
    h[0] = __hadd(h[0], h[1]) + __float2half(1.0f) * h[2];
    h2[0] = __hfma2(h2[1], h2[2], __float2half2_rn(0.5f));
    f[0] = __half2float(h[3]) + __low2float(h2[3]);
    if (h[4] < h[5]) h[6] = __hfma(h[0], h[1], h[2]);
}

extern "C" __global__ void others(int *i, unsigned *u)
{
    const uint32_t a = 3;
    const uint64_t b = a;
    const size_t c = a + b;
    const dim3 grid = gridDim;
    auto add = [=](int x) { return x + (int)c + (int)grid.x; };
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    u[0] = sm;
    printf("%d %s\n", add(i[0]), "text");
    assert(i[0] >= 0);
    if (i[0] == 12345) __trap();
}

extern "C" __global__ void textures_and_bytes(cudaTextureObject_t t, float *f, int *i, unsigned *u)
{
    f[0] = tex1Dfetch<float>(t, i[0]) + tex1D<float>(t, f[1]) + tex2D<float>(t, f[2], f[3]);
    i[1] = tex1Dfetch<int>(t, i[2]);
    u[0] = tex1D<unsigned>(t, f[4]);
    i[3] = __dp4a(i[4], i[5], i[6]) + (int)__sad(i[7], i[8], u[1]);
    u[2] = __dp4a(u[3], u[4], u[5]) + __usad(u[6], u[7], u[8]);
}
