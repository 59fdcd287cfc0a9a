/*
about: textures of two dimensions, or of lines in layers
params: {n: 2048, T: {kind: type, default: float}, how: {kind: constant, default: 0, about: which of the reads below}}
buffers:
  in:  {type: T, count: [64, 32], access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
*/
__device__ float one(float4 v) { return v.x + 3 * v.y + 5 * v.z + 7 * v.w; }
__device__ float swapped(float2 v) { return v.y + 3 * v.x; }
#define READ(number, value) \
    if constexpr (how == number) return value;
template <int how> __device__ float read(cudaTextureObject_t in, int i, int n)
{
    READ(0, tex2D<float>(in, i % 80 * 0.9f - 2, i / 80 * 1.1f - 1))
    READ(1, tex2DLod<float>(in, i % 80 * 0.9f - 2, i / 80 * 1.1f - 1, 0.f))
    READ(2, tex1DLayered<float>(in, i % 80 * 0.9f, i / 80 % 9))
    READ(3, one(tex2D<float4>(in, i % 80 * 0.9f - 2, i / 80 * 1.1f - 1)))
    READ(4, swapped(tex2D<float2>(in, i % 80 * 0.9f - 2, i / 80 * 1.1f - 1)))
    READ(5,
        tex2D<float4>(in, i % 80 * 0.9f - 2, i / 80 * 1.1f - 1).y +
            3 * tex2D<float4>(in, i % 80 * 0.9f - 2, i / 80 * 1.1f - 1).w)
    READ(6, one(tex2Dgather<float4>(in, i % 80 * 0.9f - 2, i / 80 * 1.1f - 1, 2)))
    READ(7, tex2DGrad<float>(in, i % 80 * 0.9f - 2, i / 80 * 1.1f - 1, make_float2(1, 0), make_float2(0, 2)))
}
extern "C" __global__ void texture_planes(cudaTextureObject_t in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = read<how>(in, i, n);
}
