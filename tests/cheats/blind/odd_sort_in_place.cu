/*
about: "Sorts runs of 64 numbers in place by odd-even exchange, until nothing changes: sorted input takes one round."
params:
  n: {default: 2Mi, min: 64, about: "elements, a multiple of 64"}
buffers:
  x: {type: int, count: n, access: both, fill: random}
threads: n
block: 64
useful: 2 * n * sizeof(int)
checks: n // 64
*/
// SPDX-License-Identifier: MIT
__global__ void sort_runs(int *x)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    int *run = x + (size_t)blockIdx.x * 64;
    s[t] = run[t];
    bool changed = true;
    while (__syncthreads_or(changed)) {
        changed = false;
        for (int odd = 0; odd < 2; odd++) {
            const int a = 2 * t + odd;
            if (a + 1 < 64 && s[a] > s[a + 1]) {
                const int v = s[a];
                s[a] = s[a + 1], s[a + 1] = v, changed = true;
            }
            __syncthreads();
        }
    }
    run[t] = s[t];
}
// Ascending, and the same numbers as before.
__device__ bool check(size_t r, const int *x, const int *x_before)
{
    unsigned long long sum = 0, before = 0;
    for (int k = 0; k < 64; k++) {
        const unsigned long long v = x[r * 64 + k], w = x_before[r * 64 + k];
        if (k && x[r * 64 + k - 1] > x[r * 64 + k]) return false;
        sum += v * v * v + v * 1000003, before += w * w * w + w * 1000003;
    }
    return sum == before;
}
