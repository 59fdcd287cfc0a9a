# What a killed process left beside a report goes with the next run, or the next that is made of the report: but not
# what somebody writes at this moment, nor a file of another name.
# SPDX-License-Identifier: MIT
cat > x.yaml <<'END'
kernel: stride
with: {n: 1Ki, device: sim}
sweep: {stride: [1, 2]}
END
need gpuexp x.yaml -q
left="svg html facts.csv md rows.csv compare.html samples.csv old.csv run.yaml csv tune.csv"
leave() {
    for end in $left; do
        echo half > reports/x.$end.4711.tmp
        echo half > reports/x.$end.0123456789abcdef.tmp
    done
    echo mine > reports/x.notes.tmp
    echo mine > reports/y.svg.4711.tmp
    echo half > reports/x.json.4712.tmp
}
gone() {
    need [ "$(ls reports | grep 'tmp$' | tr '\n' ' ')" = "x.json.4712.tmp x.notes.tmp y.svg.4711.tmp " ]
    rm reports/*.tmp
}
for words in "x.yaml" "x.yaml --fresh" "report reports/x.csv" "report reports/x.csv --format svg"; do
    leave
    # shellcheck disable=SC2086
    (flock 9 && gpuexp -q $words > out 2> log) 9< reports/x.json.4712.tmp # that one is being written
    need [ -e reports/x.csv ]
    gone
done
