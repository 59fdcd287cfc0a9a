# What the model expects of an H200, beside what was measured there: the errors do not grow. The full tables are in
# reports/h200/expected.md; these experiments are the quick ones of them.
# SPDX-License-Identifier: MIT
# timeout: 1200
# full: runs experiments as large as on a GPU
command -v python3 > /dev/null || lacks python3
export GPUEXP_PATH=$TOP
mkdir sim
for e in atomics best_transpose boundary launch_overhead lookup saturation scalability vecadd; do
    few=()
    # of its places those at the ends: what is between is told in the last table of expected.md
    [ $e = atomics ] && few=(-s include=[] -s 'places=[1, 4Ki, 1Mi]' \
        -s 'where=to == "thread" and places == n or places == 1 and to ~= "thread" or to == "block" and places <= 4096')
    need gpuexp run "$TOP/experiments/$e.yaml" -q -d sim:h200 -s 'for={}' -o sim/$e.csv "${few[@]}"
done
need python3 "$TOP/tests/gpu/tell.py" expected sim "$TOP/reports/h200" > out
head -5 out
# figure NAME: the number behind it
figure() { grep -o "$1 [0-9.]*" out | head -1 | sed 's/.* //'; }
most() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 <= b) }'; }
need [ "$(sed -n '1s/ .*//p' out)" -ge 90 ]
need most "$(figure 'median error')" 7
need most "$(figure 'ninth decile')" 28
need most 90 "$(figure 'inside the interval')"
need grep -q 'bounds above the measured time: 0 of' out
