/*
about: A histogram counted in shared memory first (after the histogram256 sample).
params: {n: 5000}
buffers:
  data: {type: unsigned char, count: n, access: read, fill: {random: [0, 255]}}
  bins: {type: unsigned int, count: 256, access: both, fill: 0}
threads: ceil(n / 4)
*/
__global__ void histogram(const unsigned char *data, uint *bins, uint n)
{
    __shared__ uint own[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) own[i] = 0;
    __syncthreads();
    for (uint i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&own[data[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], own[i]);
}
__device__ bool check(size_t i, const unsigned char *data, const uint *bins, int n)
{
    uint count = 0;
    for (int k = 0; k < n; k++) count += data[k] == i;
    return bins[i] == count;
}
