/*
about: One warp multiplies a 16 x 8 by an 8 x 8 matrix of halves from its registers. Which lane holds which element?
params:
  turns:  {default: 16, min: 1, max: 64, about: times that the product is added up}
  of:     {kind: constant, default: c, one_of: [a, b, c], about: "the matrix of which one element is looked for"}
  row:    {default: 0, min: 0, max: 15, about: of that element}
  column: {default: 0, min: 0, max: 7, about: of that element}
buffers:
  a: {type: half, count: 128, access: read, fill: code}
  b: {type: half, count: 64, access: read, fill: code}
  c: {type: float, count: 128, access: write}
reports:
  lane:  {type: int, about: that holds the element}
  place: {type: int, about: "where in its registers: two halves each in a and b, one sum each in c"}
block: 32
threads: 32
useful: 256 * 2
flops: turns * 2 * 16 * 8 * 8
*/

// Small whole numbers: every product and sum is exact.
__device__ half fill_a(size_t i) { return __float2half((float)(i * 7 % 17)); }
__device__ half fill_b(size_t i) { return __float2half((float)(i * 5 % 13)); }

// The element that a place of a lane holds. Four lanes share a row of a and c, or a column of b, each with two of it.
struct element {
    int row, column;
};
__device__ element in_a(int lane, int place) { return {lane / 4 + place / 2 * 8, lane % 4 * 2 + place % 2}; }
__device__ element in_b(int lane, int place) { return {lane % 4 * 2 + place % 2, lane / 4}; }
__device__ element in_c(int lane, int place) { return {lane / 4 + place / 2 * 8, lane % 4 * 2 + place % 2}; }

__device__ unsigned pair(half low, half high)
{
    return *(unsigned short *)&low | (unsigned)*(unsigned short *)&high << 16;
}

extern "C" __global__ void tensor_core(const half *a, const half *b, float *c, size_t turns, int row, int column,
                                       int *lane, int *place)
{
    const int me = threadIdx.x;
    half ha[4], hb[2];
    float sum[4] = {0, 0, 0, 0};
    for (int p = 0; p < 4; p++) ha[p] = a[in_a(me, p).row * 8 + in_a(me, p).column];
    for (int p = 0; p < 2; p++) hb[p] = b[in_b(me, p).row * 8 + in_b(me, p).column];
    const unsigned a0 = pair(ha[0], ha[1]), a1 = pair(ha[2], ha[3]), b0 = pair(hb[0], hb[1]);

    for (size_t k = 0; k < turns; k++)
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                     : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                     : "r"(a0), "r"(a1), "r"(b0));

    for (int p = 0; p < 4; p++) c[in_c(me, p).row * 8 + in_c(me, p).column] = sum[p];
    for (int p = 0; p < (of == of_b ? 2 : 4); p++) {
        const element e = of == of_a ? in_a(me, p) : of == of_b ? in_b(me, p) : in_c(me, p);
        if (e.row != row || e.column != column) continue;
        *lane = me;
        *place = p;
    }
}

__device__ bool check(size_t i, const half *a, const half *b, const float *c, size_t turns)
{
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += __half2float(a[i / 8 * 8 + k]) * __half2float(b[k * 8 + i % 8]);
    return c[i] == sum * turns;
}
