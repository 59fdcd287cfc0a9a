# The samples of each point, kept beside the report in the order of time: a row's number is what they come to, they
# survive a kill, a torn line, shards and an edit of the report as rows do, and a chart draws them with the clock.
# SPDX-License-Identifier: MIT
printf 'identity g\nname G\ntime 12\nnoise 0.004 7\ndraws 0.1 3\nplaces 0.05 4\nclock 1980\nthrottle 5 7\n' > gpu
cat > e.yaml << END
experiment: e
kernel: vecadd
with: {device: "script:$PWD/gpu"}
sweep: {n: [1Ki, 2Ki, 4Ki]}
measure: {min_sample: 0, max_time: 300ms}
END
run() { "$GPUEXP" e.yaml -q "$@" > table 2> log || { cat table log; need false; }; }
lines() { cut -d, -f1-3 "$1.samples.csv" | tail -n +2; } # key, visit, place
# Of each row: its time, samples and discarded by what the lines of its key hold.
recompute() { # REPORT
    awk -F, 'NR > 1 { n = split($6, all, " "); m = 0
        for (i = 1; i <= n; i++) if (all[i] ~ /^[0-9]/) kept[++m] = all[i] + 0; else thrown[$1] += all[i] ~ /^t/
        for (i = 2; i <= m; i++) for (k = i; k > 1 && kept[k] < kept[k - 1]; k--) {
            x = kept[k]; kept[k] = kept[k - 1]; kept[k - 1] = x }
        count[$1] += m; sum[$1, $2] += m % 2 ? kept[(m + 1) / 2] : (kept[m / 2] + kept[m / 2 + 1]) / 2
        places[$1, $2]++; if ($2 > visits[$1]) visits[$1] = $2
        if ($7 !~ /^(1980|1980( (990|1980))*)$/) print "a clock: " $7 }
        END { for (k in count) { t = 0
            for (v = 1; v <= visits[k]; v++) t += sum[k, v] / places[k, v] / visits[k]
            printf "%s %.3f %d %d\n", k, t, count[k], thrown[k] } }' "$1.samples.csv" | sort
}
agrees() { # REPORT
    paste -d' ' <(cells "$1.csv" key) <(cells "$1.csv" time_us) <(cells "$1.csv" samples) <(cells "$1.csv" discarded) |
        sort | paste -d' ' - <(recompute "$1") > both
    # The last of three digits may be rounded the other way.
    awk '$1 != $5 || ($2 - $6) ^ 2 > 4e-6 || $3 != $7 || $4 != $8 { bad++; print } END { exit bad || NR != 3 }' both &&
        echo "$1: as the rows say"
}
run -o whole.csv
agrees whole
cut -d, -f1 whole.samples.csv | uniq | tail -n +2 | diff - <(cells whole.csv key) && echo "in the rows' order"
lines whole | cut -d, -f2,3 | sort | uniq -c | wc -l # 8 contexts of 3 places
echo "thrown away: $(cut -d, -f6 whole.samples.csv | tail -n +2 | tr -d '0-9. \n' | fold -w1 | sort -u | tr '\n' ' ')"
echo "--- killed between contexts, and again with a line that was torn"
cp gpu fast
printf 'for n=4096 restores 0.002\n' >> gpu
"$GPUEXP" e.yaml -q -o k.csv > table 2> log &
pid=$!
disown
for _ in $(seq 500); do
    [ -e k.samples.csv ] && [ "$(lines k | grep -c .)" -gt 20 ] && break
    sleep 0.02
