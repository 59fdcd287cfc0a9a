/*
about: Breadth-first search, a launch a level, on a ring with chords (after Harish and Narayanan, 2007).
params: {n: 200, levels: 100}
buffers: {level: {type: int, count: n, access: both, fill: "i == 0 ? 0 : -1"}}
sequence: [{launch: visit, repeat: levels, arguments: {depth: step}}]
threads: n
*/
__global__ void visit(int *level, int n, int depth)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || level[i] != depth) return;
    const int next[2] = {(i + 1) % n, (i + 10) % n};
    for (int k = 0; k < 2; k++) atomicCAS(&level[next[k]], -1, depth + 1);
}
__device__ bool check(size_t i, const int *level) { return level[i] == (int)(i / 10 + i % 10); }
