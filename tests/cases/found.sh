# What an experiment says that it found is what its report holds: the device, the driver and the day are those of the
# run file, and its numbers are the report's, to the digits that are shown or to 1 %. (Ratios, and what another device
# had, are in no cell: a quarter of the numbers of one text may be such, and a tenth of all.)
# SPDX-License-Identifier: MIT
cd "$TOP" || exit 1
part() { sed -n "s/^  $2: //p" "$1"; }
for file in experiments/*.yaml; do
    report=$(part "$file" report)
    if [ -z "$report" ]; then # a new one needs no GPU yet
        need eval '"$GPUEXP" list "$(basename "$file" .yaml)" | tr -s "\n " " " | grep -q "(not measured yet)"'
        echo "$file tells nothing of what was found"
        continue
    fi
    run=${report%.csv}.run.yaml
    need [ -s "$report" ] && need [ -s "$run" ]
    for fact in "$(part "$file" device | sed 's/^[a-z]* //')" "$(part "$file" driver)" "$(part "$file" date)"; do
        grep -qF "$fact" "$run" || { echo "$file: $fact is not in $run"; bad=1; }
    done
    sed -n '/^  says: >-$/,/^[^ ]*$/p' "$file" | sed '1d;/^$/,$d' | tr '\n' ' ' |
        grep -oE '(^|[ (])[0-9]+(\.[0-9]+)?' | tr -d ' (' | grep -E '\.|[0-9]{3}' | sort -u > "$scratch/told"
    cat "$report" "${report%.csv}".*.csv 2> /dev/null | sed 's/"[^"]*"//g' | tr ',' '\n' |
        grep -E '^-?[0-9.]+(e[-+]?[0-9]+)?$' | sort -u > "$scratch/cells"
    awk -v file="$file" 'NR == FNR { cell[++n] = $1 < 0 ? -$1 : $1 + 0; next }
        {
            split($1, digits, "."); half = 0.5 * 10 ^ -length(digits[2]) * 1.001
            if (half < $1 / 100) half = $1 / 100
            found = 0
            for (k = -3; k <= 3 && !found; k += 3)
                for (i = 1; i <= n && !found; i++) { d = cell[i] * 10 ^ k - $1; found = d <= half && d >= -half }
            all++
            if (found) next
            missed++; which = which " " $1
        }
        END {
            print all + 0, missed + 0
            if (missed > 1 + all / 4) { print file ": not in its report:" which > "/dev/stderr"; exit 1 }
        }' "$scratch/cells" "$scratch/told" >> "$scratch/sums" || bad=1
done
awk '{ all += $1; missed += $2 }
    END { print all " numbers, " missed " in no cell"; exit !(all > 300 && missed < all / 10) }' "$scratch/sums" ||
    bad=1
need eval '! "$GPUEXP" list stride | grep -q "(not measured"'
mkdir "$scratch/experiments"
cp experiments/stride.yaml "$scratch/experiments/unmeasured.yaml"
cd "$scratch" || exit 1
sed -i '/^found:/,$d; s/^experiment: .*/experiment: unmeasured/' experiments/unmeasured.yaml
need eval '"$GPUEXP" list unmeasured | tr -s "\n " " " | grep -q "(not measured yet)"'
# A book of reports lists it too, until it has its report.
listed() { grep -o '<li><b>[^<]*</b> How fast does' book/index.html; }
mkdir book
need gpuexp stride -q -d sim -s n=64Ki -s stride=8 -o book/stride.csv
need "$GPUEXP" report book -q
need [ "$(listed)" = '<li><b>unmeasured</b> How fast does' ]
cp book/stride.csv book/unmeasured.csv
cp book/stride.run.yaml book/unmeasured.run.yaml
need "$GPUEXP" report book -q
need [ -z "$(listed)" ]
exit ${bad:-0}
