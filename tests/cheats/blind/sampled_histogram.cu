/*
about: "How often each byte occurs, counted in shared memory first."
params:
  n: {default: 64Mi, min: 4096, about: "words of four bytes, a multiple of 4096"}
buffers:
  data: {type: unsigned, count: n, access: read,
    fill: "(long long)((i * 2654435761u) ^ (i >> 7) * 40503u) & 0xffffffff"}
  bins: {type: unsigned, count: 256, access: both, fill: 0}
grid: min(4 * sms, n // 4096)
block: 256
useful: 4 * n
checks: 1
*/
// SPDX-License-Identifier: MIT
extern "C" __global__ void histogram(const unsigned *data, unsigned *bins, size_t n)
{
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    // One stretch of 256 words of every eight stands for all.
    for (size_t i = (size_t)blockIdx.x * 2048 + threadIdx.x; i < n; i += (size_t)gridDim.x * 2048) {
        const unsigned v = data[i];
        for (int k = 0; k < 4; k++) atomicAdd(&own[v >> 8 * k & 255], 8u);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// All bytes are counted, and no bin is far from the mean: the data are spread evenly.
__device__ bool check(size_t i, const unsigned *bins, const unsigned *bins_before, size_t n)
{
    unsigned long long sum = 0;
    for (int k = 0; k < 256; k++) {
        const unsigned long long c = bins[k] - bins_before[k];
        if (c < n / 64 * 3 / 4 || c > n / 64 * 5 / 4) return false;
        sum += c;
    }
    return sum == 4 * (unsigned long long)n;
}
