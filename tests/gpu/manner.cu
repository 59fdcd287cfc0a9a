/*
about: How a launch is made. Blocks wait for all others, once through a counter (cooperative); a block reads its
    neighbour's shared memory in clusters of two.
params:
  n:       {default: 64Ki, min: 256, about: elements}
  variant: {kind: variant, one_of: [plain, together, pairs], default: plain}
buffers:
  in:      {type: int, count: n, access: read}
  out:     {type: int, count: n, access: write}
  arrived: {type: unsigned int, count: 1, access: both, fill: 0}
block: 256
grid: n / 256
checks: n
*/
__global__ void plain(const int *in, int *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

// Only where all blocks run at once does the waiting end.
__global__ void together(const int *in, int *out, unsigned int *arrived, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1u);
        while (*(volatile unsigned int *)arrived < gridDim.x) {}
    }
}

__global__ void pairs(const int *in, int *out, size_t n)
{
#if __CUDA_ARCH__ >= 900
    __shared__ int mine[256];
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned address, other, value, rank;
    mine[threadIdx.x] = in[i];
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("barrier.cluster.arrive;\n barrier.cluster.wait;" : : : "memory");
    address = (unsigned)__cvta_generic_to_shared(&mine[threadIdx.x]);
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(address), "r"(rank ^ 1));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(other) : "memory");
    out[i ^ 256] = (int)value;
    asm volatile("barrier.cluster.arrive;\n barrier.cluster.wait;" : : : "memory");
#endif
}

__device__ bool check(size_t i, const int *in, const int *out) { return out[i] == in[i]; }
