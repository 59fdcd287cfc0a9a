/*
about: "A guarded image kernel counts those of its own warps that diverge at the guard: some lanes are inside the
    image, some outside."
params:
  width:  {default: 1000, min: 1, about: columns}
  height: {default: 1, min: 1, about: rows}
buffers:
  in:  {type: float, count: width * height, access: read, fill: random}
  out: {type: float, count: width * height, access: write}
reports:
  warps:  {type: unsigned, about: "warps of all launches so far, counted by themselves"}
  parted: {type: unsigned, about: "those that diverged at the guard"}
threads: [width, height]
useful: 2 * width * height * sizeof(float)
*/
extern "C" __global__ void boundary(const float *in, float *out, size_t width, size_t height, unsigned *warps,
    unsigned *parted)
{
    const size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x, y = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    const bool inside = x < width && y < height;
    const unsigned in_it = __popc(__ballot_sync(0xffffffff, inside)); // lanes of this warp inside the image
    if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0) {
        atomicAdd(warps, 1);
        if (in_it > 0 && in_it < 32) atomicAdd(parted, 1);
    }
    if (inside) out[y * width + x] = 2 * in[y * width + x];
}

__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == 2 * in[i]; }
