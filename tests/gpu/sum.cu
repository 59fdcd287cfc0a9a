/*
about: Each block adds up its share of a vector in shared memory, and its first thread writes the sum.
params:
  n: {default: 16Mi, min: 1, about: elements}
buffers:
  in:  {type: unsigned, count: n, access: read, fill: random}
  out: {type: unsigned, count: (n + 255) // 256, access: write}
threads: n
useful: (n + (n + 255) // 256) * sizeof("unsigned")
*/
extern "C" __global__ void sum(const unsigned *in, unsigned *out, size_t n)
{
    __shared__ unsigned part[256];
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned step = blockDim.x / 2; step; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__device__ bool check(size_t i, const unsigned *in, const unsigned *out, size_t n)
{
    unsigned want = 0;
    for (size_t k = i * 256; k < (i + 1) * 256 && k < n; k++) want += in[k];
    return out[i] == want;
}
