/*
about: textures of one dimension
params: {n: 2048, T: {kind: type, default: float}, how: {kind: constant, default: 0, about: which of the reads below}}
buffers:
  in:  {type: T, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
*/
__device__ float one(float4 v) { return v.x + 3 * v.y + 5 * v.z + 7 * v.w; }
__device__ float swapped(float2 v) { return v.y + 3 * v.x; }
#define READ(number, value) \
    if constexpr (how == number) return value;
template <int how> __device__ float read(cudaTextureObject_t in, int i, int n)
{
    READ(0, tex1D<float>(in, i * 0.37f - 3))
    READ(1, tex1Dfetch<int>(in, i * 7 % n))
    READ(2, tex1Dfetch<uchar4>(in, i * 7 % n).y)
}
extern "C" __global__ void texture_lines(cudaTextureObject_t in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = read<how>(in, i, n);
}
