/*
about: Neighbouring threads read `stride` elements apart and write side by side.
params:
  n:      {kind: constant, default: 64Mi, min: 1, about: "elements of each buffer, and threads"}
  stride: {default: 1, min: 1, about: "distance between the reads of neighbouring threads, in elements"}
  offset: {default: 0, min: 0, about: "elements that every read is moved up by; 1 takes it off the 32-byte boundary"}
  order:  {kind: constant, default: forward, one_of: [forward, reverse, random],
           about: "in which order the threads take the places: up, down, or scattered by a hash"}
  T:      {kind: type, default: float, one_of: [char, short, int, float, double, float2, float4, int4],
           about: element type}
buffers:
  in:  {type: T, count: n, access: read, fill: random}
  out: {type: T, count: n, access: write}
threads: n
useful: 2 * n * sizeof(T)
*/

// A hash: neighbours land far apart, and always at the same place.
__device__ size_t scatter(size_t i)
{
    i = (i ^ (i >> 31)) * 0x9e3779b97f4a7c15;
    return i ^ (i >> 29);
}

// Where thread i reads. The remainder keeps the read inside `in`; as the compiler knows `n`, it is no division but a
// mask, or for an n that is no power of two a multiplication.
__device__ size_t place(size_t i, size_t stride, size_t offset)
{
    if (order == order_reverse) i = n - 1 - i;
    if (order == order_random) i = scatter(i);
    return (i * stride + offset) % n;
}

extern "C" __global__ void stride(const T *in, T *out, size_t stride, size_t offset)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[place(i, stride, offset)];
}

// Equal to the last bit, for element types that have no == too.
__device__ bool same(const T &a, const T &b)
{
    const unsigned char *x = (const unsigned char *)&a, *y = (const unsigned char *)&b;
    for (int k = 0; k < sizeof(T); k++)
        if (x[k] != y[k]) return false;
    return true;
}

__device__ bool check(size_t i, const T *in, const T *out, size_t stride, size_t offset)
{
    size_t turn = order == order_forward ? i : order == order_reverse ? n - 1 - i : scatter(i);
    return same(out[i], in[(turn * stride + offset) % n]);
}
