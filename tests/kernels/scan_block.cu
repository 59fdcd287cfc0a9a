/*
about: The exclusive scan of one block, up and down a tree (after GPU Gems 3, chapter 39, after Blelloch).
params: {n: {kind: constant, default: 256}}
buffers: {g_idata: {type: int, count: n, access: read}, g_odata: {type: int, count: n, access: write}}
block: n / 2
grid: 1
shared: 4 * n
*/
__global__ void prescan(int *g_odata, const int *g_idata)
{
    extern __shared__ int temp[];
    int t = threadIdx.x, offset = 1;
    temp[2 * t] = g_idata[2 * t], temp[2 * t + 1] = g_idata[2 * t + 1];
    for (int d = n >> 1; d > 0; d >>= 1, offset *= 2) {
        __syncthreads();
        if (t < d) temp[offset * (2 * t + 2) - 1] += temp[offset * (2 * t + 1) - 1];
    }
    if (t == 0) temp[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t >= d) continue;
        int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1, x = temp[a];
        temp[a] = temp[b], temp[b] += x;
    }
    __syncthreads();
    g_odata[2 * t] = temp[2 * t], g_odata[2 * t + 1] = temp[2 * t + 1];
}
__device__ bool check(size_t i, const int *g_idata, const int *g_odata)
{
    int sum = 0;
    for (size_t k = 0; k < i; k++) sum += g_idata[k];
    return g_odata[i] == sum;
}
