#!/bin/bash
# On a GPU: every cheating kernel ends without numbers, and every honest one has them. Prints what is otherwise. `judge`
# calls few of those that others wrote faster than their honest twins.
# usage: tests/gpu/cheats.sh GPUEXP OUT [alone]   (OUT: a folder that gets the reports; `alone`: no honest kernels but
# those beside the cheats)
# SPDX-License-Identifier: MIT
set -u
gpuexp=$(realpath "$1")
top=$(realpath "$(dirname "$0")/../..")
mkdir -p "$2" && cd "$2" || exit 1
odd=0 refused=0 whole=0 honest=0 others=0 slower=0 told=0 quicker=0
# Of the last twenty those that `judge` called faster at first sight. A plain run takes them.
doubt=" seed_recovered part_sample always_100 first_part one_winner unnamed_output"
statuses() { # REPORT: "way kernel status, share" of each row: its time by that of the last honest one before it; what
    # has no `way` is honest, but for kernels that begin with c_, and those of `blind` that stand behind an honest_ one
    awk -F, -v of_blind="$(grep -c '^blind_[^,]*,1,[^,]*,[^,]*,honest_' "$1")" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        { kernel = $column["kernel"]; cheat = of_blind && kernel !~ /^honest_/ || kernel ~ /^c_/ }
        { way = "way" in column ? $column["way"] : cheat ? (of_blind ? "c_" : "") kernel : "honest" }
        { time = $column["time_us"] }
        way == "honest" { of = time }
        { print way, kernel, $column["status"], (of > 0 && time > 0 ? time / of : "-") }' \
        <(sed 's/"[^"]*"//g' "$1")
}
# A way that gets a number as long as the honest one's does the work in each timed launch, or wins nothing by what it
# does instead: it has not cheated. Of the blind ones some are quicker: what they make their own `check`, tolerance or
# description allows; some have a `check` that sees too little, which their row says.
look() { # REPORT
    while read -r way kernel status share; do
        case $way:$status in
        honest:ok | honest:imprecise | honest:unverified) honest=$((honest + 1)) ;;
        honest:skipped) echo "$1: $kernel is skipped" ;;
        c_*:unverified) told=$((told + 1)) doubt="$doubt $kernel" ;;
        honest:*) odd=$((odd + 1)); echo "$1: $kernel, honest, is $status" ;;
        c_*:wrong | c_*:failed) others=$((others + 1)) ;;
        *:wrong | *:failed) refused=$((refused + 1)) ;;
        *:ok | *:imprecise)
            echo "$1: $way is $status, $share of the honest time"
            if ! awk "BEGIN { exit !($share >= 0.98) }"; then
                case $1:$way in # c_hundred knows what is promised of random numbers
                reports/blind*:* | *:c_hundred) quicker=$((quicker + 1)) doubt="$doubt $kernel" ;;
                *) odd=$((odd + 1)) ;;
                esac
            elif [ "${way#c_}" != "$way" ]; then slower=$((slower + 1))
            else whole=$((whole + 1)); fi ;;
        *) odd=$((odd + 1)); echo "$1: $way is $status" ;;
        esac
    done < <(statuses "$1")
}
# One that launches work elsewhere cannot even be compiled.
"$gpuexp" "$top/tests/cheats/elsewhere.yaml" -d cuda:0 --fresh -q 2> elsewhere.err
grep -c ',failed,' reports/elsewhere.csv
"$gpuexp" "$top/tests/cheats/cheats.yaml" "$top/tests/cheats/others/cheats.yaml" \
    "$top/tests/cheats/fresh/cheats.yaml" "$top/tests/cheats/aimed.yaml" -d cuda:0 --fresh -q
"$gpuexp" "$top/tests/cheats/blind/cheats.yaml" -d cuda:0 --fresh -q -s measure.contexts=3
if [ "${3:-}" != alone ]; then # side by side, in one context, for only their statuses matter; some in three
    for of in cheats/{others,fresh,blind}/honest gpu/honest kernels/all; do
        case $of in *others*) few=3 ;; *) few=1 ;; esac
        "$gpuexp" "$top/tests/$of.yaml" -d cuda:0 --fresh -q -s measure.contexts=$few -s measure.max_time=100ms &
    done
    wait
fi
for report in $(ls reports/*.csv | grep -v 'elsewhere\|\.samples\.csv'); do look "$report"; done
# `judge` has another kernel to ask: those of the blind ones that came through, beside their honest twins.
faster=
for kernel in $doubt; do
    honest=$top/tests/cheats/blind/honest_$kernel.cu
    [ -e "$honest" ] || continue
    "$gpuexp" judge "$honest" "${honest%/*}/$kernel.cu" -d cuda:0 --format json -o "judged/$kernel.csv" > judged.json
    grep -q '"verdict": "faster"' judged.json && ! grep -q '"status": "unverified"' judged.json &&
        faster="$faster $kernel"
done
echo "judged: of$doubt are called faster:${faster:- none}"
[ "$(wc -w <<< "$faster")" -le 2 ] || odd=$((odd + 1)) # of 40
echo "cheats: $refused refused, $whole work in each timed launch, $honest honest ones have their numbers, $odd odd"
echo "others: $others refused, $told unverified, $slower no quicker than the honest one, $quicker quicker"
[ "$odd" = 0 ]
