/*
about: A maximum under a lock that the threads of a warp take one after the other.
params: {n: 512}
buffers:
  in:   {type: int, count: n, access: read, fill: random}
  lock: {type: int, count: 1, access: both, fill: 0}
  best: {type: int, count: 1, access: both, fill: 0}
threads: n
*/
__global__ void under_lock(const int *in, int *lock, int *best, int n)
{
    const int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    volatile int *b = best;
    if (*b < v) *b = v;
    __threadfence();
    atomicExch(lock, 0);
}
__device__ bool check(size_t i, const int *in, const int *best, int n)
{
    int most = 0;
    for (int k = 0; k < n; k++) most = in[k] > most ? in[k] : most;
    return best[0] == most;
}
