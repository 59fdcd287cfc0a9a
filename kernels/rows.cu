/*
about: "Copies a box of width x height x depth elements row by row; the kind of memory decides where a row
    begins."
params:
  width:  {default: 1001, min: 1, about: elements of a row}
  height: {default: 1024, min: 1, about: rows of a plane}
  depth:  {default: 16, min: 1, about: planes}
buffers:
  in:  {type: float, count: [width, height, depth], access: read, fill: random}
  out: {type: float, count: [width, height, depth], access: write}
reports:
  row_bytes: {type: unsigned, unit: B, about: bytes from one row of `in` to the next}
threads: [width, height, depth]
useful: 2 * width * height * depth * sizeof(float)
*/

// A pitch is in bytes: rows, and planes of them, are found by bytes.
__device__ size_t place(size_t x, size_t y, size_t z, size_t pitch, size_t slice)
{
    return z * slice + y * pitch + x * sizeof(float);
}

extern "C" __global__ void rows(const char *in, char *out, size_t width, size_t height, size_t depth, size_t in_pitch,
                                size_t in_slice, size_t out_pitch, size_t out_slice, unsigned *row_bytes)
{
    const size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x, y = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    const size_t z = (size_t)blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= width || y >= height || z >= depth) return;
    *(float *)(out + place(x, y, z, out_pitch, out_slice)) = *(const float *)(in + place(x, y, z, in_pitch, in_slice));
    if (x + y + z == 0) *row_bytes = in_pitch;
}

// Wherever the rows begin for the kernel, here the elements lie one after the other.
__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == in[i]; }
