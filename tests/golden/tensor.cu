// Copies by tensor maps in every form, on 4 blocks of 128 threads: what they leave in shared memory is written to `o`,
// word by word, with whether the barrier opened; stores and reductions change the tensor itself. The launches are
// in tensor_launches.h; what an H200 made of each is in tensor_h200.csv.
//   nvcc -arch=sm_90a -std=c++17 -O3 -DPTX -ptx tensor.cu; nvcc -arch=sm_90a -std=c++17 -O3 tensor.cu -o tensor
#include <cuda.h>
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include "tensor_launches.h"
typedef unsigned u32;
#define ARGUMENTS const __grid_constant__ CUtensorMap m, const u32 *g, u32 *o, int x, int y, int z, int v, int w, int dx, u32 bytes, u32 at, u32 off
#define SHARED extern __shared__ __align__(1024) u32 s[]; __shared__ uint64_t b; \
    x += (int)blockIdx.x * dx; u32 p = (u32)__cvta_generic_to_shared(s) + at, q = (u32)__cvta_generic_to_shared(&b);
#define CLEAR for (u32 i = threadIdx.x; i < 2048; i += 128) s[i] = 0xab000000u + i; \
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(q) : "memory"); \
    asm volatile("fence.proxy.async;" ::: "memory"); __syncthreads();
#define EXPECT asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(q), "r"(bytes) : "memory");
#define OPENS u32 open = 0; for (int k = 0; k < 20000 && !open; k++) \
    asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}" : "=r"(open) : "r"(q) : "memory"); \
    __syncthreads();
#define TELL for (u32 i = threadIdx.x; i < 2048; i += 128) o[blockIdx.x * 4096 + i] = s[i]; \
    if (threadIdx.x == 0) o[blockIdx.x * 4096 + 4095] = open;
#define LOAD(name, rank, places, ...) extern "C" __global__ void name(ARGUMENTS) { SHARED CLEAR \
    if (threadIdx.x == 0) { EXPECT \
        asm volatile("cp.async.bulk.tensor." rank ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" places "}], [%2];" \
            ::"r"(p), "l"(&m), "r"(q), __VA_ARGS__ : "memory"); } \
    OPENS TELL }
LOAD(ld1, "1d", "%3", "r"(x))
LOAD(ld2, "2d", "%3, %4", "r"(x), "r"(y))
LOAD(ld3, "3d", "%3, %4, %5", "r"(x), "r"(y), "r"(z))
LOAD(ld4, "4d", "%3, %4, %5, %6", "r"(x), "r"(y), "r"(z), "r"(v))
LOAD(ld5, "5d", "%3, %4, %5, %6, %7", "r"(x), "r"(y), "r"(z), "r"(v), "r"(w))
extern "C" __global__ void hint(ARGUMENTS) { SHARED CLEAR
    if (threadIdx.x == 0) { uint64_t policy; EXPECT
        asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%3, %4}], [%2], %5;"
            ::"r"(p), "l"(&m), "r"(q), "r"(x), "r"(y), "l"(policy) : "memory"); }
    OPENS TELL }
extern "C" __global__ void pre(ARGUMENTS) { SHARED
    if (threadIdx.x == 32) { asm volatile("prefetch.tensormap [%0];" ::"l"(&m) : "memory");
        asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %2}];" ::"l"(&m), "r"(x), "r"(y) : "memory"); }
    CLEAR
    if (threadIdx.x == 0) { EXPECT
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
            ::"r"(p), "l"(&m), "r"(q), "r"(x), "r"(y) : "memory"); }
    OPENS TELL }
// Each block of a cluster brings half of what both get.
extern "C" __global__ void __cluster_dims__(2, 1, 1) both(ARGUMENTS) { SHARED CLEAR
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    if (threadIdx.x == 0) { EXPECT
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;"
            ::"r"(p + blockIdx.x % 2 * 1024), "l"(&m), "r"(q), "r"(x), "r"(y), "h"((unsigned short)3) : "memory"); }
    OPENS TELL
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory"); }
// Pixels: what a filter adds to their places comes after the barrier.
#define OFF y += (int)blockIdx.x * (int)(off >> 16); const unsigned short a = off & 15, b4 = off >> 4 & 15, c = off >> 8 & 15;
#define PIXELS(name, rank, form, places, offsets, ...) extern "C" __global__ void name(ARGUMENTS) { SHARED CLEAR OFF \
    if (threadIdx.x == 0) { EXPECT \
        asm volatile("cp.async.bulk.tensor." rank ".shared::cluster.global." form ".mbarrier::complete_tx::bytes [%0], [%1, {" places "}], [%2]" offsets ";" \
            ::"r"(p), "l"(&m), "r"(q), __VA_ARGS__ : "memory"); } \
    (void)a, (void)b4, (void)c; \
    OPENS TELL }
