/*
about: A scan in three launches, of each block, of the blocks' sums, and their addition (after GPU Gems 3, chapter 39).
params: {n: 2000, B: {kind: constant, default: 128}}
buffers:
  in:   {type: long long, count: n, access: read, fill: (long long)(i % 13) - 6}
  out:  {type: long long, count: n, access: write}
  sums: {type: long long, count: ceil(n / B), access: write, about: scratch}
block: B
sequence:
  - {launch: scan_blocks, threads: n}
  - {launch: scan_blocks, grid: 1, arguments: {in: sums, out: sums, sums: sums, n: ceil(n / B)}}
  - {launch: add_sums, threads: n}
checks: n
*/
__global__ void scan_blocks(const long long *in, long long *out, long long *sums, int n)
{
    __shared__ long long s[B];
    int t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = i < n ? in[i] : 0;
    for (int by = 1; by < B; by *= 2) {
        __syncthreads();
        long long v = t >= by ? s[t - by] : 0;
        __syncthreads();
        s[t] += v;
    }
    if (i < n) out[i] = s[t];
    if (t == B - 1 && gridDim.x > 1) sums[blockIdx.x] = s[t];
}
__global__ void add_sums(long long *out, const long long *sums, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n && blockIdx.x) out[i] += sums[blockIdx.x - 1];
}
__device__ bool check(size_t i, const long long *in, const long long *out)
{
    return out[i] - (i ? out[i - 1] : 0) == in[i];
}
