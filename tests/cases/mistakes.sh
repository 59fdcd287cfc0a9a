# A hundred mistakes in files and on the command line: each is refused with exit status 2, a place, the reason and a
# next step.
# SPDX-License-Identifier: MIT
cat > k.cu <<'END'
/*
params:
  n: {default: 1Ki, min: 1}
  stride: {default: 1, min: 1, max: 64}
  T: {kind: type, default: float, one_of: [float, double]}
  order: {kind: constant, default: up, one_of: [up, down]}
buffers:
  in:  {type: T, count: n * stride, access: read, fill: random}
  out: {type: T, count: n, access: write}
threads: n
*/
extern "C" __global__ void k(const T *in, T *out, size_t n, size_t stride)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i * stride];
}
__device__ bool check(size_t i, const T *in, const T *out, size_t stride) { return out[i] == in[i * stride]; }
END
cat > right.yaml <<'END'
kernel: ./k.cu
with: {n: 64, device: sim}
sweep: {stride: [1, 2]}
where: stride < 9
measure: {precision: 0.5%}
derive: {per: ld_sectors / n}
expect:
  - {when: stride == 1, that: sectors_per_request == 4}
END
need gpuexp check right.yaml -q
tried=0
# What was said must have a place (FILE:LINE:COLUMN, -s TEXT:1:COLUMN, a file without a description) or name the word
# that was typed, and say what is right: a hint in a line of its own, or what is taken, known or allowed.
placed='^(-s .*|\./[a-z]*\.(cu|lua)|[a-z]*\.(yaml|cu)):[0-9]+:[0-9]+: .|^\./x.cu: has no description'
helps='^  [^ ]|takes|did you mean|known|there (is|are)|the most|at (most|least)|cannot|needs|missing|expected|must'
helps="$helps|has no|wanted|in range|never|compared|twice|neither|reserved|refused|not one of|undefined|ends|near|both"
helps="$helps|stands|out of range"
refused() { # NAME OF THE MISTAKE, EXIT STATUS
    tried=$((tried + 1))
    {
        [ "$2" = 2 ] || echo "$1: exit status $2, not 2"
        grep -qE "$placed" log || [ "$place" = none ] || { echo "$1: no place:"; cat log; }
        grep -qE "$helps" log || { echo "$1: no next step:"; cat log; }
    } | tee -a short
}
place=some
f() { # MISTAKE SED: an experiment with it
    sed "$2" right.yaml > x.yaml
    cmp -s right.yaml x.yaml && echo "$1: nothing was changed" | tee -a short
    "$GPUEXP" check x.yaml > log 2>&1
    refused "$1" $?
}
k() { # MISTAKE SED: a kernel with it
    sed "$2" k.cu > x.cu
    cmp -s k.cu x.cu && echo "$1: nothing was changed" | tee -a short
    "$GPUEXP" check right.yaml -s kernel=./x.cu > log 2>&1
    refused "$1" $?
}
s() { # MISTAKE WORDS...: on the command line
    local name=$1
    shift
    "$GPUEXP" check right.yaml "$@" > log 2>&1
    refused "$name" $?
}
# Keys and the form of the file
f 'a key of its own' 's/^where:/were:/'
f 'a capital letter' 's/^sweep:/Sweep:/'
f 'a parameter mistyped' 's/{stride: \[1/{strid: [1/'
f 'a setting mistyped' 's/device: sim/devise: sim/'
f 'a key twice' 's/^where:.*/&\nwhere: n > 1/'
f 'a parameter twice' 's/{n: 64,/{n: 64, n: 32,/'
f 'a tab' 's/^  - {when/\t- {when/'
f 'a bracket open' 's/\[1, 2\]/[1, 2/'
f 'a brace open' 's/sim}/sim/'
f 'a quote open' 's/^where: /where: "/'
f 'a list where a mapping is wanted' 's/^with:.*/with: [n, 64]/'
f 'a mapping where a list is wanted' 's/\[1, 2\]/{a: 1}/'
f 'no kernel' '/^kernel/d'
f 'an unknown kernel' 's/k.cu/other.cu/'
f 'a kernel by a wrong name' 's/.\/k.cu/vecad/'
f 'an empty axis' 's/\[1, 2\]/[]/'
f 'no value' 's/n: 64/n: /'
f 'a key of measure' 's/precision/precison/'
f 'a key of an expectation' 's/when:/if:/'
f 'an expectation without that' 's/, that: .*/}/'
f 'an axis given twice' 's/^where:.*/together:\n  - {stride: [3, 4]}/'
f 'axes of unequal length' 's/^where:.*/together:\n  - {n: [1, 2], order: [up]}/'
f 'a range without an end' 's/\[1, 2\]/{from: 1, step: 1}/'
f 'a range that goes backwards' 's/\[1, 2\]/{from: 9, to: 1, step: 1}/'
f 'a range by a step of 0' 's/\[1, 2\]/{from: 1, to: 9, step: 0}/'
f 'a range by times 1' 's/\[1, 2\]/{from: 1, to: 9, times: 1}/'
f 'exclude of an unknown name' 's/^where:.*/exclude: [{strid: 1}]/'
f 'include of an unknown name' 's/^where:.*/include: [{strid: 1}]/'
f 'a script that is not there' 's/^where:.*/script: .\/none.lua/'
f 'a script parameter without a script' 's/^with: {/with: {script.budget: 3, /'
f 'an unknown kind of device under for' 's/^where:.*/for: {gpu: {n: 3}}/'
f 'a chart of no column' 's/^where:.*/chart: {y: gbpz}/'
f 'no kind of chart' 's/^where:.*/chart: {kind: pie}/'
f 'an unknown key of chart' 's/^where:.*/chart: {color: n}/'
f 'keep_together of no axis' 's/^where:.*/keep_together: [m]/'
# Values
f 'a wrong unit' 's/n: 64/n: 64Kb/'
f 'a time for a size' 's/n: 64/n: 64ms/'
f 'a word for a number' 's/n: 64/n: many/'
f 'half an element' 's/n: 64/n: 1.5/'
f 'a negative count' 's/n: 64/n: -4/'
f 'a count of 0' 's/n: 64/n: 0/'
f 'beyond the range' 's/\[1, 2\]/[1, 65]/'
f 'a number too large' 's/n: 64/n: 99999999999999999999/'
f 'a comma in a number' "s/n: 64/n: '1,024'/"
f 'a value that is none of the choices' 's/{n: 64/{order: upp, n: 64/'
f 'a type that is none of the choices' 's/{n: 64/{T: flaot, n: 64/'
f 'a wrong device' 's/device: sim/device: simm/'
f 'a profile that is not there' 's/device: sim/device: "sim:h2000"/'
f 'a wrong place of memory' 's/{n: 64/{memory: devise, n: 64/'
f 'the memory of no buffer' 's/{n: 64/{memory.inn: mapped, n: 64/'
f 'true for a number' 's/{n: 64/{streams: true, n: 64/'
f 'a number for true' 's/{n: 64/{prefetch: 3, n: 64/'
f 'a block of four numbers' 's/{n: 64/{block: [1, 2, 3, 4], n: 64/'
f 'a block that is too large' 's/{n: 64/{block: 2048, n: 64/'
f 'a block of 0' 's/{n: 64/{block: 0, n: 64/'
f 'a grid that is too large' 's/{n: 64/{grid: [1, 70000], n: 64/'
f 'too much shared memory' 's/{n: 64/{shared: 300KiB, n: 64/'
f 'more memory than there is' 's/n: 64/n: 1000Gi/'
f 'a share above 1' 's/{n: 64/{window.ratio: 3, n: 64/'
f 'a precision of 0' 's/0.5%/0/'
f 'a precision in words' 's/0.5%/high/'
# Expressions
f 'an unknown name' 's/stride < 9/strid < 9/'
f 'one equals sign' 's/stride == 1/stride = 1/'
f 'a bracket open in an expression' 's/stride < 9/(stride < 9/'
f 'an expression that ends early' 's/stride < 9/stride </'
f 'not equal as in C' 's/stride < 9/stride != 9/'
f 'and as in C' 's/stride < 9/stride < 9 \&\& n > 1/'
f 'a number compared with a text' "s/stride < 9/stride == '2'/"
f 'a text compared with a number' 's/stride < 9/order == 3/'
f 'a word without quotes' 's/stride < 9/order == up/'
f 'a where that gives a number' 's/stride < 9/stride + 9/'
f 'an unknown function' 's/ld_sectors \/ n/square(n)/'
f 'a column mistyped' 's/sectors_per_request == 4/sector_per_request == 4/'
f 'a column that is made below' 's/{per: /{a: per + 1, per: /'
f 'a derived column named like a column' 's/{per: /{gbps: /'
f 'a time in where' 's/stride < 9/time_us < 9/'
# The kernel file
k 'no descriptor' '1,11d'
k 'a key of the descriptor' 's/^threads:/thread:/'
k 'a key of a buffer' 's/access: read,/acces: read,/'
k 'an unknown access' 's/access: read,/access: reads,/'
k 'an unknown fill' 's/fill: random/fill: rand/'
k 'a buffer without a count' 's/, count: n,/,/'
k 'a count of an unknown name' 's/count: n,/count: m,/'
k 'a type that is not there' 's/type: T, count: n,/type: flout, count: n,/'
k 'a default beyond the range' 's/stride: {default: 1,/stride: {default: 99,/'
k 'no threads' '/^threads/d'
k 'an argument that nothing gives' 's/size_t stride)$/size_t stride, int m)/'
k 'a check that asks for nothing known' 's/bool check(size_t i,/bool check(size_t i, int m,/'
k 'a source that does not compile' 's/out\[i\] = in/out[i] = inn/'
k 'a semicolon left out' 's/in\[i \* stride\];$/in[i * stride]/'
k 'an unknown kind' 's/kind: type/kind: typ/'
k 'a comment that is not closed' 's/^\*\/$//'
k 'a report that nothing writes' 's/^threads: n/threads: n\nreports: {cycles: c}/'
k 'a parameter that the check did not ask for' 's/return out\[i\] ==/return i < n \&\& out[i] ==/'
k 'a header that is not there' 's/^extern "C"/#include "helper.h"\n&/; s/out\[i\] = in/out[i] = HELP in/'
k 'a pointer to another type' 's/const T \*in, T \*out, size_t n/const int *in, T *out, size_t n/'
k 'a tolerance without an expected value' 's/^threads: n/threads: n\ntolerance: {rel: 1e-6}/'
k 'a check and an expected value' '$a __device__ T expected(size_t i, const T *in) { return in[i]; }'
says() { # WORDS that the last refusal must have
    grep -qF -e "$1" log || { echo "no word of \`$1\`:"; cat log; } | tee -a short
}
f 'a key one column off' 's/^sweep:/ sweep:/'
says 'begin in the same column'
f 'a word of another tool that is near to one of ours' 's/^derive:.*/repeat: 10/'
says 'min_samples'
k 'a negative count' 's/count: n, access: write/count: -n, access: write/'
says 'it must be at least 1'
k 'an unknown unit in an expression' 's/^threads: n/threads: n\nshared: 4Kx/'
says 'units are k, M'
k 'a range turned round' 's/fill: random/fill: {random: [1, -0.5]}/'
says '{random: [-0.5, 1]}'
k 'a reference' 's/size_t n, size_t stride)$/size_t \&n, size_t stride)/'
says 'by value'
k 'a type mistyped' 's/type: T, count: n,/type: flaot, count: n,/'
says 'did you mean `float`?'
k 'a type like no other' 's/type: T, count: n,/type: quaternion, count: n,/'
says 'gpuexp describe types'
k 'a size that the kernel does not handle' 's/^threads: n/threads: n\nneeds: n % 48 == 0/'
says 'kernel `x` needs `n % 48 == 0`'
f 'a parameter under for' 's/^where:.*/for: {stride: [1, 2]}/'
says 'under `sweep`'
f 'values with spaces' 's/\[1, 2\]/[1 2 4]/'
says '[1, 2, 4]'
f 'a range with a dash' 's/\[1, 2\]/1-32/'
says '{from: 1, to: 32, step: 1}'
f 'values with commas alone' 's/\[1, 2\]/1,2,4/'
says 'a list has brackets: [1,2,4]'
f 'a comma in an expression' 's/ld_sectors \/ n/pow(2, n)/'
says "put it in quotes: 'pow(2, n)'"
says '`2^n` is a power'
f 'a comma in a list of claims' 's/^  - {when.*/  [max(n, 4) > 2]/'
says "put it in quotes: 'max(n, 4) > 2'"
f 'in as in another language' 's/stride < 9/stride in {1, 2}/'
says '`x == 1 or x == 2`'
f 'two values and no operator' 's/stride < 9/stride 9/'
says 'an operator between them'
f 'quotes of a word processor' 's/kernel: .*/kernel: “stride”/'
says 'did you mean `stride`?'
f 'the same around a number' 's/n: 64/n: “64”/'
says 'write plain quotes'
f 'axis for sweep' 's/^sweep:/axis:/'
says '`sweep: {n: [1, 2, 4]}`'
f 'a GPU for its simulator' 's/device: sim/device: h100/'
says 'did you mean `sim:h100`?'
# The command line
s '-s of an unknown name' -s m=3
s '-s of a list left open' -s 'stride=[1, 2'
s '-s with a wrong unit' -s n=1Kx
s '-s of an empty value' -s n=
s '-s of a device' -s device=cude:0
place=none
s 'an unknown option' --frsh
s '-s without a value' -s n
s 'a file that is not there' none.yaml
s 'a shard that there is not' --shard 9/3
"$GPUEXP" explain ./none.cu > log 2>&1
refused 'a kernel that is not there' $?
says './none.cu: cannot open'
"$GPUEXP" describe '' > log 2>&1
refused 'no word' $?
says 'nothing is named'
"$GPUEXP" submit right.yaml --shards 1000000 --dry-run > log 2>&1
refused 'more tasks than there may be' $?
says '1 to 100000'
"$GPUEXP" right.yaml -o . > log 2>&1
says '-o names a file'
for typed in 'wright.yaml|right.yaml' 'strid.cu|stride' '“stride”|stride' 'strid.yaml|stride'; do
    "$GPUEXP" show "${typed%|*}" > log 2>&1
    refused "a file that is not there: $typed" $?
    says "did you mean \`${typed#*|}\`"