PIXELS(im3, "3d", "im2col", "%3, %4, %5", ", {%6}", "r"(x), "r"(y), "r"(z), "h"(a))
PIXELS(im4, "4d", "im2col", "%3, %4, %5, %6", ", {%7, %8}", "r"(x), "r"(y), "r"(z), "r"(v), "h"(a), "h"(b4))
PIXELS(im5, "5d", "im2col", "%3, %4, %5, %6, %7", ", {%8, %9, %10}", "r"(x), "r"(y), "r"(z), "r"(v), "r"(w), "h"(a), "h"(b4), "h"(c))
// The blocks of a cluster bring half each of what both get.
extern "C" __global__ void __cluster_dims__(2, 1, 1) imboth(ARGUMENTS) { SHARED CLEAR OFF
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    if (threadIdx.x == 0) { EXPECT
        asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8}, %9;"
            ::"r"(p + blockIdx.x % 2 * 1024), "l"(&m), "r"(q), "r"(x), "r"(y), "r"(z), "r"(v), "h"(a), "h"(b4), "h"((unsigned short)3) : "memory"); }
    (void)c; OPENS TELL
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory"); }
PIXELS(ld4i, "4d", "tile", "%3, %4, %5, %6", "", "r"(x), "r"(y), "r"(z), "r"(v))
// A map of the kernel's own, made from the one it was given.
__device__ __align__(128) u32 made[4][32];
#define CHANGE(field, value) asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." value ::"r"(r) : "memory");
#define CHANGE_TO(field, type, value, kind, what) asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." type " [%0], " value ";" ::"r"(r), kind(what) : "memory");
#define BY_MAP(name, rank, places, blank, changes, publish, ...) extern "C" __global__ void name(ARGUMENTS) { SHARED CLEAR \
    __shared__ __align__(128) u32 copy[32]; u32 r = (u32)__cvta_generic_to_shared(copy); void *to = made[blockIdx.x]; \
    if (threadIdx.x < 32) { \
        copy[threadIdx.x] = blank ? 0 : ((const u32 *)&m)[threadIdx.x]; made[blockIdx.x][threadIdx.x] = copy[threadIdx.x]; __syncwarp(); \
        if (threadIdx.x == 0) { changes } \
        __syncwarp(); publish } \
    __syncthreads(); \
    if (threadIdx.x == 0) { \
        asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(to) : "memory"); \
        EXPECT \
        asm volatile("cp.async.bulk.tensor." rank ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" places "}], [%2];" \
            ::"r"(p), "l"(to), "r"(q), __VA_ARGS__ : "memory"); } \
    OPENS TELL }
#define PUBLISH asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(to), "r"(r) : "memory");
#define REPLACE(name, ...) BY_MAP(name, "2d", "%3, %4", false, __VA_ARGS__, PUBLISH, "r"(x), "r"(y))
#define SIZES CHANGE_TO("global_dim", "b32", "0, %1", "r", 40) CHANGE_TO("global_dim", "b32", "1, %1", "r", 20) CHANGE_TO("global_stride", "b64", "0, %1", "l", 512ull)
REPLACE(rep_address, CHANGE_TO("global_address", "b64", "%1", "l", g + 256))
REPLACE(rep_sizes, SIZES)
REPLACE(rep_box, CHANGE_TO("box_dim", "b32", "0, %1", "r", 16) CHANGE_TO("box_dim", "b32", "1, %1", "r", 4))
REPLACE(rep_step, CHANGE_TO("element_stride", "b32", "1, %1", "r", 2))
REPLACE(rep_swizzle, CHANGE("swizzle_mode", "b32 [%0], 3;"))
REPLACE(rep_fill, CHANGE("fill_mode", "b32 [%0], 1;"))
REPLACE(rep_type, CHANGE("elemtype", "b32 [%0], 1;"))
BY_MAP(rep_rank, "3d", "%3, %4, %5", false, CHANGE_TO("rank", "b32", "%1", "r", 2) CHANGE_TO("global_dim", "b32", "2, %1", "r", 4)
    CHANGE_TO("global_stride", "b64", "1, %1", "l", 3072ull) CHANGE_TO("box_dim", "b32", "2, %1", "r", 2)
    CHANGE_TO("element_stride", "b32", "2, %1", "r", 1), PUBLISH, "r"(x), "r"(y), "r"(z))
