#!/bin/bash
# What a sequence costs beside the same loop written by hand, and launches of other manners. A few minutes on a GPU at
# most.
# usage: sequence.sh BUILD OUT   BUILD has gpuexp, and reference_sequence where there is no nvcc to make it. Run in the
# repository; logs and reports go to OUT.
# SPDX-License-Identifier: MIT
set -u
build=$(readlink -f "$1") out=$2
cd "$(dirname "$0")/../.." || exit 1
mkdir -p "$out" && out=$(readlink -f "$out")
if [ -x "$build/reference_sequence" ]; then cp "$build/reference_sequence" "$out"
else nvcc -O3 -arch=native -o "$out/reference_sequence" tests/bench/reference_sequence.cu || exit 1; fi
timeout 60 "$out/reference_sequence" | tee "$out/reference.csv"
timeout 180 "$build/gpuexp" tests/gpu/sequence.yaml -d cuda:0 --fresh -o "$out/sequence.csv"
# gpuexp's median over the reference's, for each size: at most 1.05 is wanted.
sed 's/"[^"]*"//' "$out/sequence.csv" > "$out/plain.csv" # a reason has commas
awk -F, 'NR == FNR { if ($1 == "reference") by[$2 "," $3] = $4; next }
    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { key = $at["n"] "," $at["count"] }
    key in by && $at["time_us"] {
        printf "n %d, %d launches, %s: %.3f\n", $at["n"], $at["count"], $at["via"], $at["time_us"] / by[key]
    }' \
    "$out/reference.csv" "$out/plain.csv" | tee "$out/ratios.txt"
rm -rf "$out/reports"
(cd "$out" && ln -sfn "$OLDPWD/tests" tests && timeout 120 "$build/gpuexp" tests/gpu/manner.yaml -d cuda:0 --fresh)
# What expressions know of this GPU, and a launch that hangs or faults: each is named.
(cd "$out" && timeout 100 "$build/gpuexp" tests/gpu/known.yaml -d cuda:0 --fresh
    grep -ho 'timeout,"[^"]*"\|failed,"[^"]*"\|^device_traits.*' reports/known.* reports/hang.csv reports/fault.csv)
