// 16-bit floats by bits: IEEE half and bfloat16 from and to float, rounding to nearest even or toward zero, and the
// rounding of a double to half in one step. No compiler type is needed, so that every variant gives the same bits.
// SPDX-License-Identifier: MIT
#pragma once
#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Rounds as FE_UPWARD and its kin say until it is called again. What is between has its operands from memory and its
// results there, which is not moved across. fesetround does the same for the older unit too, at eight times the time.
static inline void round_by(int mode)
{
#ifdef __SSE2__
    uint32_t control;
    __asm__ volatile("stmxcsr %0" : "=m"(control)::"memory");
    control = (control & ~(3u << 13)) | (uint32_t)mode << 3;
    __asm__ volatile("ldmxcsr %0" ::"m"(control) : "memory");
#else
    fesetround(mode);
#endif
}

static inline uint32_t float_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}
static inline float bits_float(uint32_t u)
{
    float f;
    memcpy(&f, &u, 4);
    return f;
}
static inline uint64_t double_bits(double d)
{
    uint64_t u;
    memcpy(&u, &d, 8);
    return u;
}
static inline double bits_double(uint64_t u)
{
    double d;
    memcpy(&d, &u, 8);
    return d;
}

static inline float half_to_float(uint32_t h)
{
    const uint32_t sign = (h & 0x8000) << 16, magnitude = h & 0x7fff;
    // Scaling by 2^112 moves the exponent's bias and makes subnormals normal in one exact multiplication.
    const uint32_t finite = float_bits(bits_float(magnitude << 13) * 0x1p112f);
    const uint32_t special = magnitude << 13 | 0x7f800000; // infinity, or a NaN with its payload
    return bits_float(sign | (magnitude >= 0x7c00 ? special : finite));
}

static inline float bf16_to_float(uint32_t h) { return bits_float(h << 16); }

// How a value between two neighbours is rounded: nearest even, toward zero, down, up.
enum half_round { HALF_RN, HALF_RZ, HALF_RM, HALF_RP };

// The magnitude `whole` with `dropped` bits below it (of which `tie` is one half) rounded as `mode` asks.
static inline uint64_t half_round_up(uint64_t whole, uint64_t dropped, uint64_t tie, bool negative,
    enum half_round mode)
{
    if (mode == HALF_RN) return whole + (dropped > tie || (dropped == tie && (whole & 1)));
    if (mode == HALF_RZ) return whole;
    return whole + (dropped != 0 && negative == (mode == HALF_RM));
}

// From a double's bits to a narrower format with `exponent` and `fraction` bits, in one rounding.
static inline uint32_t half_narrow(double value, int exponent, int fraction, enum half_round mode)
{
    const uint64_t bits = double_bits(value), magnitude = bits & ~((uint64_t)1 << 63);
    const bool negative = bits >> 63;
    const int bias = (1 << (exponent - 1)) - 1, all = (1 << exponent) - 1;
    const uint32_t sign = (uint32_t)negative << (exponent + fraction), infinity = (uint32_t)all << fraction;
    if (magnitude > (uint64_t)0x7ff << 52) return infinity | ((1u << fraction) - 1); // the one NaN that the GPU makes
    if (magnitude == (uint64_t)0x7ff << 52) return sign | infinity;
    if (magnitude >> 52 == 0) return half_round_up(0, magnitude, (uint64_t)1 << 52, negative, mode) ? sign | 1 : sign;
    int e = (int)(magnitude >> 52) - 1023 + bias;
    const uint64_t mantissa = (magnitude & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
    int shift = 52 - fraction;
    if (e < 1) shift += 1 - e; // subnormal: more bits fall off
    uint64_t whole, dropped, tie;
    if (shift > 62) whole = 0, dropped = 1, tie = 2;
    else whole = mantissa >> shift, dropped = mantissa & (((uint64_t)1 << shift) - 1), tie = (uint64_t)1 << (shift - 1);
    whole = half_round_up(whole, dropped, tie, negative, mode);
    // The hidden bit adds one to the exponent; a subnormal that rounded up to it becomes the smallest normal number.
    uint64_t r = e < 1 ? whole : whole + ((uint64_t)(e - 1) << fraction);
    if (r >= infinity) {
        const bool stays = mode == HALF_RZ || (mode != HALF_RN && negative != (mode == HALF_RM));
        return sign | (stays ? infinity - 1 : infinity);
    }
    return sign | (uint32_t)r;
}

static inline uint32_t double_to_half(double d) { return half_narrow(d, 5, 10, HALF_RN); }
static inline uint32_t float_to_half(float f) { return half_narrow((double)f, 5, 10, HALF_RN); }
static inline uint32_t float_to_bf16(float f)
{
    uint32_t u = float_bits(f);
    if ((u & 0x7fffffff) > 0x7f800000) return 0x7fff;
    return (u + 0x7fff + (u >> 16 & 1)) >> 16;
}

// The product is exact. What is lost of the sum makes its last bit odd, so that rounding once more is right.
static inline double half_fused(float a, float b, float c)
{
    const double p = (double)a * (double)b, s = p + (double)c, part = s - p;
    const double lost = (p - (s - part)) + ((double)c - part);
    const uint64_t bits = double_bits(s), inexact = (uint64_t)((lost > 0) | (lost < 0)) & ~bits & 1;
    return bits_double((lost > 0) == (s > 0) ? bits + inexact : bits - inexact);
}

// A float of a byte; without infinities only the largest code is not a number.
static inline double half_small(uint32_t bits, int exponent, int fraction, bool has_infinity)
{
    const int bias = (1 << (exponent - 1)) - 1, all = (1 << exponent) - 1;
    const int e = (int)(bits >> fraction) & all, f = (int)(bits & ((1u << fraction) - 1));
    const double sign = bits >> (exponent + fraction) & 1 ? -1 : 1;
    if (e == all && has_infinity) return f ? (double)NAN : sign * HUGE_VAL;
    if (e == all && f == (1 << fraction) - 1) return (double)NAN;
    return sign * (e ? ldexp(1 + ldexp(f, -fraction), e - bias) : ldexp(f, 1 - bias - fraction));
}
