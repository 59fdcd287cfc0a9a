/*
about: Odd-even transposition sort (after Knuth, volume 3).
params: {n: 61}
buffers: {v: {type: float, count: n, access: both}}
sequence: [{launch: exchange, repeat: n, arguments: {phase: step % 2}}]
threads: ceil(n / 2)
checks: n - 1
*/
__global__ void exchange(float *v, int n, int phase)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + phase;
    if (i + 1 < n && v[i] > v[i + 1]) { float t = v[i]; v[i] = v[i + 1]; v[i + 1] = t; }
}
__device__ bool check(size_t i, const float *v) { return v[i] <= v[i + 1]; }
