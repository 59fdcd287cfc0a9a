/*
about: Odd-even transposition sort (after Knuth, volume 3).
params: {n: 61}
buffers: {v: {type: float, count: n, access: both}}
sequence: [{launch: exchange, repeat: n, arguments: {phase: step % 2}}]
threads: ceil(n / 2)
checks: n
*/
__global__ void exchange(float *v, int n, int phase)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + phase;
    if (i + 1 < n && v[i] > v[i + 1]) { float t = v[i]; v[i] = v[i + 1]; v[i + 1] = t; }
}
// As many as were less come before it.
__device__ bool check(size_t i, const float *v, const float *v_before, int n)
{
    int less = 0, equal = 0;
    for (int k = 0; k < n; k++) less += v_before[k] < v[i], equal += v_before[k] == v[i];
    return less <= (int)i && (int)i < less + equal;
}
