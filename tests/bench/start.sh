#!/bin/bash
# What starting the program costs beside starting `true` the same way: gpuexp --help is to stay within 3 times of it
# plus 10 ms.
# usage: tests/bench/start.sh [build/gpuexp]
# SPDX-License-Identifier: MIT
program=$(realpath "${1:-build/gpuexp}")
[ -x "$program" ] || { echo "no program: $program"; exit 2; }
median_ms() { # command: median of 21 runs
    for _ in $(seq 21); do
        local from
        from=$(date +%s%N)
        env "$@" > /dev/null
        echo $(($(date +%s%N) - from))
    done | sort -n | awk 'NR == 11 { printf "%.3f", $1 / 1e6 }'
}
nothing=$(median_ms true)
help=$(median_ms "$program" --help)
awk -v a="$nothing" -v b="$help" 'BEGIN {
    printf "true %.2f ms, gpuexp --help %.2f ms, ratio %.2f (at most %.2f)\n", a, b, b / a, (3 * a + 10) / a
    exit b > 3 * a + 10
}'
