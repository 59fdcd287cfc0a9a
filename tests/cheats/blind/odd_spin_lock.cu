/*
about: "A lock for each of 64 lists; each block puts its number in front of one: the order of a list is any."
params:
  n: {default: 2048, min: 64, about: "blocks"}
buffers:
  lock: {type: int, count: 64, access: both, fill: 0}
  head: {type: int, count: 64, access: both, fill: -1}
  next: {type: int, count: n, access: both, fill: -2}
grid: n
block: 32
useful: 0
checks: 64
*/
// SPDX-License-Identifier: MIT
__global__ void push(int *lock, volatile int *head, int *next)
{
    if (threadIdx.x) return;
    const int l = blockIdx.x % 64;
    while (atomicCAS(&lock[l], 0, 1)) __nanosleep(50);
    __threadfence();
    next[blockIdx.x] = head[l];
    head[l] = blockIdx.x;
    __threadfence();
    atomicExch(&lock[l], 0);
}
__device__ bool check(size_t l, const int *lock, const int *head, const int *next, size_t n)
{
    size_t length = 0;
    for (int at = head[l]; at >= 0 && length <= n; at = next[at], length++)
        if (at >= n || at % 64 != l) return false;
    return lock[l] == 0 && length == n / 64 + (l < n % 64);
}
