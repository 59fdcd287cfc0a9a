/*
about: connected components of a graph by hooking and shortcutting
params: {nodes: 1000, edges: 700, rounds: 12}
buffers:
  src:    {type: int, count: edges, access: read, fill: i * 7919 % nodes}
  dst:    {type: int, count: edges, access: read, fill: i * 104729 % nodes}
  parent: {type: int, count: nodes, access: write}
threads: nodes
sequence:
  - {launch: init}
  - repeat: rounds
    sequence: [{launch: hook, threads: edges}, {launch: compress}]
checks: nodes
*/
__global__ void init(int *parent, int nodes)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < nodes) parent[v] = v;
}
__global__ void hook(const int *src, const int *dst, int *parent, int edges)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges) return;
    int u = parent[src[e]], v = parent[dst[e]];
    int high = max(u, v), low = min(u, v);
    if (high != low) atomicMin(&parent[high], low);
}
__global__ void compress(volatile int *parent, int nodes)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes) return;
    while (parent[v] != parent[parent[v]]) parent[v] = parent[parent[v]];
}
__device__ bool check(size_t i, const int *src, const int *dst, const int *parent, int edges)
{
    if (i < edges && parent[src[i]] != parent[dst[i]]) return false;
    return parent[i] <= i && parent[parent[i]] == parent[i];
}
