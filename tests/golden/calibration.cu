// Calibration kernels: each asks one question of the memory system or of the issue slots.
// SPDX-License-Identifier: MIT
#include <stdint.h>
#include <cuda_fp16.h>
#define G extern "C" __global__ void
#define I (blockIdx.x * blockDim.x + threadIdx.x)
#define N (gridDim.x * blockDim.x)
G empty(int *o) { if (o == nullptr) return; if (I == 0xffffffffu) *o = 1; }
G copy1(const float *a, float *o, int n) { int i = I; if (i < n) o[i] = a[i]; }
G copy4(const float4 *a, float4 *o, int n) { int i = I; if (i < n) o[i] = a[i]; }
G add3(const float *a, const float *b, float *o, int n) { int i = I; if (i < n) o[i] = a[i] + b[i]; }
G fill1(float *o, int n) { int i = I; if (i < n) o[i] = 1; }
G fillgs(float4 *o, int n, int k) { for (int t = 0; t < k; t++) for (int i = I; i < n; i += N) o[i] = make_float4(t, t, t, t); }
template <int U, class T> __device__ float some(T v);
__device__ __forceinline__ float sum_of(float v) { return v; }
__device__ __forceinline__ float sum_of(float4 v) { return v.x + v.y + v.z + v.w; }
template <int U, class T> __device__ __forceinline__ void read_gs(const T *a, float *o, int n, int k) {
    float s = 0;
    for (int t = 0; t < k; t++)
        for (int i = I; i < n; i += N * U) {
            T v[U];
#pragma unroll
            for (int u = 0; u < U; u++) v[u] = i + u * N < n ? a[i + u * N] : T{};
#pragma unroll
            for (int u = 0; u < U; u++) s += sum_of(v[u]);
        }
    if (s == 12345.678f) *o = s;
}
G read1(const float *a, float *o, int n, int k) { read_gs<1>(a, o, n, k); }
G read4(const float *a, float *o, int n, int k) { read_gs<4>(a, o, n, k); }
G read8(const float *a, float *o, int n, int k) { read_gs<8>(a, o, n, k); }
G read1v(const float4 *a, float *o, int n, int k) { read_gs<1>(a, o, n, k); }
G read4v(const float4 *a, float *o, int n, int k) { read_gs<4>(a, o, n, k); }
G stride(const float *a, float *o, int n, int s) { int i = I; if (i < n) o[i] = a[(size_t)i * s]; }
G stridew(float *o, int n, int s) { int i = I; if (i < n) o[(size_t)i * s] = i; }
G offset(const float *a, float *o, int n, int k) { int i = I; if (i < n) o[i] = a[i + k]; }
// every block reads its own tile of w floats k times
G tile_again(const float *a, float *o, int w, int k) {
    const float *p = a + (size_t)blockIdx.x * w; float s = 0;
    for (int t = 0; t < k; t++) for (int i = threadIdx.x; i < w; i += blockDim.x) s += p[i];
    if (s == 12345.678f) *o = s;
}
// all blocks read the same w floats k times
G same_tile(const float *a, float *o, int w, int k) {
    float s = 0;
    for (int t = 0; t < k; t++) for (int i = threadIdx.x; i < w; i += blockDim.x) s += a[i];
    if (s == 12345.678f) *o = s;
}
G gather(const float *a, float *o, int n, unsigned m) { int i = I; if (i < n) { unsigned h = i * 2654435761u; h ^= h >> 15; h *= 2246822519u; h ^= h >> 13; o[i] = a[h % m]; } }
G gather4(const float *a, float *o, int n, unsigned m) { int i = I; if (i < n) { float s = 0; for (int k = 0; k < 4; k++) { unsigned h = (i * 4 + k) * 2654435761u; h ^= h >> 15; h *= 2246822519u; h ^= h >> 13; s += a[h % m]; } o[i] = s; } }
G gatherw(const float *a, float *o, int n, unsigned m) { int i = I; if (i < n) { unsigned h = (i >> 5) * 2654435761u; h ^= h >> 15; h *= 2246822519u; h ^= h >> 13; o[i] = a[(h % m) * 32 + (i & 31)]; } }
G scatter(float *o, int n, unsigned m) { int i = I; if (i < n) { unsigned h = i * 2654435761u; h ^= h >> 15; h *= 2246822519u; h ^= h >> 13; o[h % m] = i; } }
G chase(const int *next, int *o, int steps, int apart) { int p = (I >> 5) * apart; for (int i = 0; i < steps; i++) p = next[p]; if ((threadIdx.x & 31) == 0) o[I >> 5] = p; }
G stencil5(const float *a, float *o, int w, int h) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x > 0 && x < w - 1 && y > 0 && y < h - 1) { size_t i = (size_t)y * w + x; o[i] = 0.2f * (a[i] + a[i - 1] + a[i + 1] + a[i - w] + a[i + w]); } }
G stencil7(const float *a, float *o, int w) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z; if (x > 0 && x < w - 1 && y > 0 && y < w - 1 && z > 0 && z < w - 1) { size_t i = ((size_t)z * w + y) * w + x; o[i] = a[i] * 6 - a[i - 1] - a[i + 1] - a[i - w] - a[i + w] - a[i - w * w] - a[i + w * w]; } }
G mm_naive(const float *a, const float *b, float *c, int n) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; float s = 0; for (int k = 0; k < n; k++) s += a[y * n + k] * b[k * n + x]; c[y * n + x] = s; }
template <int B> __device__ void mm(const float *a, const float *b, float *c, int n) { __shared__ float s[B][B], t[B][B]; int x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * B + y, q = blockIdx.x * B + x; float v = 0; for (int m = 0; m < n; m += B) { s[y][x] = a[r * n + m + x]; t[y][x] = b[(m + y) * n + q]; __syncthreads();
#pragma unroll
    for (int k = 0; k < B; k++) v += s[y][k] * t[k][x]; __syncthreads(); } c[r * n + q] = v; }
