# planted_make FOLDER: planted.cu of the flaws in planted.cuh, each as a variant with it and one without it (`_ok`), and
# $names; where $kinds is `first`, of each third of those that are the first of their rule.
# planted_launch NAME 1|2: what its LAUNCH says of the one, of the other.
# SPDX-License-Identifier: MIT
flaws=${flaws:-$TOP/tests/flaws/planted.cuh}
planted_make() {
    names=$(awk -v first="${kinds:-}" '/^\/\/ ----/ { new = !seen[$3]++ }
        /^KERNEL\(/ { sub(/^KERNEL\(/, ""); sub(/\).*/, ""); if (new || !first) print; new = 0 }' "$flaws" |
        if [ -n "${kinds:-}" ]; then few 3; else cat; fi)
    local list f ok name
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
    } > "$1/planted.cu"
}
planted_launch() { sed -n "s/^KERNEL($1) .*LAUNCH \(.*\); ok \(.*\)/\\$2/p" "$flaws"; }
