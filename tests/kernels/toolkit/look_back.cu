/*
about: Inclusive scan in one pass, each tile looks back at those before it.
params: {n: 64Ki}
buffers:
  in:     {type: int, count: n, access: read, fill: "(i * 7) % 5"}
  out:    {type: int, count: n, access: write}
  state:  {type: unsigned long long, count: n / 256, access: both, fill: 0}
  ticket: {type: unsigned, count: 1, access: both, fill: 0}
threads: n
block: 256
checks: n / 256
*/
#include <cuda/atomic>
__global__ void scan(const int *in, int *out, unsigned long long *state, unsigned *ticket)
{
    __shared__ int warp_sum[8];
    __shared__ int tile, carry;
    if (threadIdx.x == 0) tile = atomicAdd(ticket, 1u);
    __syncthreads();
    const int b = tile, t = threadIdx.x, lane = t & 31, w = t >> 5, i = b * 256 + t;
    int v = in[i];
    for (int d = 1; d < 32; d <<= 1) { int u = __shfl_up_sync(~0u, v, d); if (lane >= d) v += u; }
    if (lane == 31) warp_sum[w] = v;
    __syncthreads();
    int before = 0, total = 0;
    for (int k = 0; k < 8; k++) { if (k < w) before += warp_sum[k]; total += warp_sum[k]; }
    v += before;
    if (t == 0) {
        int run = 0;
        if (b > 0) {
            cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> mine(state[b]);
            mine.store(1ull << 32 | (unsigned)total, cuda::memory_order_release);
            for (int j = b - 1; j >= 0;) {
                cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> r(state[j]);
                unsigned long long s = r.load(cuda::memory_order_acquire);
                unsigned flag = (unsigned)(s >> 32);
                if (flag == 0) continue;
                run += (int)(unsigned)s;
                if (flag == 2) break;
                j--;
            }
        }
        cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> mine(state[b]);
        mine.store(2ull << 32 | (unsigned)(run + total), cuda::memory_order_release);
        carry = run;
    }
    __syncthreads();
    out[i] = v + carry;
}
__device__ bool check(size_t i, const int *in, const int *out)
{
    for (size_t k = i * 256; k < i * 256 + 256; k++) if (out[k] != (k ? out[k - 1] : 0) + in[k]) return false;
    return true;
}
