# Counts by place: each instruction that reaches memory, by its line of the source, with what it costs.
# SPDX-License-Identifier: MIT
cat > places.cu << 'END'
/*
params: {n: {default: 8192, about: elements}, apart: {default: 1, about: elements from lane to lane}}
buffers: {in: {type: float, count: n * apart, access: read, fill: index}, out: {type: float, count: n, access: write}}
threads: n
*/
extern "C" __global__ void places(const float *in, float *out, int n, int apart)
{
    __shared__ float tile[32 * 32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x % 32 * 32 + threadIdx.x / 32] =
        in[i * apart];
    __syncthreads();
    if (threadIdx.x % 32 < 8) out[i] = tile[threadIdx.x];
    else ((volatile float *)out)[i] = i;
}
__device__ bool check(size_t i, const float *out) { return i % 32 < 8 || out[i] == i; }
END
# 8 warps a block, 32 blocks: 256 requests each. 32 lanes fall into one bank; two requests take 8 and 24 of 32 lanes.
t gpuexp sites places.cu -s 'apart=[1, 8]'
gpuexp sites places.cu --format json | tr -d ' \n' | tr '{' '\n' > places # a line a place
load='"line":11,"instruction":"ld\.global\..*"requests":256,"sectors":1024,.*"lanes":8192,'
tile='"line":10,"instruction":"st\.shared\..*"requests":256,.*"wavefronts":8192,"bank_conflicts":7936,'
need [ "$(grep -c "$load" places) $(grep -c "$tile" places)" = "1 1" ]
need awk -F '"share":' '/"sectors":[1-9]/ { all += $2 } END { exit all < 0.999999999 || all > 1.000000001 }' places
echo "--- launches of a sequence are summed, each entry by itself"
cat > steps.cu << 'END'
/*
params: {n: 1024}
buffers: {from: {type: int, count: n, access: both, fill: index}, to: {type: int, count: n, access: write}}
sequence:
  - {launch: add, repeat: 3, threads: n}
  - {launch: twice, threads: n / 2}
*/
extern "C" __global__ void add(int *from, int *to)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i] + 1;
}
extern "C" __global__ void twice(int *from)
{
    atomicAdd(&from[0], 1);
}
END
t gpuexp sites steps.cu
echo "--- a point without numbers has no places; what an instruction does alike is one line"
sed 's/out\[i\] == i/false/' places.cu > wrong.cu
t gpuexp sites wrong.cu
cat > unrolled.cu << 'END'
/*
params: {n: 1024}
buffers: {data: {type: float, count: 8 * n, access: both, fill: index}}
threads: n
*/
extern "C" __global__ void unrolled(float *data)
{
#pragma unroll
    for (int k = 0; k < 4; k++) data[1024 * k + threadIdx.x] *= 2;
}
END
t gpuexp sites unrolled.cu -d sim:h200 -s block=1024 -s check=none
t gpuexp sites nosuch.cu
printf 'kernel: ./places.cu\nsweep: {apart: [1, 2]}\nwhere: apart > 1\n' > places.yaml
t gpuexp sites places.yaml -s n=256
echo "--- a kernel that does nothing"
t gpuexp sites empty
