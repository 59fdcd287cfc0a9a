# A description's `host`: the program's own way to launch says grid, block and arguments, for what only the host makes.
# more: each message costs a run of nvcc
# SPDX-License-Identifier: MIT
cat > axpy.cuh <<'E'
#pragma once
#include <cstring>
#include <vector>
struct Where { float *y; const float *x; int stride; };
struct Params { char kind; Where at; double by; size_t n; };
template <class P, int N> __global__ void axpy_kernel(P p)
{
    size_t i = blockIdx.x * (size_t)N + threadIdx.x;
    if (i < p.n) p.at.y[i] = p.by * p.at.x[i * p.at.stride];
}
static __global__ void ones_kernel(float *to, int n) { for (int i = threadIdx.x; i < n; i += 32) to[i] = 1; }
namespace { __global__ void add_kernel(float *y, const float *more, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) y[i] += more[i % 8];
} }
// As a program does it: asks the device, allocates, launches three kernels.
inline void axpy(float *y, const float *x, double by, size_t n)
{
    int sms = 0, blocks = 0;
    float *eight = nullptr;
    std::vector<int> host(n);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, axpy_kernel<Params, 128>, 128, 0);
    if (sms != 132 || blocks < 1 || cudaMalloc(&eight, 8 * sizeof *eight)) return;
    cudaMemset(eight, 0, 8 * sizeof *eight);
    Params p{'a', {y, x + 1, 2}, by, n};
    memcpy(&p.at.stride + 1, (char *)&y + 4, 4); // what was there before may stand beside an int
    void *argument[] = {&p};
    cudaLaunchKernel((const void *)axpy_kernel<Params, 128>, dim3((n + 127) / 128), dim3(128), argument, 0, nullptr);
    ones_kernel<<<1, 32>>>(eight, 8);
    void *arguments[] = {&y, &eight, &n};
    cudaLaunchKernel((const void *)add_kernel, dim3((n + 63) / 64), dim3(64), arguments, 0, nullptr);
    cudaFree(eight);
}
void never() { cudaDeviceReset(); } // what the runtime does not know may be there, if it is not called
int main() { return 1; }
E
cat > axpy.cu <<'E'
/*
about: A kernel that its own program's function launches.
params: {n: 1000, by: {default: 1.5}}
buffers:
  x: {type: float, count: 2 * n, access: read, fill: random}
  y: {type: float, count: n, access: write}
  scratch: {type: char, count: 1Ki, access: write}
tolerance: {rel: 1e-6}
host: axpy(y, x, by, n);
code: |
  __device__ float expected_y(size_t i, const float *x, double by) { return by * x[2 * i + 1] + 1; }
*/
#include "axpy.cuh"
E
if ! GPUEXP_COMPILER=nvcc "$GPUEXP" devices | grep -q 'compiler: nvcc'; then
    "$GPUEXP" axpy.cu -d sim > log 2>&1 && need false
    need grep -q '`host` of a kernel is for nvcc' log
    skip "no nvcc here: the messages without it hold"
fi
need "$GPUEXP" axpy.cu -d sim:h200 -s 'n=[1000, 4097]' -o rows.csv > log
need [ "$(grep -c ',ok,' rows.csv)" = 2 ]
need grep -q '^.*,axpy_kernel' <(tr -d '"' < rows.launches.csv | sed 's/_Z[0-9]*/,/')
need [ "$(grep -c add_kernel rows.launches.csv)" = 2 ]
need [ "$(grep -c gpuexp_set rows.launches.csv)" = 2 ]
need "$GPUEXP" check axpy.cu > log
need grep -q 'host  *C++ of the description launches' <("$GPUEXP" describe ./axpy.cu)
"$GPUEXP" check axpy.cu -s block=64 > log 2>&1 && need false
need grep -q '`block` goes without `host`' log
"$GPUEXP" check axpy.cu -s compiler=nvrtc > log 2>&1 && need false
need grep -q '`host` of a kernel is for nvcc: `compiler` is nvrtc' log
sed 's/^tolerance:/grid: 1\n&/' axpy.cu > grid.cu
"$GPUEXP" check grid.cu > log 2>&1 && need false
need grep -q '^./grid.cu:8:1: `grid` goes without `host`' log

