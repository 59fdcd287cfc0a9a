/*
about: textures of three dimensions, of planes in layers, and cubes
params: {n: 2048, T: {kind: type, default: float}, how: {kind: constant, default: 0, about: which of the reads below}}
buffers:
  in:  {type: T, count: [8, 8, 6], access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
*/
__device__ float one(float4 v) { return v.x + 3 * v.y + 5 * v.z + 7 * v.w; }
__device__ float swapped(float2 v) { return v.y + 3 * v.x; }
#define READ(number, value) \
    if constexpr (how == number) return value;
template <int how> __device__ float read(cudaTextureObject_t in, int i, int n)
{
    READ(0, tex3D<float>(in, i % 18 * 0.9f - 1, i / 18 % 9 * 1.1f, i / 162 * 0.7f))
    READ(1, tex2DLayered<float>(in, i % 18 * 0.9f, i / 18 % 9 * 1.1f, i / 162))
    READ(2, texCubemap<float>(in, i % 18 - 9.3f, i / 18 % 9 - 4.2f, i / 162 - 3.1f))
}
extern "C" __global__ void texture_boxes(cudaTextureObject_t in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = read<how>(in, i, n);
}
