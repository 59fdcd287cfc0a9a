# Kernels with one planted flaw each: `explain` names it first, and has nothing to say of the same work without it.
# SPDX-License-Identifier: MIT
# timeout: 600
command -v python3 > /dev/null || lacks python3
. "$TOP/tests/flaws/planted.sh"
planted_make .
usual=
for f in $names; do
    if [ -z "$(planted_launch "$f" 1)" ]; then usual="$usual $f, ${f}_ok,"
    else
        of=$(planted_launch "$f" 1) ok=$(planted_launch "$f" 2)
        printf -- '---\n{experiment: %s, kernel: ./planted.cu, with: {variant: %s, %s}}\n' "$f" "$f" "$of" \
            "${f}_ok" "${f}_ok" "$ok"
    fi
done > flaws.yaml
printf -- '---\n{experiment: usual, kernel: ./planted.cu, with: {n: 64Ki}, sweep: {variant: [%s]}}\n' "${usual%,}" \
    >> flaws.yaml
sed -i 's/, *\]/]/' flaws.yaml
gpuexp explain flaws.yaml -s check=none --format json > found.json || exit 1
awk '/^\/\/ ----/ { rule = $3 } /^KERNEL/ { sub(/^KERNEL\(/, ""); sub(/\).*/, ""); print $0, rule }' "$flaws" > wanted
# Without the Toolkit clang compiles, without NVIDIA's math library, by runner/compile/text/cuda_math.h:
# there a double's sine is short, and a float's has no slow path through local memory.
left_out=
nvrtc || left_out="sines large_angles"
python3 - $left_out << 'END'
import json, sys
found = {p["values"]["variant"]: p["findings"] for p in json.load(open("found.json"))}
wanted = dict(line.split() for line in open("wanted"))
assert len(wanted) >= 30 and len(found) == 2 * len(wanted)
for k in sys.argv[1:]: print("left out, since it rests on NVIDIA's math library:", k, wanted.pop(k))
first = sum(bool(found[k]) and found[k][0]["rule"] == rule for k, rule in wanted.items())
for k, rule in wanted.items():
    if not found[k] or found[k][0]["rule"] != rule:
        print("not first:", k, rule, [f["rule"] for f in found[k]])
blamed = [k for k in wanted if found[k + "_ok"]]
for k in blamed: print("blamed:", k, [(f["rule"], f["why"]) for f in found[k + "_ok"]])
print(first, "of", len(wanted))
sys.exit(first < len(wanted) or blamed != [])
END
