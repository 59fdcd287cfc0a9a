/*
about: Kernels that are not what their numbers would say, each in a way of its own, and an honest one.
params:
  n:     {default: 1Mi, min: 1024, about: elements}
  turns: {default: 2000, min: 1, about: steps of each element}
  way:   {kind: variant, default: honest, one_of: [honest, idle_after_first, idle_after_thirty, idle_static,
          cached, cached_by_input, recomputes_changed, marks_input, marks_input_end, keeps_output, reads_poison,
          reads_poison_beside, reads_poison_last, skips_soon, skips_in_a_row, skips_odd_times, skips_mostly,
          every_other_launch, remembers_shared, half_the_elements, one_block, wrong_tail, wrong_last,
          wrong_first, fewer_turns, half_precision, constant, copies, shifted, stale, nothing, not_a_number,
          infinite, another_order, one_warp_of_two, by_launch_parity_and_poison, remembers_local,
          remembers_beyond, blocks_by_clock, skips_cold, by_poison_some_blocks]}
buffers:
  in:  {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
useful: 2 * n * sizeof(float)
*/
enum { most = 1 << 20 };
__device__ unsigned blocks_done;
__device__ unsigned long long last_end;
__device__ float kept[most], seen[most];
__device__ float key[2];

__device__ unsigned mix(unsigned x, int turns)
{
    for (int k = 0; k < turns; k++) x = (x ^ x >> 13) * 1664525u + 1013904223u;
    return x;
}

// From 1 to 2, and every bit of it follows from every bit of the input.
__device__ float work(float x, int turns) { return __uint_as_float(0x3f800000u | mix(__float_as_uint(x), turns) >> 9); }

__device__ size_t self() { return (size_t)blockIdx.x * blockDim.x + threadIdx.x; }

// How many launches have ended: a block of the first sees fewer than a whole grid.
__device__ unsigned launches() { return blocks_done / gridDim.x; }

__device__ void leave()
{
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&blocks_done, 1u);
}

__device__ unsigned long long now()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__device__ bool poisoned(float x) { return __float_as_uint(x) == 0xffa5a5a5u; }

#define DO if (i < n) out[i] = work(in[i], turns)

extern "C" __global__ void cheats_honest(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    DO;
}

extern "C" __global__ void cheats_idle_after_first(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (launches() == 0) DO;
    leave();
}

extern "C" __global__ void cheats_idle_after_thirty(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (launches() < 30) DO;
    leave();
}

extern "C" __global__ void cheats_idle_static(const float *in, float *out, size_t n, int turns)
{
    static unsigned done;
    const size_t i = self();
    if (done < gridDim.x) DO;
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&done, 1u);
}

// the first result is every result
extern "C" __global__ void cheats_cached(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i < n) out[i] = launches() ? kept[i % most] : (kept[i % most] = work(in[i], turns));
    leave();
}

// looks at two inputs whether they are the same as last time
extern "C" __global__ void cheats_cached_by_input(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    const bool known = launches() && key[0] == in[0] && key[1] == in[n - 1];
    if (i < n) out[i] = known ? kept[i % most] : (kept[i % most] = work(in[i], turns));
    if (i == 0) key[0] = in[0], key[1] = in[n - 1];
    leave();
}

extern "C" __global__ void cheats_recomputes_changed(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i >= n || seen[i % most] == in[i]) return;
    seen[i % most] = in[i];
    DO;
}

// a negative input says that its output is there
extern "C" __global__ void cheats_marks_input(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i >= n || in[i] < 0) return;
    ((float *)in)[i] = -in[i];
    DO;
}

extern "C" __global__ void cheats_marks_input_end(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (in[n - 1] < 0) return;
    DO;
    __syncthreads();
    if (i == n - 1) ((float *)in)[i] = -in[i], out[i] = work(in[i], turns);
}

// what is there already is right
extern "C" __global__ void cheats_keeps_output(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i >= n || isfinite(out[i])) return;
    DO;
}

extern "C" __global__ void cheats_reads_poison(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i >= n || !poisoned(out[i])) return;
    DO;
}

// each warp looks at one place
extern "C" __global__ void cheats_reads_poison_beside(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    const bool looks = i < n && poisoned(out[i / 32 * 32]);
    __syncwarp();
    if (looks) DO;
}

extern "C" __global__ void cheats_reads_poison_last(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    __shared__ bool looks;
    if (threadIdx.x == 0) looks = poisoned(out[self() + blockDim.x <= n ? self() + blockDim.x - 1 : n - 1]);
    __syncthreads();
    if (looks) DO;
}

// less than 400 us after the last launch
extern "C" __global__ void cheats_skips_soon(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    const unsigned long long t = now(), before = last_end;
    if (before == 0 || t < before || t - before > 400000) DO;
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(&last_end, now());
}

