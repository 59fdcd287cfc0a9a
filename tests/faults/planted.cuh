// Kernels with one planted mistake each, and the same ones without it (`ok`). tests/cases/planted.sh makes two
// entries of each, `planted_NAME` and `planted_NAME_ok`, and says what is to be found.
// SPDX-License-Identifier: MIT
#define KERNEL(name) \
    template <bool ok> __device__ void name(const int *in, int *inout, int *out, int *scratch, int n)
#define SYNC_IF(ok) \
    if (ok) __syncthreads()
#define T ((int)threadIdx.x)
#define I ((int)(blockIdx.x * blockDim.x + threadIdx.x))

// ---- shared memory, between warps: racy
KERNEL(reverse)
{
    __shared__ int s[256];
    s[T] = in[I];
    SYNC_IF(ok);
    out[I] = s[255 - T];
}
KERNEL(neighbour)
{
    __shared__ int s[256];
    s[T] = in[I];
    SYNC_IF(ok);
    out[I] = s[(T + 1) % 256];
}
KERNEL(tree)
{
    __shared__ int s[256];
    s[T] = in[I];
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (T < step) s[T] += s[T + step];
        SYNC_IF(ok);
    }
    out[I] = T == 0 ? s[0] : 0;
}
KERNEL(tree_load)
{
    __shared__ int s[256];
    s[T] = in[I];
    SYNC_IF(ok);
    for (int step = 128; step > 0; step /= 2) {
        if (T < step) s[T] += s[T + step];
        __syncthreads();
    }
    out[I] = T == 0 ? s[0] : 0;
}
KERNEL(scan)
{
    __shared__ int s[256];
    s[T] = in[I];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        const int before = T >= step ? s[T - step] : 0;
        SYNC_IF(ok);
        s[T] += before;
        __syncthreads();
    }
    out[I] = s[T];
}
KERNEL(tile_again)
{
    __shared__ int s[256];
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        s[T] = in[(I + 256 * k) % n];
        __syncthreads();
        sum += s[(T * 7 + k) % 256];
        SYNC_IF(ok);
    }
    out[I] = sum;
}
KERNEL(broadcast)
{
    __shared__ int s;
    if (T == 0) s = in[I];
    SYNC_IF(ok);
    out[I] = s;
}
KERNEL(bins_clear)
{
    __shared__ int s[64];
    if (T >= 192) s[T - 192] = 0;
    SYNC_IF(ok);
    atomicAdd(&s[in[I] % 64], 1);
    __syncthreads();
    out[I] = s[T % 64];
}
KERNEL(bins_read)
{
    __shared__ int s[64];
    if (T < 64) s[T] = 0;
    __syncthreads();
    atomicAdd(&s[in[I] % 64], 1);
    SYNC_IF(ok);
    out[I] = s[T % 64];
}
KERNEL(bins_plain)
{
    __shared__ int s[64];
    if (T < 64) s[T] = 0;
    __syncthreads();
    if (ok) atomicAdd(&s[in[I] % 64], 1);
    else s[in[I] % 64]++;
    __syncthreads();
    out[I] = s[T % 64];
}
KERNEL(turn)
{
    __shared__ int s[16][17];
    const int x = T % 16, y = T / 16;
    s[y][x] = in[I];
    SYNC_IF(ok);
    out[I] = s[x][y];
}
KERNEL(halo)
{
    __shared__ int s[258];
    s[T + 1] = in[I];
    if (T == 0) s[0] = I ? in[I - 1] : 0;
    if (T == 255) s[257] = I + 1 < n ? in[I + 1] : 0;
    SYNC_IF(ok);
    out[I] = s[T] + s[T + 1] + s[T + 2];
}
KERNEL(flag)
{
    __shared__ int found;
    if (T == 0) found = 0;
    SYNC_IF(ok);
    if (in[I] > 10) found = 1;
    __syncthreads();
    out[I] = found;
}
KERNEL(product)
{
    __shared__ int a[16][16], b[16][16];
    const int x = T % 16, y = T / 16;
    a[y][x] = in[I];
    b[y][x] = in[n - 1 - I];
    SYNC_IF(ok);
    int sum = 0;
    for (int k = 0; k < 16; k++) sum += a[y][k] * b[k][x];
    out[I] = sum;
}
KERNEL(two_buffers)
{
    __shared__ int s[2][256];
    s[0][T] = in[I];
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        const int from = k & 1, to = ok ? from ^ 1 : from;
        sum += s[from][(T + 37) % 256];
        s[to][T] = sum;
        __syncthreads();
        if (!ok) s[from ^ 1][T] = sum;
        if (!ok) __syncthreads();
    }
    out[I] = sum;
}
KERNEL(pairs)
{
    __shared__ int s[256];
    s[ok ? T : T / 64 * 64] = in[I] + T;
    __syncthreads();
    out[I] = s[T / 64 * 64];
}
KERNEL(all_write)
{
    __shared__ int s;
    if (!ok || T == 7) s = T;
    __syncthreads();
    out[I] = s;
}
KERNEL(overlap)
{
    __shared__ int s[400];
    int *a = s, *b = s + (ok ? 200 : 196); // a has 200 elements
    if (T < 200) a[T] = in[I];
    else b[T - 200] = in[I];
    __syncthreads();
    out[I] = T < 200 ? a[T] : b[T - 200];
}
KERNEL(async_other)
{
    __shared__ __align__(16) int s[256];
    const unsigned to = (unsigned)__cvta_generic_to_shared(&s[T]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + I) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    SYNC_IF(ok);
    out[I] = s[(T + 64) % 256];
}
KERNEL(max_plain)
{
    __shared__ int most;
    if (T == 0) most = 0;
    __syncthreads();
    if (ok) atomicMax(&most, in[I]);
    else if (in[I] > most) most = in[I];
    __syncthreads();
    out[I] = most;
}
KERNEL(bins_clear_own)
{
    __shared__ int s[16];
    if (T < 16) s[T] = 0;
    SYNC_IF(ok);
    atomicAdd(&s[in[I] % 16], 1);
    __syncthreads();
    out[I] = s[T % 16];
}
KERNEL(named_too_few)
{
    __shared__ int s[128];
    if (T < 128) {
        s[T] = in[I];
        if (ok) asm volatile("bar.arrive 1, 256;" ::: "memory");
        else asm volatile("bar.arrive 1, 128;" ::: "memory");
        out[I] = T;
    } else {
        if (ok) asm volatile("bar.sync 1, 256;" ::: "memory");
        else asm volatile("bar.sync 1, 128;" ::: "memory");
        out[I] = s[T - 128];
    }
}
struct two_parts {
    int low[255], high[257];
};
KERNEL(struct_overrun)
{
    __shared__ two_parts s;
    if (T < 255) s.low[T] = 1;
    s.high[T] = in[I];
    __syncthreads();
    const int high = s.high[T];
    if (T < 254 || !ok) s.low[T + 1] = 2; // the last two reach the other part
    __syncthreads();
    out[I] = high + s.low[T < 255 ? T : 0];
}
// ---- shared memory, within a warp: racy
KERNEL(warp_exchange)
{
    __shared__ int s[256];
    s[T] = in[I];
    if (ok) __syncwarp();
    out[I] = s[T ^ 1];
}
KERNEL(warp_tree)
{
    __shared__ int s[256];
    const int lane = T % 32;
    s[T] = in[I];
    __syncwarp();
    for (int step = 16; step > 0; step /= 2) {
        if (lane < step) s[T] += s[T + step];
        if (ok) __syncwarp();
    }
    out[I] = lane == 0 ? s[T] : 0;
}
// ---- global memory: racy
KERNEL(global_bins)
{
    if (ok) atomicAdd(&inout[in[I] % 8], 1);
    else inout[in[I] % 8]++;
    out[I] = scratch[I] = 0;
}
KERNEL(global_sum)
{
    if (ok) atomicAdd(inout, in[I]);
    else inout[0] += in[I];
    out[I] = scratch[I] = 0;
}
KERNEL(in_place_stencil)
{
    const int left = I ? inout[I - 1] : 0;
    (ok ? out : inout)[I] = left + in[I];
}
KERNEL(in_place_reverse)
{
    const int there = inout[n - 1 - I];
    (ok ? out : inout)[I] = there * 2 + 1;
}
KERNEL(in_place_swap)
{
    if (I < n / 2 || !ok) {
        const int a = inout[I], b = inout[n - 1 - I];
        inout[I] = b + 1;
        inout[n - 1 - I] = a + 1;
    }
}
KERNEL(compact)
{
    if (in[I] % 3 == 0) {
        const int at = ok ? atomicAdd(&inout[0], 1) : inout[0]++;
        if (at < n) scratch[at] = ok ? 1 : I;
    }
}
KERNEL(other_block)
{
    if (ok) out[I] = in[I];
    else {
        inout[I] = in[I] * 3;
        __syncthreads();
        out[I] = inout[(I + 256) % n];
    }
}
KERNEL(last_block)
{
    __shared__ bool last;
    scratch[I] = in[I];
    __threadfence();
    __syncthreads();
    if (T == 0) last = ok ? atomicAdd(&inout[0], 1) == (int)gridDim.x - 1 : inout[0]++ == (int)gridDim.x - 1;
    __syncthreads();
    if (last) {
        int sum = 0;
        for (int k = 0; k < n; k += 256) sum += ((volatile int *)scratch)[k + T];
        out[T] = sum;
    }
}
KERNEL(two_places)
{
    out[I] = in[I];
    if (!ok && I + 1 < n) out[I + 1] = in[I] + 1;
}
KERNEL(best_so_far)
{
    if (ok) atomicMax(&inout[0], in[I] * 4096 + I);
    else if (in[I] * 4096 + I > inout[0]) inout[0] = in[I] * 4096 + I;
}
// ---- global memory, what one block tells another: racy
KERNEL(last_unfenced)
{
    __shared__ bool last;
    if (T == 0) {
        scratch[blockIdx.x] = in[I] + 1;
        if (ok) __threadfence();
        last = atomicAdd(&inout[0], 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; last && k < (int)gridDim.x; k++) sum += ((volatile int *)scratch)[k];
    out[I] = last ? sum : 0;
}
KERNEL(last_fenced_for_its_block)
{
    __shared__ bool last;
    scratch[I] = in[I] + 1;
    if (ok) __threadfence();
    else __threadfence_block();
    __syncthreads();
    if (T == 0) last = atomicAdd(&inout[0], 1) == (int)gridDim.x - 1;
    __syncthreads();
    if (last) out[T] = scratch[T] + scratch[n / 2 + T];
}
KERNEL(flag_unfenced)
{
    volatile int *flag = inout;
    if (blockIdx.x == 0) {
        scratch[T] = in[T] * 3;
        if (ok) __threadfence();
        __syncthreads();
        if (T == 0) *flag = 1;
    } else {
        while (*flag == 0) {}
        __threadfence();
        out[I] = scratch[T];
    }
}
KERNEL(reader_unfenced)
{
    volatile int *flag = inout;
    if (blockIdx.x == 0) {
        scratch[T] = in[T] * 3;
        __threadfence();
        __syncthreads();
        if (T == 0) *flag = 1;
    } else {
        if (T == 0) {
            while (*flag == 0) {}
            if (ok) __threadfence(); // a cache may still hold what was there before
        }
        __syncthreads();
        out[I] = scratch[T];
    }
}
KERNEL(reader_adds_nothing)
{
    if (blockIdx.x == 0) {
        scratch[T] = in[T] * 3;
        __threadfence();
        __syncthreads();
        if (T == 0) atomicAdd(&inout[0], 1);
    } else {
        if (T == 0)
            while (atomicAdd(&inout[0], 0) == 0) {}
        if (ok) __threadfence();
        __syncthreads();
        out[I] = scratch[T];
    }
}
KERNEL(reader_relaxed)
{
    int there = 0;
    if (blockIdx.x == 0 && T == 0) {
        scratch[0] = in[0] + 7;
        asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(inout) : "memory");
    }
    if (blockIdx.x == 1 && T == 0) {
        while (!there) {
            if (ok) asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(there) : "l"(inout) : "memory");
            else asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(there) : "l"(inout) : "memory");
        }
        out[0] = scratch[0];
    }
}
KERNEL(fenced_too_early)
{
    if (T > 0) return;
    if (!ok) __threadfence();
    scratch[blockIdx.x] = in[I] + 5;
    if (ok) __threadfence();
    const int turn = atomicAdd(&inout[0], 1);
    if (turn == (int)gridDim.x - 1)
        for (int k = 0; k < (int)gridDim.x; k++) out[k] = scratch[k];
}
KERNEL(lock_unreleased)
{
    if (T > 0) return;
    while (atomicCAS(&inout[0], 0, 1) != 0) {}
    const int sum = ((volatile int *)inout)[1] + in[I];
    inout[1] = sum;
    if (ok) __threadfence();
    atomicExch(&inout[0], 0);
}
KERNEL(gate_of_most)
{
    scratch[I] = in[I] + 1;
    __threadfence();
    __syncthreads();
    if (T == 0) {
        atomicAdd(&inout[0], 1);
        while (*(volatile int *)inout < (int)gridDim.x - (ok ? 0 : 1)) {}
        __threadfence();
    }
    __syncthreads();
    out[I] = scratch[n - 1 - I];
}
KERNEL(stored_relaxed)
{
    int there = 0;
    if (blockIdx.x == 0 && T == 0) {
        scratch[0] = in[0] + 7;
        if (ok) asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(inout) : "memory");
        else asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(inout) : "memory");
    }
    if (blockIdx.x == 1 && T == 0) {
        while (!there) asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(there) : "l"(inout) : "memory");
        out[0] = scratch[0];
    }
}
KERNEL(seqlock)
{
    volatile int *version = inout;
    if (blockIdx.x == 0) {
        if (T == 0) {
            *version = 1;
            if (ok) __threadfence();
            scratch[0] = in[0] + 100;
            scratch[1] = in[0] + 200;
            if (ok) __threadfence();
            *version = 2;
        }
    } else if (T == 0) {
        while (*version != 2) {}
        if (ok) __threadfence();
        out[blockIdx.x] = scratch[0] + scratch[1];
    }
}
KERNEL(queue_item)
{
    if (blockIdx.x == 0 && T == 0) {
        for (int k = 0; k < 8; k++) {
            if (ok) {
                scratch[k] = in[k];
                __threadfence();
                atomicAdd(&inout[0], 1);
            } else {
                const int at = atomicAdd(&inout[0], 1);
                scratch[at] = in[k];
                __threadfence();
            }
        }
    } else if (T == 0) {
        while (atomicAdd(&inout[0], 0) < 8) {}
        __threadfence();
        int sum = 0;
        for (int k = 0; k < 8; k++) sum += scratch[k];
        out[blockIdx.x] = sum;
    }
}
KERNEL(read_only_cache)
{
    inout[I] = in[I] + 1;
    __syncthreads();
    int v;
    if (ok) v = inout[I];
    else asm volatile("ld.global.nc.s32 %0, [%1];" : "=r"(v) : "l"(inout + I) : "memory");
    out[I] = v;
}
// ---- reads of what nothing has written: failed
KERNEL(sum_from_nothing)
{
    __shared__ int s[256];
    if (ok) s[T] = 0;
    for (int k = 0; k < 4; k++) s[T] += in[(I + k) % n];
    out[I] = s[T];
}
KERNEL(half_a_tile)
{
    __shared__ int s[256];
    if (ok || T < 200) s[T] = in[I];
    __syncthreads();
    out[I] = s[255 - T];
}
KERNEL(output_read)
{
    if (ok) out[I] = in[I];
    else out[I] += in[I];
}
KERNEL(scratch_holes)
{
    if (ok || T % 8) scratch[I] = in[I];
    __syncthreads();
    out[I] = scratch[(I & ~7) + (T + 1) % 8];
}
KERNEL(count_from_nothing)
{
    __shared__ int count;
    if (ok && T == 0) count = 0;
    __syncthreads();
    if (in[I] & 1) atomicAdd(&count, 1);
    __syncthreads();
    out[I] = count;
}
KERNEL(looks_further)
{
    __shared__ int s[260];
    s[T] = in[I];
    __syncthreads();
    const int next = s[T + 1];
    out[I] = ok && T == 255 ? 0 : next;
}
KERNEL(own_array)
{
    int a[16];
    const int v = in[I];
    for (int k = 0; k < (ok ? 16 : 15); k++) a[(k + v) & 15] = k;
    int sum = 0;
    for (int k = 0; k < 16; k++) sum = sum * 3 + a[k ^ (v & 3)];
    out[I] = sum;
}
KERNEL(own_bytes)
{
    short a[32];
    const int v = in[I];
    for (int k = 0; k < 32; k += ok ? 1 : 2) a[(k + 2 * v) & 31] = (short)(k + v);
    out[I] = a[(v * 5 + (v >> 3)) & 31];
}
// ---- barriers and masks: failed
KERNEL(two_barriers)
{
    __shared__ int s[256];
    if (ok) {
        s[T] = in[I];
        __syncthreads();
    } else if (T < 128) {
        s[T] = in[I];
        __syncthreads();
    } else {
        s[T] = -in[I];
        __syncthreads();
    }
    out[I] = s[255 - T];
}
KERNEL(barrier_by_some)
{
    __shared__ int s[256];
    s[T] = in[I];
    if (ok || T < 128) __syncthreads();
    const int other = s[T];
    __syncthreads();
    s[T] = other + 1;
    __syncthreads();
    out[I] = s[255 - T];
}
KERNEL(barrier_by_lanes)
{
    __shared__ int s[256];
    s[T] = in[I];
    if (ok || T % 2) __syncthreads();
    const int own = s[T];
    __syncthreads();
    out[I] = own;
}
KERNEL(barrier_in_loop)
{
    __shared__ int s[256];
    int sum = 0;
    const int turns = ok ? 8 : in[I] % 8 + 1;
    s[T] = in[I];
    for (int k = 0; k < turns; k++) {
        __syncthreads();
        sum += s[(T + k) % 256];
    }
    __syncthreads();
    out[I] = sum;
}
KERNEL(last_barrier_by_lanes)
{
    __shared__ int s[256];
    s[T] = in[I];
    if (ok || T % 2) __syncthreads();
    out[I] = s[T];
}
KERNEL(last_barrier_in_loop)
{
    __shared__ int s[256];
    int sum = 0;
    const int turns = ok ? 8 : T % 8 + 1;
    s[T] = in[I];
    for (int k = 0; k < turns; k++) {
        __syncthreads();
        sum += s[T];
    }
    out[I] = sum;
}
KERNEL(last_barrier_in_branch)
{
    __shared__ int s[256];
    int v = in[I];
    if (ok || v % 2) {
        s[T] = v;
        __syncthreads();
        v += s[T];
    }
    out[I] = v;
}
KERNEL(last_barrier_by_warps)
{
    __shared__ int s[256];
    s[T] = in[I];
    if (ok || T < 64) __syncthreads();
    out[I] = s[T];
}
KERNEL(mask_without_me)
{
    const unsigned mask = ok ? 0xffffffffu : 0x0000ffffu;
    out[I] = __shfl_sync(mask, in[I], (T + 1) % 16, 16);
}
KERNEL(mask_of_the_other_half)
{
    int v = in[I];
    if (in[I / 16] % 2) {
        const unsigned mask = ok ? 0xffffu << T / 16 % 2 * 16 : 0xffffu;
        for (int by = 8; by > 0; by /= 2) v += __shfl_down_sync(mask, v, by, 16);
        out[I] = v;
        return;
    }
    out[I] = -v;
}
KERNEL(mask_with_others)
{
    int v = in[I];
    if (ok || T % 32 < 16) v = __shfl_xor_sync(0xffffffffu, v, 1);
    __syncthreads();
    out[I] = v;
}
KERNEL(vote_with_others)
{
    unsigned v = 0;
    if (T % 32 < 20) v = __ballot_sync(ok ? 0x000fffffu : 0xffffffffu, in[I] & 1);
    __syncthreads();
    out[I] = (int)v;
}
KERNEL(mask_of_the_gone)
{
    int v = in[I];
    if (T % 32 < 16) {
        for (int step = 8; step; step /= 2) v += __shfl_down_sync(ok ? 0x0000ffffu : 0xffffffffu, v, step, 16);
    } else
        v = v * 3 + T;
    out[I] = v;
}
KERNEL(loop_left_early)
{
    const int turns = ok ? 6 : in[I] % 6 + 1;
    int sum = 0;
    for (int k = 0; k < turns; k++) sum += __shfl_xor_sync(0xffffffffu, in[(I + k) % n], 1);
    out[I] = sum;
}
KERNEL(match_other_masks)
{
    const unsigned mask = ok ? 0xffffffffu : (T & 1 ? 0xaaaaaaaau : 0xffffffffu);
    out[I] = (int)__match_any_sync(mask, in[I] & 3);
}
// ---- bounds: failed
KERNEL(past_the_end) { out[I] = in[ok ? (I + 1) % n : I + 1]; }
KERNEL(shared_past_the_end)
{
    __shared__ int s[256];
    s[ok ? T : T + 4] = in[I];
    __syncthreads();
    out[I] = s[ok ? T : T + 4];
}
KERNEL(misaligned)
{
    const int4 v = *(const int4 *)(in + (ok ? I / 4 * 4 : I / 4 * 4 + 1) % (n - 4));
    out[I] = v.x + v.w;
}

