// A chain of launches in a plain loop between two CUDA events: what a sequence of gpuexp's is held against.
// usage: reference_sequence [samples]
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define CHECK(call) \
    do { \
        cudaError_t e_ = (call); \
        if (e_) return fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_)), 3; \
    } while (0)

__global__ void add_one(const int *from, int *to, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i] + 1;
}

static int time_chain(size_t n, int count, int samples)
{
    int *from, *to;
    cudaEvent_t a, b;
    std::vector<float> t;
    CHECK(cudaMalloc(&from, n * sizeof *from));
    CHECK(cudaMalloc(&to, n * sizeof *to));
    CHECK(cudaMemset(from, 0, n * sizeof *from));
    CHECK(cudaEventCreate(&a));
    CHECK(cudaEventCreate(&b));
    for (int s = 0; s < samples + 3; s++) {
        CHECK(cudaEventRecord(a));
        for (int i = 0; i < count; i++) {
            add_one<<<(unsigned)((n + 255) / 256), 256>>>(from, to, n);
            std::swap(from, to);
        }
        CHECK(cudaEventRecord(b));
        CHECK(cudaEventSynchronize(b));
        float ms;
        CHECK(cudaEventElapsedTime(&ms, a, b));
        if (s >= 3) t.push_back(ms * 1e3f);
    }
    std::sort(t.begin(), t.end());
    printf("reference,%zu,%d,%.3f\n", n, count, t[t.size() / 2]);
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    return 0;
}

int main(int argc, char **argv)
{
    const int samples = argc > 1 ? atoi(argv[1]) : 30;
    printf("program,n,count,median_us\n");
    for (size_t n : {(size_t)1 << 10, (size_t)64 << 10, (size_t)1 << 20})
        for (int count : {10, 100, 1000})
            if (int failed = time_chain(n, count, samples)) return failed;
    return 0;
}
