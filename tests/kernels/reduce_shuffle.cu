/*
about: A sum by warp shuffles (after "Faster Parallel Reductions on Kepler").
params: {N: 3000}
buffers: {in: {type: int, count: N, access: read}, out: {type: int, count: 1, access: both, fill: 0}}
threads: N
*/
__inline__ __device__ int warpReduceSum(int val)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2) val += __shfl_down_sync(0xffffffff, val, offset);
    return val;
}
__global__ void reduce(int *in, int *out, int N)
{
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x) sum += in[i];
    sum = warpReduceSum(sum);
    if ((threadIdx.x & (warpSize - 1)) == 0) atomicAdd(out, sum);
}
__device__ bool check(size_t i, const int *in, const int *out, int N)
{
    int sum = 0;
    for (int k = 0; k < N; k++) sum += in[k];
    return out[0] == sum;
}