G mm16(const float *a, const float *b, float *c, int n) { mm<16>(a, b, c, n); }
G mm32(const float *a, const float *b, float *c, int n) { mm<32>(a, b, c, n); }
G tr_naive(const float *a, float *o, int n) { int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y; for (int j = 0; j < 32; j += blockDim.y) o[(size_t)x * n + y + j] = a[(size_t)(y + j) * n + x]; }
template <int P> __device__ void tr(const float *a, float *o, int n) { __shared__ float t[32][32 + P]; int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y; for (int j = 0; j < 32; j += blockDim.y) t[threadIdx.y + j][threadIdx.x] = a[(size_t)(y + j) * n + x]; __syncthreads(); x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y; for (int j = 0; j < 32; j += blockDim.y) o[(size_t)(y + j) * n + x] = t[threadIdx.x][threadIdx.y + j]; }
G tr_tile(const float *a, float *o, int n) { tr<0>(a, o, n); }
G tr_pad(const float *a, float *o, int n) { tr<1>(a, o, n); }
#define CHAIN(name, T, init, step) G name(T *o, int k) { T v[8]; T x = (T)(threadIdx.x + 1) * (T)1; for (int u = 0; u < 8; u++) v[u] = init; for (int i = 0; i < k; i++) { _Pragma("unroll") for (int u = 0; u < 8; u++) { step; } } T s = v[0]; for (int u = 1; u < 8; u++) s += v[u]; if (s == (T)12345) *o = s; }
#define CHAIN1(name, T, step) G name(T *o, int k) { T v[1]; T x = (T)(threadIdx.x + 1); v[0] = x; for (int i = 0; i < k; i++) { const int u = 0; _Pragma("unroll") for (int j = 0; j < 8; j++) { step; } } if (v[0] == (T)12345) *o = v[0]; }
CHAIN(i_fma, float, x + u, v[u] = v[u] * x + 1.5f)
CHAIN1(d_fma, float, v[u] = v[u] * x + 1.5f)
CHAIN(i_add, float, x + u, v[u] = v[u] + x)
CHAIN(i_imad, int, x + u, v[u] = v[u] * x + 7)
CHAIN1(d_imad, int, v[u] = v[u] * x + 7)
CHAIN(i_xor, unsigned, x + u, v[u] = (v[u] ^ x) + (v[u] & 0xff0u))
CHAIN(i_shf, unsigned, x + u, v[u] = __funnelshift_l(v[u], v[u], x))
CHAIN(i_popc, int, x + u, v[u] = __popc(v[u]) + x)
CHAIN(i_dfma, double, x + u, v[u] = v[u] * x + 1.5)
CHAIN1(d_dfma, double, v[u] = v[u] * x + 1.5)
CHAIN(i_ex2, float, x + u, v[u] = exp2f(v[u]))
CHAIN(i_rsq, float, x + u, v[u] = rsqrtf(v[u]))
CHAIN(i_rcp, float, x + u, v[u] = __fdividef(x, v[u]))
CHAIN(i_div, float, x + u, v[u] = x / v[u])
CHAIN(i_sin, float, x + u, v[u] = __sinf(v[u]))
CHAIN(i_f2i, float, x + u, v[u] = (float)(int)(v[u] * 3.f))
CHAIN(i_idiv, int, x + u, v[u] = v[u] / x + 1000000)
CHAIN(i_i64, long long, x + u, v[u] = v[u] * x + 7)
CHAIN(i_shfl, int, x + u, v[u] = __shfl_xor_sync(~0u, v[u], 1) + x)
CHAIN(i_vote, unsigned, x + u, v[u] = __ballot_sync(~0u, v[u] & 1) + x)
CHAIN(i_mnmx, float, x + u, v[u] = fminf(v[u], x) + 1.f)
CHAIN1(d_ex2, float, v[u] = exp2f(v[u]))
CHAIN1(d_shfl, int, v[u] = __shfl_xor_sync(~0u, v[u], 1))
G i_h2(float *o, int k) { __half2 v[8], x = __floats2half2_rn(threadIdx.x, 1.f); for (int u = 0; u < 8; u++) v[u] = x; for (int i = 0; i < k; i++) {
#pragma unroll
    for (int u = 0; u < 8; u++) v[u] = __hfma2(v[u], x, x); } float s = 0; for (int u = 0; u < 8; u++) s += __low2float(v[u]); if (s == 12345.f) *o = s; }