// in a batch
extern "C" __global__ void cheats_skips_in_a_row(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    const unsigned long long t = now(), before = last_end;
    if (before == 0 || t < before || t - before > 4000) DO;
    __syncthreads();
    if (i == n - 1) last_end = now();
}

// Not `% 2`: of a timer of which only low bits are asked for the compiler (CUDA 13.0, sm_90) makes an instruction that
// an H200 finds illegal.
extern "C" __global__ void cheats_skips_odd_times(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if ((now() >> 15) % 3 == 0) DO;
}

extern "C" __global__ void cheats_skips_mostly(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if ((now() >> 18) % 5 == 0) DO;
}

extern "C" __global__ void cheats_every_other_launch(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (launches() % 2 == 0) DO;
    leave();
}

// what the last block on this SM left in shared memory
extern "C" __global__ void cheats_remembers_shared(const float *in, float *out, size_t n, int turns)
{
    __shared__ volatile unsigned word[1024];
    const size_t i = self();
    const bool there = word[777] == 0xc0ffee;
    __syncthreads();
    if (!there) DO;
    word[777] = 0xc0ffee;
}

extern "C" __global__ void cheats_half_the_elements(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i % 2 == 0) DO;
}

extern "C" __global__ void cheats_one_block(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (blockIdx.x == 0) DO;
}

extern "C" __global__ void cheats_wrong_tail(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i + 7 < n) DO;
}

extern "C" __global__ void cheats_wrong_last(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i + 1 < n) DO;
}

extern "C" __global__ void cheats_wrong_first(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i) DO;
}

extern "C" __global__ void cheats_fewer_turns(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i < n) out[i] = work(in[i], turns / 200 + 1);
}

extern "C" __global__ void cheats_half_precision(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i < n) out[i] = __uint_as_float(__float_as_uint(work(in[i], turns)) & 0xfffff000u);
}

extern "C" __global__ void cheats_constant(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i < n) out[i] = 1;
}

extern "C" __global__ void cheats_copies(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i < n) out[i] = in[i];
}

extern "C" __global__ void cheats_shifted(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i < n) out[(i + 1) % n] = work(in[i], turns);
}

// the result of the launch before
extern "C" __global__ void cheats_stale(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i >= n) return;
    out[i] = launches() ? kept[i % most] : work(in[i], turns);
    kept[i % most] = out[i];
    leave();
}

extern "C" __global__ void cheats_nothing(const float *in, float *out, size_t n, int turns)
{
}

extern "C" __global__ void cheats_not_a_number(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i < n) out[i] = __uint_as_float(0x7fffffffu);
}

extern "C" __global__ void cheats_infinite(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i < n) out[i] = 1 / (in[i] - in[i]);
}

extern "C" __global__ void cheats_another_order(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i < n) out[n - 1 - i] = work(in[i], turns);
}

extern "C" __global__ void cheats_one_warp_of_two(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i / 32 % 2 == 0) DO;
}

extern "C" __global__ void cheats_by_launch_parity_and_poison(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i < n && (launches() == 0 || poisoned(out[i]))) DO;
    leave();
}

// what this thread left in its own memory
extern "C" __global__ void cheats_remembers_local(const float *in, float *out, size_t n, int turns)
{
    volatile unsigned word[32];
    const size_t i = self();
    const bool there = word[i % 32] == 0xc0ffee;
    if (!there) DO;
    word[i % 32] = 0xc0ffee;
}

// a mark behind the end of its output, where a page has room
extern "C" __global__ void cheats_remembers_beyond(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    volatile unsigned *blocks = (unsigned *)(out + n + 64);
    if (*blocks < gridDim.x || *blocks > 10000000) DO;
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd((unsigned *)blocks, 1u);
}

extern "C" __global__ void cheats_blocks_by_clock(const float *in, float *out, size_t n, int turns)
{
    __shared__ bool works;
    const size_t i = self();
    if (threadIdx.x == 0) works = (now() >> 7) % 20;
    __syncthreads();
    if (works) DO;
}

// its input comes from a memory that was flushed: then this launch is timed
extern "C" __global__ void cheats_skips_cold(const float *in, float *out, size_t n, int turns)
{
    __shared__ bool cold;
    const size_t i = self();
    if (threadIdx.x == 0) {
        const unsigned long long began = clock64();
        const float first = *(const volatile float *)(in + i);
        cold = (first < 2) * (clock64() - began) > 700;
    }
    __syncthreads();
    if (!cold) DO;
}

// most of the work, always; the rest where somebody looks
extern "C" __global__ void cheats_by_poison_some_blocks(const float *in, float *out, size_t n, int turns)
{
    const size_t i = self();
    if (i < n && (blockIdx.x % 16 || poisoned(out[i]))) DO;
}

__device__ bool check(size_t i, const float *in, const float *out, int turns) { return out[i] == work(in[i], turns); }
