# Kernels that go wrong, on the simulator, through the whole program: each has a row that says what is wrong and where,
# the run goes on, and the exit status is 1. One that needs what the simulator cannot do is `skipped`, which is not a
# failure.
# SPDX-License-Identifier: MIT
make() { # NAME BODY [LINKAGE]: a copy kernel with that body on line 10
    cat > "$1.cu" <<END
/*
params: {n: {default: 1Ki, min: 1}}
buffers:
  in: {type: float, count: n, access: read, fill: random}
  out: {type: float, count: n, access: write}
threads: n
*/
${3:-extern \"C\"} __global__ void $1(const float *in, float *out, size_t n)
{   size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    $2
}
__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == in[i]; }
END
    printf 'kernel: ./%s.cu\nwith: {block: 64, timeout: %s}\n' "$1" "${timeout:-60s}" > "$1.yaml"
}
row() { # NAME STATUS REASON: the only row, without the instruction; counts where it can come to its end all the same
    awk 'NR == 2' "reports/$1.csv" | sed 's/ ([A-Z.0-9]* at 0x[0-9a-f]*)//g' > row
    need grep -qF ",$2," row
    need grep -qF "$3" row
    case "$2 $3" in
        racy* | ok* | *'nothing has written'* | *'other variables'*) need grep -qE ',(sass|ptx),[0-9a-f]*$' row ;;
        *) need grep -qE ',,[0-9a-f]*$' row ;;
    esac
}
fails() { # NAME STATUS REASON BODY [LINKAGE]
    make "$1" "$4" "${5:-}"
    gpuexp -q "$1.yaml" -d sim 2> log
    need [ $? = 1 ]
    row "$1" "$2" "$3"
    need grep -q "^1/1  .*: $2: " log # what went wrong is said with -q too
}
passes() { # NAME BODY
    make "$1" "$2"
    need gpuexp -q "$1.yaml" -d sim
    row "$1" ok ''
}
fails past_the_end failed \
    'past the end of `in`, at byte 4096 of 4096: element 1024, and it has 1024, at line 10' \
    'out[i] = in[i + 1];'
fails marks failed \
    'store of 4 bytes to `in[303]`, which is `access: read`, at line 10 by block (4,0,0) warp 1 lane 12' \
    'out[i] = in[i]; if (i == 300) ((float *)in)[i + 3] = 1;'
fails misaligned failed 'misaligned load of 4 bytes at byte 1 of `in`, at line 10 by block (0,0,0) warp 0 lane 0' \
    'out[i] = *(const float *)((const char *)in + 4 * i + 1);'
fails astray failed 'which belongs to no buffer, at line 10 by block (0,0,0) warp 0 lane 0' \
    'out[i] = ((float *)0x1234560)[i];'
fails past_the_tile failed \
    'out-of-bounds shared store of 4 bytes at byte 256 of 256, at line 10 by block (0,0,0) warp 1 lane 31' \
    '__shared__ float t[64]; t[threadIdx.x + 1] = in[i]; __syncthreads(); out[i] = t[threadIdx.x + 1];'
fails before_the_tile failed 'out-of-bounds shared store of 4 bytes at byte 4294967292 of 256, at line 10' \
    '__shared__ float t[64]; t[(int)threadIdx.x - 1] = in[i]; __syncthreads(); out[i] = t[(int)threadIdx.x - 1];'
"$GPUEXP" -q --fresh before_the_tile.yaml -d sim -s model=none > log 2>&1 # no PTX runs before
row before_the_tile failed 'out-of-bounds shared store of 4 bytes at byte 4294967292 of 256'
fails stuck failed \
    '32 of 64 threads wait at barrier 1, which the others do not reach, at line 10 by block (0,0,0) warp 0 lane 0' \
    'if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;"); else asm volatile("bar.sync 2, 64;"); out[i] = in[i];'
fails trapped failed 'executed `trap`, at line 10 by block (1,0,0) warp 0 lane 6' \
    'if (i == 70) asm volatile("trap;"); out[i] = in[i];'
# A counter that is read before all have added: in the first order the last warp finds all of them.
fails early_sum racy 'with blocks and warps in another order (`schedule: 1`)' \
    '__shared__ int c; if (threadIdx.x == 0) c = 0; __syncthreads(); atomicAdd(&c, 1);
    out[i] = in[i] + (threadIdx.x == 63 && atomicAdd(&c, 0) < 64);'