G lds(float *o, int k, int s) { __shared__ float t[8192]; for (int i = threadIdx.x; i < 8192; i += blockDim.x) t[i] = i; __syncthreads(); float v = 0; int b = threadIdx.x * s; for (int i = 0; i < k; i++) {
#pragma unroll
    for (int u = 0; u < 8; u++) v += t[(b + i * 32 + u * 32) & 8191]; } if (v == 12345.f) *o = v; }
G lds4(float *o, int k) { __shared__ float4 t[2048]; for (int i = threadIdx.x; i < 2048; i += blockDim.x) t[i] = make_float4(i, 0, 0, 0); __syncthreads(); float v = 0; for (int i = 0; i < k; i++) {
#pragma unroll
    for (int u = 0; u < 8; u++) v += sum_of(t[(threadIdx.x + i * 32 + u * 32) & 2047]); } if (v == 12345.f) *o = v; }
G d_lds(int *o, int k) { __shared__ int t[1024]; for (int i = threadIdx.x; i < 1024; i += blockDim.x) t[i] = (i * 7 + 1) & 1023; __syncthreads(); int p = threadIdx.x & 1023; for (int i = 0; i < k; i++) p = t[p]; if (p == -1) *o = p; }
G sts(float *o, int k) { __shared__ float t[8192]; for (int i = 0; i < k; i++) {
#pragma unroll
    for (int u = 0; u < 8; u++) t[(threadIdx.x + i * 32 + u * 1024) & 8191] = i; } __syncthreads(); if (t[threadIdx.x] == 12345.f) *o = 1; }
