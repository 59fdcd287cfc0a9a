# What buffers hold before a kernel runs: numbers, ranges, C++ of the index, files; and buffers of structures.
# SPDX-License-Identifier: MIT
cat > fill.cu << 'END'
/*
about: every way to fill, with elements of every kind
params: {n: 100, h: 0.5}
buffers:
  zero:  {type: float4, count: n, access: read, fill: 0}
  big:   {type: long long, count: n, access: read, fill: 64Ki}
  low:   {type: half, count: n, access: read, fill: {random: [-1, 1]}}
  dice:  {type: unsigned char, count: n, access: read, fill: {random: [1, 6]}}
  ramp:  {type: float, count: n, access: read, fill: h * i}
  bodies: {type: Body, bytes: 16, count: n, access: both, fill: "{(float)i, 1, 2, -1}"}
  raw:   {type: int, count: 3, access: read, fill: {file: raw.bin}}
  text:  {type: float, count: 4, access: read, fill: {file: numbers.csv}}
  array: {type: double, count: 3, access: read, fill: {file: array.npy}}
  out:   {type: int, count: n, access: write}
threads: n
*/
#include <cuda_fp16.h>
struct Body { float x, y, z; int mark; };
__global__ void fill(const float4 *zero, const long long *big, const half *low, const unsigned char *dice,
    const float *ramp,
    Body *bodies, const int *raw, const float *text, const double *array, int *out, int n, float h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, bad = 0;
    if (i >= n) return;
    float4 z = zero[i];
    bad |= (z.x != 0 || z.y != 0 || z.z != 0 || z.w != 0) << 0;
    bad |= (big[i] != 65536) << 1;
    bad |= !((float)low[i] >= -1 && (float)low[i] <= 1 && (float)low[i] != (float)low[(i + 1) % n]) << 2;
    bad |= !(dice[i] >= 1 && dice[i] <= 6) << 3;
    bad |= (ramp[i] != h * i) << 4;
    bad |= !(bodies[i].x == i && bodies[i].y == 1 && bodies[i].z == 2 && bodies[i].mark == -1) << 5;
    bad |= !(raw[0] == 1 && raw[1] == 2 && raw[2] == -1) << 6;
    bad |= !(text[0] == 1 && text[1] == 2.5f && text[2] == -3 && text[3] == 4e3f) << 7;
    bad |= !(array[0] == 7 && array[1] == 8 && array[2] == -9) << 8;
    bodies[i].mark = i;
    out[i] = bad;
}
__device__ bool check(size_t i, const int *out, const Body *bodies, const Body *bodies_before)
{ return out[i] == 0 && bodies[i].mark == (int)i && bodies_before[i].mark == -1; }
END
printf '\1\0\0\0\2\0\0\0\377\377\377\377' > raw.bin
printf '1,2.5\n-3; 4e3\n' > numbers.csv
{
    printf '\223NUMPY\1\0\166\0'
    printf '%-117s\n' "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }"
    printf '\7\0\10\0\367\377'
} > array.npy
echo 'kernel: ./fill.cu' > e.yaml
here=0
for compiler in nvrtc clang; do
    export GPUEXP_COMPILER=$compiler
    "$GPUEXP" e.yaml -d sim -q --fresh -o r.csv > log 2>&1 && { here=1; continue; }
    grep -q "nothing here\|GPUEXP_COMPILER" log ||
        { echo "$compiler"; cat log; grep -o 'failed,.*\|wrong,.*' r.csv | sed 's/,,.*//'; }
done
[ $here = 1 ] || echo "no compiler was tried"
unset GPUEXP_COMPILER
key() { tail -1 "$1" | cut -d, -f3; }
"$GPUEXP" e.yaml -d sim -q -o a.csv
printf '\1\0\0\0\3\0\0\0\377\377\377\377' > raw.bin
"$GPUEXP" e.yaml -d sim -q -o b.csv 2> log
[ "$(key a.csv)" != "$(key b.csv)" ] || echo "what a file holds is not in the key"
printf '\1\0\0\0\2\0\0\0\377\377\377\377' > raw.bin
mistake() {
    sed "$1" fill.cu > bad.cu
    sed -i 's/void fill(/void bad(/' bad.cu
    "$GPUEXP" e.yaml -s kernel=./bad.cu -d sim -q --fresh -o bad.csv > log 2>&1
    { grep -o 'bad.cu:[0-9:]* .*' log || grep -o 'failed,.*\|wrong,.*' bad.csv |
        sed 's/ (at .*//; s/,,.*//; s/"\{0,1\}\.\/bad.cu:.*/it does not compile/'; } | head -1
    rm -f bad.csv
}
mistake 's/fill: 0/fill: randon/'
mistake 's/fill: h \* i/fill: h * j/'
for by in nvrtc nvcc clang; do # each counts columns in its own way
    GPUEXP_COMPILER=$by "$GPUEXP" e.yaml -s kernel=./bad.cu -d sim -q --fresh -o bad.csv > log 2>&1
    grep -q "bad.cu:9:58: \|no libnvrtc\|no nvcc\|no clang" log || { echo "$by:"; cat log; }
