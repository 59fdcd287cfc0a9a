// CUDA's device language for clang on a machine without the CUDA Toolkit: the built-in variables, vector types,
// atomics, warp functions and the rest that kernels use. Written from CUDA's documented behaviour; math is in
// cuda_math.h. Carried in the binary.
// SPDX-License-Identifier: MIT
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __restrict __restrict__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __CUDACC__ 1
// `nodebug` gives an inlined instruction the line of the kernel that called it.
#define GPUEXP_D static __attribute__((device, always_inline, nodebug, unused)) inline

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned long ulong;
#ifndef NULL
#define NULL 0
#endif

// Vector types, aligned as CUDA aligns them: 1, 2 and 4 elements to their size (16 bytes at most), 3 to their element.
// A copy reads the whole vector at once, as with nvcc, also where only some of its members are used; as plain
// structures they would be moved in pieces of 8 bytes.
#define GPUEXP_BOTH __attribute__((host, device, always_inline, nodebug))
#define GPUEXP_VECTOR(T, V, A2, A4) \
    struct V##1 { T x; }; \
    struct __align__(A2) V##2 { \
        T x, y; \
        V##2() = default; \
        GPUEXP_BOTH constexpr V##2(T a, T b) : x(a), y(b) {} \
        typedef T whole __attribute__((ext_vector_type(2))); \
        GPUEXP_BOTH V##2(const V##2 &o) { *this = o; } \
        GPUEXP_BOTH V##2 &operator=(const V##2 &o) \
        { \
            const whole a = *(const whole *)&o; \
            x = a.x, y = a.y; \
            return *this; \
        } \
    }; \
    struct V##3 { T x, y, z; }; \
    struct __align__(A4) V##4 { \
        T x, y, z, w; \
        V##4() = default; \
        GPUEXP_BOTH constexpr V##4(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {} \
        typedef T whole __attribute__((ext_vector_type(4), aligned(A4))); \
        GPUEXP_BOTH V##4(const V##4 &o) { *this = o; } \
        GPUEXP_BOTH V##4 &operator=(const V##4 &o) \
        { \
            const whole a = *(const whole *)&o; \
            x = a.x, y = a.y, z = a.z, w = a.w; \
            return *this; \
        } \
    }; \
    GPUEXP_D V##1 make_##V##1(T x) { return V##1{x}; } \
    GPUEXP_D V##2 make_##V##2(T x, T y) { return V##2{x, y}; } \
    GPUEXP_D V##3 make_##V##3(T x, T y, T z) { return V##3{x, y, z}; } \
    GPUEXP_D V##4 make_##V##4(T x, T y, T z, T w) { return V##4{x, y, z, w}; }
GPUEXP_VECTOR(signed char, char, 2, 4)
GPUEXP_VECTOR(unsigned char, uchar, 2, 4)
GPUEXP_VECTOR(short, short, 4, 8)
GPUEXP_VECTOR(unsigned short, ushort, 4, 8)
GPUEXP_VECTOR(int, int, 8, 16)
GPUEXP_VECTOR(unsigned int, uint, 8, 16)
GPUEXP_VECTOR(long, long, 16, 16)
GPUEXP_VECTOR(unsigned long, ulong, 16, 16)
GPUEXP_VECTOR(long long, longlong, 16, 16)
GPUEXP_VECTOR(unsigned long long, ulonglong, 16, 16)
GPUEXP_VECTOR(float, float, 8, 16)
GPUEXP_VECTOR(double, double, 16, 16)
struct dim3 {
    unsigned x, y, z;
    __attribute__((device)) constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};

