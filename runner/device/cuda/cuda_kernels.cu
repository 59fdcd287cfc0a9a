// The kernels that measuring itself needs: a gate that holds the stream until everything is queued, a stamp that reads
// the clock, a flush that evicts L2, the fills of buffers, and touches of managed pages. Compiled once at run time for
// the GPU that is there, behind the text of compile/text/fill.h, whose formulas the fills use.
// SPDX-License-Identifier: MIT
typedef unsigned long long u64;

static __device__ u64 nanoseconds()
{
    u64 t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

// One thread waits until the host writes `ticket` or a later number to `flag`. It gives up after `most` nanoseconds: a
// host that died or a queue that is full must not hang the GPU.
extern "C" __global__ void gpuexp_gate(const volatile unsigned *flag, unsigned ticket, u64 most)
{
    const u64 start = nanoseconds();
    while ((int)(*flag - ticket) < 0 && nanoseconds() - start < most) {}
}

// The SM's own cycle counter and the GPU's nanoseconds, read at the same moment: two stamps give the clock between
// them. The nanoseconds advance in steps of up to a microsecond, so that the stamp waits for a step (bounded: some GPUs
// step rarely).
extern "C" __global__ void gpuexp_stamp(u64 *out)
{
    const u64 first = nanoseconds();
    u64 now = first;
    for (int i = 0; i < 200 && now == first; i++) now = nanoseconds();
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    out[0] = clock64();
    out[1] = now;
    out[2] = sm;
    __threadfence_system();
}

// Takes a launch's place and no time.
extern "C" __global__ void gpuexp_empty() {}

// Reads `n` 16-byte words: what was in L2 goes, and what takes its place is clean. A flush by writing would leave L2
// full of dirty lines, whose way to memory the next kernel would pay for. `never` is written only if the sum is one
// value in 2^32, kept from the optimiser's sight by being an argument.
extern "C" __global__ void gpuexp_flush(const uint4 *in, u64 n, unsigned *never, unsigned unlikely)
{
    unsigned sum = 0;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (u64)blockDim.x) {
        const uint4 v = in[i];
        sum += v.x ^ v.y ^ v.z ^ v.w;
    }
    if (sum == unlikely) *never = sum;
}

static __device__ void put(void *to, u64 i, int scalar, u64 bits)
{
    switch (scalar) {
    case FILL_I8: ((unsigned char *)to)[i] = (unsigned char)bits; break;
    case FILL_I16:
    case FILL_BF16:
    case FILL_F16: ((unsigned short *)to)[i] = (unsigned short)bits; break;
    case FILL_I32:
    case FILL_F32: ((unsigned *)to)[i] = (unsigned)bits; break;
    default: ((u64 *)to)[i] = bits;
    }
}

static __device__ u64 bits_at(const void *p, u64 i, int scalar)
{
    switch (scalar) {
    case FILL_I8: return ((const unsigned char *)p)[i];
    case FILL_I16:
    case FILL_BF16:
    case FILL_F16: return ((const unsigned short *)p)[i];
    case FILL_I32:
    case FILL_F32: return ((const unsigned *)p)[i];
    default: return ((const u64 *)p)[i];
    }
}

// Of one scalar and one kind: made for each, so that what is asked of all elements is not asked of each.
static __device__ __forceinline__ void fill_of(void *to, u64 scalars, u64 lanes, u64 seed, int scalar, int what)
{
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < scalars; i += gridDim.x * (u64)blockDim.x)
        put(to, i, scalar,
            what == 0       ? fill_random_bits(scalar, seed, i)
                : what == 5 ? fill_random_bits(scalar, seed, fill_hash(fill_hash(seed, 0), i))
                : what == 1 ? fill_whole_bits(scalar, (i / lanes + seed) % (scalars / lanes))
                : what == 2 ? fill_poison_bits(scalar)
                            : fill_spoiled_bits(scalar, bits_at(to, i, scalar)));
}

static __device__ void near_of(void *to, u64 scalars, int scalar)
{
    const u64 threads = gridDim.x * (u64)blockDim.x;
    for (u64 i = 2 * (blockIdx.x * (u64)blockDim.x + threadIdx.x); i < scalars; i += 2 * threads) {
        const bool pair = i + 1 < scalars;
        u64 a = bits_at(to, i, scalar), b = pair ? bits_at(to, i + 1, scalar) : a;
        fill_near_bits(scalar, &a, &b);
        put(to, i, scalar, a);
        if (pair) put(to, i + 1, scalar, b);
    }
}

