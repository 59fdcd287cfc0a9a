/*
about: A sum over seven neighbours through shared memory with a halo (after "An Introduction to GPU Computing and
    CUDA").
params: {n: 1000, RADIUS: {kind: constant, default: 3}}
buffers: {data: {type: int, count: n + 2 * RADIUS, access: read}, out: {type: int, count: n, access: write}}
arguments: {in: data + RADIUS}
threads: n
block: 128
*/
#define RADIUS 5
#define BLOCK_SIZE 128
__global__ void stencil_1d(const int *in, int *out, int n)
{
    __shared__ int temp[BLOCK_SIZE + 2 * RADIUS];
    int g = threadIdx.x + blockIdx.x * blockDim.x, l = threadIdx.x + RADIUS,
        m = min(n - (int)(blockIdx.x * blockDim.x), BLOCK_SIZE);
    if (g < n) temp[l] = in[g];
    if (threadIdx.x < RADIUS) temp[l - RADIUS] = in[g - RADIUS], temp[l + m] = in[g + m];
    __syncthreads();
    int result = 0;
    for (int offset = -RADIUS; offset <= RADIUS; offset++) result += temp[l + offset];
    if (g < n) out[g] = result;
}
__device__ bool check(size_t i, const int *data, const int *out)
{
    int sum = 0;
    for (int k = 0; k <= 2 * RADIUS; k++) sum += data[i + k];
    return out[i] == sum;
}
