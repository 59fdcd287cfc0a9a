# What a kernel from elsewhere lacks here is said, and what can be seen is taken: a variable of the source that a buffer
# is named after, a function called `half`.
# SPDX-License-Identifier: MIT
kernel() {
  printf '/*\nparams: {n: 128}\nbuffers:\n  in: {type: float, count: n, access: read, fill: index}\n' > "$1.cu"
  printf '  out: {type: float, count: n, access: write}\nthreads: n\nblock: 32\n*/\n' >> "$1.cu"
  cat >> "$1.cu"
  echo "kernel: ./$1.cu" > "$1.yaml"
}
says() { grep -q -- "$2" "$1" || { echo "$1 does not say: $2"; tail -1 "$1"; exit 1; }; }
run() { "$GPUEXP" "$1.yaml" -d sim -q -o "$1.csv" "${@:2}" 2> err; }

kernel shared << 'END'
extern __shared__ float s[];
__global__ void shared(const float *in, float *out)
{
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[threadIdx.x];
}
END
run shared && exit 1
says shared.csv 'byte 0 of 0.*of `extern __shared__` the launch gives nothing: `shared: BYTES`'
need run shared --fresh -s shared=128

kernel half << 'END'
__global__ void half(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }
END
need run half

kernel table << 'END'
__constant__ float in[128];
__global__ void table(float *out) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[i]; }
__device__ bool check(size_t i, const float *out) { return out[i] == i; }
END
need run table
says table.csv ',ok,'
sed 's/__constant__/__device__/' table.cu > symbol.cu
sed s/table/symbol/ table.yaml > symbol.yaml
need run symbol
says symbol.csv ',ok,'
run table --fresh -s memory.in=device && exit 1 # what is asked for counts: nothing fills the variable
says table.csv ,wrong,

# A function of another file: who does not call it runs.
kernel declared << 'END'
extern "C" __device__ float elsewhere(float);
__global__ void declared(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] > 127 ? elsewhere(in[i]) : in[i];
}
__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == in[i]; }
END
need run declared
says declared.csv ,ok,
sed -i 's/> 127/> 100/' declared.cu
run declared --fresh && exit 1
says declared.csv 'calls `elsewhere`, which this source declares and does not define, at line 13 by block (3,0,0)'

nvrtc || skip "surfaces, layers and cubes, and the Toolkit's headers, are for NVRTC"
# nvcc is asked what it is where NVRTC refuses a source, and not before: most compiles are quicker than that.
mkdir -p toolkit/bin
printf '#!/bin/sh\ntouch "%s/asked"\nexit 1\n' "$PWD" | tee toolkit/bin/nvcc > toolkit/bin/ptxas
chmod +x toolkit/bin/*
beside() ( # by no compiler in particular
    unset GPUEXP_COMPILER
    CUDA_HOME=$PWD/toolkit XDG_CACHE_HOME=$PWD/cache run "$@"
)
need beside half --fresh
need [ ! -e asked ]
sed 's/= in/= inn/' half.cu > refused.cu
sed s/half/refused/ half.yaml > refused.yaml
beside refused && exit 1
need [ -e asked ]
# Surfaces, layers and cubes are buffers as the entry takes them.
kernel surface << 'END'
__global__ void surface(const float *in, cudaSurfaceObject_t out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float before;
    surf2Dwrite(in[i], out, i % 16 * 4, i / 16);
    surf2Dread(&before, out, i % 16 * 4, i / 16);
    surf2Dwrite(before + 1, out, i % 16 * 4, i / 16);
}
__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == in[i] + 1; }
END
sed -i 's/count: n, access: write/count: [16, 8], access: write/' surface.cu
need run surface
says surface.csv ,ok,
sed '/before/d; s,i / 16);,i / 16 + 1);,' surface.cu > beyond.cu
sed s/surface/beyond/ surface.yaml > beyond.yaml
run beyond && exit 1
says beyond.csv 'out-of-bounds store of 4 bytes of a surface of 16 x 8 x 1 texels'
layers() { # its name, what is read, how many
  cat > "$1.cu" << END
/*
params: {n: 96}
buffers:
  in: {type: float, count: [4, 4, $3], access: read, fill: index}
  out: {type: float, count: n, access: write}
threads: n
block: 32
*/
__global__ void k(cudaTextureObject_t in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % 4, y = i / 4 % 4, z = i / 16;
    float u = (x + .5f) / 2 - 1, v = (y + .5f) / 2 - 1;
    out[i] = $2;
}
__device__ bool check(size_t i, const float *out) { return out[i] == i; }
END
  echo "kernel: ./$1.cu" > "$1.yaml"
}
layers layered 'tex2DLayered<float>(in, x + .5f, y + .5f, z)' 6
need run layered
says layered.csv ,ok,
cube='z == 0 ? texCubemap<float>(in, 1, -v, -u) : z == 1 ? texCubemap<float>(in, -1, -v, u)'
cube="$cube : z == 2 ? texCubemap<float>(in, u, 1, v) : z == 3 ? texCubemap<float>(in, u, -1, -v)"
cube="$cube : z == 4 ? texCubemap<float>(in, u, -v, 1) : texCubemap<float>(in, -u, -v, -1)"
layers cube "$cube" 6
need run cube
says cube.csv ,ok,
layers five "$cube" 5
run five && exit 1
says five.csv 'a cube has six faces, this texture 5 of 4 x 4 texels'

kernel meets << 'END'
#include <cooperative_groups.h>
__global__ void meets(const float *in, float *out) { cooperative_groups::this_grid().sync(); out[threadIdx.x] = *in; }
END
run meets && exit 1
says meets.csv 'executed `trap`.*takes `cooperative: true`'
need run meets --fresh -s cooperative=true
# More blocks than an H200 has at once, and a grid of no whole clusters: said before the run, and the row is skipped.
echo '{kernel: ./half.cu, with: {grid: 10000}}' > many.yaml
for asks in cooperative=true cluster=7; do
    run many -d sim:h200 --fresh -s $asks
    says many.csv ",skipped,.*\`${asks%=*}\`: 10000 blocks"
    "$GPUEXP" check many.yaml -d sim:h200 -s $asks 2> log && exit 1
    grep -q "\`${asks%=*}\`: 10000 blocks" log
done
run many -d sim:h200 --fresh -s cooperative=true -s grid=2000 -s block=64
says many.csv ',unverified,'
kernel labels << 'END'
#include <cuda/barrier>
__global__ void labels(const float *in, float *out) { asm("L: nothing; L:"); out[0] = in[0]; }
END
run labels && exit 1
says labels.csv 'its PTX is refused: .*look at the inline PTX'
