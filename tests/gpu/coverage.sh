#!/bin/bash
# Of values measured in several processes (reports/*/processes/coverage.csv): how many intervals hold the mean of the
# other processes, and how far the values spread. Or measures them first: `gpuexp tests/gpu/coverage.yaml -d cuda:0` in
# so many (20) fresh processes, each in a folder of its own, into OUT/coverage.csv; the run files of the first are
# OUT/coverage.run.yaml.
# usage: tests/gpu/coverage.sh FILE | tests/gpu/coverage.sh GPUEXP OUT [TIMES]
# SPDX-License-Identifier: MIT
table=$1
if [ $# -gt 1 ]; then
    gpuexp=$(realpath "$1") top=$(realpath "$(dirname "$0")/../..")
    mkdir -p "$2/runs" && out=$(realpath "$2") && table=$out/coverage.csv
    for i in $(seq "${3:-20}"); do
        mkdir -p "$out/runs/$i" && cd "$out/runs/$i" || exit 1
        "$gpuexp" "$top/tests/gpu/coverage.yaml" -d cuda:0 --fresh -q
        python3 "$top/tests/gpu/tell.py" coverage "$out/runs" > "$table"
        [ "$i" != 1 ] ||
            (cd reports && for f in *.run.yaml; do echo "--- # $f"; cat "$f"; done) > "$out/coverage.run.yaml"
    done
fi
awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    {
        point = $column["experiment"] " " $column["value"]
        if (!(point in count)) names[++points] = point
        n = ++count[point]
        time[point, n] = $column["time_us"]
        low[point, n] = $column["time_lo_us"]
        high[point, n] = $column["time_hi_us"]
        sum[point] += $column["time_us"]
    }
    END {
        for (p = 1; p <= points; p++) {
            name = names[p]; n = count[name]; held = 0; least = most = time[name, 1]
            for (i = 1; i <= n; i++) {
                mean = (sum[name] - time[name, i]) / (n - 1)
                held += low[name, i] <= mean && mean <= high[name, i]
                if (time[name, i] + 0 < least + 0) least = time[name, i]
                if (time[name, i] + 0 > most + 0) most = time[name, i]
            }
            printf "%-24s %9.3f us  %d of %d hold  range %.2f %%\n", name, sum[name] / n, held, n,
                100 * (most / least - 1)
            all += n; good += held
        }
        printf "%d of %d\n", good, all
    }' "$table"
