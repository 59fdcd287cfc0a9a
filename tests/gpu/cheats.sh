#!/bin/bash
# On a GPU: every cheating kernel ends without numbers, and every honest one has them. Prints what is otherwise.
# usage: tests/gpu/cheats.sh GPUEXP OUT   (OUT: a folder that gets the reports)
# SPDX-License-Identifier: MIT
set -u
gpuexp=$(realpath "$1")
top=$(realpath "$(dirname "$0")/../..")
mkdir -p "$2" && cd "$2" || exit 1
odd=0
statuses() { # REPORT: "way status" of each row
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        { print $column["way"], $column["status"] }' "$1"
}
"$gpuexp" "$top/tests/cheats/cheats.yaml" -d cuda:0 --fresh -q
for name in cheats cheats_warm; do
    while read -r way status; do
        case $way:$status in
        honest:ok | honest:imprecise) ;;
        honest:*) odd=$((odd + 1)); echo "$name: honest is $status" ;;
        *:wrong | *:suspect | *:impossible) ;;
        *) odd=$((odd + 1)); echo "$name: $way is $status" ;;
        esac
    done < <(statuses reports/$name.csv)
done
"$gpuexp" "$top/tests/kernels/all.yaml" -d cuda:0 --fresh -q
if [ $# -gt 2 ]; then "$gpuexp" "${@:3}" -d cuda:0 --fresh -q; fi # and what else is honest
grep -l -E ',(wrong|suspect|impossible|failed),' reports/*.csv | grep -v /cheats && odd=$((odd + 1))
echo "cheats: $odd odd"
[ "$odd" = 0 ]
