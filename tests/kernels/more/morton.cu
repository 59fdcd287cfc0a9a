/*
about: Morton codes of points, and the split of each inner node of the tree over them
params: {num: {default: 1000, min: 2}}
buffers:
  pos:   {type: float4, count: num, access: read}
  codes: {type: uint64_t, count: num, access: write}
  sorted: {type: unsigned long long, count: num, access: read, fill: "i * i * 37ull + i"}
  split: {type: int2, count: num - 1, access: write}
threads: num
sequence: [{launch: morton_codes}, {launch: find_split}]
arguments: {lo: [0, 0, 0], hi: [1, 1, 1]}
checks: num
*/
#include <cstdint>
__device__ __host__ inline uint64_t expandBits(uint64_t v)
{
    v &= 0x1fffff;
    v = (v | v << 32) & 0x1f00000000ffff;
    v = (v | v << 16) & 0x1f0000ff0000ff;
    v = (v | v << 8) & 0x100f00f00f00f00f;
    v = (v | v << 4) & 0x10c30c30c30c30c3;
    v = (v | v << 2) & 0x1249249249249249;
    return v;
}
__global__ void morton_codes(const float4 *pos, uint64_t *codes, size_t num, float3 lo, float3 hi)
{
    auto i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= num) return;
    float4 p = pos[i];
    auto q = [](float v, float l, float h) {
        return (uint64_t)(fminf(fmaxf((v - l) / (h - l), 0.f), 1.f) * 2097151.f);
    };
    codes[i] =
        expandBits(q(p.x, lo.x, hi.x)) << 2 | expandBits(q(p.y, lo.y, hi.y)) << 1 | expandBits(q(p.z, lo.z, hi.z));
}
__global__ void find_split(const unsigned long long *sorted, int2 *split, int num)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= num - 1) return;
    int prefix = __clzll(sorted[i] ^ sorted[i + 1]);
    int last = i + 1;
    while (last + 1 < num && __clzll(sorted[i] ^ sorted[last + 1]) >= prefix) last++;
    split[i] = make_int2(prefix, last);
}
__device__ bool check(size_t i, const float4 *pos, const uint64_t *codes, const unsigned long long *sorted,
    const int2 *split, int num)
{
    uint64_t c = 0;
    uint32_t q[3] = {
        (uint32_t)(pos[i].x * 2097151.f), (uint32_t)(pos[i].y * 2097151.f), (uint32_t)(pos[i].z * 2097151.f)};
    for (int b = 20; b >= 0; b--)
        for (int k = 0; k < 3; k++) c = c << 1 | (q[k] >> b & 1);
    if (c != codes[i]) return false;
    if (i + 1 >= num) return true;
    int2 s = split[i];
    if (s.x != __clzll(sorted[i] ^ sorted[i + 1])) return false;
    return s.y + 1 == num || __clzll(sorted[i] ^ sorted[s.y + 1]) < s.x;
}
