/*
about: Pi by random points of a generator in each thread (after the estimate of pi in CURAND's documentation).
params: {threads_wanted: {as: n, default: 256}, tries: 20}
buffers: {inside: {type: unsigned long long, count: 1, access: both, fill: 0}}
threads: threads_wanted
checks: 1
*/
__device__ unsigned next(unsigned &s) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s; }
__global__ void throw_darts(unsigned long long *inside, int n, int tries)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned s = 12345u + 7919u * i, hits = 0;
    for (int k = 0; k < tries; k++) {
        float x = next(s) * 0x1p-32f, y = next(s) * 0x1p-32f;
        hits += x * x + y * y < 1.0f;
    }
    atomicAdd(inside, (unsigned long long)hits);
}
__device__ bool check(size_t i, const unsigned long long *inside, int n, int tries)
{
    double pi = 4.0 * inside[0] / ((double)n * tries);
    return pi > 3.0 && pi < 3.3;
}
