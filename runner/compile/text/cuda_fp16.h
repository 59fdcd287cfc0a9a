// Half precision where the CUDA Toolkit's own cuda_fp16.h is not there: arithmetic in float, rounded once, which
// gives the same bits (a float has more than twice a half's digits, so that the second rounding cannot be seen); fma by
// its own instruction.
// SPDX-License-Identifier: MIT
#ifndef GPUEXP_FP16_H
#define GPUEXP_FP16_H
#ifdef __clang__
#define GPUEXP_H __attribute__((device, always_inline, nodebug)) inline
#else
#define GPUEXP_H __attribute__((device)) inline
#endif
struct __half {
    unsigned short x;
    GPUEXP_H __half() {}
    GPUEXP_H __half(float f) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x) : "f"(f)); }
    GPUEXP_H __half(double f) : __half((float)f) {}
    GPUEXP_H __half(int i) : __half((float)i) {}
    GPUEXP_H __half(unsigned i) : __half((float)i) {}
    GPUEXP_H __half(long i) : __half((float)i) {}
    GPUEXP_H __half(unsigned long i) : __half((float)i) {}
    GPUEXP_H __half(long long i) : __half((float)i) {}
    GPUEXP_H __half(unsigned long long i) : __half((float)i) {}
    GPUEXP_H operator float() const { float f; asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(x)); return f; }
};
typedef __half half;
struct __attribute__((aligned(4))) __half2 { __half x, y; };
typedef __half2 half2;

GPUEXP_H float __half2float(__half h) { return (float)h; }
GPUEXP_H __half __float2half(float f) { return __half(f); }
GPUEXP_H __half __float2half_rn(float f) { return __half(f); }
GPUEXP_H __half __int2half_rn(int i) { return __half(i); }
GPUEXP_H __half operator+(__half a, __half b) { return __half((float)a + (float)b); }
GPUEXP_H __half operator-(__half a, __half b) { return __half((float)a - (float)b); }
GPUEXP_H __half operator*(__half a, __half b) { return __half((float)a * (float)b); }
GPUEXP_H __half operator/(__half a, __half b) { return __half((float)a / (float)b); }
GPUEXP_H __half operator-(__half a) { return __half(-(float)a); }
GPUEXP_H __half &operator+=(__half &a, __half b) { return a = a + b; }
GPUEXP_H __half &operator-=(__half &a, __half b) { return a = a - b; }
GPUEXP_H __half &operator*=(__half &a, __half b) { return a = a * b; }
GPUEXP_H bool operator==(__half a, __half b) { return (float)a == (float)b; }
GPUEXP_H bool operator!=(__half a, __half b) { return (float)a != (float)b; }
GPUEXP_H bool operator<(__half a, __half b) { return (float)a < (float)b; }
GPUEXP_H bool operator>(__half a, __half b) { return (float)a > (float)b; }
GPUEXP_H bool operator<=(__half a, __half b) { return (float)a <= (float)b; }
GPUEXP_H bool operator>=(__half a, __half b) { return (float)a >= (float)b; }
GPUEXP_H __half __hadd(__half a, __half b) { return a + b; }
GPUEXP_H __half __hsub(__half a, __half b) { return a - b; }
GPUEXP_H __half __hmul(__half a, __half b) { return a * b; }
GPUEXP_H __half __hdiv(__half a, __half b) { return a / b; }
GPUEXP_H __half __hneg(__half a) { return -a; }
GPUEXP_H __half __hfma(__half a, __half b, __half c)
{
    __half r;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r.x) : "h"(a.x), "h"(b.x), "h"(c.x));
    return r;
}
GPUEXP_H __half2 make_half2(__half a, __half b) { __half2 v; v.x = a, v.y = b; return v; }
GPUEXP_H __half2 __halves2half2(__half a, __half b) { return make_half2(a, b); }
GPUEXP_H __half2 __half2half2(__half a) { return make_half2(a, a); }
GPUEXP_H __half2 __float2half2_rn(float f) { return __half2half2(__half(f)); }
GPUEXP_H __half __low2half(__half2 v) { return v.x; }
GPUEXP_H __half __high2half(__half2 v) { return v.y; }
GPUEXP_H float __low2float(__half2 v) { return (float)v.x; }
GPUEXP_H float __high2float(__half2 v) { return (float)v.y; }
GPUEXP_H __half2 __floats2half2_rn(float a, float b) { return make_half2(__half(a), __half(b)); }
GPUEXP_H __half2 __float22half2_rn(float2 f) { return __floats2half2_rn(f.x, f.y); }
GPUEXP_H float2 __half22float2(__half2 v) { return make_float2((float)v.x, (float)v.y); }
GPUEXP_H __half2 __lows2half2(__half2 a, __half2 b) { return make_half2(a.x, b.x); }
GPUEXP_H __half2 __highs2half2(__half2 a, __half2 b) { return make_half2(a.y, b.y); }
GPUEXP_H __half2 __hsub2(__half2 a, __half2 b) { return make_half2(a.x - b.x, a.y - b.y); }
GPUEXP_H __half2 __hadd2(__half2 a, __half2 b) { return make_half2(a.x + b.x, a.y + b.y); }
GPUEXP_H __half2 __hmul2(__half2 a, __half2 b) { return make_half2(a.x * b.x, a.y * b.y); }
GPUEXP_H __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{ return make_half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
#endif
