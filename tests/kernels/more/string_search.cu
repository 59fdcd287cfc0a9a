/*
about: counts where a short text stands in a long one
params: {text_len: 50000, pattern_len: {default: 3, min: 1, max: 16}}
buffers:
  text:    {type: char, count: text_len, access: read, fill: "'a' + i * i % 7 % 3"}
  pattern: {type: char, count: pattern_len, access: read, fill: "'a' + i % 2"}
  matches: {type: int, count: 1, access: both, fill: 0}
threads: text_len
block: 256
shared: pattern_len
checks: 1
*/
#include <string.h>
#include <cassert>
__global__ void naive_search(const char *text, int text_len, const char *pattern, int pattern_len, int *matches)
{
    extern __shared__ char s_pattern[];
    if (threadIdx.x < pattern_len) s_pattern[threadIdx.x] = pattern[threadIdx.x];
    __syncthreads();
    int pos = blockIdx.x * blockDim.x + threadIdx.x;
    assert(blockDim.x >= pattern_len);
    bool hit = pos <= text_len - pattern_len;
    for (int j = 0; hit && j < pattern_len; ++j)
        if (text[pos + j] != s_pattern[j]) hit = false;
    unsigned mask = __ballot_sync(0xffffffff, hit);
    if ((threadIdx.x & 31) == 0 && mask) atomicAdd(matches, __popc(mask));
}
__device__ bool check(size_t, const char *text, const char *pattern, const int *matches, int text_len, int pattern_len)
{
    int n = 0;
    for (int i = 0; i + pattern_len <= text_len; i++) {
        int k = 0;
        while (k < pattern_len && text[i + k] == pattern[k]) k++;
        n += k == pattern_len;
    }
    return *matches == n;
}
