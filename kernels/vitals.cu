/*
about: "What a GPU is asked when its health is looked at: short tests of memory, caches and arithmetic, each with an
    answer that is known."
params:
  test:
    kind: variant
    default: memory
    one_of: [memory, upload, download, memory_latency, l2, l2_latency, l1, arithmetic]
    about: >
      memory copies every word, and so do upload and download (for `timed`); the latencies go from word to word, each of
      which names the next; l2 and l1 read all words again and again; arithmetic is multiply-adds alone
  n:     {kind: constant, default: 1Mi, min: 2048, about: "words of 16 bytes; for a latency a power of two"}
  lanes: {default: 1Mi, min: 1, about: threads that work}
  turns: {kind: constant, default: 64, min: 1, about: "what each does: loads, or multiply-adds of its four values"}
buffers:
  in:  {type: uint4, count: n, access: read, fill: "word(i)"}
  out: {type: float4, count: lanes, access: write}
threads: lanes
useful: >
  test == 'l2' and 16 * lanes * turns or test == 'l1' and 16 * lanes * turns or test == 'memory_latency' and 0
  or test == 'l2_latency' and 0 or test == 'arithmetic' and 0 or 32 * n
flops: "test == 'arithmetic' and 8 * lanes * turns or 0"
*/

// Its first number names the word that follows: modulo a power of two each word once, in an order that no prefetcher
// knows.
__device__ uint4 word(size_t i)
{
    const unsigned k = (unsigned)i;
    return make_uint4((k * 1664525u + 1013904223u) % (unsigned)n, k * 2654435761u, ~k, k ^ 0x5bd1e995u);
}

__device__ float4 as_floats(uint4 v) // of 24 bits each, which a float holds
{
    return make_float4(v.x & 0xffffff, v.y & 0xffffff, v.z & 0xffffff, v.w & 0xffffff);
}

extern "C" __global__ void vitals_memory(const uint4 *in, float4 *out, size_t lanes)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < lanes) out[i] = as_floats(in[i % n]);
}

extern "C" __global__ void vitals_upload(const uint4 *in, float4 *out, size_t lanes)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < lanes) out[i] = as_floats(in[i % n]);
}

extern "C" __global__ void vitals_download(const uint4 *in, float4 *out, size_t lanes)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < lanes) out[i] = as_floats(in[i % n]);
}

// In assembly, so that the compiler drops no load: from L2, and from L1.
__device__ uint4 from_l2(const uint4 *p)
{
    uint4 v;
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
    return v;
}

__device__ uint4 from_l1(const uint4 *p)
{
    uint4 v;
    asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
    return v;
}

// One lane, and each load waits for the one before.
__device__ void follow(const uint4 *in, float4 *out, size_t lanes)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = 0;
    if (i >= lanes) return;
    for (int k = 0; k < turns; k++) at = from_l2(&in[at]).x;
    out[i] = make_float4(at, 0, 0, 0);
}

extern "C" __global__ void vitals_memory_latency(const uint4 *in, float4 *out, size_t lanes) { follow(in, out, lanes); }
extern "C" __global__ void vitals_l2_latency(const uint4 *in, float4 *out, size_t lanes) { follow(in, out, lanes); }

// In a turn neighbours read neighbouring words, in the next turn those one block further.
__device__ unsigned place(size_t i, size_t lanes, int k)
{
    return ((unsigned)i + k * ((unsigned)lanes + 256)) % (unsigned)n;
}

__device__ unsigned mix(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; } // all four, or only what is used would be read

extern "C" __global__ void vitals_l2(const uint4 *in, float4 *out, size_t lanes)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    if (i >= lanes) return;
#pragma unroll 4
    for (int k = 0; k < turns; k++) sum += mix(from_l2(&in[place(i, lanes, k)]));
    out[i] = make_float4(sum & 0xffffff, sum >> 24, 0, 0);
}

extern "C" __global__ void vitals_l1(const uint4 *in, float4 *out, size_t lanes)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    if (i >= lanes) return;
#pragma unroll 4
    for (int k = 0; k < turns; k++) sum += mix(from_l1(&in[place(i, lanes, k)]));
    out[i] = make_float4(sum & 0xffffff, sum >> 24, 0, 0);
}

// Four values side by side, so that none waits for another.
__device__ float4 worked(uint4 word)
{
    float4 v = as_floats(word);
#pragma unroll 16
    for (int k = 0; k < turns; k++) {
        v.x = fmaf(v.x, 0.999f, 0.25f);
        v.y = fmaf(v.y, 0.998f, 0.5f);
        v.z = fmaf(v.z, 0.997f, 0.75f);
        v.w = fmaf(v.w, 0.996f, 1);
    }
    return v;
}

extern "C" __global__ void vitals_arithmetic(const uint4 *in, float4 *out, size_t lanes)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < lanes) out[i] = worked(in[i % n]);
}

__device__ bool same(float4 a, float4 b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; }

__device__ bool check_memory(size_t i, const float4 *out) { return same(out[i], as_floats(word(i % n))); }
__device__ bool check_upload(size_t i, const float4 *out) { return same(out[i], as_floats(word(i % n))); }
__device__ bool check_download(size_t i, const float4 *out) { return same(out[i], as_floats(word(i % n))); }

__device__ bool check_follow(size_t i, const float4 *out)
{
    unsigned at = 0;
    for (int k = 0; k < turns; k++) at = word(at).x;
    return out[i].x == at;
}

__device__ bool check_memory_latency(size_t i, const float4 *out) { return check_follow(i, out); }
__device__ bool check_l2_latency(size_t i, const float4 *out) { return check_follow(i, out); }

__device__ bool check_cache(size_t i, const float4 *out, size_t lanes)
{
    unsigned sum = 0;
    for (int k = 0; k < turns; k++) sum += mix(word(place(i, lanes, k)));
    return out[i].x == (sum & 0xffffff) && out[i].y == sum >> 24;
}

__device__ bool check_l2(size_t i, const float4 *out, size_t lanes) { return check_cache(i, out, lanes); }
__device__ bool check_l1(size_t i, const float4 *out, size_t lanes) { return check_cache(i, out, lanes); }
__device__ bool check_arithmetic(size_t i, const float4 *out) { return same(out[i], worked(word(i % n))); }
