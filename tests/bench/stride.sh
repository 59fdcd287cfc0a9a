#!/bin/bash
# experiments/stride.yaml on the simulator from nothing cached: at most 10 s on two cores.
# usage: tests/bench/stride.sh [build/gpuexp]
# SPDX-License-Identifier: MIT
program=$(realpath "${1:-build/gpuexp}")
[ -x "$program" ] || { echo "no program: $program"; exit 2; }
file=$(realpath "$(dirname "$0")/../../experiments/stride.yaml")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export XDG_CACHE_HOME=$scratch/cache
from=$(date +%s%N)
taskset -c 0,1 "$program" "$file" -d sim -q || exit 1
awk -v ns=$(($(date +%s%N) - from)) 'BEGIN {
    printf "experiments/stride.yaml on sim, nothing cached: %.2f s (at most 10)\n", ns / 1e9
    exit ns > 10e9
}'
