# Where NVRTC has made machine code, it is what is counted: a row says `sass`. Where its instructions are not all known,
# the PTX is counted, and the row says `ptx`. Other compilers make none.
# SPDX-License-Identifier: MIT
nvrtc || skip "no NVRTC here, and nothing else makes machine code"
cell() { cells $1 $2 | tail -1; }
kernel() { # name, body, what stands before it
    cat > $1.cu <<END
/*
buffers:
  in:  {type: int, count: 65536, access: read, fill: index}
  out: {type: int, count: 8192, access: write}
threads: 8192
block: 256
*/
${3:-}
extern "C" __global__ void $1(int *out, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    $2
    out[i] = sum;
}
END
    echo "kernel: ./$1.cu" > $1.yaml
    "$GPUEXP" -q $1.yaml -d sim:h200 -o $1.csv > log 2>&1
}
# The same whatever compiles: a load and a store; four turns of a loop, in which lanes part.
kernel plain 'sum = in[i];'
kernel parts 'for (int j = 0; j < i % 9; j++) sum += in[8 * i % 60000 + j];'
# A loop that is left in its middle is written out whole, which PTX does not show.
kernel leaves 'for (int j = 0; j < 64; j++) { int x = in[i % 1000 + j]; sum += x; if (x > 500) break; }'
for k in plain parts leaves; do need [ "$(cell $k.csv counts)" = sass ]; done
need [ "$(cat plain.csv parts.csv leaves.csv | grep -c approximate)" = 0 ]
need [ "$(cell plain.csv instructions)" -gt 0 ]
need [ -n "$(cell plain.csv model_us)" ] # what the model said of the PTX stands beside them
need [ "$(cell plain.csv parted_branches)" = 0 ]
need [ "$(cell parts.csv parted_branches)" -gt 0 ]
# What is taken away in two halves: of the lower half of the first, 0, nothing is borrowed.
kernel halves 'const unsigned long long *p = (const unsigned long long *)in; sum = (p[i + 1] - (p[i] << 5)) >> 32;'
need [ "$(cell halves.csv counts)" = sass ]
# A copy that some lanes only fill with zeros: they ask for nothing.
kernel copies '__shared__ int s[256]; unsigned at = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
        ::"r"(at), "l"(in + i), "r"(i < 4000 ? 4 : 0) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory"); sum = s[threadIdx.x];'
need [ "$(cell copies.csv counts) $(cell copies.csv ld_sectors)" = "sass 500" ]
# Sums of floats in shared memory are loops that turn as often as other warps let them: the row says so.
kernel waits '__shared__ float s; if (threadIdx.x == 0) s = 0; __syncthreads();
    atomicAdd(&s, 1.0f); __syncthreads(); sum = (int)s;'
need [ "$(cell waits.csv counts)" = sass ]
need grep -q 'shared_wavefronts and bank_conflicts are lower bounds' waits.csv
kernel doubles '__shared__ double s; if (threadIdx.x == 0) s = 0; __syncthreads();
    atomicAdd(&s, (double)in[i]); __syncthreads(); sum = (int)s;'
need [ "$(cell doubles.csv counts)" = sass ]
need grep -q 'shared_wavefronts and bank_conflicts are lower bounds' doubles.csv
# Memory that is asked for while it runs is left to the PTX, and of instructions nothing is said.
kernel asks 'int *p = (int *)malloc(4); if (p) { *p = in[i]; sum = *p; free(p); }'
need [ -z "$(cell asks.csv instructions)" ]
need [ "$(cell asks.csv counts)" = ptx ]
# What is printed is printed once, by the PTX; what is asserted and holds is no reason to leave machine code.
kernel says 'sum = in[i]; if (i == 77) printf("it is %d\n", sum);'
need [ "$(cell says.csv counts) $(grep -c 'it is 77' log)" = "ptx 1" ]
kernel sure 'sum = in[i]; if (sum < 0) __assertfail("sum", "sure.cu", 1, "sure", 1);'
need [ "$(cell sure.csv counts)" = sass ]
# A function that calls itself has its stack counted, though the compiler tells of no local memory; and where some lanes
# of a warp come back before others, the row says so.
kernel deep 'sum = in[i] < 0 ? 0 : fib(i % 7);' \
    '__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }'
need [ "$(cell deep.csv counts)" = sass ]
need [ "$(cell deep.csv local_requests)" -gt 0 ]
need grep -q 'approximate: [0-9]* calls from which some lanes of a warp came back before others' deep.csv
GPUEXP_COMPILER=clang kernel other 'sum = in[i];'
if ! grep -q 'nothing here compiles\|GPUEXP_COMPILER' log; then need [ "$(cell other.csv counts)" = ptx ]; fi
# Without a check nobody says which of two results is right: where the two differ, the PTX is counted, however many
# points there are. (Sines have last bits of their own.)
large() { # name, value of an element
    cat > $1.cu <<END
/*
params: {n: 64Ki}
buffers:
  in:  {type: float, count: n, access: read, fill: index}
  out: {type: float, count: n, access: write}
threads: n
*/
extern "C" __global__ void $1(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = $2;
}
END
    echo "{kernel: ./$1.cu, sweep: {n: [64Ki, 96Ki, 128Ki]}}" > $1.yaml
    "$GPUEXP" -q $1.yaml -d sim:h200 -o $1.csv > log 2>&1
    cells $1.csv counts | sort | uniq -c | tr -s ' '
}
need [ "$(large waves '__sinf(in[i] / 1000)')" = ' 3 ptx' ]
need [ "$(large twice '2 * in[i]')" = ' 3 sass' ]
# One of many accesses is not run whole by its PTX: it is enough that machine code leaves what some of its blocks left.
large much '0; for (int k = 0; k < 29; k++) out[i] += in[k]' > counts
need [ "$(cat counts)" = ' 3 sass' ]
large last 'blockIdx.x < 64 ? __sinf(in[i]) : 0; for (int k = 0; k < 29; k++) out[i] += in[k]' > counts
need [ "$(cat counts)" = ' 3 ptx' ]
