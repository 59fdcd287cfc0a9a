/*
about: "Copies 16 bytes at a time: the most that memory gives a kernel, to hold beside cudaMemcpy."
params:
  n:    {default: 32Mi, min: 1, about: 16-byte words}
  each: {kind: constant, default: 4, one_of: [1, 2, 4, 8], about: "words that a thread copies; all its reads are under way before its first write"}
buffers:
  in:  {type: int4, count: n, access: read, fill: random}
  out: {type: int4, count: n, access: write}
threads: ceil(n / each)
useful: 2 * n * sizeof(int4)
*/
extern "C" __global__ void copy(const int4 *in, int4 *out, size_t n)
{
    const size_t first = (size_t)blockIdx.x * blockDim.x * each + threadIdx.x;
    int4 word[each];
    for (int k = 0; k < each; k++)
        if (first + k * blockDim.x < n) word[k] = in[first + k * blockDim.x];
    for (int k = 0; k < each; k++)
        if (first + k * blockDim.x < n) out[first + k * blockDim.x] = word[k];
}

__device__ bool check(size_t i, const int4 *in, const int4 *out)
{
    return out[i].x == in[i].x && out[i].y == in[i].y && out[i].z == in[i].z && out[i].w == in[i].w;
}
