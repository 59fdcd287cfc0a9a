// What a buffer is filled with, as bits: one formula for the simulator's host and for kernels on a GPU, so that every
// device starts from the same data. Plain enough for C and CUDA alike; define FILL_FUNCTION ("static __device__")
// before including it in a kernel.
// SPDX-License-Identifier: MIT
#ifndef COMPILE_FILL_H
#define COMPILE_FILL_H
#ifndef FILL_FUNCTION
#define FILL_FUNCTION static inline
#endif

enum fill_scalar { FILL_I8, FILL_I16, FILL_I32, FILL_I64, FILL_F16, FILL_F32, FILL_F64, FILL_BF16 };

FILL_FUNCTION int fill_is_real(int scalar) { return scalar >= FILL_F16; }

// Of a real number: the bits of its fraction, and the bias of its exponent.
FILL_FUNCTION int fill_fraction(int scalar)
{
    return scalar == FILL_BF16 ? 7 : scalar == FILL_F16 ? 10 : scalar == FILL_F32 ? 23 : 52;
}
FILL_FUNCTION unsigned long long fill_bias(int scalar)
{
    return scalar == FILL_F64 ? 1023 : scalar == FILL_F16 ? 15 : 127;
}

// splitmix64 of the scalar's index: every bit of the result depends on every bit of both.
FILL_FUNCTION unsigned long long fill_hash(unsigned long long seed, unsigned long long i)
{
    unsigned long long x = seed + (i + 1) * 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

// (k + 1) / 2^bits as an IEEE number for k < 2^bits, where bits <= fraction: in (0, 1] and exact. The bias of its
// exponent and the width of its fraction say which format.
FILL_FUNCTION unsigned long long fill_unit(unsigned long long k, int bits, unsigned long long exponent_bias,
    int fraction)
{
    const unsigned long long v = k + 1;
#ifdef __CUDA_ARCH__
    const int top = 63 - __clzll((long long)v);
#else
    int top = bits;
    while (!(v >> top & 1)) top--; // the leading one: v is 2^top and something
#endif
    return (exponent_bias + (unsigned long long)top - (unsigned long long)bits) << fraction |
           (v << (fraction - top) & ((1ull << fraction) - 1));
}

// Random: reals in (0, 1], never 0; whole numbers from 1 to 100, so that sums stay small and a forgotten read (0)
// shows.
FILL_FUNCTION unsigned long long fill_random_bits(int scalar, unsigned long long seed, unsigned long long i)
{
    const unsigned long long h = fill_hash(seed, i);
    switch (scalar) {
    case FILL_F16: return fill_unit(h >> 54, 10, 15, 10);
    case FILL_BF16: return fill_unit(h >> 57, 7, 127, 7);
    case FILL_F32: return fill_unit(h >> 41, 23, 127, 23);
    case FILL_F64: return fill_unit(h >> 12, 52, 1023, 52);
    default: return 1 + (h >> 32) % 100;
    }
}

// A whole number in the scalar's own format; a half takes it modulo 2048, and a bfloat16 modulo 256,
// which is as far as they count in ones.
FILL_FUNCTION unsigned long long fill_whole_bits(int scalar, unsigned long long n)
{
    if (!fill_is_real(scalar)) return n;
    const int fraction = fill_fraction(scalar);
    if (fraction < 23) n %= 2ull << fraction;
    if (!n) return 0;
    int top = 63;
    while (!(n >> top & 1)) top--;
    // cut, not rounded
    const unsigned long long digits = top > fraction ? n >> (top - fraction) : n << (fraction - top);
    return (fill_bias(scalar) + (unsigned long long)top) << fraction | (digits & ((1ull << fraction) - 1));
}

// What outputs hold before the kernel runs: no number for reals, so that no comparison with it holds; an unlikely one
// else.
FILL_FUNCTION unsigned long long fill_poison_bits(int scalar)
{
    switch (scalar) {
    case FILL_BF16:
    case FILL_F16: return 0xffa5ull;
    case FILL_F32: return 0xffa5a5a5ull;
    case FILL_F64: return 0xffa5a5a5a5a5a5a5ull;
    default: return 0xa5a5a5a5a5a5a5a5ull;
    }
}

// What was right, spoiled: no number of a real one, and half of a whole one, 1 of 0: where it is an index it may be one
// still.
FILL_FUNCTION unsigned long long fill_spoiled_bits(int scalar, unsigned long long bits)
{
    const int unused = scalar == FILL_I8 ? 56 : scalar == FILL_I16 ? 48 : scalar == FILL_I32 ? 32 : 0;
    const long long whole = (long long)(bits << unused) >> unused;
    if (fill_is_real(scalar)) return fill_poison_bits(scalar);
    return whole ? (unsigned long long)(whole / 2) : 1;
}

// Two neighbours, each a little off, by more than people usually tolerate: a real number by some 2 %, half a one by 7
// to 13. Whole ones come nearer to each other by 2, those of 16 bits, which may hold a real one, by 8. Their sum stays
// what it was, and neither leaves the range of the two.
FILL_FUNCTION void fill_near_bits(int scalar, unsigned long long *a, unsigned long long *b)
{
    const int fraction = fill_fraction(scalar);
    const unsigned long long one = 1ull << (fraction < 23 ? fraction - 3 : fraction - 5);
    if (fill_is_real(scalar)) {
        const unsigned long long small = (fill_bias(scalar) - (fraction < 23 ? 3 : 5)) << fraction;
        *a = *a ? *a + one : small;
        *b = *b ? *b + one : small;
    } else if (*a == *b) {
        *a = fill_spoiled_bits(scalar, *a);
    } else {
        const int up = *a < *b;
        const unsigned long long most = scalar == FILL_I16 ? 8 : 2, apart = up ? *b - *a : *a - *b;
        const unsigned long long by = apart < most ? apart : most;
        *a += up ? by : -by;
        *b += up ? -by : by;
    }
}
#endif
