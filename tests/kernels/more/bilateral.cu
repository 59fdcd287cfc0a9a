/*
about: a bilateral filter that reads a picture of bytes through a texture object
params: {w: 200, h: 100, r: {default: 3}, e_d: 0.1}
buffers:
  tex: {type: uchar4, count: [w, h], access: read}
  dOutput: {type: uint, count: [w, h], access: write}
block: [16, 16]
threads: [w, h]
*/
#include <math.h>
typedef unsigned char uchar;

__constant__ float cGaussian[64] = {1.0f, 0.9f, 0.7f, 0.5f, 0.3f, 0.1f};

__device__ float euclideanLen(float4 a, float4 b, float d)
{
    float mod = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y) + (b.z - a.z) * (b.z - a.z);
    return __expf(-mod / (2.f * d * d));
}
__device__ uint rgbaFloatToInt(float4 rgba)
{
    rgba.x = __saturatef(fabs(rgba.x));
    rgba.y = __saturatef(fabs(rgba.y));
    rgba.z = __saturatef(fabs(rgba.z));
    rgba.w = __saturatef(fabs(rgba.w));
    return (uint(rgba.w * 255.0f) << 24) | (uint(rgba.z * 255.0f) << 16) | (uint(rgba.y * 255.0f) << 8) |
        uint(rgba.x * 255.0f);
}
__device__ float4 toFloat(uchar4 v) { return make_float4(v.x / 255.f, v.y / 255.f, v.z / 255.f, v.w / 255.f); }

__global__ void d_bilateral_filter(uint *dOutput, cudaTextureObject_t tex, int w, int h, float e_d, int r)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float sum = 0.0f;
    float4 t = {0.f, 0.f, 0.f, 0.f};
    float4 center = toFloat(tex2D<uchar4>(tex, x + 0.5f, y + 0.5f));
    for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++) {
            float4 curPix = toFloat(tex2D<uchar4>(tex, x + j + 0.5f, y + i + 0.5f));
            float factor = cGaussian[abs(i)] * cGaussian[abs(j)] * euclideanLen(curPix, center, e_d);
            t.x += factor * curPix.x, t.y += factor * curPix.y, t.z += factor * curPix.z, t.w += factor * curPix.w;
            sum += factor;
        }
    dOutput[y * w + x] = rgbaFloatToInt(make_float4(t.x / sum, t.y / sum, t.z / sum, t.w / sum));
}
__device__ bool check(size_t at, const uchar4 *tex, const uint *dOutput, int w, int h, float e_d, int r)
{
    int x = at % w, y = at / w;
    float sum = 0, t[4] = {};
    float4 center = toFloat(tex[at]);
    for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++) {
            int u = min(max(x + j, 0), w - 1), v = min(max(y + i, 0), h - 1);
            float4 c = toFloat(tex[v * w + u]);
            float f = cGaussian[abs(i)] * cGaussian[abs(j)] * euclideanLen(c, center, e_d);
            t[0] += f * c.x, t[1] += f * c.y, t[2] += f * c.z, t[3] += f * c.w, sum += f;
        }
    for (int k = 0; k < 4; k++)
        if (abs((int)(dOutput[at] >> 8 * k & 255) - (int)(t[k] / sum * 255)) > 1) return false;
    return true;
}