// `what`: 0 random, 1 index (each lane of element i is i, from `seed` on), 2 poison, 3 what is there spoiled, 4 a
// little off; as device/host_fill.c does on the host. 5: random, at places that only the seed tells. Of two numbers
// that are random at their own places the seed can be found, and of it all the others.
extern "C" __global__ void gpuexp_fill(void *to, u64 scalars, u64 lanes, u64 seed, int scalar, int what)
{
    if (what == 4) near_of(to, scalars, scalar);
    else if (scalar == FILL_F32 && what == 0) fill_of(to, scalars, lanes, seed, FILL_F32, 0);
    else if (scalar == FILL_I32 && what == 0) fill_of(to, scalars, lanes, seed, FILL_I32, 0);
    else if (scalar == FILL_F32 && what == 5) fill_of(to, scalars, lanes, seed, FILL_F32, 5);
    else if (scalar == FILL_I32 && what == 5) fill_of(to, scalars, lanes, seed, FILL_I32, 5);
    else if (scalar == FILL_F32 && what == 2) fill_of(to, scalars, lanes, seed, FILL_F32, 2);
    else fill_of(to, scalars, lanes, seed, scalar, what);
}

// Reads and writes back every word, as a kernel that initialises a buffer would: neighbouring threads, neighbouring
// words.
extern "C" __global__ void gpuexp_touch(volatile unsigned *p, u64 words)
{
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < words; i += gridDim.x * (u64)blockDim.x) p[i] = p[i];
}

// The same with a warp for each 64 KiB page, so that a page's faults come from one warp instead of from many blocks at
// once.
extern "C" __global__ void gpuexp_touch_warp(volatile unsigned *p, u64 words)
{
    const u64 page = 65536 / sizeof *p, lane = threadIdx.x % 32;
    const u64 warps = gridDim.x * (u64)blockDim.x / 32;
    for (u64 w = (blockIdx.x * (u64)blockDim.x + threadIdx.x) / 32; w * page < words; w += warps)
        for (u64 i = w * page + lane; i < words && i < (w + 1) * page; i += 32) p[i] = p[i];
}

// Of `part` times 256 of something, side by side, 256 are looked at, which `pick` draws; 0 and 1: all.
static __device__ u64 looked_at(u64 count, u64 part)
{
    return part > 1 ? (count + 256 * part - 1) / (256 * part) * 256 : count;
}

static __device__ u64 look(u64 i, u64 part, u64 pick)
{
    return part > 1 ? ((i >> 8) * part + fill_hash(pick, i >> 8) % part) << 8 | (i & 255) : i;
}

// Adds up what the threads of a block of 256 have, and in `*to` what all blocks have: one addition there for a block.
template <class T> static __device__ void add_up(T mine, T *to)
{
    __shared__ T of[8];
    for (int apart = 16; apart; apart /= 2) mine += __shfl_down_sync(0xffffffffu, mine, apart);
    if (threadIdx.x % 32 == 0) of[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < 8; i++) mine += of[i];
        if (mine) atomicAdd(to, mine);
    }
}

// Two sums over the words, each by its place: the same for the same content. `from` makes buffers differ that swap
// theirs.
extern "C" __global__ void gpuexp_digest(const unsigned char *p, u64 bytes, u64 from, u64 part, u64 pick, u64 *result)
{
    u64 one = 0, other = 0;
    const u64 words = (bytes + 7) / 8, all = looked_at(words, part);
    for (u64 k = blockIdx.x * (u64)blockDim.x + threadIdx.x; k < all; k += gridDim.x * (u64)blockDim.x) {
        const u64 i = look(k, part, pick);
        if (i >= words) continue;
        u64 word = 0;
        if (8 * i + 8 <= bytes) word = ((const u64 *)p)[i];
        else
            for (u64 b = 8 * i; b < bytes; b++) word = word << 8 | p[b];
        const u64 h = fill_hash(fill_hash(from, i), word);
        one += h;
        other += fill_hash(h, 1);
    }
    add_up(one, &result[0]);
    __syncthreads();
    add_up(other, &result[1]);
}

// Turns a cycle about: place i goes to place `by` - i of those that it links, and so does what it says. The places
// change in pairs, so that it is done where it lies.
extern "C" __global__ void gpuexp_turn(void *p, u64 links, u64 step, u64 lanes, u64 by, int scalar)
{
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < links; i += gridDim.x * (u64)blockDim.x) {
        const u64 j = (by + links - i) % links;
        if (j < i) continue;
        const u64 a = bits_at(p, i * step * lanes, scalar) / step, b = bits_at(p, j * step * lanes, scalar) / step;
        put(p, i * step * lanes, scalar, (by + links - b) % links * step);
        put(p, j * step * lanes, scalar, (by + links - a) % links * step);
    }
}

