/*
about: The two halves of one buffer, added in place; the third argument begins inside it too (aliases and offsets).
params: {n: 600, skip: 8}
buffers: {data: {type: float4, count: n, access: both}}
arguments: {lower: data, upper: data + n / 2, edge: data + (n - skip)}
threads: n / 2
*/
__global__ void fold(float4 *lower, const float4 *upper, const float4 *__restrict__ edge, uint n)
{
    uint i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) lower[i] = make_float4(lower[i].x + upper[i].x, lower[i].y, upper[i].z, edge[i % 8].w);
}
__device__ bool check(size_t i, const float4 *data, const float4 *data_before, size_t n)
{
    const float4 a = data_before[i], b = data_before[(i + n / 2) % n], got = data[i];
    if (i >= n / 2) return got.x == a.x && got.w == a.w;
    return got.x == a.x + b.x && got.y == a.y && got.z == b.z && got.w == data_before[n - 8 + i % 8].w;
}
