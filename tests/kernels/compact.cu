/*
about: What passes a test, moved together by a warp's ballot (after "CUDA Pro Tip, Optimized Filtering with
    Warp-Aggregated Atomics").
params: {n: 900}
buffers:
  in: {type: int, count: n, access: read}
  out: {type: int, count: n, access: both, fill: 0}
  count: {type: int, count: 1, access: both, fill: 0}
threads: n
checks: 1
*/
__global__ void filter(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, base = 0;
    bool keep = i < n && in[i] > 50;
    unsigned mask = __ballot_sync(~0u, keep);
    if (lane == 0) base = atomicAdd(count, __popc(mask));
    base = __shfl_sync(~0u, base, 0);
    if (keep) out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}
__device__ bool check(size_t i, const int *in, const int *out, const int *count, int n)
{
    long long want = 0, have = 0;
    int many = 0;
    for (int k = 0; k < n; k++) if (in[k] > 50) want += in[k], many++;
    for (int k = 0; k < n; k++) have += out[k];
    return count[0] == many && want == have;
}
