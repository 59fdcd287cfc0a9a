# Whole kernels as machine code, against what an H200 counted of them (tests/golden/kernels_h200.csv): each column to
# the last digit, but for the kernels that are named here with the reason.
# full: seventy kernels
# timeout: 600
# SPDX-License-Identifier: MIT
nvrtc || skip "no NVRTC here, and nothing else makes machine code"
cp -r "$TOP"/tests/kernels/* .
for set in . more; do (cd $set && "$GPUEXP" all.yaml -d sim:h200 --fresh -q > log 2>&1); done
# compact, hash_table: who comes first. queens: a function that comes back to itself twice. The rest waits in a loop for
# others.
others='^(compact|hash_table|queens) '
ptx='^(components|two_phases|under_lock) '
lines() { # of a table: name, column and value of each cell
    sed 's/"[^"]*"/quoted/g' "$1" | awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) head[i] = $i; next }
        { for (i = name ? 1 : 3; i <= NF; i++) if ($i != "") print (name ? name : $2), head[i], $i }'
}
lines "$TOP/tests/golden/kernels_h200.csv" "" | grep -vE "$others|$ptx" | sort > wanted
for set in . more; do
    for report in $set/reports/*.csv; do
        name=$(basename "$report" .csv)
        [ "${name%.launches}" = "$name" ] && lines "$report" "$name"
    done
done | sort > all
comm -23 wanted all > missing
while read -r name column value; do
    echo "$name: an H200 counted $value $column, here $(grep "^$name $column " all)"
done < missing
need [ ! -s missing ]
need [ "$(wc -l < wanted)" -gt 700 ]
