# The pictures of the README are what the program draws of the reports that are kept, to the byte: numbers that move,
# move a mark. `UPDATE=1 bash tests/case.sh tests/cases/pictures.sh build/gpuexp` draws them anew.
# SPDX-License-Identifier: MIT
cd "$TOP" || exit 1
pictures=$(grep -o '](reports/h200/[a-z0-9_]*\.svg)' README.md | tr -d ']()' | sort -u)
need [ "$(echo "$pictures" | wc -w)" = 5 ]
for picture in $pictures; do
    need grep -qF "gpuexp report ${picture%.svg}.csv --format svg" README.md
    [ -z "${UPDATE:-}" ] || need gpuexp report -q "${picture%.svg}.csv" --format svg
    gpuexp report -q "${picture%.svg}.csv" --format svg -o - > "$scratch/drawn.svg" || exit 1
    need cmp "$scratch/drawn.svg" "$picture"
done
# One place to touch for each row that has a number.
report=reports/h200/overlap
need [ "$(grep -o 'class="hit"' $report.svg | wc -l)" = "$(cells $report.csv status | grep -c '^ok$')" ]