# No two lanes of a warp are promised to run in step, whether their accesses are volatile or not. Each has a twin.
swap='__shared__ volatile float s[64]; const int t = threadIdx.x; s[t] = in[i];'
fails in_step racy 'another order (`schedule: 1`) ' "$swap out[i ^ 1] = s[t ^ 1];"
row in_step racy ' at line 10, and `volatile` does not order what different lanes do'
fails together racy '`__activemask()` at line 11 names the lanes that run together, and these need not be all' \
    'const unsigned all = __ballot_sync(~0u, in[i] > 0.5f); out[i] = in[i];
    if (all >> threadIdx.x % 32 & 1) out[i] += __activemask() != all;'
half='__shared__ float s[64]; const int t = threadIdx.x; s[t] = in[i]; __syncwarp(0xffffu << (t & 16));'
fails half_met racy 'another order (`schedule: ' "$half out[i ^ 31] = s[t ^ 31];"
passes half_met_ok "$half out[i ^ 15] = s[t ^ 15];"
# A stack whose head is a bare index: others may take a token and the next one, and put the first back (ABA).
stack() { # WHAT A PUSH ADDS TO THE HEAD
    echo "__shared__ int head, list[65]; const int t = threadIdx.x; volatile int *top = &head, *next = list;
    next[t] = t + 1; if (t == 0) head = 0, list[64] = 64; __syncthreads();
    for (int k = 0, h; k < 3; k++) {
        do h = *top; while (atomicCAS(&head, h, (h & ~255) $1 | next[h & 255]) != h);
        const int own = h & 255;
        do { h = *top; next[own] = h & 255; __threadfence_block(); }
        while (atomicCAS(&head, h, (h & ~255) $1 | own) != h);
    }
    __syncthreads(); int all = 0;
    for (int h = *top & 255; h < 64 && all < 65; h = next[h]) all++;
    out[i] = in[i] + (all != 64);"
}
fails taken_twice racy 'another order (`schedule: ' "$(stack '')"
passes in_step_ok "$swap __syncwarp(); out[i ^ 1] = s[t ^ 1];"
passes together_ok 'const unsigned all = __ballot_sync(~0u, in[i] > 0.5f), here = __activemask(); out[i] = in[i];
    if (all >> threadIdx.x % 32 & 1) out[i] += here == 0;'
# From one array of shared memory into the next one: what stands there is whole again before anybody looks.
two='__shared__ float a[64], b[64]; const int t = threadIdx.x; b[t] = a[t] = in[i]; __syncthreads();'
fails into_the_next failed 'out-of-bounds shared load of 4 bytes at byte 256 of `a`, which has 256: other variables' \
    "$two out[i] = a[t] + 0 * (a[t + 1] + b[63 - t]);"
! nvrtc || need grep -q 'at line 10 by block (0,0,0) warp 1 lane 31; not seen in its machine code' row
passes into_no_other "$two
    float *p = t % 2 ? a : b; for (int k = 0; k < 2; k++) p += 32; out[i] = a[t] + 0 * p[t - 64];"
# A compiler reads the last three of `a` by a load of four: others write what lies behind, and nobody uses it here.
wide='const int t = threadIdx.x; if (t < 7) a[t] = in[i]; __syncthreads();
    if (t < 7) { float s = 0; for (int k = 0; k < 7; k++) s += a[k] * in[(k + t) % 7]; b[t] = s; }
    __syncthreads(); out[i] = in[i] + 0 * b[t % 7];'
passes wide_in_ptx "__shared__ __align__(16) float a[7], b[7]; $wide"
passes wide_in_machine_code "__shared__ float a[7], b[7]; $wide"
# What a warp does as one it does as one in any order.
passes product 'int a = in[i] >= 0 ? 0x01010101 : 0, d, e, zero = __activemask() == 0;
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%2}, {%3, %3};"
                 : "=r"(d), "=r"(e) : "r"(a), "r"(zero));
    out[i] = in[i] + (d != 16) + (e != 16);'
passes twice 'for (int k = 0; k < 3; k++)
        asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    out[i] = in[i] + (__activemask() == 0);'
