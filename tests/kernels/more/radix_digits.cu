/*
about: One pass of a radix sort on 4 bits, count, scan, scatter, eight times.
params: {n: 8Ki}
buffers:
  a: {type: unsigned, count: n, access: both, fill: random}
  b: {type: unsigned, count: n, access: both, fill: 0}
  hist: {type: unsigned, count: 16 * (n // 256), access: both, fill: 0}
threads: n
block: 256
sequence:
  - sequence:
      - {launch: count_digits, arguments: {shift: 4 * step}}
      - {launch: scan_digits, grid: 1, block: 32, arguments: {blocks: n // 256}}
      - {launch: scatter, arguments: {shift: 4 * step}}
    repeat: 8
    swap: [a, b]
*/
__global__ void count_digits(const unsigned *a, unsigned *hist, int n, int shift)
{
    __shared__ unsigned h[16];
    if (threadIdx.x < 16) h[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) atomicAdd(&h[a[i] >> shift & 15], 1u);
    __syncthreads();
    if (threadIdx.x < 16) hist[threadIdx.x * gridDim.x + blockIdx.x] = h[threadIdx.x];
}
__global__ void scan_digits(unsigned *hist, int blocks)
{
    unsigned run = 0;
    for (int base = 0; base < 16 * blocks; base += 32) {
        int i = base + threadIdx.x;
        unsigned v = i < 16 * blocks ? hist[i] : 0, x = v;
        for (int d = 1; d < 32; d <<= 1) { unsigned u = __shfl_up_sync(~0u, x, d); if (threadIdx.x >= d) x += u; }
        if (i < 16 * blocks) hist[i] = run + x - v;
        run += __shfl_sync(~0u, x, 31);
    }
}
__global__ void scatter(const unsigned *a, unsigned *b, const unsigned *hist, int n, int shift)
{
    __shared__ unsigned char digit[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    unsigned v = i < n ? a[i] : ~0u, d = v >> shift & 15;
    digit[threadIdx.x] = d;
    __syncthreads();
    unsigned rank = 0;
    for (int k = 0; k < threadIdx.x; k++) rank += digit[k] == d;
    if (i < n) b[hist[d * gridDim.x + blockIdx.x] + rank] = v;
}
// In order, and the first sees whether they are the same numbers.
__device__ bool check(size_t i, const unsigned *a, const unsigned *a_before, int n)
{
    unsigned long long now = 0, then = 0;
    for (int k = 0; i == 0 && k < n; k++)
        now += (unsigned long long)a[k] * a[k], then += (unsigned long long)a_before[k] * a_before[k];
    return i == 0 ? now == then : a[i - 1] <= a[i];
}
