/*
about: "Looks values up in a small table that lies in global, constant or texture memory; the lanes of a warp ask for
    few or many places."
params:
  n:      {default: 4Mi, min: 1, about: look-ups}
  places: {kind: constant, default: 1, one_of: [1, 2, 4, 8, 16, 32],
           about: different places of the table that a warp's lanes ask for at once}
  variant:
    default: global
    one_of: [global, constant, symbol, texture]
    about: "global takes a pointer; constant and symbol read variables of this file (`memory.table: constant`,
        `symbol`); texture takes a texture object"
buffers:
  table: {type: float, count: 4096, access: read, fill: random}
  out:   {type: float, count: n, access: write}
threads: n
useful: 2 * n * sizeof(float)
*/
__constant__ float table_constant[4096];
__device__ float table_symbol[4096];

// Four look-ups a thread, each at a place that the warp chooses, or one of `places` beside it.
__device__ unsigned place(unsigned i, int k) { return (i / 32 * 32 + i % (unsigned)places * 33 + k * 97) % 4096; }

extern "C" __global__ void lookup_global(const float *table, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 4; k++) sum += table[place(i, k)];
    if (i < n) out[i] = sum;
}

extern "C" __global__ void lookup_constant(float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 4; k++) sum += table_constant[place(i, k)];
    if (i < n) out[i] = sum;
}

extern "C" __global__ void lookup_symbol(float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 4; k++) sum += table_symbol[place(i, k)];
    if (i < n) out[i] = sum;
}

extern "C" __global__ void lookup_texture(cudaTextureObject_t table, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 4; k++) sum += tex1D<float>(table, place(i, k) + 0.5f); // the middle of an element
    if (i < n) out[i] = sum;
}

__device__ bool check(size_t i, const float *table, const float *out)
{
    float sum = 0;
    for (int k = 0; k < 4; k++) sum += table[place(i, k)];
    return out[i] == sum;
}
