#!/bin/bash
# What `explain` expects of kernels with a flaw, beside what a GPU finds: each flaw and its twin without it are timed as
# two rows of a report, by a quick look (one context). What is not done after SECONDS_MOST seconds (150) is left out.
# usage: explain.sh GPUEXP OUT           times, then tells
#        explain.sh --tell GPUEXP OUT    only tells, of reports that were timed elsewhere
# SPDX-License-Identifier: MIT
set -u
tell=false
[ "$1" != --tell ] || { tell=true; shift; }
gpuexp=$(readlink -f "$1") TOP=$(readlink -f "$(dirname "$0")/../..")
mkdir -p "$2" && cd "$2" || exit 1
# By report the finding that its twin mends.
wanted() {
    awk '/^\/\/ ----/ { rule = $3 } /^KERNEL/ { sub(/^KERNEL\(/, ""); sub(/\).*/, ""); print "flaw_" $0, rule }' \
        "$TOP/tests/flaws/planted.cuh"
    sed -n 's/^\/\/ Has to be found first: \([a-z_]*\).*/\1/p' "$TOP"/tests/flaws/others/*.cu |
        paste -d' ' <(basename -s .cu -a "$TOP"/tests/flaws/others/*.cu | sed 's/^/flaw_/') -
}
# Some seconds of all cores, and no GPU.
tells() {
    printf '%s\n' reports/*.csv | grep -v samples | sed 's/\.csv$//' |
        xargs -P "$(nproc)" -I{} sh -c '"$0" explain "$1.csv" --format json > "$1.json" 2> "$1.err"' "$gpuexp" {}
    python3 "$TOP/tests/gpu/tell.py" gains reports <(wanted) | tee gains.txt
}
if $tell; then
    tells
    exit
fi
. "$TOP/tests/flaws/planted.sh"
planted_make .
# The launches of both, as two lists: `block: 40` and `block: 64` are `block: [40, 64]`.
value() { echo "$2" | sed -nE "s/.*\b$1: (\[[^]]*\]|[^,;]*).*/\1/p"; }
axes() { # LAUNCH LAUNCH
    local key a b
    for key in block grid shared; do
        a=$(value $key "$1") b=$(value $key "$2")
        [ -z "$a" ] || printf ', %s: [%s, %s]' $key "$a" "$b"
    done
}
pair() { # NAME FILE FLAWED CLEAN SIZES LAUNCHES
    printf '{experiment: flaw_%s, kernel: ./%s.cu, with: {%scheck: none}, together: [{variant: [%s, %s]%s}]}\n' \
        "$1" "$2" "$5" "$3" "$4" "$6" > "flaw_$1.yaml"
}
# Enough work for some ten microseconds and more; what waits for others at one address has enough with less.
for f in $names; do
    # Their twins do other work: they show where nothing is to be said.
    case $f in own_words | one_lane | rolled) continue ;; esac
    a=$(planted_launch "$f" 1) b=$(planted_launch "$f" 2)
    n=$(value n "$a")
    case $f in
        own_add) n=128Ki ;;
        one_sum | few_bins | most_of_all | words_of_all | each_write) n=1Mi ;;
    esac
    if [ "$f" = bytes ]; then pair bytes planted bytes bytes_ok '' ', n: [16Mi, 1Mi]' # the same bytes
    else pair "$f" planted "$f" "${f}_ok" "n: ${n:-8Mi}, " "$(axes "$a" "$b")"
    fi
done
size() {
    case $1 in
        brighten) echo 'width: 8Ki, height: 4Ki' ;;
        gemm) echo 'm: 2048' ;;
        heat) echo 's: 384' ;;
        matvec) echo 'rows: 128Ki' ;;
        totals) echo 'rows: 1Mi' ;;
        turn) echo 'w: 8192' ;;
        gray | invert) echo 'n: 32Mi' ;;
        tickets | largest | histo | sums) echo 'n: 2Mi' ;;
        odd_block) echo 'n: 17301504' ;;
        polynomial) echo 'n: 4Mi' ;;
        butterfly) echo 'n: 4Mi' ;;
        waves_of) echo 'loops: 64' ;;
        *) echo 'n: 16Mi' ;;
    esac
}
for file in "$TOP"/tests/flaws/others/*.cu; do
    name=$(basename "$file" .cu) wanted=$(sed -n 's/^\/\/ Has to be found first: //p' "$file")
    cp "$file" .
    a=$(echo "$wanted" | sed -n 's/.*; flawed \([^;]*\).*/\1/p')
    b=$(echo "$wanted" | sed -n 's/.*; clean \([^;]*\).*/\1/p')
    pair "$name" "$name" flawed clean "$(size "$name"), " "$(axes "$a" "$b")"
done
timeout -k 5 "${SECONDS_MOST:-150}" "$gpuexp" flaw_*.yaml -d "${DEVICE:-cuda:0}" --fresh -q -s timeout=5s \
    -s measure.contexts=1 -s measure.max_time=100ms ${OPTIONS:-}
echo "exit $?, $SECONDS s"
tells