done
"$GPUEXP" describe conflict > log 2>&1
refused 'a part of a word' $?
says '`bank_conflicts`'
"$GPUEXP" right.yaml --dry-run > log 2>&1
refused "another command's option" $?
says 'taken by: `submit`'
# No mistake, but told: a setting that decides nothing here. Where it does decide, nothing is said.
idle() { # WORDS that are told (none: nothing is), settings, and what else the file says
    printf 'kernel: ./k.cu\nwith: {n: 64, %s}\n%s\n' "$2" "${3-}" > idle.yaml
    need gpuexp check idle.yaml > log 2>&1
    if [ "$1" = none ]; then ! grep "changes nothing" log || { cat log; exit 1; }; else says "$1"; fi
}
idle '`touch` changes nothing on sim: it needs a GPU' 'device: sim, touch: device'
idle '`touch` changes nothing without `memory: managed`' 'device: "cuda:0", touch: device'
idle none 'device: "cuda:0", touch: device, memory.in: managed'
idle none 'device: "cuda:0", touch: host'
idle '`host` changes nothing without `timed: upload`' 'device: "cuda:0", host: pinned'
idle none 'device: "cuda:0", host: pinned, timed: roundtrip'
idle none 'device: "cuda:0", host: pinned' 'sweep: {timed: [upload, launch]}'
idle none 'device: "cuda:0", host: pinned' 'sweep: {timed: [launch, upload]}'
idle '`texture.filter` changes nothing' 'device: sim, texture.filter: linear'
idle '`window.ratio` changes nothing without `window.buffer' 'device: "cuda:0", window.ratio: 0.5'
# A block that follows the kernel's parameters, and one that does not.
sed 's/^threads: n$/&\nblock: [n]/' k.cu > follows.cu
need grep -q '^block: \[n\]$' follows.cu
printf 'kernel: ./follows.cu\nwith: {n: 64, block: 32}\n' > idle.yaml
need gpuexp check idle.yaml > log 2>&1
says "\`block\` takes the place of the kernel's own, [n]"
printf 'kernel: ./follows.cu\nwith: {n: 64}\n' > idle.yaml
need gpuexp check idle.yaml > log 2>&1
need [ -z "$(grep 'takes the place' log)" ]
need [ $tried -ge 111 ]
need [ ! -s short ] # what fell short was told above
echo "$tried mistakes"