// Reading a member reads the special register.
#define GPUEXP_QUIET static __attribute__((device, always_inline, nodebug))
#define GPUEXP_SREG(name, reg) \
    struct gpuexp_##name { \
        __declspec(property(get = gx)) unsigned x; \
        __declspec(property(get = gy)) unsigned y; \
        __declspec(property(get = gz)) unsigned z; \
        GPUEXP_QUIET unsigned gx() { return __nvvm_read_ptx_sreg_##reg##_x(); } \
        GPUEXP_QUIET unsigned gy() { return __nvvm_read_ptx_sreg_##reg##_y(); } \
        GPUEXP_QUIET unsigned gz() { return __nvvm_read_ptx_sreg_##reg##_z(); } \
        __attribute__((device, always_inline, nodebug)) operator dim3() const { return dim3(gx(), gy(), gz()); } \
        __attribute__((device, always_inline, nodebug)) operator uint3() const { return uint3{gx(), gy(), gz()}; } \
    }; \
    extern const __attribute__((device, weak)) gpuexp_##name name;
GPUEXP_SREG(threadIdx, tid)
GPUEXP_SREG(blockIdx, ctaid)
GPUEXP_SREG(blockDim, ntid)
GPUEXP_SREG(gridDim, nctaid)
constexpr int warpSize = 32;

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
// What a template for the host may name that is called as a function for the device is; nothing runs it.
typedef struct gpuexp_file FILE;
extern FILE *stdout, *stderr;
int fprintf(FILE *, const char *, ...);
void exit(int);
__device__ __attribute__((noreturn)) void __assertfail(const char *, const char *, unsigned, const char *, size_t);
}
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) ((e) ? (void)0 : __assertfail(#e, __FILE__, __LINE__, __func__, 1))
#endif
extern "C" __device__ void *malloc(size_t);
extern "C" __device__ void free(void *);
GPUEXP_D void *memset(void *to, int byte, size_t n) { return __builtin_memset(to, byte, n); }
GPUEXP_D void *memcpy(void *to, const void *from, size_t n) { return __builtin_memcpy(to, from, n); }
GPUEXP_D void __trap() { asm volatile("trap;"); }

// Barriers and fences are assembly, because clang takes its own intrinsics for something that no shared variable can
// change behind: what a thread had stored before a barrier, it would not read again after it.
GPUEXP_D void __threadfence() { asm volatile("membar.gl;" : : : "memory"); }
GPUEXP_D void __threadfence_block() { asm volatile("membar.cta;" : : : "memory"); }
GPUEXP_D void __threadfence_system() { asm volatile("membar.sys;" : : : "memory"); }
GPUEXP_D void gpuexp_syncthreads() { asm volatile("bar.sync 0;" : : : "memory"); }
#define __syncthreads gpuexp_syncthreads
#define GPUEXP_VOTE(name, op, type, set) \
    GPUEXP_D int name(int p) \
    { \
        int r; \
        asm volatile("{ .reg .pred %%p, %%q; setp.ne.s32 %%p, %1, 0; bar.red." op "." type ", 0, %%p; " set " }" \
                     : "=r"(r) : "r"(p) : "memory"); \
        return r; \
    }
GPUEXP_VOTE(__syncthreads_count, "popc", "u32 %0", "")
GPUEXP_VOTE(__syncthreads_and, "and", "pred %%q", "selp.s32 %0, 1, 0, %%q;")
GPUEXP_VOTE(__syncthreads_or, "or", "pred %%q", "selp.s32 %0, 1, 0, %%q;")
GPUEXP_D void __syncwarp(unsigned mask = 0xffffffffu) { asm volatile("bar.warp.sync %0;" : : "r"(mask) : "memory"); }
GPUEXP_D long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
GPUEXP_D int clock() { return __nvvm_read_ptx_sreg_clock(); }
GPUEXP_D void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" : : "r"(ns)); }

// Atomics. The compiler finds the memory space; a result that nobody uses makes a reduction of it.
#define GPUEXP_ATOMIC(f, T, C, b) GPUEXP_D T f(T *p, T v) { return (T)__nvvm_atom_##b((C *)p, (C)v); }
GPUEXP_ATOMIC(atomicAdd, int, int, add_gen_i)
GPUEXP_ATOMIC(atomicAdd, unsigned, int, add_gen_i)
GPUEXP_ATOMIC(atomicAdd, unsigned long long, long long, add_gen_ll)
GPUEXP_ATOMIC(atomicAdd, float, float, add_gen_f)
GPUEXP_ATOMIC(atomicAdd, double, double, add_gen_d)
GPUEXP_ATOMIC(atomicExch, int, int, xchg_gen_i)
GPUEXP_ATOMIC(atomicExch, unsigned, int, xchg_gen_i)
GPUEXP_ATOMIC(atomicExch, unsigned long long, long long, xchg_gen_ll)
GPUEXP_ATOMIC(atomicMin, int, int, min_gen_i)
GPUEXP_ATOMIC(atomicMin, unsigned, unsigned, min_gen_ui)
GPUEXP_ATOMIC(atomicMin, long long, long long, min_gen_ll)
GPUEXP_ATOMIC(atomicMin, unsigned long long, unsigned long long, min_gen_ull)
GPUEXP_ATOMIC(atomicMax, int, int, max_gen_i)
GPUEXP_ATOMIC(atomicMax, unsigned, unsigned, max_gen_ui)
GPUEXP_ATOMIC(atomicMax, long long, long long, max_gen_ll)
GPUEXP_ATOMIC(atomicMax, unsigned long long, unsigned long long, max_gen_ull)
#define GPUEXP_BITWISE(f, b) \
    GPUEXP_ATOMIC(f, int, int, b##_gen_i) \
    GPUEXP_ATOMIC(f, unsigned, int, b##_gen_i) \
    GPUEXP_ATOMIC(f, unsigned long long, long long, b##_gen_ll)
GPUEXP_BITWISE(atomicAnd, and)
GPUEXP_BITWISE(atomicOr, or)
GPUEXP_BITWISE(atomicXor, xor)
GPUEXP_ATOMIC(atomicInc, unsigned, unsigned, inc_gen_ui)
GPUEXP_ATOMIC(atomicDec, unsigned, unsigned, dec_gen_ui)
GPUEXP_D int atomicSub(int *p, int v) { return atomicAdd(p, -v); }
GPUEXP_D unsigned atomicSub(unsigned *p, unsigned v) { return atomicAdd(p, 0u - v); }
GPUEXP_D float atomicExch(float *p, float v)
{
    return __builtin_bit_cast(float, __nvvm_atom_xchg_gen_i((int *)p, __builtin_bit_cast(int, v)));
}
#define GPUEXP_CAS(T, C, b) \
    GPUEXP_D T atomicCAS(T *p, T old, T v) { return (T)__nvvm_atom_cas_gen_##b((C *)p, (C)old, (C)v); }
GPUEXP_CAS(int, int, i)
GPUEXP_CAS(unsigned, int, i)
GPUEXP_CAS(unsigned long long, long long, ll)

// Warp functions: 32-bit values as they are, 64-bit ones in two halves, as CUDA's own headers do it.
#define GPUEXP_SHUFFLE(f, b, last) \
    GPUEXP_D int f(unsigned mask, int v, int by, int width = 32) \
    { return __nvvm_shfl_sync_##b##_i32(mask, v, by, ((32 - width) << 8) | last); } \
    GPUEXP_D unsigned f(unsigned mask, unsigned v, int by, int width = 32) \
    { return (unsigned)f(mask, (int)v, by, width); } \
    GPUEXP_D float f(unsigned mask, float v, int by, int width = 32) \
    { return __builtin_bit_cast(float, f(mask, __builtin_bit_cast(int, v), by, width)); } \
    GPUEXP_D unsigned long long f(unsigned mask, unsigned long long v, int by, int width = 32) \
    { \
        unsigned low = f(mask, (unsigned)v, by, width), high = f(mask, (unsigned)(v >> 32), by, width); \
        return (unsigned long long)high << 32 | low; \
    } \
    GPUEXP_D long long f(unsigned mask, long long v, int by, int width = 32) \
    { return (long long)f(mask, (unsigned long long)v, by, width); } \
    GPUEXP_D long f(unsigned mask, long v, int by, int width = 32) \
    { return (long)f(mask, (unsigned long long)v, by, width); } \
    GPUEXP_D unsigned long f(unsigned mask, unsigned long v, int by, int width = 32) \
    { return (unsigned long)f(mask, (unsigned long long)v, by, width); } \
    GPUEXP_D double f(unsigned mask, double v, int by, int width = 32) \
    { return __builtin_bit_cast(double, f(mask, __builtin_bit_cast(unsigned long long, v), by, width)); }
GPUEXP_SHUFFLE(__shfl_sync, idx, 0x1f)
GPUEXP_SHUFFLE(__shfl_up_sync, up, 0)
GPUEXP_SHUFFLE(__shfl_down_sync, down, 0x1f)
GPUEXP_SHUFFLE(__shfl_xor_sync, bfly, 0x1f)
GPUEXP_D int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
GPUEXP_D int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
GPUEXP_D unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
GPUEXP_D unsigned __match_any_sync(unsigned mask, unsigned v) { return __nvvm_match_any_sync_i32(mask, v); }
GPUEXP_D unsigned __match_any_sync(unsigned mask, int v) { return __nvvm_match_any_sync_i32(mask, (unsigned)v); }
GPUEXP_D unsigned __activemask()
{
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
#define GPUEXP_REDUCE(f, T, op) \
    GPUEXP_D T f(unsigned mask, T v) \
    { T r; asm volatile("redux.sync." op " %0, %1, %2;" : "=r"(r) : "r"(v), "r"(mask)); return r; }
GPUEXP_REDUCE(__reduce_add_sync, int, "add.s32")
GPUEXP_REDUCE(__reduce_add_sync, unsigned, "add.u32")
GPUEXP_REDUCE(__reduce_min_sync, int, "min.s32")
GPUEXP_REDUCE(__reduce_min_sync, unsigned, "min.u32")
GPUEXP_REDUCE(__reduce_max_sync, int, "max.s32")
GPUEXP_REDUCE(__reduce_max_sync, unsigned, "max.u32")

// Bits.
GPUEXP_D int __popc(unsigned x) { return __builtin_popcount(x); }
GPUEXP_D int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
GPUEXP_D int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
GPUEXP_D int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
GPUEXP_D int __ffs(int x) { return __builtin_ffs(x); }
GPUEXP_D int __ffsll(long long x) { return __builtin_ffsll(x); }
GPUEXP_D unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
GPUEXP_D unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
GPUEXP_D unsigned __byte_perm(unsigned a, unsigned b, unsigned s)
{ return (unsigned)__nvvm_prmt((int)a, (int)b, (int)s); }
GPUEXP_D int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
GPUEXP_D unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
GPUEXP_D int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
GPUEXP_D unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
GPUEXP_D unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    unsigned long long r;
    asm("mul.hi.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
    return r;
}
GPUEXP_D unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by)
{
    return (unsigned)(((unsigned long long)high << 32 | low) << (by & 31) >> 32);
}
GPUEXP_D unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (by & 31));
}
#define GPUEXP_AS(f, to, from) GPUEXP_D to f(from x) { return __builtin_bit_cast(to, x); }
GPUEXP_D size_t __cvta_generic_to_shared(const void *p)
{
    size_t at;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(at) : "l"(p));
    return at;
}
GPUEXP_AS(__float_as_int, int, float)
GPUEXP_AS(__float_as_uint, unsigned, float)
GPUEXP_AS(__int_as_float, float, int)
GPUEXP_AS(__uint_as_float, float, unsigned)
GPUEXP_AS(__double_as_longlong, long long, double)
GPUEXP_AS(__longlong_as_double, double, long long)

// Loads and stores with a cache hint. __ldg is the read-only path; the others keep their name in the PTX.
#define GPUEXP_LOAD1(f, op, T, t, c) \
    GPUEXP_D T f(const T *p) { T v; asm volatile("ld." op "." t " %0, [%1];" : "=" c(v) : "l"(p)); return v; }
#define GPUEXP_LOAD2(f, op, T, t, c) \
    GPUEXP_D T f(const T *p) \
    { T v; asm volatile("ld." op ".v2." t " {%0, %1}, [%2];" : "=" c(v.x), "=" c(v.y) : "l"(p)); return v; }
#define GPUEXP_LOAD4(f, op, T, t, c) \
    GPUEXP_D T f(const T *p) \
    { \
        T v; \
        asm volatile("ld." op ".v4." t " {%0, %1, %2, %3}, [%4];" \
                     : "=" c(v.x), "=" c(v.y), "=" c(v.z), "=" c(v.w) : "l"(p)); \
        return v; \
    }
#define GPUEXP_LOAD(f, op) \
    GPUEXP_LOAD1(f, op, int, "s32", "r") \
    GPUEXP_LOAD1(f, op, unsigned, "u32", "r") \
    GPUEXP_LOAD1(f, op, long long, "s64", "l") \
    GPUEXP_LOAD1(f, op, unsigned long long, "u64", "l") \
    GPUEXP_LOAD1(f, op, float, "f32", "f") \
    GPUEXP_LOAD1(f, op, double, "f64", "d") \
    GPUEXP_LOAD2(f, op, int2, "s32", "r") \
    GPUEXP_LOAD2(f, op, uint2, "u32", "r") \
    GPUEXP_LOAD2(f, op, float2, "f32", "f") \
    GPUEXP_LOAD2(f, op, double2, "f64", "d") \
    GPUEXP_LOAD4(f, op, int4, "s32", "r") \
    GPUEXP_LOAD4(f, op, uint4, "u32", "r") \
    GPUEXP_LOAD4(f, op, float4, "f32", "f")
GPUEXP_LOAD(__ldg, "global.nc")
GPUEXP_LOAD(__ldca, "global.ca")
GPUEXP_LOAD(__ldcg, "global.cg")
GPUEXP_LOAD(__ldcs, "global.cs")
GPUEXP_LOAD(__ldlu, "global.lu")
GPUEXP_LOAD(__ldcv, "global.cv")
#define GPUEXP_STORE1(f, op, T, t, c) \
    GPUEXP_D void f(T *p, T v) { asm volatile("st." op "." t " [%0], %1;" : : "l"(p), c(v) : "memory"); }
#define GPUEXP_STORE4(f, op, T, t, c) \
    GPUEXP_D void f(T *p, T v) \
    { asm volatile("st." op ".v4." t " [%0], {%1, %2, %3, %4};" \
                   : : "l"(p), c(v.x), c(v.y), c(v.z), c(v.w) : "memory"); }
#define GPUEXP_STORE(f, op) \
    GPUEXP_STORE1(f, op, int, "s32", "r") \
    GPUEXP_STORE1(f, op, unsigned, "u32", "r") \
    GPUEXP_STORE1(f, op, long long, "s64", "l") \
    GPUEXP_STORE1(f, op, unsigned long long, "u64", "l") \
    GPUEXP_STORE1(f, op, float, "f32", "f") \
    GPUEXP_STORE1(f, op, double, "f64", "d") \
    GPUEXP_STORE4(f, op, int4, "s32", "r") \
    GPUEXP_STORE4(f, op, uint4, "u32", "r") \
    GPUEXP_STORE4(f, op, float4, "f32", "f")
GPUEXP_STORE(__stwb, "global.wb")
GPUEXP_STORE(__stcg, "global.cg")
GPUEXP_STORE(__stcs, "global.cs")
GPUEXP_STORE(__stwt, "global.wt")

// Sums of differences and of the products of bytes.
GPUEXP_D unsigned __sad(int a, int b, unsigned c) { return (unsigned)(a < b ? b - a : a - b) + c; }
GPUEXP_D unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }
#define GPUEXP_DP4A(T, t) \
    GPUEXP_D T __dp4a(T a, T b, T c) \
    { T d; asm("dp4a." t "." t " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); return d; }
GPUEXP_DP4A(int, "s32")
GPUEXP_DP4A(unsigned, "u32")
GPUEXP_D int __dp4a(char4 a, char4 b, int c)
{
    int p, q;
    __builtin_memcpy(&p, &a, 4), __builtin_memcpy(&q, &b, 4);
    return __dp4a(p, q, c);
}
GPUEXP_D unsigned __dp4a(uchar4 a, uchar4 b, unsigned c)
{
    unsigned p, q;
    __builtin_memcpy(&p, &a, 4), __builtin_memcpy(&q, &b, 4);
    return __dp4a(p, q, c);
}

// Textures: an object is a handle; a fetch gives four values, of which as many are taken as the element has.
typedef unsigned long long cudaTextureObject_t;
#define GPUEXP_FETCH(F, T, R, made, op, c, coordinates, PARAMETERS, ...) \
    template <> __attribute__((device, always_inline, nodebug, unused)) inline T F<T> PARAMETERS \
    { \
        R a, b, g, r; \
        asm volatile("tex." op " {%0, %1, %2, %3}, [%4, " coordinates "];" \
                     : "=" c(a), "=" c(b), "=" c(g), "=" c(r) : "l"(object), __VA_ARGS__); \
        return made; \
    }
#define GPUEXP_TEXTURE(T, R, made, t, c) \
    GPUEXP_FETCH(tex1Dfetch, T, R, made, "1d.v4." t ".s32", c, "{%5}", (cudaTextureObject_t object, int x), "r"(x)) \
    GPUEXP_FETCH(tex1D, T, R, made, "1d.v4." t ".f32", c, "{%5}", (cudaTextureObject_t object, float x), "f"(x)) \
    GPUEXP_FETCH(tex2D, T, R, made, "2d.v4." t ".f32", c, "{%5, %6}", \
        (cudaTextureObject_t object, float x, float y), "f"(x), "f"(y))
#define GPUEXP_TEXTURES(E, E2, E4, R, t, c) \
    GPUEXP_TEXTURE(E, R, (E)a, t, c) \
    GPUEXP_TEXTURE(E2, R, (E2{(E)a, (E)b}), t, c) \
    GPUEXP_TEXTURE(E4, R, (E4{(E)a, (E)b, (E)g, (E)r}), t, c)
template <class T> __device__ T tex1Dfetch(cudaTextureObject_t object, int x);
template <class T> __device__ T tex1D(cudaTextureObject_t object, float x);
template <class T> __device__ T tex2D(cudaTextureObject_t object, float x, float y);
GPUEXP_TEXTURES(float, float2, float4, float, "f32", "f")
GPUEXP_TEXTURES(int, int2, int4, int, "s32", "r")
GPUEXP_TEXTURES(unsigned, uint2, uint4, unsigned, "u32", "r")
GPUEXP_TEXTURES(short, short2, short4, int, "s32", "r")
GPUEXP_TEXTURES(unsigned short, ushort2, ushort4, unsigned, "u32", "r")
GPUEXP_TEXTURES(signed char, char2, char4, int, "s32", "r")
GPUEXP_TEXTURES(unsigned char, uchar2, uchar4, unsigned, "u32", "r")
GPUEXP_TEXTURE(char, int, (char)a, "s32", "r")
