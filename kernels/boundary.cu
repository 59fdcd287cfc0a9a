/*
about: "A guarded image kernel, as it is or counting those of its own warps that diverge at the guard: some lanes are
    inside the image, some outside."
params:
  width:  {default: 1000, min: 1, about: columns}
  height: {default: 1, min: 1, about: rows}
  variant: {default: counted, one_of: [counted, plain], about: "counted: the warps count themselves; plain: not"}
buffers:
  in:  {type: float, count: width * height, access: read, fill: random}
  out: {type: float, count: width * height, access: write}
reports:
  warps:  {type: unsigned, about: "warps of the launch, as they counted themselves"}
  parted: {type: unsigned, about: "those of them that diverged at the guard"}
threads: [width, height]
useful: 2 * width * height * sizeof(float)
*/
__device__ unsigned arrived, crossed; // of this launch: warps so far, and those of them that diverged

// The last warp of all writes down what was counted; both numbers are 0 again then, for the next launch.
__device__ void count(bool diverges, unsigned *warps, unsigned *parted)
{
    const unsigned of_block = (blockDim.x * blockDim.y + 31) / 32, all = gridDim.x * gridDim.y * of_block;
    if (diverges) atomicAdd(&crossed, 1);
    __threadfence();
    if (atomicInc(&arrived, all - 1) != all - 1) return;
    *warps = all;
    *parted = atomicExch(&crossed, 0);
}

extern "C" __global__ void boundary_counted(const float *in, float *out, size_t width, size_t height, unsigned *warps,
    unsigned *parted)
{
    const size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x, y = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    const bool inside = x < width && y < height;
    const unsigned in_it = __popc(__ballot_sync(0xffffffff, inside)); // lanes of this warp inside the image
    if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0) count(in_it > 0 && in_it < 32, warps, parted);
    if (inside) out[y * width + x] = 2 * in[y * width + x];
}

extern "C" __global__ void boundary_plain(const float *in, float *out, size_t width, size_t height)
{
    const size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x, y = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = 2 * in[y * width + x];
}

__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == 2 * in[i]; }
