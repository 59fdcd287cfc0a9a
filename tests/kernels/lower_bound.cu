/*
about: Where numbers would stand in a sorted table (after the binary search of any textbook).
params: {n: 300, m: 500}
buffers:
  table: {type: int, count: m, access: read, fill: (int)(2 * i)}
  keys: {type: int, count: n, access: read, fill: {random: [0, 1100]}}
  out: {type: int, count: n, access: write}
threads: n
*/
__global__ void lower_bound(const int *table, int m, const int *keys, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int low = 0, high = m;
    while (low < high) {
        int middle = (low + high) / 2;
        if (table[middle] < keys[i]) low = middle + 1;
        else high = middle;
    }
    out[i] = low;
}
__device__ bool check(size_t i, const int *keys, const int *out, int m) { return out[i] == min((keys[i] + 1) / 2, m); }
