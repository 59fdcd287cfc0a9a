/*
about: A small filter, read from a file, over an image of four bytes a pixel (after the boxFilter sample).
params: {w: 33, h: 20, size: {kind: constant, default: 3}}
buffers:
  image:  {type: uchar4, count: [w, h], access: read, fill: "make_uchar4(i % 251, i % 13, 7, 255)"}
  weight: {type: float, count: size * size, access: read, fill: {file: filter_from_file.csv}}
  out:    {type: uchar4, count: [w, h], access: write}
threads: [w, h]
block: [16, 4]
*/
__global__ void filter(const uchar4 *image, const float *weight, uchar4 *out, ushort w, ushort h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float3 sum = {};
    for (int k = 0; k < size * size; k++) {
        uchar4 p = image[min(max(y + k / size - size / 2, 0), h - 1) * w + min(max(x + k % size - size / 2, 0), w - 1)];
        sum.x += weight[k] * p.x, sum.y += weight[k] * p.y, sum.z += weight[k] * p.z;
    }
    out[y * w + x] = make_uchar4(sum.x + 0.5f, sum.y + 0.5f, sum.z + 0.5f, image[y * w + x].w);
}
// The weights are 1/16 of 1 2 1, 2 4 2, 1 2 1.
__device__ bool check(size_t i, const uchar4 *image, const uchar4 *out, size_t w, size_t h)
{
    size_t x = i % w, y = i / w;
    if (!x || !y || x == w - 1 || y == h - 1) return out[i].z == 7 && out[i].w == 255;
    int v = 4 * image[i].x + 2 * (image[i - 1].x + image[i + 1].x + image[i - w].x + image[i + w].x) +
            image[i - w - 1].x +
        image[i - w + 1].x + image[i + w - 1].x + image[i + w + 1].x;
    return out[i].x == (v + 8) / 16 && out[i].z == 7 && out[i].w == 255;
}
