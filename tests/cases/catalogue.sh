# Every experiment that ships runs on the simulator: nothing is wrong or failed, and no claim is broken.
# full: it runs some fifty experiments
# SPDX-License-Identifier: MIT
# These ask for what only a GPU has: every point is skipped, which is told.
gpu_only="fetch l2_shared_window"
for name in $gpu_only; do
    "$GPUEXP" run "$TOP/experiments/$name.yaml" -d sim --fresh > log 2>&1
    need [ $? = 1 ]
    need grep -q "^$name: [0-9]* skipped" log
done
rm -rf reports
find "$TOP/experiments" -name '*.yaml' ! -name fetch.yaml ! -name l2_shared_window.yaml | sort > files
xargs "$GPUEXP" run -d sim -q --fresh < files > log 2>&1
status=$?
[ $status = 0 ] || { cat log | head -40; echo "exit $status"; exit 1; }
need [ "$(find reports -name '*.run.yaml' | wc -l)" -ge "$(wc -l < files)" ]
# Of what the simulator cannot do some point is left over; all the rest has an answer in each report.
for report in reports/*.run.yaml; do
    csv=${report%.run.yaml}.csv
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "status") at = i; next }
        $at == "ok" { ok = 1 } END { exit !ok }' \
        "$csv" || { echo "$csv: no point is ok"; exit 1; }
done
