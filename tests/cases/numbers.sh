# The published counts, exactly, with every block run on the simulator.
# full: counts grids of full size
# SPDX-License-Identifier: MIT
column() { cells "$1" "$2" | tr '\n' ' '; }
need gpuexp "$TOP/experiments/stride.yaml" -d sim -s 'stride=[1, 32]' -q
need [ "$(column reports/stride.csv ld_requests)" = "2097152 2097152 " ]
need [ "$(column reports/stride.csv ld_sectors)" = "8388608 67108864 " ]
need gpuexp "$TOP/experiments/transpose.yaml" -d sim -q -s for={}
need gpuexp "$TOP/experiments/matrix.yaml" -d sim -q -s for={}
need [ "$(column reports/matrix.csv ld_requests)" = "8388608 8388608 " ]
need [ "$(column reports/matrix.csv ld_sectors)" = "33554432 268435456 " ]
need [ "$(column reports/matrix.csv order)" = "row column " ]
need [ "$(column reports/transpose.csv variant)" = "naive naive shared shared padded padded wide " ]
need [ "$(column reports/transpose.csv shared_ld_wavefronts_per_request)" = "  32.000 32.000 1.000 1.000 4.000 " ]
