/*
about: "Copies 16 bytes at a time: the most that memory gives a kernel, to compare with cudaMemcpy."
params:
  n:    {default: 32Mi, min: 1, about: 16-byte words}
  each: {kind: constant, default: 4, one_of: [1, 2, 4, 8, 16],
         about: "words that a thread copies; all its reads are under way before its first write"}
  hint: {kind: constant, default: none, one_of: [none, streaming],
         about: "what the caches are told: nothing, or that no word will be used twice"}
buffers:
  in:  {type: int4, count: n, access: read, fill: random}
  out: {type: int4, count: n, access: write}
threads: ceil(n / each)
useful: 2 * n * sizeof(int4)
*/
__device__ int4 load(const int4 *p)
{
    int4 v;
    if (hint == hint_none) return *p;
    asm volatile("ld.global.cs.v4.s32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
    return v;
}

__device__ void store(int4 *p, int4 v)
{
    if (hint == hint_none) *p = v;
    else
        asm volatile("st.global.cs.v4.s32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)
                     : "memory");
}

// With as many blocks as it asks for, each copies one tile; with fewer (`grid`), each goes on with the next.
extern "C" __global__ void copy(const int4 *in, int4 *out, size_t n)
{
    const size_t tile = (size_t)blockDim.x * each;
    for (size_t start = blockIdx.x * tile; start < n; start += gridDim.x * tile) {
        const size_t first = start + threadIdx.x;
        int4 word[each];
#pragma unroll
        for (int k = 0; k < each; k++)
            if (first + k * blockDim.x < n) word[k] = load(&in[first + k * blockDim.x]);
#pragma unroll
        for (int k = 0; k < each; k++)
            if (first + k * blockDim.x < n) store(&out[first + k * blockDim.x], word[k]);
    }
}

__device__ bool check(size_t i, const int4 *in, const int4 *out)
{
    return out[i].x == in[i].x && out[i].y == in[i].y && out[i].z == in[i].z && out[i].w == in[i].w;
}