# A program's own main: what it allocates are buffers, what it copies is in them, up to where it reads a result.
cat > theirs.cu <<'E'
#include <cstdlib>
#include <cstring>
__global__ void look(const int *x, const int *ones, int *managed, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (x[i] != 7 * i || ones[i] != 0x01010101 || managed[i] != n - i) __trap();
    y[i] = x[i];
}
__global__ void again(int *y, int n) { if (threadIdx.x < n) y[threadIdx.x]++; }
int main(int argc, char **argv)
{
    const int n = 1000;
    int host[n], *x, *ones, *managed, *y;
    if (argc != 1 || argv[1]) return 2;
    for (int i = 0; i < n; i++) host[i] = 7 * i;
    cudaMalloc(&x, sizeof host), cudaMalloc(&ones, sizeof host), cudaMalloc((void **)&y, sizeof host);
    cudaMallocManaged(&managed, sizeof host);
    cudaMemcpy(x, host, sizeof host / 2, cudaMemcpyHostToDevice);
    cudaMemcpy(x + n / 2, host + n / 2, sizeof host / 2, cudaMemcpyHostToDevice);
    cudaMemset(ones, 1, sizeof host);
    for (int i = 0; i < n; i++) managed[i] = n - i;
    look<<<8, 128>>>(x, ones, managed, y, n);
    for (int i = 0; i < 5; i++) again<<<1, 32>>>(y, 32);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    look<<<1, 1>>>(nullptr, nullptr, nullptr, nullptr, 1);
    exit(strcmp("right", "wrong"));
}
E
printf '/* host: main */\n#include "theirs.cu"\n' > own.cu
need "$GPUEXP" own.cu -d sim:h200 -o own.csv > log
need grep -q ',unverified,' own.csv
need [ "$(grep -o '_Z[0-9]*[a-z]*' own.launches.csv | tr '\n' ' ')" = "_Z4look _Z5again " ]
[ -n "$whole" ] || exit 0

# What it cannot be told is said, with the line.
says() { # host's code, message
    sed "s|^host:.*|host: '${1//&/\\&}'|" axpy.cu > one.cu
    "$GPUEXP" check one.cu > log 2>&1 && cat log && need false
    cat log;     need grep -qF "./one.cu:9: $2" <(sed 's/^\(.*one.cu:9\):[0-9]*:/\1:/' log)
}
says '(void)x;' "the host's code launches nothing"
says 'axpy(y, x, by, n); nonsense;' 'identifier "nonsense" is undefined'
says 'cudaDeviceReset(); axpy(y, x, by, n);' "the host's code: it calls \`cudaDeviceReset\`, which is not known here"
says 'float a; ones_kernel<<<1, 32>>>(&a, 1);' \
    "argument 1 of \`_Z11ones_kernelPfi\` is an address of the host's"
says 'ones_kernel<<<1, 32>>>(y, y - x);' \
    "argument 2 of \`_Z11ones_kernelPfi\` has at byte 0 what hangs on where a buffer lies"
says 'ones_kernel<<<(size_t)y >> 34, 32>>>(y, 1);' \
    "the host's code launches something else when its buffers lie elsewhere"
says 'y[0] = x[0];' "the host's code died before its end"
says 'for (volatile int i = 0;; i++);' "the host's code does not end"
says 'float a; cudaMemcpy(y, &a, 4, cudaMemcpyHostToDevice);' "the host's code: it copies 4 bytes to the device"
says 'void *p; cudaMalloc(&p, 2000);' "the host's code: it allocates 2000 bytes, and \`scratch\` has 1024 left"
says 'ones_kernel<<<1, 2000>>>(y, 1);' "the host's code launches 1 x 1 x 1 blocks of 2000 x 1 x 1 threads"
says 'float a; cudaMemcpy(&a, y, 4, cudaMemcpyDeviceToHost);' "the host's code: it copies 4 bytes from the device"

