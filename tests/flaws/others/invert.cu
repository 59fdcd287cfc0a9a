/*
about: Inverts an image of bytes, one by one or by fours.
params:
  variant: {default: flawed, one_of: [flawed, clean]}
  n: {default: 2Mi}
buffers:
  image: {type: unsigned char, count: n, access: read, fill: random}
  out: {type: unsigned char, count: n, access: write}
threads: "variant == 'flawed' and n or n / 4"
*/
// SPDX-License-Identifier: MIT
// Has to be found first: in_flight
extern "C" __global__ void invert_flawed(const unsigned char *image, unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 255 - image[i];
}
extern "C" __global__ void invert_clean(const unsigned char *image, unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i >= n) return;
    uchar4 v = ((const uchar4 *)image)[i];
    ((uchar4 *)out)[i] = make_uchar4(255 - v.x, 255 - v.y, 255 - v.z, 255 - v.w);
}
