/*
about: Colours to grey, four bytes at a time (after Kirk and Hwu, chapter 3).
params: {n: 777}
buffers: {rgba: {type: uchar4, count: n, access: read}, grey: {type: unsigned char, count: n, access: write}}
threads: n
*/
__global__ void rgba_to_greyscale(const uchar4 *const rgba, unsigned char *const grey, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uchar4 c = rgba[i];
    grey[i] = (unsigned char)((77 * c.x + 150 * c.y + 29 * c.z) >> 8);
}
__device__ bool check(size_t i, const uchar4 *rgba, const unsigned char *grey)
{
    return grey[i] == ((77 * rgba[i].x + 150 * rgba[i].y + 29 * rgba[i].z) >> 8);
}
