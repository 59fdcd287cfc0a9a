/*
about: "Copies 16 bytes at a time, or 4: the most that memory gives a kernel, to compare with cudaMemcpy."
params:
  n:    {default: 32Mi, min: 1, about: words}
  T:    {kind: type, default: int4, one_of: [int, int4], about: "a word: 4 bytes or 16"}
  each: {kind: constant, default: 4, one_of: [1, 2, 4, 8, 16],
         about: "words that a thread copies; all its reads are under way before its first write"}
  hint: {kind: constant, default: none, one_of: [none, streaming],
         about: "what the caches are told: nothing, or that no word will be used twice"}
buffers:
  in:  {type: T, count: n, access: read, fill: random}
  out: {type: T, count: n, access: write}
threads: ceil(n / each)
useful: 2 * n * sizeof(T)
*/
__device__ T load(const T *p) { return hint == hint_none ? *p : __ldcs(p); }

__device__ void store(T *p, T v)
{
    if (hint == hint_none) *p = v;
    else __stcs(p, v);
}

// With as many blocks as it asks for, each copies one tile; with fewer (`grid`), each goes on with the next.
extern "C" __global__ void copy(const T *in, T *out, size_t n)
{
    const size_t tile = (size_t)blockDim.x * each;
    for (size_t start = blockIdx.x * tile; start < n; start += gridDim.x * tile) {
        const size_t first = start + threadIdx.x;
        T word[each];
#pragma unroll
        for (int k = 0; k < each; k++)
            if (first + k * blockDim.x < n) word[k] = load(&in[first + k * blockDim.x]);
#pragma unroll
        for (int k = 0; k < each; k++)
            if (first + k * blockDim.x < n) store(&out[first + k * blockDim.x], word[k]);
    }
}

__device__ bool same(int a, int b) { return a == b; }
__device__ bool same(int4 a, int4 b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; }

__device__ bool check(size_t i, const T *in, const T *out) { return same(out[i], in[i]); }
