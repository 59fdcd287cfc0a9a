/*
about: >
  Makes a picture larger or smaller by taking the nearest element: through a texture, or from global memory with the
  clamp written out.
params:
  width:      {default: 3840, min: 1, about: of the picture}
  height:     {default: 2160, min: 1, about: of the picture}
  out_width:  {default: 1920, min: 1, about: of the result}
  out_height: {default: 1080, min: 1, about: of the result}
  shift:      {default: 0, min: -65536, max: 65536, about: places that it is read further right and down}
  variant:    {default: texture, one_of: [texture, global], about: which memory the picture is read from}
buffers:
  in:  {type: float, count: [width, height], access: read, fill: random}
  out: {type: float, count: [out_width, out_height], access: write}
threads: [out_width, out_height]
useful: (min(width, out_width) * min(height, out_height) + out_width * out_height) * sizeof(float)
arguments: # divided once, and not by each thread
  step_x: width / out_width
  step_y: height / out_height
*/

// Where the middle of element `i` of the result lies in the picture, `step` elements of which go into one.
__device__ float middle(int i, float step, int shift) { return (i + 0.5f) * step + shift; }

__device__ int clamped(float at, int size)
{
    const int i = (int)floorf(at);
    return i < 0 ? 0 : i < size ? i : size - 1;
}

// The texture unit does both: it takes the element that the place falls into, and the border's where it falls outside.
extern "C" __global__ void resize_texture(cudaTextureObject_t in, float *out, int out_width, int out_height,
                                          float step_x, float step_y, int shift)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out_width || y >= out_height) return;
    const float from_x = middle(x, step_x, shift), from_y = middle(y, step_y, shift);
    out[(size_t)y * out_width + x] = tex2D<float>(in, from_x, from_y);
}

extern "C" __global__ void resize_global(const float *in, float *out, int width, int height, int out_width,
                                         int out_height, float step_x, float step_y, int shift)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out_width || y >= out_height) return;
    const int from_x = clamped(middle(x, step_x, shift), width);
    const int from_y = clamped(middle(y, step_y, shift), height);
    out[(size_t)y * out_width + x] = in[(size_t)from_y * width + from_x];
}

__device__ bool check(size_t i, const float *in, const float *out, int width, int height, int out_width, int out_height,
                      int shift)
{
    const float step_x = (double)width / out_width, step_y = (double)height / out_height;
    const int x = i % out_width, y = i / out_width;
    const int from_x = clamped(middle(x, step_x, shift), width);
    const int from_y = clamped(middle(y, step_y, shift), height);
    return out[i] == in[(size_t)from_y * width + from_x];
}