// ---- copies that nobody waits for: racy
__device__ unsigned shared_at(const void *p)
{
    unsigned at;
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(at) : "l"(p));
    return at;
}
#define COPY(to, from) \
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_at(to)), "l"(from) : "memory")
#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
KERNEL(copy_own)
{
    __shared__ int s[256];
    COPY(&s[T], &in[I]);
    COMMIT;
    if (ok) WAIT(0);
    out[I] = s[T];
}
KERNEL(copy_block)
{
    __shared__ int s[256];
    COPY(&s[T], &in[I]);
    COMMIT;
    if (ok) WAIT(0);
    __syncthreads();
    out[I] = s[255 - T];
}
KERNEL(copy_uncommitted)
{
    __shared__ int s[256];
    COPY(&s[T], &in[I]);
    if (ok) COMMIT;
    WAIT(0);
    __syncthreads();
    out[I] = s[255 - T];
}
KERNEL(copy_last_stage)
{
    __shared__ int s[2][256];
    int sum = 0;
    COPY(&s[0][T], &in[I]);
    COMMIT;
    for (int k = 0; k < 4; k++) {
        if (k < 3) {
            COPY(&s[(k + 1) % 2][T], &in[(I + 256 * (k + 1)) % n]);
            COMMIT;
        }
        if (ok && k == 3) WAIT(0);
        else WAIT(1);
        __syncthreads();
        sum += s[k % 2][255 - T];
        __syncthreads();
    }
    out[I] = sum;
}
KERNEL(copy_others)
{
    __shared__ int s[256];
    COPY(&s[T], &in[I]);
    COMMIT;
    __syncthreads();
    WAIT(0); // of this thread's own copies only
    SYNC_IF(ok);
    out[I] = s[T ^ 32];
}
KERNEL(copy_again)
{
    __shared__ int s[256];
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        COPY(&s[T], &in[(I + 256 * k) % n]);
        COMMIT;
        WAIT(0);
        __syncthreads();
        sum += s[255 - T];
        SYNC_IF(ok);
    }
    out[I] = sum;
}
__device__ void bulk_copy(unsigned long long *barrier, int *to, const int *from)
{
    if (T == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_at(barrier)) : "memory");
    __syncthreads();
    if (T > 0) return;
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" ::"r"(shared_at(barrier)) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" ::"r"(
                     shared_at(to)),
        "l"(from), "r"(shared_at(barrier))
        : "memory");
}
__device__ void await(unsigned long long *barrier, unsigned parity)
{
    unsigned open = 0;
    while (!open)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(open)
                     : "r"(shared_at(barrier)), "r"(parity)
                     : "memory");
}
KERNEL(bulk_unawaited)
{
    __shared__ unsigned long long barrier;
    __shared__ __align__(16) int s[256];
    bulk_copy(&barrier, s, in + 256 * blockIdx.x);
    if (ok) await(&barrier, 0);
    else __syncthreads();
    out[I] = s[255 - T];
}
KERNEL(bulk_parity)
{
    __shared__ unsigned long long barrier;
    __shared__ __align__(16) int s[256];
    bulk_copy(&barrier, s, in + 256 * blockIdx.x);
    await(&barrier, ok ? 0 : 1); // the phase before the first has always ended
    out[I] = s[255 - T];
}
KERNEL(barrier_setup)
{
    __shared__ unsigned long long barrier;
    __shared__ int s[256];
    if (T == 0) asm volatile("mbarrier.init.shared.b64 [%0], 256;" ::"r"(shared_at(&barrier)) : "memory");
    SYNC_IF(ok);
    s[T] = in[I];
    asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(shared_at(&barrier)) : "memory");
    await(&barrier, 0);
    out[I] = s[255 - T];
}
__device__ void bulk_store(int *to, int *from)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024; cp.async.bulk.commit_group;" ::"l"(to),
                 "r"(shared_at(from))
                 : "memory");
}
#define PROXY_FENCE asm volatile("fence.proxy.async;" ::: "memory")
KERNEL(bulk_source)
{
    __shared__ __align__(16) int s[256];
    s[T] = in[I];
    PROXY_FENCE;
    __syncthreads();
    if (T == 0) bulk_store(out + 256 * blockIdx.x, s);
    if (ok && T == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    __syncthreads();
    s[T] = T;
    if (T == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
KERNEL(bulk_result)
{
    __shared__ __align__(16) int s[256];
    s[T] = in[I];
    PROXY_FENCE;
    __syncthreads();
    if (T > 0) return;
    bulk_store(scratch + 256 * blockIdx.x, s);
    if (ok) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    else asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    out[I] = scratch[I + 5];
}
KERNEL(bulk_input)
{
    __shared__ unsigned long long barrier;
    __shared__ __align__(16) int s[256];
    bulk_copy(&barrier, s, inout + 256 * blockIdx.x);
    if (ok) await(&barrier, 0);
    inout[I] = T;
    if (!ok) await(&barrier, 0);
    out[I] = s[255 - T];
}
KERNEL(proxy_unfenced)
{
    __shared__ __align__(16) int s[256];
    s[T] = in[I];
    if (ok) PROXY_FENCE;
    __syncthreads();
    if (T == 0) bulk_store(out + 256 * blockIdx.x, s);
    if (T == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
KERNEL(proxy_of_one)
{
    __shared__ __align__(16) int s[256];
    s[T] = in[I];
    if (ok || T == 0) PROXY_FENCE; // of what its own thread wrote
    __syncthreads();
    if (T == 0) bulk_store(out + 256 * blockIdx.x, s);
    if (T == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
// ---- tiles that are used again, by barriers in memory: failed
// The copy once more, into the same place: the barrier's next phase.
__device__ void bulk_again(unsigned long long *barrier, int *to, const int *from)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" ::"r"(shared_at(barrier)) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" ::"r"(
                     shared_at(to)),
        "l"(from), "r"(shared_at(barrier))
        : "memory");
}
__device__ void arrive(unsigned long long *barrier)
{
    asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(shared_at(barrier)) : "memory");
}
KERNEL(ring_refill)
{
    __shared__ __align__(16) int s[2][256];
    __shared__ unsigned long long barrier[2];
    for (int k = 0; k < 2; k++) bulk_copy(&barrier[k], s[k], in + 256 * blockIdx.x);
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        await(&barrier[k % 2], k / 2);
        sum += s[k % 2][255 - T];
        SYNC_IF(ok); // others may still read
        if (T == 0 && k < 2) bulk_again(&barrier[k % 2], s[k % 2], in + 256 * blockIdx.x);
    }
    out[I] = sum;
}
KERNEL(ring_phase)
{
    __shared__ __align__(16) int s[2][256];
    __shared__ unsigned long long barrier[2];
    for (int k = 0; k < 2; k++) bulk_copy(&barrier[k], s[k], in + 256 * blockIdx.x);
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        await(&barrier[k % 2], ok ? k / 2 : 0); // the second turn's phase is the other one
        sum += s[k % 2][255 - T];
        __syncthreads();
        if (T == 0 && k < 2) bulk_again(&barrier[k % 2], s[k % 2], in + 256 * blockIdx.x);
    }
    out[I] = sum;
}
KERNEL(ring_empty)
{
    __shared__ __align__(16) int s[2][256];
    __shared__ unsigned long long full[2], empty[2];
    if (T < 2) asm volatile("mbarrier.init.shared.b64 [%0], 256;" ::"r"(shared_at(&empty[T])) : "memory");
    for (int k = 0; k < 2; k++) bulk_copy(&full[k], s[k], in + 256 * blockIdx.x);
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        await(&full[k % 2], k / 2);
        sum += s[k % 2][255 - T];
        arrive(&empty[k % 2]);
        if (T == 0 && k < 2) {
            if (ok) await(&empty[k], 0); // all have read
            bulk_again(&full[k], s[k], in + 256 * blockIdx.x);
        }
    }
    out[I] = sum;
}
// Threads fill a tile, others read it; the reader's arrival frees it for the next turn.
KERNEL(ring_stores)
{
    __shared__ int s[2][128];
    __shared__ unsigned long long full[2], empty[2];
    if (T < 2) {
        asm volatile("mbarrier.init.shared.b64 [%0], 128;" ::"r"(shared_at(&full[T])) : "memory");
        asm volatile("mbarrier.init.shared.b64 [%0], 128;" ::"r"(shared_at(&empty[T])) : "memory");
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        if (T < 128) {
            if (ok || k < 4) await(&empty[k % 2], (k / 2 & 1) ^ 1);
            s[k % 2][T] = in[(I + k) % n];
            arrive(&full[k % 2]);
        } else {
            await(&full[k % 2], k / 2 & 1);
            sum += s[k % 2][255 - T];
            arrive(&empty[k % 2]);
        }
    }
    out[I] = sum;
}
