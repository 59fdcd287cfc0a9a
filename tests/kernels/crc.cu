/*
about: CRC-32 of messages, a thread each, the table built in shared memory (after RFC 1952, section 8).
params: {n: 64, bytes: 37}
buffers: {message: {type: uint8_t, count: "n * bytes", access: read}, crc: {type: uint32_t, count: n, access: write}}
threads: n
block: 64
*/
__device__ uint32_t row(uint32_t c) { for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1; return c; }
__global__ void crc32(const uint8_t *message, uint32_t *crc, int n, int bytes)
{
    __shared__ uint32_t table[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) table[i] = row(i);
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint32_t c = ~0u;
    for (int k = 0; k < bytes; k++) c = table[(c ^ message[i * bytes + k]) & 255] ^ c >> 8;
    crc[i] = ~c;
}
__device__ bool check(size_t i, const uint8_t *message, const uint32_t *crc, int bytes)
{
    uint32_t c = ~0u;
    for (int k = 0; k < bytes; k++) c = row((c ^ message[i * bytes + k]) & 255) ^ c >> 8;
    return crc[i] == ~c;
}
