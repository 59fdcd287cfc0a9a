/*
about: keys are put into an open-addressing table and looked up again
params: {n: 10000, size: {default: 32Ki, min: 2}}
buffers:
  table:  {type: KeyValue, bytes: 8, count: size, access: write}
  keys:   {type: uint32_t, count: n, access: read, fill: i * 2654435761u % 1000000007u}
  values: {type: uint32_t, count: n, access: read}
  found:  {type: uint32_t, count: n, access: write}
threads: n
sequence:
  - {launch: clear_table, threads: size}
  - {launch: gpu_hashtable_insert}
  - {launch: gpu_hashtable_lookup}
checks: n
*/
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>

struct KeyValue {
    uint32_t key;
    uint32_t value;
};

const uint32_t kEmpty = 0xffffffff;

// 32 bit Murmur3 finaliser
__device__ uint32_t hash(uint32_t k, uint32_t size)
{
    k ^= k >> 16;
    k *= 0x85ebca6b;
    k ^= k >> 13;
    k *= 0xc2b2ae35;
    k ^= k >> 16;
    return k & (size - 1);
}

__global__ void clear_table(KeyValue *table, uint32_t size)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size) table[i].key = kEmpty, table[i].value = 0;
}

__global__ void gpu_hashtable_insert(KeyValue *table, const uint32_t *keys, const uint32_t *values, unsigned int n,
    uint32_t size)
{
    unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid < n) {
        uint32_t key = keys[tid];
        uint32_t slot = hash(key, size);
        while (true) {
            uint32_t prev = atomicCAS(&table[slot].key, kEmpty, key);
            if (prev == kEmpty || prev == key) {
                table[slot].value = values[tid];
                return;
            }
            slot = (slot + 1) & (size - 1);
        }
    }
}

__global__ void gpu_hashtable_lookup(const KeyValue *table, const uint32_t *keys, uint32_t *found, unsigned int n,
    uint32_t size)
{
    unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid >= n) return;
    uint32_t slot = hash(keys[tid], size);
    while (table[slot].key != keys[tid]) {
        if (table[slot].key == kEmpty) {
            found[tid] = kEmpty;
            return;
        }
        slot = (slot + 1) & (size - 1);
    }
    found[tid] = table[slot].value;
}
__device__ bool check(size_t i, const uint32_t *values, const uint32_t *found) { return found[i] == values[i]; }
