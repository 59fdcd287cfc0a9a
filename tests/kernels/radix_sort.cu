/*
about: A radix sort, four bits a pass, in count, scan, scatter, and the buffers change their names (after Satish, Harris
    and Garland, 2009).
params: {n: 700, blocks: {default: 3, about: each sorts its share}}
buffers:
  keys:  {type: uint, count: n, access: both, fill: "(uint)(i * 2654435761u)"}
  other: {type: uint, count: n, access: write}
  count: {type: uint, count: 16 * blocks, access: write}
sequence:
  - repeat: 8
    swap: [keys, other]
    sequence:
      - {launch: count_digits, grid: blocks, block: 16, arguments: {shift: 4 * step}}
      - {launch: scan_counts, grid: 1, block: 1, arguments: {m: 16 * blocks}}
      - {launch: scatter, grid: blocks, block: 16, arguments: {shift: 4 * step}}
checks: n
*/
__global__ void count_digits(const uint *keys, uint *count, uint n, uint blocks, uint shift)
{
    uint share = (n + blocks - 1) / blocks, first = blockIdx.x * share, last = min(first + share, n), mine = 0;
    for (uint i = first; i < last; i++) mine += (keys[i] >> shift & 15) == threadIdx.x;
    count[threadIdx.x * blocks + blockIdx.x] = mine;
}
__global__ void scan_counts(uint *count, uint m)
{
    for (uint i = 0, sum = 0; i < m; i++) { uint c = count[i]; count[i] = sum; sum += c; }
}
__global__ void scatter(const uint *keys, uint *other, const uint *count, uint n, uint blocks, uint shift)
{
    uint share = (n + blocks - 1) / blocks, first = blockIdx.x * share, last = min(first + share, n);
    uint to = count[threadIdx.x * blocks + blockIdx.x];
    for (uint i = first; i < last; i++)
        if ((keys[i] >> shift & 15) == threadIdx.x) other[to++] = keys[i];
}
// In order, and as often as before.
__device__ bool check(size_t i, const uint *keys, const uint *keys_before, size_t n)
{
    uint less = 0, same = 0;
    for (size_t k = 0; k < n; k++) less += keys_before[k] < keys[i], same += keys_before[k] == keys[i];
    return (!i || keys[i - 1] <= keys[i]) && less <= i && i < less + same;
}
