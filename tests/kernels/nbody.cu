/*
about: The pull of all bodies on each (after GPU Gems 3, chapter 31).
params: {n: 64, eps: 0.01}
buffers: {pos: {type: float4, count: n, access: read}, acc: {type: float3, count: n, access: write}}
threads: n
block: 32
*/
__device__ float3 bodyBodyInteraction(float4 bi, float4 bj, float3 ai, float eps)
{
    float3 r = make_float3(bj.x - bi.x, bj.y - bi.y, bj.z - bi.z);
    float d = r.x * r.x + r.y * r.y + r.z * r.z + eps, s = bj.w / sqrtf(d * d * d);
    return make_float3(ai.x + r.x * s, ai.y + r.y * s, ai.z + r.z * s);
}
__global__ void forces(const float4 *pos, float3 *acc, int n, float eps)
{
    __shared__ float4 tile[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 mine = i < n ? pos[i] : make_float4(0, 0, 0, 0);
    float3 a = {0, 0, 0};
    for (int t = 0; t < n; t += blockDim.x) {
        tile[threadIdx.x] = pos[t + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < blockDim.x; j++) a = bodyBodyInteraction(mine, tile[j], a, eps);
        __syncthreads();
    }
    if (i < n) acc[i] = a;
}
__device__ bool check(size_t i, const float4 *pos, const float3 *acc, int n, float eps)
{
    float3 a = {0, 0, 0};
    for (int j = 0; j < n; j++) a = bodyBodyInteraction(pos[i], pos[j], a, eps);
    return fabsf(a.x - acc[i].x) <= 1e-3f * (1 + fabsf(a.x)) && fabsf(a.y - acc[i].y) <= 1e-3f * (1 + fabsf(a.y));
}
