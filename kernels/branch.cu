/*
about: "Lanes of a warp diverge: at a branch of several ways, or in a loop that some leave later. The warp runs every
    way that one of its lanes takes."
params:
  n:     {default: 4Mi, min: 32, about: "threads, a multiple of 32"}
  ways:  {kind: constant, default: 2, one_of: [2, 4, 8, 16, 32], about: ways of the branch}
  taken: {default: 16, min: 0, max: 32, about: "lanes of each warp that leave way 0; they take the other ways in turn"}
  turns: {kind: constant, default: 64, min: 1, about: multiply-adds on each way}
  variant:
    default: switch
    one_of: [switch, loop]
    about: "switch: each way is code of its own; loop: way w makes turns x (w + 1) multiply-adds"
buffers:
  in:  {type: float, count: n, access: read, fill: cycle}
  out: {type: float, count: n, access: write}
threads: n
useful: 2 * n * sizeof(float)
needs: n % 32 == 0
*/
__device__ int way(size_t i, size_t taken) { return i % 32 < taken ? 1 + i % 32 % (ways - 1) : 0; }

__device__ float work(float v, int w, int count)
{
#pragma unroll 4
    for (int k = 0; k < count; k++) v = fmaf(v, 0.5f, w + 1);
    return v;
}

// The way of a thread, found by halving. Each way reads a place of its own, so that the lanes of its read can be
// counted.
template <int from, int count> struct choose {
    static __device__ float go(const float *in, size_t i, int w)
    {
        return w < from + count / 2 ? choose<from, count / 2>::go(in, i, w)
                                    : choose<from + count / 2, count / 2>::go(in, i, w);
    }
};
template <int w> struct choose<w, 1> {
    static __device__ float go(const float *in, size_t i, int) { return work(in[i ^ w], w, turns); }
};

extern "C" __global__ void branch_switch(const float *in, float *out, size_t n, size_t taken)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = choose<0, ways>::go(in, i, way(i, taken));
}

extern "C" __global__ void branch_loop(const float *in, float *out, size_t n, size_t taken)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int w = way(i, taken);
    out[i] = work(in[i ^ w], w, turns * (w + 1));
}

// v = v / 2 + (w + 1) comes near 2 (w + 1) from any first value: that tells the way.
__device__ bool check(size_t i, const float *in, const float *out, size_t taken)
{
    const int w = way(i, taken);
    float v = in[i ^ w];
    for (int k = 0; k < turns; k++) v = fmaf(v, 0.5f, w + 1);
    return fabsf(out[i] - v) <= 1e-5f * v;
}