passes taken_twice_ok "$(stack '+ 256')"
# What nothing has written is seen in the first byte of the result alone, which `check` accepts.
make first_byte '__shared__ volatile int s[64]; out[i] = in[i]; if (i == 0) *(unsigned char *)out = s[5];'
sed -i 's/{ return out\[i\] == in\[i\]; }/{ return i == 0 || out[i] == in[i]; }/' first_byte.cu
"$GPUEXP" -q first_byte.yaml -d sim > log 2>&1
row first_byte failed 'which nothing has written'
# A kernel with `expected`: what stands at the first wrong element, and what that may mean.
expected() { # NAME REASON BODY: `rows` is longer than `out`
    make "$1" "$3"
    sed -i -e 's/^  out:/  rows: {type: float, count: 2 * n, access: read, fill: index}\n  out:/' \
        -e 's/const float \*in, float \*out/const float *in, const float *rows, float *out/' \
        -e 's/^__device__ bool check.*/__device__ float expected(size_t i, const float *in) { return in[i]; }/' "$1.cu"
    gpuexp -q "$1.yaml" -d sim 2> log
    need [ $? = 1 ]
    row "$1" wrong "$2"
}
expected halved '24 of 1024 elements are wrong, the first is [1000]: out was never written, expected ' \
    'if (i < 1000) out[i] = in[i];'
need grep -qF '; does the grid cover `out`?' row
need [ "$(grep -c 'largest error\|rows = ' row)" = 0 ] # one that was not written has no error
expected nearly 'elements are wrong, the first is [0]: out = ' 'out[i] = in[i] * 1.000001f;'
need grep -qE 'the first is off by (9.5e-07|1e-06|1.1e-06) of its value, as a sum in another order may be' row
expected far '1024 of 1024 elements are wrong' 'out[i] = in[i] * 1.01f;'
need [ "$(grep -c 'another order' row)" = 0 ]
fails nonsense wrong '323 of 1024 elements are wrong, the first is [701]' 'out[i] = in[i] + (i > 700);'
fails unclear failed './unclear.cu:10:' 'out[i] = im[i];'
# An endless loop ends by the instructions that it has executed, with its line, and long before its worker would be
# killed: the timeout says how many they are.
timeout=10s fails endless failed 'warp instructions executed, probably an endless loop, at line 10 by block (' \
    'for (int k = 1; k; k = 3 - k) asm volatile("");'
# One that does nothing but look is known to wait for nobody, at once: its machine code would look for an hour.
timeout=1h fails waiting failed 'waits in a loop for what no thread that runs is to do, at line 10 by block (0,0,0)' \
    'while (((volatile const float *)in)[0] != 3.25f) {}'
make monitor 'unsigned p;
    asm volatile("mov.u32 %0, %%pm0;" : "=r"(p));
    out[i] = in[i] + (p ? 0 : 0);'
gpuexp -q monitor.yaml -d sim 2> log
need [ $? = 1 ] # no point is left that can run
row monitor skipped %pm0
# A point that does not meet what the kernel needs is skipped, before its block is looked at; the others run.
make even 'out[i] = in[i];'
sed -i 's/^threads: n/threads: n\nneeds: n % 2 == 0 and block <= 1024/' even.cu
sed -i 's/^with:.*/sweep: {n: [64, 65], block: [64, 2048]}/' even.yaml
need gpuexp -q even.yaml -d sim
need [ "$(cells reports/even.csv status | tr '\n' ' ')" = 'ok skipped skipped skipped ' ]
need [ "$(grep -c 'kernel `even` needs `n % 2 == 0 and block <= 1024`' reports/even.csv)" = 3 ]
# A function called by its address runs, whichever it is.
plain='+[](float x) { return x; }' same='+[](float x) { return x - 0; }'
make pointer "float (*f)(float) = in[i] > 0 ? $plain : $same; out[i] = f(in[i]);"
need gpuexp -q pointer.yaml -d sim

# Values of a type parameter that a header defines, and that the source does not include.
make types 'out[i] = in[i];'
sed -i -e 's/^params: {/&T: {kind: type, default: __half2, one_of: [half, half2, __half, __half2]}, /' \
    -e 's/float/T/g; /check/d' types.cu
printf 'kernel: ./types.cu\nsweep: {T: [half, half2, __half, __half2]}\n%s\n' \
    'expect: [{that: status == "unverified"}]' > types.yaml
need gpuexp -q types.yaml -d sim

# Where nothing compiles kernels no point can be measured: that is said once, and the report does not change.
cp reports/types.csv before.csv
GPUEXP_COMPILER=nothing gpuexp -q types.yaml -d sim 2> log
need [ $? = 3 ]
need [ "$(head -1 log)" = 'gpuexp: GPUEXP_COMPILER=nothing: there are nvrtc, nvcc and clang' ]
need cmp before.csv reports/types.csv
