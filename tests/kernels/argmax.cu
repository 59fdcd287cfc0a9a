/*
about: The largest and where it is, packed into one word for an atomic (after a common answer on forums).
params: {n: 800}
buffers: {x: {type: float, count: n, access: read}, best: {type: unsigned long long, count: 1, access: both, fill: 0}}
threads: n
*/
__global__ void argmax(const float *x, unsigned long long *best, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(best, (unsigned long long)__float_as_uint(x[i]) << 32 | (unsigned)i);
}
__device__ bool check(size_t i, const float *x, const unsigned long long *best, int n)
{
    float m = x[(unsigned)best[0]];
    for (int k = 0; k < n; k++) if (x[k] > m) return false;
    return __uint_as_float((unsigned)(best[0] >> 32)) == m;
}
