/*
about: "Copies two vectors at once, there and back: even blocks the one, odd blocks the other."
params:
  n: {default: 4Mi, min: 1, about: 16-byte words each way}
buffers:
  here:  {type: int4, count: n, access: read, fill: random}
  there: {type: int4, count: n, access: write}
  far:   {type: int4, count: n, access: read, fill: random}
  near:  {type: int4, count: n, access: write}
grid: 2 * ceil(n / 1024)
block: 256
useful: 4 * n * sizeof(int4)
checks: n
*/
extern "C" __global__ void exchange(const int4 *here, int4 *there, const int4 *far, int4 *near, size_t n)
{
    const int4 *from = blockIdx.x % 2 ? far : here;
    int4 *to = blockIdx.x % 2 ? near : there;
    const size_t first = (size_t)(blockIdx.x / 2) * 1024 + threadIdx.x;
    int4 word[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (first + k * 256 < n) word[k] = from[first + k * 256];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (first + k * 256 < n) to[first + k * 256] = word[k];
}

__device__ bool equal(int4 a, int4 b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; }

__device__ bool check(size_t i, const int4 *here, const int4 *there, const int4 *far, const int4 *near)
{
    return equal(there[i], here[i]) && equal(near[i], far[i]);
}
