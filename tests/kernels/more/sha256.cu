/*
about: every thread hashes a block of 64 bytes by SHA-256
params: {count: 500}
buffers:
  indata:  {type: unsigned char, count: 64 * count, access: read}
  outdata: {type: unsigned, count: 8 * count, access: write}
threads: count
block: 128
*/
#include <stdlib.h>
#include <memory.h>
#include <iostream>
#include <vector>
#include <memory.h>
typedef unsigned char BYTE;
typedef unsigned int WORD;
#define ROTRIGHT(a, b) (((a) >> (b)) | ((a) << (32 - (b))))
#define CH(x, y, z) (((x) & (y)) ^ (~(x) & (z)))
#define MAJ(x, y, z) (((x) & (y)) ^ ((x) & (z)) ^ ((y) & (z)))
#define EP0(x) (ROTRIGHT(x, 2) ^ ROTRIGHT(x, 13) ^ ROTRIGHT(x, 22))
#define EP1(x) (ROTRIGHT(x, 6) ^ ROTRIGHT(x, 11) ^ ROTRIGHT(x, 25))
#define SIG0(x) (ROTRIGHT(x, 7) ^ ROTRIGHT(x, 18) ^ ((x) >> 3))
#define SIG1(x) (ROTRIGHT(x, 17) ^ ROTRIGHT(x, 19) ^ ((x) >> 10))
__constant__ WORD k[64] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152,
    0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138,
    0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70,
    0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5,
    0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa,
    0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
typedef struct {
    BYTE data[64];
    WORD state[8];
} CUDA_SHA256_CTX;

__device__ __forceinline__ void cuda_sha256_transform(CUDA_SHA256_CTX *ctx, const BYTE data[])
{
    WORD a, b, c, d, e, f, g, h, i, j, t1, t2, m[64];
    for (i = 0, j = 0; i < 16; ++i, j += 4)
        m[i] = (data[j] << 24) | (data[j + 1] << 16) | (data[j + 2] << 8) | (data[j + 3]);
    for (; i < 64; ++i) m[i] = SIG1(m[i - 2]) + m[i - 7] + SIG0(m[i - 15]) + m[i - 16];
    a = ctx->state[0];
    b = ctx->state[1];
    c = ctx->state[2];
    d = ctx->state[3];
    e = ctx->state[4];
    f = ctx->state[5];
    g = ctx->state[6];
    h = ctx->state[7];
    for (i = 0; i < 64; ++i) {
        t1 = h + EP1(e) + CH(e, f, g) + k[i] + m[i];
        t2 = EP0(a) + MAJ(a, b, c);
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    ctx->state[0] += a;
    ctx->state[1] += b;
    ctx->state[2] += c;
    ctx->state[3] += d;
    ctx->state[4] += e;
    ctx->state[5] += f;
    ctx->state[6] += g;
    ctx->state[7] += h;
}

__global__ void kernel_sha256_hash(BYTE *indata, WORD *outdata, WORD count)
{
    WORD thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= count) return;
    CUDA_SHA256_CTX ctx;
    const WORD start[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(ctx.state, start, sizeof(start));
    memcpy(ctx.data, indata + 64 * thread, 64);
    cuda_sha256_transform(&ctx, ctx.data);
    memset(ctx.data, 0, 64);
    ctx.data[0] = 0x80;
    ctx.data[62] = 2;
    cuda_sha256_transform(&ctx, ctx.data);
    for (int i = 0; i < 8; i++) outdata[8 * thread + i] = ctx.state[i];
}
__device__ WORD rot(WORD v, int n) { return __funnelshift_r(v, v, n); }
__device__ bool check(size_t at, const BYTE *indata, const WORD *outdata)
{
    WORD s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    for (int block = 0; block < 2; block++) {
        WORD m[64], v[8];
        for (int i = 0; i < 16; i++) {
            m[i] = block ? (i == 0 ? 0x80000000u : i == 15 ? 512 : 0) : 0;
            for (int b = 0; b < 4 && !block; b++) m[i] = m[i] << 8 | indata[at / 8 * 64 + 4 * i + b];
        }
        for (int i = 16; i < 64; i++)
            m[i] = (rot(m[i - 2], 17) ^ rot(m[i - 2], 19) ^ m[i - 2] >> 10) + m[i - 7] +
                (rot(m[i - 15], 7) ^ rot(m[i - 15], 18) ^ m[i - 15] >> 3) + m[i - 16];
        for (int i = 0; i < 8; i++) v[i] = s[i];
        for (int i = 0; i < 64; i++) {
            WORD t = v[7] + (rot(v[4], 6) ^ rot(v[4], 11) ^ rot(v[4], 25)) + (v[4] & v[5] ^ ~v[4] & v[6]) + k[i] + m[i];
            WORD u = (rot(v[0], 2) ^ rot(v[0], 13) ^ rot(v[0], 22)) + (v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]);
            for (int j = 7; j > 0; j--) v[j] = v[j - 1] + (j == 4 ? t : 0);
            v[0] = t + u;
        }
        for (int i = 0; i < 8; i++) s[i] += v[i];
    }
    return s[at % 8] == outdata[at];
}
