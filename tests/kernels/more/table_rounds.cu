/*
about: Ten rounds of table look-ups on a 16-byte state.
params: {n: 2Ki}
buffers:
  state: {type: uint4, count: n, access: both, fill: "make_uint4(i, i * 3, i * 5, i * 7)"}
  T:     {type: uint, count: 256, access: read, fill: "i * 0x01010203u ^ 0x63636363u"}
threads: n
block: 256
*/
__device__ uint4 rounds(uint4 s, const uint *T)
{
    for (int r = 0; r < 10; r++) {
        uint4 t;
        t.x = T[s.x & 255] ^ __byte_perm(T[s.y >> 8 & 255], 0, 0x2103) ^ __byte_perm(T[s.z >> 16 & 255], 0, 0x1032) ^ r;
        t.y = T[s.y & 255] ^ __byte_perm(T[s.z >> 8 & 255], 0, 0x2103) ^ __byte_perm(T[s.w >> 16 & 255], 0, 0x1032);
        t.z = T[s.z & 255] ^ __byte_perm(T[s.w >> 8 & 255], 0, 0x2103) ^ __byte_perm(T[s.x >> 16 & 255], 0, 0x1032);
        t.w = T[s.w & 255] ^ __byte_perm(T[s.x >> 8 & 255], 0, 0x2103) ^ __byte_perm(T[s.y >> 16 & 255], 0, 0x1032);
        s = t;
    }
    return s;
}
__global__ void encrypt(uint4 *state, const uint *T, int n)
{
    __shared__ uint sT[256];
    sT[threadIdx.x] = T[threadIdx.x];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        state[i] = rounds(state[i], sT);
}
__device__ bool check(size_t i, const uint4 *state, const uint4 *state_before, const uint *T)
{
    uint4 e = rounds(state_before[i], T);
    return e.x == state[i].x && e.y == state[i].y && e.z == state[i].z && e.w == state[i].w;
}