done
kill -9 $pid
while kill -0 $pid 2> log; do sleep 0.01; done
printf '37e8964028b6ca97,1,1,2026' >> k.samples.csv
cp fast gpu
run -o k.csv
agrees k
echo "--- in shards, merged; a row that is removed; an edited line; --fresh"
for i in 1 2 3; do run --shard $i/3; done
need "$GPUEXP" merge reports/e.csv > table 2>&1
agrees reports/e
lines whole | sort | diff - <(lines reports/e | sort) && echo "the same lines"
sed -i 3d whole.csv && run -o whole.csv && agrees whole
cp whole.samples.csv before && sed -i '60s/,1980/,1234/' whole.samples.csv && sed -i 2d whole.csv
t gpuexp e.yaml -q -o whole.csv # an edited one is refused, and nothing is measured
cp before whole.samples.csv && run -o whole.csv
run -o whole.csv --fresh
echo "$(lines whole | grep -c .), and before: $(cut -d, -f1-3 whole.samples.csv.bak | tail -n +2 | grep -c .)"
"$GPUEXP" e.yaml -q -d sim -o sim.csv > table 2>&1
need [ ! -e sim.samples.csv ]
echo "--- drawn"
need "$GPUEXP" report whole.csv -s chart.kind=samples --format svg -q
grep -o 'context 1\|class="median"\|throttled (\|warm-up (72)\|time, us\|clock, MHz' whole.svg | sort | uniq -c
# Each sample that does not count is marked: by the sign of why, at its place in the order of time. Of a point's signs
# the first and the last say what a sample is wide.
awk -F, 'NR > 1 { if ($1 != key) { n = 0; key = $1; point++ }
    count = split($6, all, " ")
    for (i = 1; i <= count; i++) { n++; if (all[i] ~ /^[tvwbs]/) print point, n, substr(all[i], 1, 1) } }' \
    whole.samples.csv > thrown
grep '^<g class="s[1-8]"><path class="\(aside\|mark\|missing\)' whole.svg | awk '
    { n = split($0, all, "<path class=\"")
        for (i = 2; i <= n; i++) {
            d = all[i]; sub(/.* d="M/, "", d); x = d + 0
            if (all[i] ~ /^missing bad/) { x += 2.2; kind = "t" }
            else if (all[i] !~ /^aside/) continue
            else if (d ~ /^[0-9. ]*l.*z/) kind = "v"
            else if (d ~ /^[0-9. ]*v.*m/) kind = "w"
            else { x += 2.2; kind = d ~ /z"/ ? "b" : "s" }
            if (x < last || !point) point++
            print point, last = x, kind } }' > signs
paste -d' ' thrown signs | awk '$1 == $4 && $3 == $6 { if ($1 != of) { first = $2; from = $5; of = $1 }
        far[NR] = $2 - first; along[NR] = $5 - from; p[NR] = of
        if ($2 > first) wide[of] = along[NR] / far[NR]
        next }
    { print "sample " $0; bad++ }
    END { for (i = 1; i <= NR; i++) if ((along[i] - wide[p[i]] * far[i]) ^ 2 > 0.04) bad++
        print bad ? bad " signs are wrong" : "each has its sign, at its place" }'
# What lies outside of the axis is a triangle at its edge, which points there.
printf 'transient 1 0.5\n' >> gpu
run -o far.csv
need "$GPUEXP" report far.csv -s chart.kind=samples --format svg -q
for way in 'above -7' 'below 7'; do
    read -r side tip <<< "$way"
    awk -F, -v side="$side" 'NR > 1 { n = split($6, all, " ")
        for (i = 1; i <= n; i++) {
            sub(/^[a-z]/, "", all[i])
            c += side == "above" ? all[i] + 0 > 18 : all[i] + 0 < 9
        } }
        END { print c }' far.samples.csv > far.count
    drawn=$(grep -o "class=\"mark hollow\" d=\"M[0-9.]* [0-9.]*h8l-4 $tip.0z" far.svg | wc -l)
    need [ "$drawn" = "$(cat far.count)" ]
    need [ "$(cat far.count)" -gt 20 ]
done
need "$GPUEXP" report whole.csv -q && grep -o '<summary>.*</summary>\|What the script found' whole.html
need "$GPUEXP" report sim.csv -s chart.kind=samples -q && grep -o 'There are no samples.*csv\.' sim.html
