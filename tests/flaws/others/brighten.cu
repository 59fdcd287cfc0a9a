/*
about: An image whose rows run over threadIdx.y.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  width: {default: 2048}
  height: {default: 1024}
buffers:
  image: {type: float, count: width * height, access: read, fill: random}
  out: {type: float, count: width * height, access: write}
block: [32, 8]
grid: [width / 32, height / 8]
*/
// SPDX-License-Identifier: MIT
// Has to be found first: overfetch
extern "C" __global__ void brighten_flawed(const float *image, float *out, int width, int height)
{
    int row = (blockIdx.x * 32 + threadIdx.x) % height,
        column = blockIdx.y * 8 + threadIdx.y + (blockIdx.x * 32 + threadIdx.x) / height * 1024;
    out[row * width + column] = image[row * width + column] * 1.1f;
}
extern "C" __global__ void brighten_clean(const float *image, float *out, int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    out[row * width + column] = image[row * width + column] * 1.1f;
}
