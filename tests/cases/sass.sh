# Where NVRTC has made machine code, the counts are held against it: a row says `sim+sass` where both have as many
# accesses of each kind, else which columns are approximate. Other compilers make none.
# SPDX-License-Identifier: MIT
nvrtc || skip "no NVRTC here, and nothing else makes machine code"
cell() { cells $1 $2 | tail -1; }
kernel() { # name, body
    cat > $1.cu <<END
/*
buffers:
  in:  {type: int, count: 65536, access: read, fill: index}
  out: {type: int, count: 8192, access: write}
threads: 8192
block: 256
*/
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
# A loop that is left in its middle is written out whole, which the simulator does not do.
kernel leaves 'for (int j = 0; j < 64; j++) { int x = in[i % 1000 + j]; sum += x; if (x > 500) break; }'
need [ "$(cell plain.csv counts)" = sim+sass ]
need [ "$(cell parts.csv counts)" = sim+sass ]
need [ "$(cell leaves.csv counts)" = sim ]
need grep -q 'ld_sectors: the machine code has 64 loads of global memory, where 1 were expected' leaves.csv
need [ "$(grep -c approximate plain.csv parts.csv | tr '\n' ' ')" = 'plain.csv:0 parts.csv:0 ' ]
GPUEXP_COMPILER=clang kernel leaves 'sum = in[i];'
if ! grep -q 'nothing here compiles\|GPUEXP_COMPILER' log; then need [ "$(cell leaves.csv counts)" = sim ]; fi
