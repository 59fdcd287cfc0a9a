/*
about: Sums of pixels by their class, all four channels in one atomic addition.
params:
  n:       {default: 32768, min: 1, about: pixels}
  classes: {default: 64, min: 1, about: classes}
buffers:
  pixels: {type: float4, count: n, access: read, fill: "float4{(float)(i % 5), (float)(i % 3), 1.0f, (float)(i % 2)}"}
  kind:   {type: int, count: n, access: read, fill: {random: [0, 63]}}
  sums:   {type: float4, count: classes, access: both, fill: 0}
threads: n
*/
extern "C" __global__ void colour_sums(const float4 *pixels, const int *kind, float4 *sums, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sums[kind[i]], pixels[i]);
}

__device__ bool check(size_t i, const float4 *pixels, const int *kind, const float4 *sums, int n)
{
    float4 want = {0, 0, 0, 0};
    for (int p = 0; p < n; p++)
        if (kind[p] == (int)i)
            want.x += pixels[p].x, want.y += pixels[p].y, want.z += pixels[p].z, want.w += pixels[p].w;
    return sums[i].x == want.x && sums[i].y == want.y && sums[i].z == want.z && sums[i].w == want.w;
}
