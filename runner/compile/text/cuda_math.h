// CUDA's math functions for clang without libdevice: rounding, roots and approximations as single instructions, the
// rest by range reduction and short series (sin and cos lose accuracy beyond 2^30). Right to a few last digits, not to
// the bit. What a kernel uses most in float is made in float, so that what is counted of it is no work of doubles.
// SPDX-License-Identifier: MIT
#define GPUEXP_BOTH1(name, body) \
    GPUEXP_D double name(double x) { return body; } \
    GPUEXP_D float name##f(float x) { return (float)name((double)x); } \
    GPUEXP_D float name(float x) { return name##f(x); }
#define GPUEXP_BOTH2(name, body) \
    GPUEXP_D double name(double x, double y) { return body; } \
    GPUEXP_D float name##f(float x, float y) { return (float)name((double)x, (double)y); } \
    GPUEXP_D float name(float x, float y) { return name##f(x, y); }
// Of doubles, and of floats as name##f below says.
#define GPUEXP_BOTH1_(name, body) \
    GPUEXP_D double name(double x) { return body; } \
    GPUEXP_D float name##f(float x) { return gpuexp_##name##f(x); } \
    GPUEXP_D float name(float x) { return name##f(x); }
#define GPUEXP_BUILTIN1(name) \
    GPUEXP_D double name(double x) { return __builtin_##name(x); } \
    GPUEXP_D float name##f(float x) { return __builtin_##name##f(x); } \
    GPUEXP_D float name(float x) { return __builtin_##name##f(x); }
#define GPUEXP_BUILTIN2(name) \
    GPUEXP_D double name(double x, double y) { return __builtin_##name(x, y); } \
    GPUEXP_D float name##f(float x, float y) { return __builtin_##name##f(x, y); } \
    GPUEXP_D float name(float x, float y) { return __builtin_##name##f(x, y); }
GPUEXP_BUILTIN1(fabs)
GPUEXP_BUILTIN1(floor)
GPUEXP_BUILTIN1(ceil)
GPUEXP_BUILTIN1(trunc)
GPUEXP_BUILTIN1(rint)
GPUEXP_BUILTIN1(nearbyint)
GPUEXP_BUILTIN2(fmin)
GPUEXP_BUILTIN2(fmax)
GPUEXP_BUILTIN2(copysign)
GPUEXP_BOTH1(round, copysign(trunc(fabs(x) + (fabs(x) < 4503599627370496.0 ? 0.49999999999999994 : 0.0)), x))
GPUEXP_D double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
GPUEXP_D float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
GPUEXP_D float sqrt(float x) { return __nvvm_sqrt_rn_f(x); }
GPUEXP_D double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
GPUEXP_D float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
GPUEXP_D float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
GPUEXP_D float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
GPUEXP_D double rsqrt(double x) { return 1.0 / sqrt(x); }
GPUEXP_D float rsqrt(float x) { return rsqrtf(x); }
GPUEXP_BOTH2(fmod, x - y * trunc(x / y))
GPUEXP_D bool isnan(double x) { return x != x; }
GPUEXP_D bool isnan(float x) { return x != x; }
GPUEXP_D bool isinf(double x) { return fabs(x) == __builtin_inf(); }
GPUEXP_D bool isinf(float x) { return fabsf(x) == __builtin_inff(); }
GPUEXP_D bool isfinite(double x) { return fabs(x) < __builtin_inf(); }
GPUEXP_D bool isfinite(float x) { return fabsf(x) < __builtin_inff(); }

#define GPUEXP_ORDER(T) \
    GPUEXP_D T min(T a, T b) { return b < a ? b : a; } \
    GPUEXP_D T max(T a, T b) { return a < b ? b : a; }
GPUEXP_ORDER(int)
GPUEXP_ORDER(unsigned)
GPUEXP_ORDER(long)
GPUEXP_ORDER(unsigned long)
GPUEXP_ORDER(long long)
GPUEXP_ORDER(unsigned long long)
GPUEXP_D unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
GPUEXP_D unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
GPUEXP_D unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
GPUEXP_D unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
GPUEXP_D float min(float a, float b) { return fminf(a, b); }
GPUEXP_D float max(float a, float b) { return fmaxf(a, b); }
GPUEXP_D double min(double a, double b) { return fmin(a, b); }
GPUEXP_D double max(double a, double b) { return fmax(a, b); }
GPUEXP_D int abs(int x) { return x < 0 ? -x : x; }
GPUEXP_D long labs(long x) { return x < 0 ? -x : x; }
GPUEXP_D long long llabs(long long x) { return x < 0 ? -x : x; }
GPUEXP_D float abs(float x) { return fabsf(x); }
GPUEXP_D double abs(double x) { return fabs(x); }

// x * 2^k, in two steps so that neither factor overflows.
GPUEXP_D double ldexp(double x, int k)
{
    k = k < -2200 ? -2200 : k > 2200 ? 2200 : k;
    for (; k > 1023; k -= 1023) x *= __longlong_as_double(0x7feLL << 52);
    for (; k < -1022; k += 1022) x *= __longlong_as_double(1LL << 52);
    return x * __longlong_as_double((long long)(k + 1023) << 52);
}
GPUEXP_D float ldexpf(float x, int k) { return (float)ldexp((double)x, k); }

// e^x: x = k ln 2 + r, |r| <= ln 2 / 2, and the series of e^r.
GPUEXP_D double gpuexp_exp(double x)
{
    if (!(x > -746.0)) return x != x ? x : 0.0;
    if (x > 710.0) return __builtin_inf();
    double k = rint(x * 1.4426950408889634), r = fma(-k, 0x1.62e42fefa39efp-1, x), s = 1.0;
    r = fma(-k, 0x1.abc9e3b39803fp-56, r);
#pragma unroll
    for (int i = 14; i > 0; i--) s = fma(s, r / i, 1.0);
    return ldexp(s, (int)k);
}
// ln x: x = 2^e m, 1/sqrt 2 <= m < sqrt 2, and the series of 2 artanh((m - 1) / (m + 1)).
GPUEXP_D double gpuexp_log(double x)
{
    if (!(x > 0.0)) return x == 0.0 ? -__builtin_inf() : __builtin_nan("");
    if (x == __builtin_inf()) return x;
    int e = 0;
    if (x < 0x1p-1022) x *= 0x1p54, e = -54;
    long long bits = __double_as_longlong(x);
    e += (int)(bits >> 52) - 1023;
    double m = __longlong_as_double((bits & 0xfffffffffffffLL) | 0x3ffLL << 52);
    if (m > 1.4142135623730951) m *= 0.5, e++;
    double s = (m - 1.0) / (m + 1.0), z = s * s, sum = 0.0;
#pragma unroll
    for (int i = 23; i > 1; i -= 2) sum = fma(sum, z, 1.0 / i);
    return fma((double)e, 0x1.62e42fefa39efp-1, 2.0 * fma(s * z, sum, s) + e * 0x1.abc9e3b39803fp-56);
}
// sin (quarter 0) or cos (quarter 1): x = k pi/2 + r, |r| <= pi/4.
GPUEXP_D double gpuexp_sine(double x, int quarter)
{
    if (!isfinite(x)) return __builtin_nan("");
    double k = rint(x * 0.6366197723675814), r = fma(-k, 0x1.921fb54442d18p+0, x);
    r = fma(-k, 0x1.1a62633145c07p-54, r);
    double z = r * r, s = 1.0, c = 1.0;
#pragma unroll
    for (int i = 18; i > 1; i -= 2) s = fma(s, -z / (i * (i + 1)), 1.0), c = fma(c, -z / ((i - 1) * i), 1.0);
    int q = (int)((long long)k + quarter & 3);
    double v = q & 1 ? c : s * r;
    return q & 2 ? -v : v;
}
// atan: twice tan(a) -> tan(a/2), then the series.
GPUEXP_D double gpuexp_atan(double x)
{
    double a = fabs(x), t = a > 1.0 ? 1.0 / a : a, sum = 0.0;
    t = t / (1.0 + sqrt(1.0 + t * t));
    t = t / (1.0 + sqrt(1.0 + t * t));
    double z = t * t;
#pragma unroll
    for (int i = 25; i > 1; i -= 2) sum = 1.0 / i - z * sum;
    double v = 4.0 * (t - t * z * sum);
    return copysign(a > 1.0 ? 1.5707963267948966 - v : v, x);
}
GPUEXP_D double gpuexp_atan2(double y, double x)
{
    if (x != x || y != y) return x + y;
    if (x == 0.0 && y == 0.0) return copysign(__builtin_signbit(x) ? 3.141592653589793 : 0.0, y);
    if (fabs(y) > fabs(x)) return copysign(1.5707963267948966, y) - gpuexp_atan(x / y);
    double v = gpuexp_atan(y / x);
    return x > 0.0 ? v : v + copysign(3.141592653589793, y);
}
GPUEXP_D double gpuexp_pow(double x, double y)
{
    bool whole = trunc(y) == y, odd = whole && fabs(fmod(y, 2.0)) == 1.0;
    if (y == 0.0 || x == 1.0) return 1.0;
    if (whole && fabs(y) <= 64.0) { // exact steps where there are few
        double v = 1.0, b = x;
        for (int n = (int)fabs(y); n; n >>= 1, b *= b)
            if (n & 1) v *= b;
        return y < 0.0 ? 1.0 / v : v;
    }
    if (x < 0.0 && !whole) return __builtin_nan("");
    double v = gpuexp_exp(y * gpuexp_log(fabs(x)));
    return x < 0.0 && odd ? -v : v;
}
#ifdef __FAST_MATH__ // then CUDA takes the approximations too
GPUEXP_D float gpuexp_exp2f(float x) { return __nvvm_ex2_approx_f(x); }
GPUEXP_D float gpuexp_expf(float x) { return __nvvm_ex2_approx_f(x * 1.44269504f); }
GPUEXP_D float gpuexp_exp10f(float x) { return __nvvm_ex2_approx_f(x * 3.32192809f); }
GPUEXP_D float gpuexp_log2f(float x) { return __nvvm_lg2_approx_f(x); }
GPUEXP_D float gpuexp_logf(float x) { return __nvvm_lg2_approx_f(x) * 0.693147181f; }
GPUEXP_D float gpuexp_log10f(float x) { return __nvvm_lg2_approx_f(x) * 0.301029996f; }
GPUEXP_D float gpuexp_sinf(float x) { return __nvvm_sin_approx_f(x); }
GPUEXP_D float gpuexp_cosf(float x) { return __nvvm_cos_approx_f(x); }
GPUEXP_D float gpuexp_tanf(float x) { return __nvvm_div_approx_f(gpuexp_sinf(x), gpuexp_cosf(x)); }
GPUEXP_D float gpuexp_powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
#else
// 2^(k + r) for a whole k, |r| <= 1/2; in two steps, so that neither overflows.
GPUEXP_D float gpuexp_scale(float k, float r)
{
    k = fmaxf(-300.0f, fminf(k, 300.0f));
    float half = truncf(0.5f * k);
    return __nvvm_ex2_approx_f(r) * __nvvm_ex2_approx_f(half) * __nvvm_ex2_approx_f(k - half);
}
GPUEXP_D float gpuexp_exp2f(float x) { return __nvvm_ex2_approx_f(x); }
GPUEXP_D float gpuexp_expf(float x)
{
    if (!(fabsf(x) < 200.0f)) return x != x ? x : x < 0.0f ? 0.0f : __builtin_inff();
    float k = rintf(x * 1.44269504f), r = fmaf(-k, 0x1.62e430p-1f, x);
    return gpuexp_scale(k, fmaf(-k, -0x1.05c610p-29f, r) * 1.44269504f);
}
GPUEXP_D float gpuexp_exp10f(float x)
{
    if (!(fabsf(x) < 90.0f)) return x != x ? x : x < 0.0f ? 0.0f : __builtin_inff();
    float k = rintf(x * 3.32192809f), r = fmaf(-k, 0x1.344136p-2f, x);
    return gpuexp_scale(k, fmaf(-k, -0x1.ec10c0p-27f, r) * 3.32192809f);
}
// log2 x as high + low, for 0 < x < infinity; as gpuexp_log does it, and what each step loses goes into low.
GPUEXP_D float gpuexp_log2_parts(float x, float *low)
{
    float e = 0.0f;
    if (x < 0x1p-126f) x *= 0x1p24f, e = -24.0f;
    int bits = __float_as_int(x), k = (bits >> 23) - 127;
    float m = __int_as_float((bits & 0x7fffff) | 127 << 23);
    if (m > 1.41421356f) m *= 0.5f, k++;
    e += (float)k;
    float d = m + 1.0f, lost = (1.0f - (d - m)), f = m - 1.0f, by = __nvvm_div_approx_f(1.0f, d), s = f * by;
    float rest = fmaf(-s, lost, fmaf(-s, d, f)) * by, z = s * s, sum = 1.0f / 11;
#pragma unroll
    for (int i = 9; i > 1; i -= 2) sum = fmaf(sum, z, 1.0f / i);
    float tail = 2.0f * fmaf(s * z, sum, rest), p = 2.0f * s * 1.44269504f, v = e + p;
    float small = fmaf(2.0f * s, 1.44269504f, -p) + 2.0f * s * 1.92596299e-8f + tail * 1.44269504f;
    *low = (e == 0.0f ? 0.0f : p - (v - e)) + small;
    return v;
}
GPUEXP_D float gpuexp_log2f(float x)
{
    if (!(x > 0.0f && x < __builtin_inff())) return x == 0.0f ? -__builtin_inff() : x > 0.0f ? x : __builtin_nanf("");
    float low, high = gpuexp_log2_parts(x, &low);
    return high + low;
}
GPUEXP_D float gpuexp_logf(float x)
{
    if (!(x > 0.0f && x < __builtin_inff())) return gpuexp_log2f(x);
    float low, high = gpuexp_log2_parts(x, &low);
    return fmaf(high, 0.693147182f, fmaf(high, -1.90465421e-9f, low * 0.693147182f));
}
GPUEXP_D float gpuexp_log10f(float x)
{
    if (!(x > 0.0f && x < __builtin_inff())) return gpuexp_log2f(x);
    float low, high = gpuexp_log2_parts(x, &low);
    return fmaf(high, 0.301029995f, fmaf(high, -1.43209888e-8f, low * 0.301029995f));
}
// x^y for 0 < x; the rest is what pow says.
GPUEXP_D float gpuexp_powf(float x, float y)
{
    if (!(x > 0.0f && x < __builtin_inff() && fabsf(y) < 0x1p100f)) return (float)gpuexp_pow((double)x, (double)y);
    float low, high = gpuexp_log2_parts(x, &low), p = high * y;
    if (!(fabsf(p) < 300.0f)) return p < 0.0f ? 0.0f : __builtin_inff();
    float k = rintf(p);
    return gpuexp_scale(k, (p - k) + fmaf(low, y, fmaf(high, y, -p)));
}
GPUEXP_D float gpuexp_sinef(float x, int quarter)
{
    if (!(fabsf(x) < 30000.0f)) return (float)gpuexp_sine((double)x, quarter);
    float k = rintf(x * 0.636619747f), r = fmaf(-k, 0x1.921fb6p+0f, x);
    r = fmaf(-k, -0x1.777a5cp-25f, r);
    r = fmaf(-k, -0x1.ee59dap-50f, r);
    float z = r * r, s = 1.0f, c = 1.0f;
#pragma unroll
    for (int i = 10; i > 1; i -= 2) {
        s = fmaf(s, -z * (1.0f / (i * (i + 1))), 1.0f);
        c = fmaf(c, -z * (1.0f / ((i - 1) * i)), 1.0f);
    }
    int q = (int)k + quarter & 3;
    float v = q & 1 ? c : s * r;
    return q & 2 ? -v : v;
}
GPUEXP_D float gpuexp_sinf(float x) { return gpuexp_sinef(x, 0); }
GPUEXP_D float gpuexp_cosf(float x) { return gpuexp_sinef(x, 1); }
GPUEXP_D float gpuexp_tanf(float x) { return gpuexp_sinef(x, 0) / gpuexp_sinef(x, 1); }
#endif
// ln(1 + x) and e^x - 1 near zero: what rounding 1 + x or e^x loses is put back by the ratio of x to what was kept.
GPUEXP_D double gpuexp_log1p(double x)
{
    double u = 1.0 + x;
    return u == 1.0 || u == __builtin_inf() ? x : gpuexp_log(u) * (x / (u - 1.0));
}
GPUEXP_D double gpuexp_expm1(double x)
{
    double u = gpuexp_exp(x), v = u - 1.0;
    return u == 1.0 ? x : v == -1.0 || u == __builtin_inf() || fabs(x) > 1.0 ? v : v * (x / gpuexp_log(u));
}
GPUEXP_D double gpuexp_sinh(double x)
{
    double t = gpuexp_expm1(fabs(x));
    return copysign(t == __builtin_inf() ? t : 0.5 * (t + t / (t + 1.0)), x);
}
GPUEXP_D double gpuexp_tanh(double x)
{
    double t = gpuexp_expm1(2.0 * fabs(x));
    return copysign(fabs(x) > 20.0 ? 1.0 : t / (t + 2.0), x);
}
// erf by the series whose terms have one sign; beyond 3 erfc by its continued fraction, from the inside out.
GPUEXP_D double gpuexp_erfc_far(double x)
{
    double f = 0.0;
    for (int k = 100; k > 0; k--) f = 0.5 * k / (x + f);
    return gpuexp_exp(-x * x) / ((x + f) * 1.7724538509055160273);
}
GPUEXP_D double gpuexp_erf(double x)
{
    double a = fabs(x), term = a, sum = a;
    if (!(a < 3.0)) return x != x ? x : copysign(1.0 - gpuexp_erfc_far(a), x);
    for (int n = 1; n < 60; n++) term *= 2.0 * a * a / (2 * n + 1), sum += term;
    return copysign(1.1283791670955125739 * gpuexp_exp(-a * a) * sum, x);
}
GPUEXP_BOTH1(erf, gpuexp_erf(x))
GPUEXP_BOTH1(erfc, x > 1.5 ? gpuexp_erfc_far(x) : 1.0 - gpuexp_erf(x))
GPUEXP_BOTH1(normcdf, 0.5 * erfc(-0.70710678118654752440 * x))
GPUEXP_BOTH1_(exp, gpuexp_exp(x))
GPUEXP_BOTH1_(exp2, gpuexp_exp(x * 0.6931471805599453))
GPUEXP_BOTH1_(exp10, gpuexp_exp(x * 2.302585092994046))
GPUEXP_BOTH1(expm1, gpuexp_expm1(x))
GPUEXP_BOTH1_(log, gpuexp_log(x))
GPUEXP_BOTH1_(log2, gpuexp_log(x) * 1.4426950408889634)
GPUEXP_BOTH1_(log10, gpuexp_log(x) * 0.4342944819032518)
GPUEXP_BOTH1(log1p, gpuexp_log1p(x))
GPUEXP_BOTH1_(sin, gpuexp_sine(x, 0))
GPUEXP_BOTH1_(cos, gpuexp_sine(x, 1))
GPUEXP_BOTH1_(tan, gpuexp_sine(x, 0) / gpuexp_sine(x, 1))
GPUEXP_BOTH1(atan, gpuexp_atan(x))
GPUEXP_BOTH2(atan2, gpuexp_atan2(x, y))
GPUEXP_BOTH1(asin, gpuexp_atan2(x, sqrt((1.0 - x) * (1.0 + x))))
GPUEXP_BOTH1(acos, gpuexp_atan2(sqrt((1.0 - x) * (1.0 + x)), x))
GPUEXP_BOTH1(sinh, gpuexp_sinh(x))
GPUEXP_BOTH1(cosh, 0.5 * (gpuexp_exp(x) + gpuexp_exp(-x)))
GPUEXP_BOTH1(tanh, gpuexp_tanh(x))
GPUEXP_BOTH1(cbrt, x == 0.0 ? x : copysign(gpuexp_exp(gpuexp_log(fabs(x)) / 3.0), x))
GPUEXP_D double pow(double x, double y) { return gpuexp_pow(x, y); }
GPUEXP_D float powf(float x, float y) { return gpuexp_powf(x, y); }
GPUEXP_D float pow(float x, float y) { return powf(x, y); }
GPUEXP_BOTH2(hypot, sqrt(x * x + y * y))
GPUEXP_D void sincos(double x, double *s, double *c) { *s = sin(x), *c = cos(x); }
GPUEXP_D void sincosf(float x, float *s, float *c) { *s = sinf(x), *c = cosf(x); }

GPUEXP_D float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.44269504f); }
GPUEXP_D float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0.693147181f; }
GPUEXP_D float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
GPUEXP_D float __sinf(float x) { return __nvvm_sin_approx_f(x); }
GPUEXP_D float __cosf(float x) { return __nvvm_cos_approx_f(x); }
GPUEXP_D float __powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
GPUEXP_D float __fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }
GPUEXP_D float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }
GPUEXP_D float __fmaf_rn(float x, float y, float z) { return __nvvm_fma_rn_f(x, y, z); }
GPUEXP_D float __fadd_rn(float x, float y) { return __nvvm_add_rn_f(x, y); }
GPUEXP_D float __fmul_rn(float x, float y) { return __nvvm_mul_rn_f(x, y); }
GPUEXP_D float __fdiv_rn(float x, float y) { return __nvvm_div_rn_f(x, y); }
GPUEXP_D float __frcp_rn(float x) { return __nvvm_rcp_rn_f(x); }
GPUEXP_D float __fsqrt_rn(float x) { return __nvvm_sqrt_rn_f(x); }
GPUEXP_D double __fma_rn(double x, double y, double z) { return __nvvm_fma_rn_d(x, y, z); }
GPUEXP_D double __dadd_rn(double x, double y) { return __nvvm_add_rn_d(x, y); }
GPUEXP_D double __dmul_rn(double x, double y) { return __nvvm_mul_rn_d(x, y); }
GPUEXP_D int __float2int_rn(float x) { return __nvvm_f2i_rn(x); }
GPUEXP_D int __float2int_rz(float x) { return __nvvm_f2i_rz(x); }
GPUEXP_D int __float2int_rd(float x) { return __nvvm_f2i_rm(x); }
GPUEXP_D int __float2int_ru(float x) { return __nvvm_f2i_rp(x); }
GPUEXP_D float __int2float_rn(int x) { return __nvvm_i2f_rn(x); }
GPUEXP_D int __double2int_rn(double x) { return __nvvm_d2i_rn(x); }
GPUEXP_BOTH2(fdim, x > y ? x - y : x != x || y != y ? x + y : 0.0)
GPUEXP_BOTH1(sinpi, gpuexp_sine(3.141592653589793 * fmod(x, 2.0), 0))
GPUEXP_BOTH1(cospi, gpuexp_sine(3.141592653589793 * fmod(x, 2.0), 1))
GPUEXP_D void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
GPUEXP_D void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
GPUEXP_D long lrint(double x) { return (long)rint(x); }
GPUEXP_D long lrintf(float x) { return (long)rintf(x); }
GPUEXP_D long long llrint(double x) { return (long long)rint(x); }
GPUEXP_D long long llrintf(float x) { return (long long)rintf(x); }
GPUEXP_D long lround(double x) { return (long)round(x); }
GPUEXP_D long lroundf(float x) { return (long)roundf(x); }
GPUEXP_D bool signbit(double x) { return __builtin_signbit(x); }
GPUEXP_D bool signbit(float x) { return __builtin_signbit(x); }
GPUEXP_D double modf(double x, double *whole) { *whole = trunc(x); return copysign(x - *whole, x); }
GPUEXP_D float modff(float x, float *whole) { *whole = truncf(x); return copysignf(x - *whole, x); }
GPUEXP_D float fdividef(float x, float y) { return x / y; }
GPUEXP_D float __tanf(float x) { return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x)); }
GPUEXP_D float __log10f(float x) { return __nvvm_lg2_approx_f(x) * 0.301029996f; }
GPUEXP_D float __exp10f(float x) { return __nvvm_ex2_approx_f(x * 3.32192809f); }
GPUEXP_D void __sincosf(float x, float *s, float *c) { *s = __sinf(x), *c = __cosf(x); }
GPUEXP_D float __fsub_rn(float x, float y) { return __nvvm_add_rn_f(x, -y); }
GPUEXP_D double __dsub_rn(double x, double y) { return __nvvm_add_rn_d(x, -y); }
GPUEXP_D double __ddiv_rn(double x, double y) { return __nvvm_div_rn_d(x, y); }
GPUEXP_D double __dsqrt_rn(double x) { return __nvvm_sqrt_rn_d(x); }
GPUEXP_D float __frsqrt_rn(float x) { return (float)(1.0 / sqrt((double)x)); }
GPUEXP_D unsigned __float2uint_rn(float x) { return (unsigned)rintf(x); }
GPUEXP_D unsigned __float2uint_rz(float x) { return (unsigned)x; }
GPUEXP_D float __uint2float_rn(unsigned x) { return (float)x; }
GPUEXP_D double __int2double_rn(int x) { return (double)x; }
GPUEXP_D int __double2int_rz(double x) { return (int)x; }
