/*
about: N-queens, counted by recursion, one first move a thread.
params: {n: 8}
buffers:
  count: {type: int, count: n, access: write}
threads: n
block: 8
*/
__device__ int solve(int n, unsigned cols, unsigned left, unsigned right)
{
    unsigned all = (1u << n) - 1;
    if (cols == all) return 1;
    int found = 0;
    for (unsigned free = all & ~(cols | left | right); free; free &= free - 1) {
        unsigned bit = free & -free;
        found += solve(n, cols | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return found;
}
__global__ void queens(int *count, int n)
{
    unsigned bit = 1u << threadIdx.x;
    count[threadIdx.x] = solve(n, bit, bit << 1, bit >> 1);
}
__device__ bool check(size_t i, const int *count)
{
    const int of_half[] = {4, 8, 16, 18};
    return count[i] == of_half[i < 4 ? i : 7 - i];
}