G bars(float *o, int k) { __shared__ float t[1024]; float v = threadIdx.x; for (int i = 0; i < k; i++) { t[threadIdx.x] = v; __syncthreads(); v = t[(threadIdx.x + 1) & (blockDim.x - 1)] + 1; __syncthreads(); } if (v == 12345.f) *o = v; }
G at_one(int *o, int n) { int i = I; if (i < n) atomicAdd(o, i & 7); }
G at_onef(float *o, int n) { int i = I; if (i < n) atomicAdd(o, 1.f); }
G at_many(int *o, int n, unsigned m) { int i = I; if (i < n) { unsigned h = i * 2654435761u; h ^= h >> 15; h *= 2246822519u; h ^= h >> 13; atomicAdd(&o[h % m], 1); } }
G at_manyf(float *o, int n, unsigned m) { int i = I; if (i < n) { unsigned h = i * 2654435761u; h ^= h >> 15; h *= 2246822519u; h ^= h >> 13; atomicAdd(&o[h % m], 1.f); } }
G at_row(int *o, int n) { int i = I; if (i < n) atomicAdd(&o[i], 1); }
G at_rowr(int *o, int *r, int n) { int i = I; if (i < n) r[i] = atomicAdd(&o[i], 1); }
G at_ret(int *o, int *r, int n, unsigned m) { int i = I; if (i < n) { unsigned h = i * 2654435761u; h ^= h >> 15; h *= 2246822519u; h ^= h >> 13; r[i] = atomicAdd(&o[h % m], 1); } }
G at_warp(int *o, int n, int m) { int i = I; if (i < n && (i & 31) == 0) atomicAdd(&o[(i >> 5) % m], 1); }
G at_sh(int *o, const unsigned *a, int n, unsigned m) { __shared__ int h[4096]; for (int i = threadIdx.x; i < 4096; i += blockDim.x) h[i] = 0; __syncthreads(); for (int i = I; i < n; i += N) atomicAdd(&h[a[i] % m], 1); __syncthreads(); for (int i = threadIdx.x; i < m; i += blockDim.x) if (h[i]) atomicAdd(&o[i], h[i]); }
G uneven(float *o, int k, int every) { float v = threadIdx.x, x = threadIdx.x; int m = blockIdx.x % every == 0 ? k * 8 : k; for (int i = 0; i < m; i++) v = v * x + 1.5f; if (v == 12345.f) *o = v; }
G split(const float *a, float *o, int n, int k) { int i = I; if (i < n) { float v = a[i]; if (threadIdx.x & 1) for (int j = 0; j < k; j++) v = v * 1.01f + 0.5f; else for (int j = 0; j < k; j++) v = v * v - 0.3f; o[i] = v; } }
G mix(const float *a, float *o, int n, int k) { int i = I; if (i < n) { float v = a[i]; for (int j = 0; j < k; j++) v = v * 1.01f + 0.5f; o[i] = v; } }
G part_w(unsigned char *o, int n) { int i = I; if (i < n) o[(size_t)i * 8] = 1; }
G bytes(const unsigned char *a, unsigned char *o, int n) { int i = I; if (i < n) o[i] = a[i] + 1; }
G rmw(float *a, int n, int k) { int i = I; if (i < n) for (int t = 0; t < k; t++) { a[i] += 1; __threadfence_block(); } }
G spin_regs(float *o, const float *a, int k) { float v[48]; for (int u = 0; u < 48; u++) v[u] = a[u * 32 + (threadIdx.x & 31)]; for (int i = 0; i < k; i++) {
#pragma unroll
    for (int u = 0; u < 48; u++) v[u] = v[u] * v[(u + 7) % 48] + 1.f; } float s = 0; for (int u = 0; u < 48; u++) s += v[u]; if (s == 12345.f) *o = s; }
G readcg(const float4 *a, float *o, int n, int k, int shift) { float s = 0; for (int t = 0; t < k; t++) { int b = (blockIdx.x + t * shift) % gridDim.x; for (int i = b * blockDim.x + threadIdx.x; i < n; i += N) { float4 v = __ldcg(a + i); s += v.x + v.y; } } if (s == 12345.678f) *o = s; }
G then_read(float *o, float *r, int n, int d) { int i = I; if (i < n) { o[i] = i; __threadfence_block(); r[i] = o[(i & ~31) | ((i + d) & 31)]; } }
G rw_again(float *a, int n, int k) { for (int t = 0; t < k; t++) for (int i = I; i < n; i += N) a[i] = a[i] + 1; }
