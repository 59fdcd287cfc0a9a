/*
about: Particles as structures, moved and kept in a box (after the particles sample).
params: {n: 100, dt: 0.1}
buffers:
  p: {type: Particle, bytes: 24, count: n, access: both, fill: "{{0.5f, 0.5f, 0.5f}, {(float)i, -1.0f, 0.25f}}"}
threads: n
*/
struct Particle { float3 position, velocity; };
__device__ void advance(float &x, float &v, float dt)
{
    x += v * dt;
    if (x < 0) x = 0, v = -v;
    if (x > 1) x = 1, v = -v;
}
__global__ void move(Particle *p, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    advance(p[i].position.x, p[i].velocity.x, dt);
    advance(p[i].position.y, p[i].velocity.y, dt);
    advance(p[i].position.z, p[i].velocity.z, dt);
}
__device__ bool check(size_t i, const Particle *p, const Particle *p_before, float dt)
{
    Particle q = p_before[i];
    advance(q.position.x, q.velocity.x, dt);
    return q.position.x == p[i].position.x && q.velocity.x == p[i].velocity.x &&
        p[i].position.y < 0.41f && p[i].position.z > 0.5f;
}
