/*
about: "Each warp reads shared memory `stride` elements apart, again and again: which lanes meet in one bank?"
params:
  stride: {default: 1, min: 0, max: 64, about: "distance between the reads of neighbouring lanes, in elements"}
  turns:  {kind: constant, default: 256, min: 1, about: reads of a thread}
  blocks: {default: 1056, min: 1, about: blocks}
  T:      {kind: type, default: float, one_of: [float, double, float4],
           about: "element type: words of 4, 8 or 16 bytes"}
buffers:
  out: {type: float, count: blocks * 128, access: write}
reports:
  cycles: {type: double, unit: cycles,
           about: "cycles a read of the first block's first warp, with the other warps of its SM beside it"}
threads: blocks * 128
block: 128
useful: blocks * 128 * turns * sizeof(T)
*/
enum { size = 2048 }; // elements of shared memory: a multiple of the banks, so that going round keeps the pattern

__device__ float first(float v) { return v; }
__device__ float first(double v) { return (float)v; }
__device__ float first(float4 v) { return v.x + v.y + v.z + v.w; } // all four, or the compiler reads one

__device__ float seed(int i) { return i % 251; }
__device__ void put(float *at, float v) { *at = v; }
__device__ void put(double *at, float v) { *at = v; }
__device__ void put(float4 *at, float v) { *at = make_float4(v, 0, 0, 0); }

extern "C" __global__ void banks(float *out, size_t stride, double *cycles)
{
    __shared__ T word[size];
    for (int i = threadIdx.x; i < size; i += 128) put(&word[i], seed(i));
    __syncthreads();

    const unsigned from = threadIdx.x % 32 * stride;
    float sum = 0;
    const long long start = clock64();
#pragma unroll 16
    for (int k = 0; k < turns; k++) sum += first(word[(from + k) % size]); // every lane one on: the same pattern
    const long long stop = clock64();
    out[blockIdx.x * 128 + threadIdx.x] = sum;
    if (blockIdx.x == 0 && threadIdx.x == 0) *cycles = (double)(stop - start) / turns;
}

__device__ bool check(size_t i, const float *out, size_t stride)
{
    float sum = 0;
    for (int k = 0; k < turns; k++) sum += seed((i % 32 * stride + k) % size);
    return out[i] == sum;
}
