# Kernels with one planted flaw each: `explain` names it first, and has nothing to say of the same work without it.
# SPDX-License-Identifier: MIT
# timeout: 600
command -v python3 > /dev/null || lacks python3
flaws=$TOP/tests/flaws/planted.cuh
names=$(sed -n 's/^KERNEL(\([a-z_0-9]*\)).*/\1/p' "$flaws")
list=$(for f in $names; do printf '%s, %s_ok, ' "$f" "$f"; done)
{
    cat << END
/*
about: Kernels with one planted flaw each, and the same work without it.
params:
  n: {default: 256Ki, about: threads}
  variant: {default: apart, one_of: [${list%, }]}
buffers:
  in: {type: float, count: 16 * n, access: read, fill: random}
  out: {type: float, count: 16 * n, access: both, fill: 0}
  count: {type: int, count: n + 64, access: both, fill: 0}
threads: n
*/
END
    cat "$flaws"
    for f in $names; do
        for ok in false true; do
            name=planted_$f
            [ $ok = false ] || name=${name}_ok
            echo "extern \"C\" __global__ void $name(const float *in, float *out, int *count, int n) \
{ $f<$ok>(in, out, count, n); }"
        done
    done
} > planted.cu
launch() { sed -n "s/^KERNEL($1) .*LAUNCH \(.*\); ok \(.*\)/\\$2/p" "$flaws"; }
usual=
for f in $names; do
    if [ -z "$(launch "$f" 1)" ]; then usual="$usual $f, ${f}_ok,"
    else
        of=$(launch "$f" 1) ok=$(launch "$f" 2)
        printf -- '---\n{experiment: %s, kernel: ./planted.cu, with: {variant: %s, %s}}\n' "$f" "$f" "$of" \
            "${f}_ok" "${f}_ok" "$ok"
    fi
done > flaws.yaml
printf -- '---\n{experiment: usual, kernel: ./planted.cu, with: {n: 64Ki}, sweep: {variant: [%s]}}\n' "${usual%,}" \
    >> flaws.yaml
sed -i 's/, *\]/]/' flaws.yaml
gpuexp explain flaws.yaml -s check=none --format json > found.json || exit 1
awk '/^\/\/ ----/ { rule = $3 } /^KERNEL/ { sub(/^KERNEL\(/, ""); sub(/\).*/, ""); print $0, rule }' "$flaws" > wanted
python3 - << 'END'
import json, sys
found = {p["values"]["variant"]: p["findings"] for p in json.load(open("found.json"))}
wanted = dict(line.split() for line in open("wanted"))
assert len(wanted) >= 30 and len(found) == 2 * len(wanted)
first = sum(bool(found[k]) and found[k][0]["rule"] == rule for k, rule in wanted.items())
for k, rule in wanted.items():
    if not found[k] or found[k][0]["rule"] != rule:
        print("not first:", k, rule, [f["rule"] for f in found[k]])
blamed = [k for k in wanted if found[k + "_ok"]]
for k in blamed: print("blamed:", k, [(f["rule"], f["why"]) for f in found[k + "_ok"]])
print(first, "of", len(wanted))
sys.exit(first < len(wanted) or blamed != [])
END
