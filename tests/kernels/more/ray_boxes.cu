/*
about: Rays against boxes, the nearest hit.
params: {rays: 1Ki, boxes: 64}
buffers:
  ray: {type: Ray, bytes: 24, count: rays, access: read, fill: code}
  box: {type: Box, bytes: 24, count: boxes, access: read, fill: code}
  hit: {type: int, count: rays, access: write}
threads: rays
block: 128
*/
struct Ray {
    float3 o, d;
};
struct Box {
    float3 lo, hi;
};
__device__ Ray fill_ray(size_t i)
{
    Ray r;
    r.o = make_float3(0, 0, -10);
    r.d = make_float3(i % 32 * 0.05f - 0.8f, i / 32 * 0.05f - 0.8f, 1);
    return r;
}
__device__ Box fill_box(size_t i)
{
    Box b;
    b.lo = make_float3(i % 8 - 4.0f, i / 8 - 4.0f, i * 0.1f);
    b.hi = make_float3(i % 8 - 3.5f, i / 8 - 3.5f, i * 0.1f + 1);
    return b;
}
__device__ bool meets(const Ray &r, const Box &b, float &t)
{
    float3 inv = make_float3(1.0f / r.d.x, 1.0f / r.d.y, 1.0f / r.d.z);
    float t1 = (b.lo.x - r.o.x) * inv.x, t2 = (b.hi.x - r.o.x) * inv.x, lo = fminf(t1, t2), hi = fmaxf(t1, t2);
    t1 = (b.lo.y - r.o.y) * inv.y;
    t2 = (b.hi.y - r.o.y) * inv.y;
    lo = fmaxf(lo, fminf(t1, t2));
    hi = fminf(hi, fmaxf(t1, t2));
    t1 = (b.lo.z - r.o.z) * inv.z;
    t2 = (b.hi.z - r.o.z) * inv.z;
    lo = fmaxf(lo, fminf(t1, t2));
    hi = fminf(hi, fmaxf(t1, t2));
    t = lo;
    return hi >= fmaxf(lo, 0.0f);
}
__global__ void trace(const Ray *ray, const Box *box, int *hit, int rays, int boxes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rays) return;
    Ray r = ray[i];
    float best = 1e30f, t;
    int id = -1;
    for (int k = 0; k < boxes; k++)
        if (meets(r, box[k], t) && t < best) {
            best = t;
            id = k;
        }
    hit[i] = id;
}
__device__ int expected(size_t i, const Ray *ray, const Box *box, int boxes)
{
    float best = 1e30f, t;
    int id = -1;
    for (int k = 0; k < boxes; k++)
        if (meets(ray[i], box[k], t) && t < best) {
            best = t;
            id = k;
        }
    return id;
}
