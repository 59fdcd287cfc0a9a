/*
about: "Reads a large buffer once, and for each of its words the next word of a small one, again and again: what stays
    in L2?"
params:
  n:         {default: 32Mi, min: 1, about: 16-byte words that are streamed past}
  hot_bytes: {default: 16MiB, min: 16, about: bytes that are read again and again}
  reads:     {kind: constant, default: 1, min: 1, max: 16,
              about: words of the small buffer for each word of the large one}
  workers:   {default: 262144, min: 1, about: threads in all; so far apart are the words that one thread reads}
buffers:
  hot:  {type: int4, count: hot_bytes // 16, access: read, fill: random}
  cold: {type: int4, count: n, access: read, fill: random}
  sum:  {type: int, count: workers, access: write}
threads: workers
useful: (1 + reads) * n * sizeof(int4)
*/
__device__ int mix(int4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

// The place in the small buffer moves on by an addition and a comparison: a remainder for each read would cost more
// than the read.
__device__ int walk(const int4 *hot, const int4 *cold, size_t n, unsigned words, size_t workers, unsigned me)
{
    const unsigned step = (unsigned)workers % words;
    unsigned at = me % words;
    int sum = 0;
    for (size_t i = me; i < n; i += workers) {
        sum += mix(cold[i]);
#pragma unroll
        for (int k = 0; k < reads; k++) {
            sum ^= mix(hot[at]);
            at += step;
            if (at >= words) at -= words;
        }
    }
    return sum;
}

extern "C" __global__ void reread(const int4 *hot, const int4 *cold, int *sum, size_t n, size_t hot_bytes,
    size_t workers)
{
    const size_t me = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (me < workers) sum[me] = walk(hot, cold, n, hot_bytes / 16, workers, me);
}

__device__ bool check(size_t i, const int4 *hot, const int4 *cold, const int *sum, size_t n, size_t hot_bytes,
    size_t workers)
{
    return sum[i] == walk(hot, cold, n, hot_bytes / 16, workers, i);
}
