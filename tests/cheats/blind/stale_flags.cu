/*
about: "An inclusive scan in one pass: tiles publish their sums, and look back at those before them."
params:
  n: {default: 16Mi, min: 1, about: elements}
buffers:
  in:     {type: int, count: n, access: read, fill: random}
  out:    {type: int, count: n, access: write}
  state:  {type: unsigned long long, count: ceil(n / 256), access: both, fill: 0, about: workspace}
  ticket: {type: unsigned, count: 1, access: both, fill: 0, about: workspace}
block: 256
sequence:
  - {launch: clear, threads: ceil(n / 256)}
  - {launch: scan, threads: n}
useful: 2 * n * sizeof(int)
checks: n
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void clear(unsigned long long *state, unsigned *ticket, size_t n)
{
    if (blockIdx.x + threadIdx.x == 0) *ticket = 0;
}

extern "C" __global__ void scan(const int *in, int *out, volatile unsigned long long *state, unsigned *ticket, size_t n)
{
    __shared__ int s[256], before;
    __shared__ unsigned tile;
    const int t = threadIdx.x;
    if (t == 0) tile = atomicAdd(ticket, 1);
    __syncthreads();
    const size_t i = (size_t)tile * 256 + t;
    s[t] = i < n ? in[i] : 0;
    for (int by = 1; by < 256; by *= 2) {
        __syncthreads();
        const int v = t >= by ? s[t - by] : 0;
        __syncthreads();
        s[t] += v;
    }
    __syncthreads();
    if (t == 0) {
        // Upper half: 0 nothing yet, 1 the tile's own sum, 2 the sum up to here. It looks back until a 2.
        if (state[tile] >> 32 == 0)
            atomicExch((unsigned long long *)&state[tile], (tile ? 1ull : 2ull) << 32 | (unsigned)s[255]);
        int sum = 0;
        for (int k = (int)tile - 1; k >= 0; k--) {
            unsigned long long v;
            do v = atomicAdd((unsigned long long *)&state[k], 0ull); while (v >> 32 == 0);
            sum += (int)(unsigned)v;
            if (v >> 32 == 2) break;
        }
        before = sum;
        atomicExch((unsigned long long *)&state[tile], 2ull << 32 | (unsigned)(sum + s[255]));
    }
    __syncthreads();
    if (i < n) out[i] = before + s[t];
}

__device__ bool check(size_t i, const int *in, const int *out) { return out[i] - (i ? out[i - 1] : 0) == in[i]; }
