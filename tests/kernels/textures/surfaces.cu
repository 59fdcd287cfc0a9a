/*
about: surfaces of one to three dimensions, and in layers, that are read and written by bytes
params: {n: 2048, T: {kind: type, default: float}, how: {kind: constant, default: 0, about: which of those below}}
buffers:
  in:  {type: T, count: [16, 16, 8], access: read, fill: random}
  out: {type: T, count: [16, 16, 8], access: both, fill: 0}
threads: n
*/
#define MOVE(number, from, to) \
    if constexpr (how == number) { \
        T v = from; \
        to; \
    }
template <int how> __device__ void move(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int i)
{
    int x = i % 16 * sizeof(T), y = i / 16 % 16, z = i / 256;
    MOVE(0, surf3Dread<T>(in, x, y, z), surf3Dwrite(v, out, x, y, 7 - z))
    MOVE(1, surf2DLayeredread<T>(in, x, 15 - y, z), surf2DLayeredwrite(v, out, x, y, z))
    MOVE(2, surf3Dread<T>(in, x + 8, y - 1, z, cudaBoundaryModeZero), surf3Dwrite(v, out, x, y, z))
    MOVE(3, surf3Dread<T>(in, x + 8, y - 1, z, cudaBoundaryModeClamp),
        surf3Dwrite(v, out, x - 8, y + 1, z, cudaBoundaryModeZero))
    MOVE(4, surf2Dread<T>(in, x, y), surf2Dwrite(v, out, x, 15 - y))
}
extern "C" __global__ void surfaces(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) move<how>(in, out, i);
}
