/*
about: Lloyd's k-means of points on a line, sums by atomics, then the means, in a sequence within a sequence (after
    Rodinia's kmeans).
params: {n: 400, k: {kind: constant, default: 4}, rounds: 6}
buffers:
  at:     {type: float2, count: n, access: read, fill: "make_float2((float)(i % 4 * 10) + (float)(i % 3), 1.0f)"}
  middle: {type: float2, count: k, access: both, fill: "make_float2((float)(i * 9), 0.0f)"}
  sum:    {type: Sum, bytes: 16, count: k, access: both, fill: "{0.0f, 0.0f, 0u, 0u}"}
  of:     {type: uchar, count: n, access: write}
sequence:
  - repeat: rounds
    sequence: [{launch: assign, threads: n}, {launch: update, grid: 1, block: k}]
checks: n
*/
struct Sum { float x, y; uint count, unused; };
__global__ void assign(const float2 *at, const float2 *middle, Sum *sum, uchar *of, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
    if (i >= n) return;
    for (int c = 1; c < k; c++)
        if (fabsf(at[i].x - middle[c].x) < fabsf(at[i].x - middle[best].x)) best = c;
    of[i] = best;
    atomicAdd(&sum[best].x, at[i].x);
    atomicAdd(&sum[best].y, at[i].y);
    atomicAdd(&sum[best].count, 1u);
}
__global__ void update(float2 *middle, Sum *sum)
{
    Sum s = sum[threadIdx.x];
    if (s.count) middle[threadIdx.x] = make_float2(s.x / s.count, s.y / s.count);
    sum[threadIdx.x] = Sum{};
}
__device__ bool check(size_t i, const uchar *of, const float2 *middle)
{
    return of[i] == i % 4 && fabsf(middle[i % 4].x - (i % 4 * 10 + 1)) < 0.2f && fabsf(middle[i % 4].y - 1) < 1e-5f;
}
