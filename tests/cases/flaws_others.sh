# Whole kernels as somebody else writes them, each with a flaw and without it: `explain` names the flaw first, and has
# nothing to say of the other but that it is near what can be done. Then all of planted.cuh, of which flaws.sh has some.
# SPDX-License-Identifier: MIT
# full: thirty kernels are compiled and looked at
command -v python3 > /dev/null || lacks python3
for file in "$TOP"/tests/flaws/others/*.cu; do
    name=$(basename "$file" .cu) wanted=$(sed -n 's/^\/\/ Has to be found first: //p' "$file")
    cp "$file" .
    for which in flawed clean; do
        launch=$(echo "$wanted" | sed -n "s/.*; $which \([^;]*\).*/, \1/p")
        echo "--- {experiment: ${name}_$which, kernel: ./$name.cu, with: {variant: $which$launch}}"
    done
    echo "$name ${wanted%%;*}" >> wanted
done > others.yaml
gpuexp explain others.yaml -s check=none --format json > found.json || exit 1
python3 - << 'END'
import json, sys
found = {(p["kernel"], p["values"]["variant"]):
    [f["rule"] for f in p["findings"]] for p in json.load(open("found.json"))}
wanted = dict(line.split() for line in open("wanted"))
assert len(wanted) >= 28 and len(found) == 2 * len(wanted)
# A miss that is known: this twin reads a byte a thread, too. So does `invert`, where that is the flaw.
told = {"gray": ["in_flight"]}
bad = 0
for k, rule in wanted.items():
    first = found[k, "flawed"][:1]
    clean = [r for r in found[k, "clean"] if r != "ceiling"]
    if first != (["ceiling"] if rule == "nothing" else [rule]) or clean != told.get(k, []):
        print(k, "wanted:", rule, "found:", found[k, "flawed"], "of its twin:", found[k, "clean"])
        bad = 1
sys.exit(bad)
END
[ $? = 0 ] || exit 1
kinds=
. "$TOP/tests/cases/flaws.sh"