BY_MAP(rep_blank, "2d", "%3, %4", true, CHANGE_TO("global_address", "b64", "%1", "l", g) CHANGE_TO("rank", "b32", "%1", "r", 1)
    CHANGE_TO("box_dim", "b32", "0, %1", "r", 32) CHANGE_TO("box_dim", "b32", "1, %1", "r", 8) SIZES
    CHANGE_TO("element_stride", "b32", "0, %1", "r", 1) CHANGE_TO("element_stride", "b32", "1, %1", "r", 1)
    CHANGE("elemtype", "b32 [%0], 7;") CHANGE("interleave_layout", "b32 [%0], 0;") CHANGE("swizzle_mode", "b32 [%0], 0;")
    CHANGE("fill_mode", "b32 [%0], 0;"), PUBLISH, "r"(x), "r"(y))
BY_MAP(rep_four, "4d", "%3, %4, %5, %6", false, CHANGE_TO("global_address", "b64", "%1", "l", g)
    CHANGE_TO("global_dim", "b32", "0, %1", "r", 40) CHANGE_TO("global_dim", "b32", "1, %1", "r", 7) CHANGE_TO("global_dim", "b32", "2, %1", "r", 3) CHANGE_TO("global_dim", "b32", "3, %1", "r", 2)
    CHANGE_TO("global_stride", "b64", "0, %1", "l", 160ull) CHANGE_TO("global_stride", "b64", "1, %1", "l", 1280ull) CHANGE_TO("global_stride", "b64", "2, %1", "l", 5120ull), PUBLISH, "r"(x), "r"(y), "r"(z), "r"(v))
#define IN_PLACE(field, type, value, kind, what) asm volatile("tensormap.replace.tile." field ".global.b1024." type " [%0], " value ";" ::"l"(to), kind(what) : "memory");
#define RELEASE asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
#define BY_GLOBAL(name, publish) BY_MAP(name, "2d", "%3, %4", false, IN_PLACE("global_dim", "b32", "0, %1", "r", 40) IN_PLACE("global_dim", "b32", "1, %1", "r", 20) \
    IN_PLACE("global_stride", "b64", "0, %1", "l", 512ull) (void)r;, publish, "r"(x), "r"(y))
