/*
about: A maximum in two launches (after the reduction sample).
params: {n: 3000}
buffers:
  in: {type: float, count: n, access: read}
  part: {type: float, count: 8, access: write}
  max: {type: float, count: 1, access: write}
sequence:
  - {launch: largest, grid: 8, arguments: {g_idata: in, g_odata: part}}
  - {launch: largest, grid: 1, block: 32, arguments: {g_idata: part, g_odata: max, n: 8}}
block: 64
checks: 1
*/
__global__ void largest(const float *g_idata, float *g_odata, unsigned int n)
{
    __shared__ float sdata[64];
    float m = -INFINITY;
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        m = fmaxf(m, g_idata[i]);
    sdata[threadIdx.x] = m;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) sdata[threadIdx.x] = fmaxf(sdata[threadIdx.x], sdata[threadIdx.x + s]);
        __syncthreads();
    }
    if (threadIdx.x == 0) g_odata[blockIdx.x] = sdata[0];
}
__device__ bool check(size_t i, const float *in, const float *max, int n)
{
    float m = in[0];
    for (int k = 1; k < n; k++) m = m < in[k] ? in[k] : m;
    return max[0] == m;
}
