// Kernels with one planted flaw each, and the same work without it (`ok`). A section says which rule of `gpuexp
// explain` has to find its kernels, as its first finding; in the others nothing may be found but that
// they are near what can be done (`ceiling`). LAUNCH says what a kernel is launched with, where that is not a block of
// 256.
// SPDX-License-Identifier: MIT
#define KERNEL(name) template <bool ok> __device__ void name(const float *in, float *out, int *count, int n)
#define ME (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ---- overfetch
KERNEL(apart) // one float of every 32 bytes
{
    const int i = ME;
    out[i] = in[ok ? i : i * 8];
}
KERNEL(one_member) // of a structure of four
{
    struct point { float x, y, z, w; };
    const int i = ME;
    out[i] = ok ? in[i] : ((const point *)in)[i].y;
}
KERNEL(all_members) // one by one, of a structure of sixteen; of eight L1 has all that is fetched: an H200 lost 5 %
{
    const int i = ME;
    float sum = 0;
    for (int k = 0; k < 16; k++) sum += in[ok ? k * n + i : i * 16 + k] * (k + 1);
    out[i] = sum;
}
KERNEL(row_a_thread) // each thread walks its own row
{
    const int i = ME;
    float most = 0;
    for (int k = 0; k < 16; k++) most = fmaxf(most, in[ok ? k * n + i : i * 16 + (k * 5) % 16]);
    out[i] = most;
}
KERNEL(columns) // a matrix of rows of 1024, walked by columns
{
    const int i = ME, at = ok ? i : i % (n / 1024) * 1024 + i / (n / 1024);
    out[i] = in[at] + 1;
}
KERNEL(transposed_store)
{
    const int i = ME, row = i / 1024, column = i % 1024;
    out[ok ? i : column * (n / 1024) + row] = in[i];
}
KERNEL(scattered_store) // 64 bytes apart
{
    const int i = ME, at = i % 4096 / 256 + i % 256 * 16;
    out[ok ? i : i / 4096 * 4096 + at] = in[i] * 2;
}
KERNEL(shuffled) // a permutation within the block, where a neighbour would do
{
    const int i = ME, at = blockIdx.x * 256 + (threadIdx.x * 77 + 13) % 256 * 1;
    out[i] = ok ? in[i] : in[at * 8 % (8 * n)];
}
KERNEL(strided_loop) // threads of a block take chunks instead of turns
{
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += in[blockIdx.x * 4096 + (ok ? k * 256 + threadIdx.x : threadIdx.x * 16 + k)];
    out[ME] = sum;
}
// ---- misaligned
// From memory alone it costs 1 or 2 % on an H200: neighbours' sectors are there. It is L2 that has more to give.
__device__ float from_l2(const float *from, int width, int n)
{
    float sum = 0;
    for (int k = 0; k < 16; k++) sum += __ldcg(&from[(blockIdx.x + k * 5 & n / 256 - 1) * width + threadIdx.x]);
    return sum;
}
KERNEL(shifted) { out[ME] = from_l2(ok ? in : in + 1, 256, n); }
KERNEL(header) { out[ME] = from_l2(ok ? in + 8 : in + 3, 256, n); } // three words in front of the data
KERNEL(rows_of_1003) { out[ME] = from_l2(in, ok ? 1008 : 1003, n); } // of which only each eighth begins with a sector
// ---- bank_conflicts
KERNEL(tile) // read by columns
{
    __shared__ float tile[32][ok ? 33 : 32];
    const int x = threadIdx.x % 32, y = threadIdx.x / 32, from = blockIdx.x * 1024;
    for (int k = 0; k < 32; k += 8) tile[y + k][x] = in[from + (y + k) * 32 + x];
    __syncthreads();
    for (int k = 0; k < 32; k += 8) out[(from + (y + k) * 32 + x) & (n - 1)] = tile[x][y + k];
}
KERNEL(interleaved) // a reduction whose active threads move apart
{
    __shared__ float part[256];
    for (int turn = 0; turn < 4; turn++) {
    part[threadIdx.x] = in[turn * n + ME];
    __syncthreads();
    for (int s = ok ? 128 : 1; ok ? s > 0 : s < 256; s = ok ? s / 2 : s * 2) {
        const int at = ok ? threadIdx.x : threadIdx.x * 2 * s;
        if (ok ? at < s : at + s < 256) part[at] += part[at + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[4 * blockIdx.x + turn] = part[0];
    __syncthreads();
    }
}
KERNEL(even_distance)
{
    __shared__ float word[4096 + 256];
    const int each = ok ? 17 : 16;
    for (int k = 0; k < 16; k++) word[threadIdx.x * each + k] = in[ME + k * n / 16];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 16; k++) sum += word[threadIdx.x * each + 15 - k];
    out[ME] = sum;
}
KERNEL(doubles) // of a column
{
    __shared__ double tile[16][ok ? 17 : 16];
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;
    tile[y][x] = in[ME];
    __syncthreads();
    out[ME] = (float)tile[x][y];
}
KERNEL(pairs) // structures of two words, one word of each
{
    __shared__ float word[1024];
    word[threadIdx.x] = in[ME];
    word[threadIdx.x + 256] = word[threadIdx.x + 512] = word[threadIdx.x + 768] = 1;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += word[(threadIdx.x * (ok ? 1 : 4) + k * 32) % 1024];
    out[ME] = sum;
}
// ---- local
KERNEL(histogram_of_own) // an array by a value that was read
{
    float bins[16];
    const int i = ME;
    for (int k = 0; k < 16; k++) bins[k] = 0;
    for (int k = 0; k < 8; k++) {
        const int at = (int)in[k * n + i] & 15;
        if (ok)
            for (int b = 0; b < 16; b++) bins[b] += b == at;
        else bins[at] += 1;
    }
    float most = 0;
    for (int k = 0; k < 16; k++) most = fmaxf(most, bins[k] * (k + 1));
    out[i] = most;
}
KERNEL(ring) // whose head moves
{
    float last[8];
    const int i = ME, turn = ok ? 0 : count[1];
    for (int k = 0; k < 8; k++) last[(k + turn) & 7] = in[k * n + i];
    float sum = 0;
    for (int k = 0; k < 8; k++) sum = sum * 0.5f + last[ok ? 7 - k : (7 - k + 3 * turn) & 7];
    out[i] = sum;
}
// ---- divergence
KERNEL(odd_and_even)
{
    const int i = ME, way = ok ? i / 32 % 2 : i % 2;
    float v = in[i];
    if (way)
        for (int k = 0; k < 64; k++) v = v * 0.5f + 1;
    else
        for (int k = 0; k < 64; k++) v = fmaxf(v * v, 3) - k;
    out[i] = v;
}
KERNEL(turns_by_lane)
{
    const int i = ME, turns = ok ? 64 : 4 * (i % 32);
    float v = in[i];
    for (int k = 0; k < turns; k++) v = sqrtf(v + k);
    out[i] = v;
}
KERNEL(one_lane) // of each warp does what all could
{
    const int i = ME, lane = threadIdx.x % 32;
    float v = in[i];
    if (ok || lane == 0)
        for (int k = 0; k < 100; k++) v = v * 0.999f + k;
    out[i] = v;
}
KERNEL(four_ways)
{
    const int i = ME;
    float v = in[i];
    switch (ok ? i / 256 % 4 : i % 4) {
    case 0: for (int k = 0; k < 40; k++) v = v * 0.5f + k; break;
    case 1: for (int k = 0; k < 40; k++) v = sqrtf(v) + k; break;
    case 2: for (int k = 0; k < 40; k++) v = fminf(v, k) * v; break;
    default: for (int k = 0; k < 40; k++) v = fabsf(v - k) * 0.25f;
    }
    out[i] = v;
}
// ---- same_address
__device__ float of_warp(float v)
{
    for (int k = 16; k; k /= 2) v += __shfl_xor_sync(0xffffffff, v, k);
    return v;
}
KERNEL(one_sum)
{
    const float v = in[ME];
    if (!ok) atomicAdd(&out[0], v);
    else {
        const float sum = of_warp(v);
        __shared__ float part[8];
        if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
        __syncthreads();
        const float all = of_warp(threadIdx.x < 8 ? part[threadIdx.x] : 0);
        if (threadIdx.x == 0) atomicAdd(&out[0], all);
    }
}
KERNEL(few_bins)
{
    const int i = ME, bin = (int)(in[i] * 1000) & 3;
    if (!ok) atomicAdd(&count[bin], i);
    else {
        for (int b = 0; b < 4; b++) {
            const unsigned who = __ballot_sync(0xffffffff, bin == b);
            if (threadIdx.x % 32 == 0) count[8 + i / 32 * 4 + b] = __popc(who);
        }
    }
}
KERNEL(sum_of_block) // in shared memory
{
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    const float v = ok ? of_warp(in[ME]) : in[ME];
    if (!ok || threadIdx.x % 32 == 0) atomicAdd(&sum, v);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
KERNEL(most_of_all)
{
    const int i = ME, v = (int)(in[i] * 1e6f);
    if (!ok) { atomicMax(&count[i % 2], v); return; }
    const int most = __reduce_max_sync(0xffffffff, v);
    if (threadIdx.x % 32 == 0) count[i / 32] = most;
}
KERNEL(words_of_all) // 64 words for everybody: no two lanes of a warp meet, but all warps do
{
    const int i = ME;
    if (ok) count[i] += i;
    else atomicAdd(&count[(i * 5 + i / 32) & 63], i);
}
// ---- swap_loop
KERNEL(own_add) // where the device has one
{
    const float v = in[ME];
    if (ok) atomicAdd(&out[ME % 2048], v);
    else {
        int *to = (int *)&out[ME % 2048], old = *to, seen;
        do {
            seen = old;
            old = atomicCAS(to, seen, __float_as_int(v + __int_as_float(seen)));
        } while (seen != old);
    }
}
// ---- occupancy
KERNEL(much_shared) // LAUNCH block: 64, shared: 100000; ok block: 64, shared: 1024
{
    extern __shared__ float room[];
    room[threadIdx.x] = in[ME];
    __syncthreads();
    out[ME] = room[threadIdx.x ^ 1] + 1;
}
KERNEL(small_blocks) // LAUNCH block: 32; ok block: 256
{
    out[ME] = in[ME] * 2 + in[ME + n];
}
// ---- part_warps
KERNEL(blocks_of_40) // LAUNCH block: 40; ok block: 256
{
    out[ME] = in[ME] * 2 + in[ME + n];
}
// ---- tail
KERNEL(a_few_too_many) // LAUNCH block: 256, grid: 1100; ok block: 256, grid: 1056
{
    float v = in[ME];
    for (int k = 0; k < 300; k++) v = v * 0.5f + k;
    out[ME] = v;
}
KERNEL(one_more) // LAUNCH n: 512Ki, block: 1024, grid: 140; ok n: 512Ki, block: 1024, grid: 264
{
    for (int i = ME; i < n; i += gridDim.x * blockDim.x) {
        float v = in[i];
        for (int k = 0; k < 256; k++) v = v * 0.5f + 1;
        out[i] = v;
    }
}
// ---- in_flight
KERNEL(bytes) // one of each thread
{
    if (ok) ((float4 *)out)[ME] = ((const float4 *)in)[ME];
    else ((char *)out)[ME] = ((const char *)in)[ME];
}
KERNEL(rolled) // one load at a time; its twin's loads say where the next one is, so that they cannot be made together
{
    const int i = ME;
    float sum = 0;
    if (ok)
        for (int k = 0, at = i & ~31; k < 32; k++) sum += in[at], at = (int)(in[at] * 1e7f) & (n - 1) & ~31;
    else
#pragma unroll 1
        for (int k = 0; k < 32; k++) sum = fabsf(sum - in[(k * (n / 2) + i) & (16 * n - 1)]);
    out[i] = sum;
}
KERNEL(first_above) // of 16 steps: what is read says whether the next one is
{
    const int i = ME;
    int first = 16;
    if (!ok)
        for (first = 0; first < 16 && in[first * n + i] <= 0.999f;) first++;
    else {
        float v[16]; // all are asked for before the first is looked at
#pragma unroll
        for (int k = 0; k < 16; k++) v[k] = in[k * n + i];
#pragma unroll
        for (int k = 15; k >= 0; k--)
            if (v[k] > 0.999f) first = k;
    }
    out[i] = first;
}
// ---- ceiling
KERNEL(one_each) // LAUNCH n: 1Mi, block: 256; ok n: 256Ki, block: 256
{
    if (ok) ((float4 *)out)[ME] = ((const float4 *)in)[ME];
    else out[ME] = in[ME];
}
KERNEL(trees) // LAUNCH n: 2Mi, block: 256; ok n: 2Mi, block: 256, grid: 1056
{
    __shared__ float part[256];
    const int t = threadIdx.x;
    float sum = in[ME];
    if (ok)
#pragma unroll 8
        for (int k = 1; k < 32; k++) sum += in[ME + k * gridDim.x * 256];
    part[t] = sum;
    for (int d = 128; d; d /= 2) {
        __syncthreads();
        if (t < d) part[t] += part[t + d];
    }
    if (t == 0) out[blockIdx.x] = part[0];
}
// ---- uneven
KERNEL(first_blocks) // do a thousand times what the others do
{
    const int turns = !ok && blockIdx.x < 4 ? 20000 : 20;
    float v = in[ME];
    for (int k = 0; k < turns; k++) v = v * 0.99f + k;
    out[ME] = v;
}
// ---- reuse
KERNEL(product_by_rows) // LAUNCH n: 1024, block: [32, 8], grid: [4, 16]; ok n: 1024, block: [32, 32], grid: [4, 4]
{
    const int m = n / 8, x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    if (!ok)
        for (int k = 0; k < m; k++) sum += in[y * m + k] * in[k * m + x];
    else {
        __shared__ float a[32][33], b[32][33];
        for (int t = 0; t < m; t += 32) {
            a[threadIdx.y][threadIdx.x] = in[y * m + t + threadIdx.x];
            b[threadIdx.y][threadIdx.x] = in[(t + threadIdx.y) * m + x];
            __syncthreads();
            for (int k = 0; k < 32; k++) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
            __syncthreads();
        }
    }
    out[y * m + x] = sum;
}
// ---- rewritten
KERNEL(sum_in_memory)
{
    const int i = ME;
    if (!ok)
        for (int k = 0; k < 16; k++) out[i] += in[k * n + i];
    else {
        float sum = out[i];
        for (int k = 0; k < 16; k++) sum += in[k * n + i];
        out[i] = sum;
    }
}
KERNEL(sum_written) // each turn, though nobody reads it: what is read may lie there
{
    const int i = ME;
    float sum = 0;
    for (int k = 0; k < 16; k++) {
        sum += in[k * n + i];
        if (!ok) out[i] = sum;
    }
    if (ok) out[i] = sum;
}
// ---- constants
__constant__ float weights[64] = {1, 2, 3};
KERNEL(own_weight) // of each lane, or one of each warp
{
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += weights[((ok ? ME / 32 : ME) + k * 7) % 64];
    out[ME] = sum * in[ME];
}
// ---- doubles
KERNEL(literals)
{
    float v = in[ME];
    for (int k = 0; k < 32; k++)
        if (ok) v = v * 0.3f + 1.1f;
        else v = v * 0.3 + 1.1;
    out[ME] = v;
}
KERNEL(sines)
{
    float v = in[ME], sum = 0;
    for (int k = 1; k < 8; k++) sum += ok ? sinf(v * k) : sin((double)v * k);
    out[ME] = sum;
}
KERNEL(cubes) // by a function that is no part of this file
{
    const float v = in[ME];
    out[ME] = ok ? 0.5f * v * (1 + tanhf(0.8f * v * v * v)) : 0.5 * v * (1 + tanh(0.8 * pow((double)v, 3.0)));
}
// ---- divisions
KERNEL(digits)
{
    int v = count[ME] + ME, sum = 0;
    const int base = ok ? 10 : n / 1000 + 3;
    for (int k = 0; k < 12; k++) {
        sum += v % base;
        v = v / base + k;
    }
    out[ME] = sum;
}
// ---- powers
KERNEL(powers)
{
    float v = in[ME], sum = 0;
    for (int k = 1; k < 9; k++) {
        const float x = v * k;
        sum += ok ? x * x * x : powf(x, 3.0f);
    }
    out[ME] = sum;
}
KERNEL(inverse_root)
{
    const float v = in[ME] + 1;
    float w = v;
    for (int k = 0; k < 4; k++)
        if (ok) w = w + rsqrtf(w);
        else w = w + powf(w, -0.5f);
    out[ME] = w;
}
// ---- slow_math
KERNEL(large_angles)
{
    float sum = 0;
    for (int k = 1; k < 8; k++) sum += sinf(in[ME] * k * (ok ? 1 : 2e5f));
    out[ME] = sum;
}
// ---- read_again
KERNEL(volatile_words) // read anew each time
{
    const volatile float *anew = in;
    float sum = 0;
    for (int k = 0; k < 32; k++)
        if (ok) sum += in[ME] * k;
        else sum += anew[ME] * k;
    out[ME] = sum;
}
// ---- chain
KERNEL(one_chain) // LAUNCH block: 64, grid: 264; ok block: 64, grid: 264
{
    float a = in[ME], b = a + 1, c = a + 2, d = a + 3;
    if (ok)
        for (int k = 0; k < 1000; k++) a = a * 0.9f + 1, b = b * 0.9f + 1, c = c * 0.9f + 1, d = d * 0.9f + 1;
    else
        for (int k = 0; k < 4000; k++) a = a * 0.9f + 1;
    out[ME] = a + b + c + d;
}
// ---- barrier_waits
KERNEL(one_warp_works) // LAUNCH block: 1024; ok block: 1024
{
    __shared__ float word[1024];
    float v = in[ME];
    for (int turn = 0; turn < 8; turn++) {
        word[threadIdx.x] = v;
        __syncthreads();
        if (ok) v += word[threadIdx.x ^ 32];
        else if (threadIdx.x < 32)
            for (int k = 0; k < 32; k++) v += (word + threadIdx.x)[32 * k]; // else clang 18 has 32 addresses
        __syncthreads();
    }
    out[ME] = v;
}
KERNEL(doubling_scan) // LAUNCH block: 1024; ok block: 1024
{
    __shared__ float word[1024];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float v = in[ME];
    if (!ok) {
        word[threadIdx.x] = v;
        __syncthreads();
        for (int d = 1; d < 1024; d *= 2) {
            const float left = threadIdx.x >= d ? word[threadIdx.x - d] : 0;
            __syncthreads();
            word[threadIdx.x] += left;
            __syncthreads();
        }
        v = word[threadIdx.x];
    } else {
        for (int d = 1; d < 32; d *= 2) {
            const float left = __shfl_up_sync(~0u, v, d);
            v += lane >= d ? left : 0;
        }
        if (lane == 31) word[warp] = v;
        __syncthreads();
        float before = lane < warp ? word[lane] : 0;
        for (int d = 16; d; d /= 2) before += __shfl_xor_sync(~0u, before, d);
        v += before;
    }
    out[ME] = v;
}
// ---- vain_barriers
KERNEL(own_words) // of shared memory
{
    __shared__ float mine[256];
    mine[threadIdx.x] = in[ME];
    for (int k = 0; k < 16; k++) {
        mine[threadIdx.x] = mine[ok ? 255 - threadIdx.x : threadIdx.x] * 0.5f + k;
        __syncthreads();
    }
    out[ME] = mine[threadIdx.x];
}
KERNEL(in_step) // nothing is shared
{
    float v = in[ME];
    for (int k = 0; k < 32; k++) {
        v = v * 0.5f + k;
        if (!ok) __syncthreads();
    }
    out[ME] = v;
}
// ---- fences
KERNEL(each_write) // is made to be seen
{
    for (int k = 0; k < 8; k++) {
        out[k * n + ME] = in[ME] * k;
        if (!ok) __threadfence();
    }
}
// ---- heap
KERNEL(own_buffer) // LAUNCH n: 32Ki; ok n: 32Ki
{
    float room[4], *at = ok ? room : (float *)malloc(4 * sizeof(float));
    for (int k = 0; k < 4; k++) at[k] = in[k * n + ME];
    float sum = 0;
    for (int k = 0; k < 4; k++) sum += at[k] * at[3 - k];
    if (!ok) free(at);
    out[ME] = sum;
}
