/*
about: "Every warp reads a picture of 64 KiB, again and again, by one of the paths for data that nobody writes."
params:
  n:       {default: 1Mi, min: 1, about: threads}
  moves:   {kind: constant, default: 4, min: 1, max: 16, about: "places in turn around which a thread reads 3 x 3"}
  pattern:
    kind: constant
    default: same
    one_of: [same, apart, neighbours, box]
    about: >
      what a warp reads at once: same one place, every warp the same; apart one place, every warp another; neighbours
      32 places of a row; box 8 x 4 places
  variant:
    default: plain
    one_of: [plain, restrict, ldg, constant, texture]
    about: >
      plain a pointer; restrict a pointer to what only it points to; ldg by __ldg; constant and texture as
      `memory.picture` says
buffers:
  picture: {type: float, count: [128, 128], access: read, fill: random}
  out:     {type: float, count: n, access: write}
threads: n
useful: n * moves * 9 * sizeof(float)
*/
__constant__ float picture_constant[128 * 128];

struct spot {
    unsigned x, y;
};

// Around which place lane i % 32 of warp i / 32 reads in its turn k.
__device__ spot around(unsigned i, unsigned k)
{
    const unsigned warp = i / 32, lane = i % 32;
    if (pattern == pattern_same) return {0, k * 4};
    if (pattern == pattern_apart) return {warp % 64, (warp / 64 + k * 4) % 64};
    if (pattern == pattern_neighbours) return {lane, (warp + k * 4) % 64};
    return {warp * 8 % 64 + lane % 8, (warp / 8 + k) * 4 % 64 + lane / 8};
}

// The ways differ in `read` and in nothing else. Nine reads share the arithmetic for their place.
template <class reader> __device__ float sum(unsigned i, reader read)
{
    const unsigned apart = pattern == pattern_neighbours ? 32 : 1;
    float all = 0;
#pragma unroll 1
    for (unsigned k = 0; k < moves; k++) {
        const spot at = around(i, k);
#pragma unroll
        for (unsigned p = 0; p < 9; p++) all += read(at.x + p % 3 * apart, at.y + p / 3);
    }
    return all;
}

extern "C" __global__ void readonly_plain(const float *picture, float *out, size_t n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = sum(i, [=](unsigned x, unsigned y) { return picture[y * 128 + x]; });
}

extern "C" __global__ void readonly_restrict(const float *__restrict__ picture, float *__restrict__ out, size_t n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = sum(i, [=](unsigned x, unsigned y) { return picture[y * 128 + x]; });
}

extern "C" __global__ void readonly_ldg(const float *picture, float *out, size_t n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = sum(i, [=](unsigned x, unsigned y) { return __ldg(&picture[y * 128 + x]); });
}

extern "C" __global__ void readonly_constant(float *out, size_t n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = sum(i, [=](unsigned x, unsigned y) { return picture_constant[y * 128 + x]; });
}

extern "C" __global__ void readonly_texture(cudaTextureObject_t picture, float *out, size_t n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = sum(i, [=](unsigned x, unsigned y) { return tex2D<float>(picture, x + 0.5f, y + 0.5f); });
}

__device__ bool check(size_t i, const float *picture, const float *out)
{
    return out[i] == sum(i, [=](unsigned x, unsigned y) { return picture[y * 128 + x]; });
}
