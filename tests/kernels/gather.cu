/*
about: Elements fetched in the order of a table (after the gather of parallel primitives).
params: {n: 500}
buffers:
  data: {type: double2, count: n, access: read}
  index: {type: unsigned, count: n, access: read, fill: "(unsigned)(n - 1 - i)"}
  out: {type: double2, count: n, access: write}
threads: n
*/
__global__ void gather(const double2 *data, const unsigned *index, double2 *out, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) out[i] = data[index[i]];
}
__device__ bool check(size_t i, const double2 *data, const double2 *out, size_t n) 
{
    return out[i].x == data[n - 1 - i].x && out[i].y == data[n - 1 - i].y;
}
