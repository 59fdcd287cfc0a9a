/*
about: The largest of each row of 128, by a warp each, and seven more that are large. They are not always the next.
params: {rows: 1Ki}
buffers:
  in:  {type: float, count: rows * 128, access: read, fill: random}
  out: {type: float, count: rows * 8, access: write}
threads: rows * 32
*/
__device__ __forceinline__ float cmp(float v, int mask, bool up)
{
    float o = __shfl_xor_sync(0xffffffffu, v, mask);
    return up ? fminf(v, o) : fmaxf(v, o);
}
__global__ void topk(const float *in, float *out, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (row >= rows) return;
    float best = -INFINITY;
    for (int c = 0; c < 4; c++) {
        float v = in[row * 128 + c * 32 + lane];
        for (int size = 2; size <= 32; size <<= 1)
            for (int d = size >> 1; d; d >>= 1) {
                bool up = ((lane & d) == 0) == ((lane & size) == 0);
                v = cmp(v, d, up);
            }

        float big = __shfl_sync(0xffffffffu, v, 31 - lane);
        best = fmaxf(best, __shfl_sync(0xffffffffu, big, 31 - lane));
        for (int d = 16; d; d >>= 1) best = cmp(best, d, (lane & d) == 0);
    }
    if (lane >= 24) out[row * 8 + 31 - lane] = best;
}
__device__ bool check(size_t i, const float *in, const float *out)
{
    size_t r = i / 8;
    if (i % 8) return out[i] <= out[i - 1];
    float m = -1e30f;
    for (int k = 0; k < 128; k++) m = fmaxf(m, in[r * 128 + k]);
    return out[i] == m;
}
