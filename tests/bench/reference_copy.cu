// cudaMemcpy device to device, and pinned and pageable copies between host and device, in a plain loop of CUDA events:
// what gpuexp's `copy` and `transfer` experiments are held against.
// usage: reference_copy [samples]
// SPDX-License-Identifier: MIT
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <vector>

#define CHECK(call) \
    do { \
        cudaError_t e_ = (call); \
        if (e_) return fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_)), 3; \
    } while (0)

static cudaEvent_t a, b;

// Median microseconds of one copy.
static int time_copy(const char *name, void *to, const void *from, size_t bytes, cudaMemcpyKind kind, double factor,
    int samples)
{
    std::vector<float> t;
    for (int s = 0; s < samples + 3; s++) {
        CHECK(cudaEventRecord(a));
        CHECK(cudaMemcpyAsync(to, from, bytes, kind));
        CHECK(cudaEventRecord(b));
        CHECK(cudaEventSynchronize(b));
        float ms;
        CHECK(cudaEventElapsedTime(&ms, a, b));
        if (s >= 3) t.push_back(ms * 1e3f);
    }
    std::sort(t.begin(), t.end());
    printf("reference,%s,%.3f,%.1f\n", name, t[t.size() / 2], factor * bytes / t[t.size() / 2] / 1e3);
    return 0;
}

int main(int argc, char **argv)
{
    const int samples = argc > 1 ? atoi(argv[1]) : 30;
    const size_t most = (size_t)1 << 30, transfer = (size_t)256 << 20;
    char *one, *two, *pinned, *pageable = (char *)malloc(transfer);
    CHECK(cudaMalloc(&one, most));
    CHECK(cudaMalloc(&two, most));
    CHECK(cudaMallocHost(&pinned, transfer));
    memset(pinned, 1, transfer);
    memset(pageable, 2, transfer);
    CHECK(cudaMemset(one, 3, most));
    CHECK(cudaEventCreate(&a));
    CHECK(cudaEventCreate(&b));
    printf("program,work,median_us,gbps\n");
    return time_copy("memcpy_d2d_256MiB", two, one, most / 4, cudaMemcpyDeviceToDevice, 2, samples) ||
           time_copy("memcpy_d2d_512MiB", two, one, most / 2, cudaMemcpyDeviceToDevice, 2, samples) ||
           time_copy("memcpy_d2d_1GiB", two, one, most, cudaMemcpyDeviceToDevice, 2, samples) ||
           time_copy("pinned_h2d", one, pinned, transfer, cudaMemcpyHostToDevice, 1, samples) ||
           time_copy("pinned_d2h", pinned, one, transfer, cudaMemcpyDeviceToHost, 1, samples) ||
           time_copy("pageable_h2d", one, pageable, transfer, cudaMemcpyHostToDevice, 1, samples) ||
           time_copy("pageable_d2h", pageable, one, transfer, cudaMemcpyDeviceToHost, 1, samples);
}
