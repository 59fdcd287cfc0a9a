/*
about: elements of every kind through textures
params: {n: 100, T: {kind: type, default: uchar4}}
buffers:
  tex: {type: T, count: n, access: read}
  out: {type: T, count: n, access: write}
threads: n
*/
__global__ void pick(T *out, cudaTextureObject_t tex, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < n) out[x] = tex1Dfetch<T>(tex, x);
}
__device__ bool check(size_t i, const T *tex, const T *out)
{
    for (int k = 0; k < sizeof(T); k++) if (((const char *)&tex[i])[k] != ((const char *)&out[i])[k]) return false;
    return true;
}
