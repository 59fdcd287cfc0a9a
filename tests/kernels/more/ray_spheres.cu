/*
about: a ray tracer of a few spheres, written with classes
params: {width: 96, height: 64, spheres: {default: 5, as: count}}
buffers:
  fb:    {type: vec3, bytes: 12, count: [width, height], access: write}
  scene: {type: Sphere, bytes: 20, count: spheres, access: read, fill: code}
block: [8, 8]
threads: [width, height]
arguments: {cam: "Camera(vec3(0, 0, 3), (float)width / height)"}
checks: width * height
*/
#include <cfloat>
class vec3 {
  public:
    __host__ __device__ vec3() {}
    __host__ __device__ vec3(float a, float b, float c) : x(a), y(b), z(c) {}
    float x, y, z;
};
__host__ __device__ inline vec3 operator+(const vec3 &a, const vec3 &b)
{
    return vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__host__ __device__ inline vec3 operator-(const vec3 &a, const vec3 &b)
{
    return vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__host__ __device__ inline vec3 operator*(float t, const vec3 &v) { return vec3(t * v.x, t * v.y, t * v.z); }
__host__ __device__ inline float dot(const vec3 &a, const vec3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
struct Ray {
    vec3 o, d;
    __device__ vec3 at(float t) const { return o + t * d; }
};
struct Sphere {
    vec3 c;
    float r;
    int material;
    __device__ bool hit(const Ray &ray, float tmax, float &t) const
    {
        vec3 oc = ray.o - c;
        float a = dot(ray.d, ray.d), b = dot(oc, ray.d), q = dot(oc, oc) - r * r, disc = b * b - a * q;
        if (disc <= 0) return false;
        t = (-b - sqrtf(disc)) / a;
        return t > 0.001f && t < tmax;
    }
};
class Camera {
  public:
    __device__ Camera(vec3 from, float aspect) : origin(from), aspect_(aspect) {}
    __device__ Ray get_ray(float u, float v) const { return {origin, vec3((2 * u - 1) * aspect_, 2 * v - 1, -2)}; }

  private:
    vec3 origin;
    float aspect_;
};
__device__ vec3 color(const Ray &r, const Sphere *scene, int count)
{
    float best = FLT_MAX, t;
    vec3 c(0.5f, 0.7f, 1.0f);
    for (int i = 0; i < count; i++)
        if (scene[i].hit(r, best, t)) {
            best = t;
            vec3 n = (1 / scene[i].r) * (r.at(t) - scene[i].c);
            c = 0.5f * (n + vec3(1, 1, 1));
        }
    return c;
}
__device__ Sphere fill_scene(size_t i) { return {vec3(i * 0.8f - 1.6f, 0, -(float)i), 0.5f, (int)i}; }
__global__ void render(vec3 *fb, int width, int height, Camera cam, const Sphere *scene, int count)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int j = threadIdx.y + blockIdx.y * blockDim.y;
    if ((i >= width) || (j >= height)) return;
    fb[j * width + i] = color(cam.get_ray((i + 0.5f) / width, (j + 0.5f) / height), scene, count);
}
__device__ bool check(size_t i, const vec3 *fb, const Sphere *scene, int width, int height, int spheres)
{
    Camera cam(vec3(0, 0, 3), (float)width / height);
    vec3 e = color(cam.get_ray((i % width + 0.5f) / width, (i / width + 0.5f) / height), scene, spheres) - fb[i];
    return dot(e, e) < 1e-8f;
}
