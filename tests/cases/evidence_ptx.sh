# The same reports as in evidence.sh, by the PTX of clang alone: how many counts are an H200's is held here. That these
# of simple kernels all are is held too.
# full: counts again, on the simulator, what some sixty reports hold
# SPDX-License-Identifier: MIT
export GPUEXP_COMPILER=clang
gpuexp devices | grep -q '^compiler: clang' || lacks clang
. "$TOP/tests/cases/evidence.sh" > by_ptx
need [ "$(sed 's/"[^"]*"//g' matmul_small.csv | grep -c ',ptx,')" -gt 0 ]
simple='(stride|vecadd|transpose|matmul|stream|copy|coalescing|layout|divergence)_small'
need [ "$(grep -cE "^$simple: [0-9]+ counts are the same" by_ptx)" = 9 ]
need [ -z "$(grep -E "^$simple: point" by_ptx)" ]
same=$(awk '/ counts are the same$/ { same += $2 } END { print same }' by_ptx)
need [ "$same and $(grep -cE ' is [0-9]+ by the hardware | how far it looks ' by_ptx) others" = "8922 and 109 others" ]
