/*
about: Edges of an image (after the SobelFilter sample).
params: {w: 37, h: 21}
buffers:
  img: {type: unsigned char, count: w * h, access: read, fill: "(unsigned char)(i % w < 10 ? 0 : 100)"}
  out: {type: unsigned char, count: w * h, access: write}
threads: [w, h]
block: [16, 4]
*/
__device__ int at(const unsigned char *img, int x, int y, int w, int h)
{
    return img[min(max(y, 0), h - 1) * w + min(max(x, 0), w - 1)];
}
__global__ void sobel(const unsigned char *img, unsigned char *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, gx = 0, gy = 0;
    if (x >= w || y >= h) return;
    for (int k = -1; k <= 1; k++) {
        int weight = k ? 1 : 2;
        gx += weight * (at(img, x + 1, y + k, w, h) - at(img, x - 1, y + k, w, h));
        gy += weight * (at(img, x + k, y + 1, w, h) - at(img, x + k, y - 1, w, h));
    }
    out[y * w + x] = (unsigned char)min(abs(gx) + abs(gy), 255);
}
__device__ bool check(size_t i, const unsigned char *out, int w)
{
    int x = i % w;
    return out[i] == (x == 9 || x == 10 ? 255 : 0);
}