done
rm -f bad.csv
mistake 's/count: 3, access: read, fill: {file: raw/count: 5, access: read, fill: {file: raw/'
mistake 's/count: 4, access: read/count: 5, access: read/'
mistake 's/raw.bin/none.bin/'
mistake 's/raw.bin/..\/raw.bin/'
mistake 's/raw.bin/raw.txt/'
mistake 's/\[1, 6\]/[1]/'
mistake 's/bytes: 16/bytes: 12/'
mistake 's/ bytes: 16,//'

# A file whose numbers are not the buffer's fills nothing: TYPE COUNT FILE, and what is said.
array() { # DESCR SHAPE BYTES [ORDER]
    local text="{'descr': $1, 'fortran_order': ${4:-False}, 'shape': $2, }"
    printf '\223NUMPY\1\0\166\0'
    printf '%-117s\n' "$text"
    printf "$3"
}
filled() {
    cat > one.cu << END
/*
about: looks at a file
buffers: {a: {type: $1, count: $2, access: read, fill: {file: $3}}, out: {type: int, count: 1, access: write}}
threads: 1
*/
#include <cuda_fp16.h>
__global__ void one(const $1 *a, int *out) { *out = sizeof a[0]; }
END
    "$GPUEXP" one.yaml -d sim -q --fresh -o one.csv > log 2>&1
    grep -o 'failed,.*' one.csv | sed 's/^failed,//; s/^"//; s/ (at .*//; s/,,.*//'
}
text() { printf -- "$3" > t.csv; echo "$1 $2: ${3//\\n/|}"; filled "$1" "$2" t.csv; }
numpy() { array "$3" "$4" "$5" ${6+"$6"} > t.npy; echo "$1 $2: $3 $4"; filled "$1" "$2" t.npy; }
echo 'kernel: ./one.cu' > one.yaml
text 'unsigned char' 2 '1,-1'
text 'unsigned char' 2 '255\n256'
text 'unsigned char' 1 '300'
text 'unsigned char' 1 '1.7'
text 'unsigned char' 2 '2,nan'
text 'signed char' 2 '-128,127'
text 'signed char' 1 '-129'
text 'int' 3 '2e9, -2147483648, 2147483647'
text 'int' 1 '2147483648'
text 'long long' 2 '-9223372036854775808,9223372036854775807'
text 'long long' 1 '9223372036854775808'
text 'unsigned long long' 1 '18446744073709551615'
text 'unsigned long long' 1 '18446744073709551616'
text 'bool' 1 '2'
text 'float' 3 'nan,inf,3.4028235e38'
text 'float' 1 '1e39'
text 'half' 1 '70000'
text 'int2' 2 '1,2\n3,4000000000'
text 'float' 2 '1,5;1,5'
text 'float' 2 '1,,2'
text 'float' 2 '1,\n2,\n'
text 'float' 2 'a,b\n1,2'
text 'float' 2 '1.5x,2'
text 'float' 2 '1,2,3'
text 'float' 1 ''
numpy 'float' 1 "[('a', '<f4'), ('b', '<i4')]" '(1,)' '\0\0\0\0\1\0\0\0'
numpy 'float' 2 "'<f4'" '(2,)' '\0\0\0\0\0\0\0\0'
numpy 'float' 2 "'>f4'" '(2,)' '\0\0\0\0\0\0\0\0'
numpy 'float' 1 "'<f4'" '(2,)' '\0\0\0\0\0\0\0\0'
numpy 'float' 2 "'<f4'" '(18446744073709551616,)' '\0\0\0\0\0\0\0\0'
numpy 'float' 2 "'<f4'" '(9223372036854775808, 2)' '\0\0\0\0\0\0\0\0'
numpy 'float' 2 "'<f4'" '(3,)' '\0\0\0\0\0\0\0\0'
numpy 'float' '[2, 1]' "'<f4'" '(2, 1)' '\0\0\0\0\0\0\0\0'
numpy 'float' '[2, 1]' "'<f4'" '(1, 2)' '\0\0\0\0\0\0\0\0'
numpy 'float2' 1 "'<f4'" '(1, 2)' '\0\0\0\0\0\0\0\0'
numpy 'float' 4 "'|u1'" '(2, 2)' '\1\2\3\4' True
numpy 'unsigned char' 2 "'|i1'" '(2,)' '\177\377'
numpy 'unsigned char' 4 "'<f2'" '(2, 2)' '\0\0\0\0\0\76\0\0'
numpy 'long long' 1 "'<u8'" '(1,)' '\0\0\0\0\0\0\0\200'
numpy 'int' 1 "'<c8'" '(1,)' '\0\0\0\0\0\0\0\0'