// Reads and throws away: what lies there is in L2 behind it. `never` is as gpuexp_flush has it.
extern "C" __global__ void gpuexp_warm(const unsigned char *p, u64 bytes, unsigned *never, unsigned unlikely)
{
    unsigned sum = 0;
    for (u64 i = 32 * (blockIdx.x * (u64)blockDim.x + threadIdx.x); i < bytes; i += 32 * gridDim.x * (u64)blockDim.x)
        sum += p[i];
    if (sum == unlikely) *never = sum;
}

// A number in the format that `kind` names.
static __device__ double real_at(const void *p, u64 i, int kind)
{
    const unsigned bits = kind == FILL_F16 || kind == FILL_BF16 ? ((const unsigned short *)p)[i] : 0;
    if (kind == FILL_F32) return ((const float *)p)[i];
    if (kind == FILL_F64) return ((const double *)p)[i];
    if (kind == FILL_BF16) return __uint_as_float(bits << 16);
    const unsigned exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double size = exponent ? ldexp(1 + fraction / 1024.0, (int)exponent - 15) : fraction / 16777216.0;
    return exponent == 31 ? __int_as_float(fraction ? 0x7fc00000 : 0x7f800000) : bits >> 15 ? -size : size;
}

// result[0] counts the numbers of which `is` is not what `want` is, result[1] is the least of them. Reals may differ as
// sums do that were made in another order. What `want` has not written is free. Behind these stand sums over all reals,
// as doubles: how far they lie apart, the sizes of `want`, its numbers, their squares, and how many there are. Then of
// the places that `want` has written: two sums that are alike where both hold the same in whatever order, how many
// places these are, and how many of them `is` has not written.
extern "C" __global__ void gpuexp_unlike(const void *is, const void *want, u64 scalars, int kind, int real, double most,
    double share, u64 part, u64 pick, u64 *result)
{
    const int width = kind == FILL_BF16 || kind == FILL_F16 ? FILL_I16
        : kind == FILL_F32                                  ? FILL_I32
        : kind == FILL_F64                                  ? FILL_I64
                                                            : kind;
    const u64 mask = width == FILL_I8 ? 0xff : width == FILL_I16 ? 0xffff : width == FILL_I32 ? 0xffffffff : ~0ull;
    const u64 poison = fill_poison_bits(kind) & mask;
    const u64 all = looked_at(scalars, part);
    double sums[5] = {0, 0, 0, 0, 0};
    u64 bags[4] = {0, 0, 0, 0};
    for (u64 k = blockIdx.x * (u64)blockDim.x + threadIdx.x; k < all; k += gridDim.x * (u64)blockDim.x) {
        const u64 i = look(k, part, pick);
        if (i >= scalars) continue;
        const u64 a = bits_at(is, i, width), b = bits_at(want, i, width);
        if (b == poison) continue;
        bags[0] += fill_hash(1, a), bags[1] += fill_hash(1, b), bags[2]++, bags[3] += a == poison;
        if (a == b && !real) continue;
        if (real) {
            const double x = real_at(is, i, kind), y = real_at(want, i, kind);
            const double of[5] = {fabs(x - y), fabs(y), y, y * y, 1};
            for (int s = 0; s < 5 && isfinite(x) && isfinite(y); s++) sums[s] += of[s];
            if (a == b) continue;
            if ((x != x && y != y && a != poison) || fabs(x - y) <= most + share * fmax(fabs(x), fabs(y))) continue;
        }
        atomicAdd(&result[0], 1ULL);
        atomicMin(&result[1], i);
    }
    for (int s = 0; s < 5; s++) {
        add_up(sums[s], (double *)&result[2 + s]);
        __syncthreads();
    }
    for (int s = 0; s < 4; s++) {
        add_up(bags[s], &result[7 + s]);
        __syncthreads();
    }
}

// result[0] counts the words that differ, result[1] is the least of them.
extern "C" __global__ void gpuexp_compare(const unsigned *a, const unsigned *b, u64 words, u64 *result)
{
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < words; i += gridDim.x * (u64)blockDim.x)
        if (a[i] != b[i]) {
            atomicAdd(&result[0], 1ULL);
            atomicMin(&result[1], i);
        }
}
