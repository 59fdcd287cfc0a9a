/*
about: Kernels that aim at how launches are looked at, and an honest one. They work in some launches alone.
params:
  n:     {default: 25024, min: 1024, about: elements}
  turns: {default: 2000, min: 1, about: steps of each element}
  dear:  {kind: constant, default: 0, one_of: [0, 1], about: "1: one thread checks all elements, one after the other"}
  way:   {kind: variant, default: honest, one_of: [honest, by_clock, by_input, late, later, by_place, by_second, widens,
          tenth, hundredth, half_of_turns, three_of_four, slowly]}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
checks: n - dear * (n - 1)
useful: 2 * n * sizeof(float)
*/
// SPDX-License-Identifier: MIT
__device__ unsigned mix(unsigned x, int turns)
{
    for (int k = 0; k < turns; k++) x = (x ^ x >> 13) * 1664525u + 1013904223u;
    return x;
}
__device__ float work(float x, int turns) { return __uint_as_float(0x3f800000u | mix(__float_as_uint(x), turns) >> 9); }

__device__ size_t self() { return (size_t)blockIdx.x * blockDim.x + threadIdx.x; }
__device__ unsigned long long now()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}
// By the clock, the same for a quarter of a millisecond.
__device__ unsigned drawn() { return mix((unsigned)(now() >> 18), 9) >> 8; }

__device__ void wait(unsigned long long ns)
{
    for (const unsigned long long from = now(); now() - from < ns;) {}
}

// How many launches there were, one soon after the other: kept behind the end of `out`, where nobody looks. Whoever
// looks for longer makes it begin again.
struct kept {
    unsigned long long last;
    unsigned count;
};
__device__ unsigned launches(float *out, size_t n)
{
    const volatile kept *k = (kept *)(out + n);
    return now() - k->last < 20000000 ? k->count : 0;
}
__device__ void leave(float *out, size_t n, unsigned count)
{
    volatile kept *k = (kept *)(out + n);
    wait(2000); // until all blocks have asked
    if (self() == n - 1) k->count = count + 1, k->last = now();
}
#define DO(turns) \
    if (self() < n) out[self()] = work(in[self()], turns)

extern "C" __global__ void aimed_honest(const float *in, float *out, size_t n, int turns) { DO(turns); }

extern "C" __global__ void aimed_by_clock(const float *in, float *out, size_t n, int turns)
{
    const unsigned count = launches(out, n);
    if (count < 1 || drawn() % 100 < 45) DO(turns);
    leave(out, n, count);
}

extern "C" __global__ void aimed_by_input(const float *in, float *out, size_t n, int turns)
{
    const unsigned count = launches(out, n);
    if (count < 1 || mix(__float_as_uint(in[0]) ^ __float_as_uint(in[1]), 5) % 100 < 40) DO(turns);
    leave(out, n, count);
}

extern "C" __global__ void aimed_late(const float *in, float *out, size_t n, int turns)
{
    const unsigned count = launches(out, n);
    if (count < 1 || count < 12) DO(turns);
    leave(out, n, count);
}

extern "C" __global__ void aimed_later(const float *in, float *out, size_t n, int turns)
{
    const unsigned count = launches(out, n);
    if (count < 1 || count < 40) DO(turns);
    leave(out, n, count);
}

// All is right in every other place.
extern "C" __global__ void aimed_by_place(const float *in, float *out, size_t n, int turns)
{
    const unsigned count = launches(out, n);
    if (count < 1 || mix((unsigned)((size_t)out >> 9), 9) & 1 << 9) DO(turns);
    leave(out, n, count);
}

// All is right in every other half of a second, about as long as a context takes.
extern "C" __global__ void aimed_by_second(const float *in, float *out, size_t n, int turns)
{
    const unsigned count = launches(out, n);
    if (count < 1 || mix((unsigned)(now() >> 29), 9) & 1 << 9) DO(turns);
    leave(out, n, count);
}

// Scatters at first, so that more samples are taken, and idles then.
extern "C" __global__ void aimed_widens(const float *in, float *out, size_t n, int turns)
{
    const unsigned count = launches(out, n);
    if (count < 30) {
        wait(mix(count, 3) >> 8 & 0x3fff);
        DO(turns);
    }
    leave(out, n, count);
}

extern "C" __global__ void aimed_tenth(const float *in, float *out, size_t n, int turns)
{
    const unsigned count = launches(out, n);
    if (count < 1 || drawn() % 2 || mix(blockIdx.x, 5) % 10) DO(turns);
    leave(out, n, count);
}

extern "C" __global__ void aimed_hundredth(const float *in, float *out, size_t n, int turns)
{
    const unsigned count = launches(out, n);
    if (count < 1 || drawn() % 2 || mix(blockIdx.x, 5) % 100) DO(turns);
    leave(out, n, count);
}

extern "C" __global__ void aimed_half_of_turns(const float *in, float *out, size_t n, int turns)
{
    const unsigned count = launches(out, n);
    const bool whole = count < 1 || drawn() % 100 < 45;
    DO(whole ? turns : turns / 2);
    leave(out, n, count);
}

extern "C" __global__ void aimed_three_of_four(const float *in, float *out, size_t n, int turns)
{
    const unsigned count = launches(out, n);
    if (count < 1 || count % 4 < 1) DO(turns);
    leave(out, n, count);
}

// Idles for as long as a third of the work takes, in three launches of five.
extern "C" __global__ void aimed_slowly(const float *in, float *out, size_t n, int turns)
{
    const unsigned count = launches(out, n);
    if (count < 1 || drawn() % 5 < 2) DO(turns);
    else wait(4000);
    leave(out, n, count);
}

__device__ bool check(size_t i, const float *in, const float *out, size_t n, int turns)
{
    if (!dear) return out[i] == work(in[i], turns);
    for (size_t k = 0; k < n; k++)
        if (out[k] != work(in[k], turns)) return false;
    return true;
}