# Of an own main too.
refuses() { # edit of the program, message
    sed "$1" theirs.cu > changed.cu
    printf '/* host: main */\n#include "changed.cu"\n' > own.cu
    "$GPUEXP" check own.cu > log 2>&1 && cat log && need false
    need grep -qF "$2" log
}
refuses 's/look<<<.*//; s/.*again<<<.*//' "the host's code died before its end" # as its exit status says
refuses 's/cudaMemset(ones.*/cudaMemcpyToSymbol(ones, host, 4);/' \
    "calls \`cudaMemcpyToSymbol\`, which is not known here"
refuses 's/sizeof host . 2, cudaMemcpyHostToDevice/sizeof host, cudaMemcpyHostToDevice/' \
    "bytes beyond what it allocated"
refuses 's/cudaMemset(ones.*/&cudaMemcpy(ones, \&x, 8, cudaMemcpyHostToDevice);/' \
    "copies an address to the device, at byte 0 of what it allocated as number 2"

# A tensor map that the host encodes, of a place in a buffer, within a structure.
cat > map.cu <<'E'
/*
params: {n: 4}
buffers:
  in: {type: float, count: 64 * 64, access: read, fill: random}
  out: {type: float, count: 8 * 16, access: write}
host: |
  Params p{};
  cuuint64_t size[] = {64, 60}, stride[] = {64 * sizeof(float)};
  cuuint32_t box[] = {16, 8}, step[] = {1, 1};
  cuTensorMapEncodeTiled(&p.map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, in + n * 64, size, stride, box, step,
      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  p.out = out, p.more = 5;
  box_kernel<<<1, 32>>>(p);
code: |
  __device__ float expected(size_t i, const float *in, int n) { return in[(n + 8 + i / 16) * 64 + 32 + i % 16] + 5; }
*/
#include <cuda.h>
#include <cuda/barrier>
struct Params { float *out; CUtensorMap map; long more; };
__global__ void box_kernel(const __grid_constant__ Params p)
{
    namespace cde = cuda::device::experimental;
    __shared__ alignas(128) float box[8 * 16];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) init(&bar, 32), cde::fence_proxy_async_shared_cta();
    __syncwarp();
    cuda::barrier<cuda::thread_scope_block>::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_global_to_shared(box, &p.map, 32, 8, bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof box);
    } else token = bar.arrive();
    bar.wait(std::move(token));
    for (int i = threadIdx.x; i < 8 * 16; i += 32) p.out[i] = box[i] + p.more;
}
E
need "$GPUEXP" map.cu -d sim:h200 -o map.csv > log
need grep -q ',ok,' map.csv

# Clusters, and blocks that wait for each other, are what the launch says too.
cat > together.cu <<'E'
/*
buffers:
  of: {type: int, count: 128, access: write}
  turned: {type: int, count: 128, access: write}
host: |
  cudaLaunchAttribute a[2];
  a[0].id = cudaLaunchAttributeClusterDimension, a[0].val.clusterDim = {2, 1, 1};
  a[1].id = cudaLaunchAttributeCooperative, a[1].val.cooperative = 1;
  cudaLaunchConfig_t c{};
  c.gridDim = 4, c.blockDim = 32, c.attrs = a, c.numAttrs = 2;
  cudaLaunchKernelEx(&c, together_kernel, of, turned);
code: |
  __device__ int expected_of(size_t i) { return 2; }
  __device__ int expected_turned(size_t i) { return 2; }
*/
#include <cooperative_groups.h>
__global__ void together_kernel(int *of, int *turned)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    of[i] = cooperative_groups::this_cluster().num_blocks();
    cooperative_groups::this_grid().sync();
    turned[i] = of[127 - i];
}
E
need "$GPUEXP" together.cu -d sim:h200 -o together.csv > log
need grep -q ',ok,' together.csv
