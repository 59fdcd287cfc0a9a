#!/bin/bash
# On a GPU: how often `gpuexp judge` tells a kernel from itself (it must not), and finds one that takes 3 % more; and
# whether `gpuexp compare` finds it in two reports.
# usage: tests/gpu/judge.sh GPUEXP OUT [TIMES]   (OUT: a folder that gets every verdict, as JSON)
# SPDX-License-Identifier: MIT
set -u
gpuexp=$(realpath "$1")
top=$(realpath "$(dirname "$0")/../..")
times=${3:-20}
mkdir -p "$2" && cd "$2" || exit 1
cp "$top/kernels/vecadd.cu" vecadd_a.cu
cp "$top/kernels/stride.cu" stride_a.cu
cp "$top/tests/gpu/turns.cu" turns_a.cu
for k in vecadd stride; do cp ${k}_a.cu ${k}_b.cu; done
for k in a b; do sed "s/transpose_/transpose_${k}_/g" "$top/kernels/transpose.cu" > transpose_$k.cu; done
# Another text, another machine code, the same work.
sed 's/const unsigned x = mix(in\[i\], turns)/const unsigned x = mix(mix(in[i], turns \/ 2), turns - turns \/ 2)/' \
    turns_a.cu > turns_b.cu
sed 's|// MORE|volatile __shared__ unsigned sink[1024]; sink[threadIdx.x] = mix(x, turns * 3 / 100);|' turns_a.cu \
    > turns_c.cu
judge() { # NAME A B [option...]
    local name=$1 began=${EPOCHREALTIME/./}
    shift
    timeout 30 "$gpuexp" judge "$@" -d cuda:0 --format json > "$name.json" 2> "$name.err"
    echo "$name exit $? $(((${EPOCHREALTIME/./} - began) / 1000)) ms" | tee -a took
    [ -s "$name.err" ] && cat "$name.err"
}
for i in $(seq "$times"); do
    judge aa_vecadd.$i vecadd_a.cu vecadd_b.cu -s 'n=[1Ki, 16Ki, 64Ki, 256Ki, 1Mi, 16Mi]'
    judge aa_turns.$i turns_a.cu turns_b.cu -s 'n=[64Ki, 1Mi, 4Mi]'
    judge more_turns.$i turns_a.cu turns_c.cu -s 'n=[64Ki, 1Mi, 4Mi]'
    [ $((i % 4)) = 1 ] || continue
    judge one_vecadd.$i vecadd_a.cu vecadd_b.cu
    judge aa_stride.$i stride_a.cu stride_b.cu -s 'stride=[1, 4]'
    judge aa_transpose.$i transpose_a.cu transpose_b.cu -s variant=padded -s 'block=[[32, 8]]'
done
# Another report of the same experiment, its kernel edited in between.
for i in $(seq $(((times + 1) / 2))); do
    for k in a c; do
        mkdir -p $k && cp turns_$k.cu $k/turns.cu
        printf 'kernel: ./turns.cu\nsweep: {n: [64Ki, 1Mi, 4Mi]}\n' > $k/turns.yaml
        "$gpuexp" $k/turns.yaml -d cuda:0 --fresh -q -o $k/$i.csv 2> $k/$i.err || cat $k/$i.err
    done
    "$gpuexp" compare a/$i.csv c/$i.csv | tee compared.$i
done
for kind in aa more one; do
    echo "$kind: $(cat $kind*.json | grep -o '"verdict": "[a-z]*"' | sort | uniq -c | tr '\n' ' ')"
done
echo "compare: $(cat compared.* | cut -d' ' -f1 | grep -xE 'same|faster|slower|unsure' | sort | uniq -c | tr '\n' ' ')"
