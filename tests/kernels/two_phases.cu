/*
about: Two phases with a barrier of all blocks between them, made by hand.
params: {n: 2Ki}
buffers:
  in:   {type: int, count: n, access: read, fill: index}
  mid:  {type: int, count: n, access: both, fill: 0}
  out:  {type: int, count: n, access: write}
  gate: {type: unsigned, count: 1, access: both, fill: 0}
threads: n
*/
__global__ void two_phases(const int *in, int *mid, int *out, unsigned *gate, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    mid[i] = in[i] + 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(gate, 1u);
        while (*(volatile unsigned *)gate < gridDim.x) {}
        __threadfence();
    }
    __syncthreads();
    out[i] = mid[n - 1 - i];
}
__device__ bool check(size_t i, const int *in, const int *out, int n) { return out[i] == in[n - 1 - i] + 1; }
