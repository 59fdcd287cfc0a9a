// An independent measurement of the stride kernel, to hold gpuexp's medians against: a plain loop of CUDA events with
// the same flush before each sample, no gate, no batching, no statistics but the median. Shares the kernel file with
// the program, and nothing else.
// usage: reference_stride [samples]
// SPDX-License-Identifier: MIT
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <vector>

#define CHECK(call) \
    do { \
        cudaError_t e_ = (call); \
        if (e_) return fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_)), 3; \
    } while (0)

// What gpuexp puts in front of the kernel file for a point, and the very file that it measures.
constexpr int n = 67108864;
enum order_values { order_forward, order_reverse, order_random };
constexpr order_values order = order_forward;
typedef float T;
#include "../../kernels/stride.cu"
constexpr size_t N = n;

__global__ void read_all(const uint4 *in, size_t words, unsigned *sink)
{
    unsigned sum = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < words; i += (size_t)gridDim.x * blockDim.x)
        sum += in[i].x ^ in[i].w;
    if (sum == 0x12345678) *sink = sum;
}

int main(int argc, char **argv)
{
    const int samples = argc > 1 ? atoi(argv[1]) : 50;
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    float *in, *out;
    uint4 *scratch;
    unsigned *sink;
    const size_t flush = 2 * (size_t)p.l2CacheSize;
    CHECK(cudaMalloc(&in, N * 4));
    CHECK(cudaMalloc(&out, N * 4));
    CHECK(cudaMalloc(&scratch, flush));
    CHECK(cudaMalloc(&sink, 4));
    std::vector<float> host(N);
    for (size_t i = 0; i < N; i++) host[i] = (float)((i * 2654435761u) % 1000003);
    CHECK(cudaMemcpy(in, host.data(), N * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(scratch, 1, flush));
    cudaEvent_t a, b;
    CHECK(cudaEventCreate(&a));
    CHECK(cudaEventCreate(&b));
    printf("program,work,median_us\n");
    for (size_t step = 1; step <= 32; step *= 2) {
        std::vector<float> t;
        for (int s = 0; s < samples + 3; s++) {
            read_all<<<p.multiProcessorCount * 4, 512>>>(scratch, flush / 16, sink);
            CHECK(cudaEventRecord(a));
            stride<<<(unsigned)(N / 256), 256>>>(in, out, step, 0);
            CHECK(cudaEventRecord(b));
            CHECK(cudaEventSynchronize(b));
            float ms;
            CHECK(cudaEventElapsedTime(&ms, a, b));
            if (s >= 3) t.push_back(ms * 1e3f);
        }
        std::sort(t.begin(), t.end());
        printf("reference,stride=%zu,%.3f\n", step, t[t.size() / 2]);
    }
    return 0;
}