BY_GLOBAL(rep_global, RELEASE)
BY_GLOBAL(rep_noproxy, )
// Shared memory holds what tensor_fill makes, from the block's own place in it.
#define STORE(name, what, places, ...) extern "C" __global__ void name(ARGUMENTS) { SHARED \
    for (u32 i = threadIdx.x; i < 2048; i += 128) s[i] = g[blockIdx.x * 2048 + i]; \
    asm volatile("fence.proxy.async;" ::: "memory"); __syncthreads(); \
    if (threadIdx.x == 0) { \
        asm volatile(what " [%0, {" places "}], [%1];" ::"l"(&m), "r"(p), __VA_ARGS__ : "memory"); \
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory"); } \
    (void)q; }
STORE(st1, "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group", "%2", "r"(x))
STORE(st2, "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group", "%2, %3", "r"(x), "r"(y))
STORE(st3, "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group", "%2, %3, %4", "r"(x), "r"(y), "r"(z))
STORE(st5, "cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group", "%2, %3, %4, %5, %6", "r"(x), "r"(y), "r"(z), "r"(v), "r"(w))
#define REDUCE(op) STORE(red_##op, "cp.reduce.async.bulk.tensor.2d.global.shared::cta." #op ".tile.bulk_group", "%2, %3", "r"(x), "r"(y))
REDUCE(add) REDUCE(min) REDUCE(max) REDUCE(inc) REDUCE(dec) REDUCE(and) REDUCE(or) REDUCE(xor)
extern "C" __global__ void ist4(ARGUMENTS) { SHARED OFF
    for (u32 i = threadIdx.x; i < 2048; i += 128) s[i] = g[blockIdx.x * 2048 + i];
    asm volatile("fence.proxy.async;" ::: "memory"); __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(&m), "r"(p), "r"(x), "r"(y), "r"(z), "r"(v) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory"); }
    (void)q, (void)a, (void)b4, (void)c; }
extern "C" __global__ void ired4(ARGUMENTS) { SHARED OFF
    for (u32 i = threadIdx.x; i < 2048; i += 128) s[i] = g[blockIdx.x * 2048 + i];
    asm volatile("fence.proxy.async;" ::: "memory"); __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.im2col_no_offs.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(&m), "r"(p), "r"(x), "r"(y), "r"(z), "r"(v) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory"); }
    (void)q, (void)a, (void)b4, (void)c; }
#ifndef PTX
typedef CUresult (*encode_t)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
    const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef void (*kernel_t)(ARGUMENTS);
#define K(name) {#name, name}
static const struct { const char *name; kernel_t run; } kernels[] = {K(ld1), K(ld2), K(ld3), K(ld4), K(ld5), K(hint), K(pre),
    K(both), K(st1), K(st2), K(st3), K(st5), K(red_add), K(red_min), K(red_max), K(red_inc), K(red_dec), K(red_and), K(red_or), K(red_xor),
    K(im3), K(im4), K(im5), K(ld4i), K(imboth), K(rep_four), K(ist4), K(ired4), K(rep_address), K(rep_sizes), K(rep_box), K(rep_step), K(rep_swizzle),
    K(rep_fill), K(rep_type), K(rep_rank), K(rep_global), K(rep_blank), K(rep_noproxy)};
typedef CUresult (*pixels_t)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *, const int *,
    const int *, cuuint32_t, cuuint32_t, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
int main(int argc, char **argv)
{
    static u32 in[TENSOR_WORDS_IN], out[TENSOR_WORDS_OUT];
    static const char types[] = "fdhbcsuliL";
    static const CUtensorMapDataType are[] = {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
        CU_TENSOR_MAP_DATA_TYPE_FLOAT16, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, CU_TENSOR_MAP_DATA_TYPE_UINT8,
        CU_TENSOR_MAP_DATA_TYPE_UINT16, CU_TENSOR_MAP_DATA_TYPE_UINT32, CU_TENSOR_MAP_DATA_TYPE_UINT64,
        CU_TENSOR_MAP_DATA_TYPE_INT32, CU_TENSOR_MAP_DATA_TYPE_INT64};
    void *found = 0, *images = 0;
    cudaDriverEntryPointQueryResult how;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &how);
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeIm2col", &images, 12000, cudaEnableDefault, &how);
    FILE *dump = argc > 1 ? fopen(argv[1], "wb") : 0;
    u32 *g, *o, *s;
    cudaMalloc(&g, sizeof in), cudaMalloc(&o, sizeof out), cudaMalloc(&s, sizeof in);
    setvbuf(stdout, 0, _IOLBF, 0);
    const bool stops = argc > 2 && argv[2][0] == 's';
    const int from = argc > 2 ? atoi(argv[2] + stops) : 0;
    for (int i = from; i < (stops ? from + 1 : TENSOR_LAUNCHES); i++) {
        const tensor_launch *l = stops ? &tensor_stops[i] : &tensor_launches[i];
        CUtensorMap map;
        cuuint64_t size[5], stride[4];
        for (int k = 0; k < 5; k++) size[k] = l->size[k];
        for (int k = 0; k < 4; k++) stride[k] = l->stride[k + 1];
        const int swizzle = l->swizzle == 128 ? 3 : l->swizzle / 32;
        const bool pixels = tensor_is_images(l);
        const CUresult made = pixels ? ((pixels_t)images)(&map, are[strchr(types, l->type) - types], l->rank, g, size, stride, l->lower,
            l->upper, l->box[0], l->box[1], l->step, CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapSwizzle)swizzle,
            CU_TENSOR_MAP_L2_PROMOTION_NONE, (CUtensorMapFloatOOBfill)l->nan) : ((encode_t)found)(&map, are[strchr(types, l->type) - types], l->rank, g, size, stride, l->box,
            l->step, CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapSwizzle)swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
            (CUtensorMapFloatOOBfill)l->nan);
        tensor_fill(l->type, in);
        cudaMemcpy(g, in, sizeof in, cudaMemcpyDefault);
        cudaMemcpy(s, in, sizeof in, cudaMemcpyDefault);
        cudaMemset(o, 0, sizeof out);
        for (int k = 0; !made && k < (int)(sizeof kernels / sizeof *kernels); k++)
            if (!strcmp(kernels[k].name, l->kernel))
                kernels[k].run<<<4, 128, 8192>>>(map, s, o, l->at[0], l->at[1], l->at[2], l->at[3], l->at[4], l->dx, l->bytes, l->place, l->off);
        const cudaError_t e = cudaDeviceSynchronize();
        cudaMemcpy(in, g, sizeof in, cudaMemcpyDefault);
        cudaMemcpy(out, o, sizeof out, cudaMemcpyDefault);
        const unsigned long long h = tensor_hash(in, TENSOR_WORDS_IN, tensor_hash(out, TENSOR_WORDS_OUT, 1469598103934665603ull));
        printf("%d,%s,%c,%d,%s,%u%u%u%u,%016llx\n", i, l->kernel, l->type, (int)made, cudaGetErrorName(e), out[4095], out[8191],
            out[12287], out[16383], h);
        if (getenv("MAPS")) { const unsigned long long *u = (const unsigned long long *)&map; printf("map"); for (int k = 0; k < 12; k++) printf(" %016llx", u[k]); puts(""); }
        if (dump) fwrite(out, sizeof out, 1, dump), fwrite(in, sizeof in, 1, dump);
        if (e) return 1;
    }
    if (dump) fclose(dump);
}
#endif
