# The pictures of the README are what the program draws of the reports that are kept: the same elements and texts in the
# same order, each number within 0.3 of a pixel, whatever the style is; and a mark stands where its numbers are.
# `UPDATE=1 bash tests/case.sh tests/cases/pictures.sh build/gpuexp` draws them anew.
# SPDX-License-Identifier: MIT
cd "$TOP" || exit 1
# A line for each tag, text and number of a picture; its style left out.
numbers_of() {
    tr '\n' ' ' < "$1" | sed 's#<style>.*</style>##; s/</\n</g; s/>/>\n/g' |
        awk '!/^</ { print "text " $0; next }
             { while (match($0, /-?[0-9]+(\.[0-9]+)?/)) {
                   print substr($0, 1, RSTART - 1); print "number " substr($0, RSTART, RLENGTH)
                   $0 = substr($0, RSTART + RLENGTH) } print }'
}
alike() { # FOUND WANTED
    numbers_of "$1" > "$scratch/found"
    numbers_of "$2" > "$scratch/wanted"
    [ "$(wc -l < "$scratch/found")" = "$(wc -l < "$scratch/wanted")" ] || return 1
    paste -d $'\001' "$scratch/found" "$scratch/wanted" | awk -F $'\001' '
        $1 == $2 { same++; next }
        $1 ~ /^number / && $2 ~ /^number / { d = substr($1, 8) - substr($2, 8); if (d < 0.3 && d > -0.3) next }
        { print "drawn " $1 ", wanted " $2; bad = 1; exit }
        END { exit bad || same < 100 }'
}
pictures=$(grep -o '](h200/[a-z0-9_]*\.svg)' reports/README.md | sed 's|.*(|reports/|; s|)||' | sort -u)
need [ "$(echo "$pictures" | wc -w)" = 6 ]
for picture in $pictures; do
    words=$(sed -n "s|^\`gpuexp report ${picture%.svg}.csv \(.*--format svg\)\`$|\1|p" reports/README.md)
    need [ -n "$words" ]
    # shellcheck disable=SC2086
    [ -z "${UPDATE:-}" ] || need gpuexp report -q "${picture%.svg}.csv" $words
    # shellcheck disable=SC2086
    gpuexp report -q "${picture%.svg}.csv" $words -o - > "$scratch/drawn.svg" || exit 1
    need alike "$scratch/drawn.svg" "$picture"
done
# It sees a number that moved by a pixel, another text, and an element that is missing.
picture=reports/h200/overlap.svg
sed '0,/<rect class="touch" x="[0-9]*/s//&1/' $picture > "$scratch/moved.svg"
sed '0,/<title>/s//<title>x/' $picture > "$scratch/text.svg"
sed '0,/<path class="mark/s//<path class="sign/' $picture > "$scratch/class.svg"
for wrong in moved text class; do
    need [ -n "$(diff "$scratch/$wrong.svg" $picture)" ]
    alike "$scratch/$wrong.svg" $picture > "$scratch/said" && need false
done
# A mark stands where its row's numbers are on the axes, within half a pixel; of a linear and a logarithmic one.
in_place() { # REPORT X Y LOG
    gpuexp report -q "$1" -s "chart.x=$2" -s "chart.y=$3" -s "chart.log=$4" --format svg -o - > "$scratch/axes.svg" ||
        return 1
    local tick='text-anchor="[a-z]*" x="[0-9.]*" y="[0-9.]*">[0-9.]*</text>'
    grep -o "$tick"'\|title>'"$2"' [0-9.]*: [0-9.]* .*class="touch".*' "$scratch/axes.svg" | awk -v as="$4" '
        BEGIN { log_x = as ~ /x/; log_y = as ~ /y/ }
        function along(v, is_log) { return is_log ? log(v) : v }
        function off(v, place, n, values, places, is_log) { # against the line through the first and the last tick
            v = along(v, is_log); a = along(values[1], is_log); b = along(values[n], is_log)
            d = places[1] + (v - a) / (b - a) * (places[n] - places[1]) - place
            return d > 0.5 || d < -0.5
        }
        { split($0, q, "\"") }
        /^text-anchor="end"/ { split(q[7], t, "[<>]"); y[++ny] = t[2]; py[ny] = q[6] - 4; next }
        /^text-anchor="middle"/ { split(q[7], t, "[<>]"); x[++nx] = t[2]; px[nx] = q[4]; next }
        { marks++; split($0, w, /[ :]+/); wrong += off(w[2], q[4] + q[8] / 2, nx, x, px, log_x)
          wrong += off(w[3], q[6] + q[10] / 2, ny, y, py, log_y) }
        END { print marks, "marks,", wrong + 0, "astray"; exit wrong || marks < 6 || nx < 3 || ny < 3 }'
}
need in_place reports/h200/stride.csv stride gbps none
need in_place reports/h200/stride.csv stride time_us xy
# One place to touch for each row that has a number.
report=reports/h200/overlap
need [ "$(grep -o 'class="hit"' $report.svg | wc -l)" = "$(cells $report.csv status | grep -c '^ok$')" ]
