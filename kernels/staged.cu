/*
about: "Each block brings tile after tile into shared memory and works on it: by plain loads, by copies that do not
    wait, or by bulk copies."
params:
  tiles:  {default: 64, min: 1, about: "tiles that a block goes through, 4 KiB each"}
  blocks: {default: 4224, min: 1, about: blocks of 256 threads}
  stages: {kind: constant, default: 1, min: 1, max: 8,
           about: "tiles that are on their way at once, one of them being worked on"}
  turns:  {kind: constant, default: 8, min: 1, about: multiply-adds for each word of a tile}
  variant:
    default: plain
    one_of: [plain, async, bulk]
    about: "plain: through registers, one tile at a time; async: cp.async, 16 bytes a thread; bulk: one thread asks the
        copy engine of its SM (Hopper)"
buffers:
  in:  {type: float4, count: blocks * tiles * 256, access: read, fill: random}
  out: {type: float, count: blocks * 256, access: write}
threads: blocks * 256
useful: blocks * tiles * 256 * 16
*/

// What a thread does with a word: some arithmetic that the next tile's copy could hide behind.
__device__ float work(float sum, float4 w)
{
    float v = w.x + w.y + w.z + w.w;
#pragma unroll
    for (int k = 0; k < turns; k++) v = fmaf(v, 0.5f, 1);
    return sum + v;
}

__device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// A thread works on the word that the thread opposite brought, so that the tile must be there as a whole.
__device__ int opposite() { return 255 - threadIdx.x; }

extern "C" __global__ void staged_plain(const float4 *in, float *out, size_t tiles)
{
    __shared__ float4 tile[256];
    in += blockIdx.x * tiles * 256;
    float sum = 0;
    for (size_t t = 0; t < tiles; t++) {
        tile[threadIdx.x] = in[t * 256 + threadIdx.x];
        __syncthreads();
        sum = work(sum, tile[opposite()]);
        __syncthreads();
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// One group for each call: an empty one after the last tile.
__device__ void ask(float4 *to, const float4 *from, bool there)
{
    if (there)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
}

extern "C" __global__ void staged_async(const float4 *in, float *out, size_t tiles)
{
    __shared__ float4 tile[stages][256];
    in += blockIdx.x * tiles * 256 + threadIdx.x;
    float sum = 0;
    for (int s = 0; s < stages - 1; s++) ask(&tile[s][threadIdx.x], &in[s * 256], s < tiles);
    for (size_t t = 0; t < tiles; t++) {
        const size_t next = t + stages - 1;
        ask(&tile[next % stages][threadIdx.x], &in[next * 256], next < tiles);
        asm volatile("cp.async.wait_group %0;" ::"n"(stages - 1) : "memory"); // all but those after tile t
        __syncthreads();
        sum = work(sum, tile[t % stages][opposite()]);
        __syncthreads();
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

#if __CUDA_ARCH__ >= 900 // before Hopper there are no such copies, and nothing is written
// One thread asks for a whole tile; the barrier opens when all of its bytes are there.
__device__ void ask_bulk(float4 *to, const float4 *from, unsigned long long *barrier)
{
    const unsigned bar = shared_address(barrier);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4096;" ::"r"(bar) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];" ::"r"(
                     shared_address(to)), "l"(from), "r"(bar) : "memory");
}

__device__ void wait_for(unsigned long long *barrier, unsigned parity)
{
    unsigned open = 0;
    while (!open)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(open) : "r"(shared_address(barrier)), "r"(parity) : "memory");
}

#endif

extern "C" __global__ void staged_bulk(const float4 *in, float *out, size_t tiles)
{
#if __CUDA_ARCH__ >= 900
    __shared__ alignas(128) float4 tile[stages][256];
    __shared__ unsigned long long barrier[stages];
    in += blockIdx.x * tiles * 256;
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; s++)
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&barrier[s])) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        for (int s = 0; s < stages && s < tiles; s++) ask_bulk(tile[s], &in[s * 256], &barrier[s]);
    }
    __syncthreads();
    float sum = 0;
    for (size_t t = 0; t < tiles; t++) {
        const int s = t % stages;
        wait_for(&barrier[s], t / stages % 2);
        sum = work(sum, tile[s][opposite()]);
        __syncthreads(); // nobody reads this tile any more
        if (threadIdx.x == 0 && t + stages < tiles) ask_bulk(tile[s], &in[(t + stages) * 256], &barrier[s]);
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
#endif
}

__device__ bool check(size_t i, const float4 *in, const float *out, size_t tiles)
{
    const size_t block = i / 256, thread = i % 256;
    float sum = 0;
    for (size_t t = 0; t < tiles; t++) sum = work(sum, in[(block * tiles + t) * 256 + 255 - thread]);
    return out[i] == sum;
}
