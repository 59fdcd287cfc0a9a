# Every experiment that ships runs on the simulator: nothing is wrong or failed, and no claim is broken.
# slow: it runs some fifty experiments
# timeout: 900
# SPDX-License-Identifier: MIT
"$GPUEXP" run "$TOP"/experiments/*.yaml -d sim -q --fresh > log 2>&1
status=$?
[ $status = 0 ] || { grep -E 'broken|failed|wrong' log | head -40; echo "exit $status"; exit 1; }
need [ "$(find reports -name '*.run.yaml' | wc -l)" -ge "$(find "$TOP/experiments" -name '*.yaml' | wc -l)" ]
# Of what the simulator cannot do some point is left over; all the rest has an answer in each report.
for report in reports/*.run.yaml; do
    csv=${report%.run.yaml}.csv
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "status") at = i; next }
        $at == "ok" { ok = 1 } END { exit !ok }' \
        "$csv" || { echo "$csv: no point is ok"; exit 1; }
done
