# A tensor map through the whole program: boxes of several elements, swizzles and places come as the plain formula of
# tests/gpu/boxes.cu says, with each compiler that is here; so do pixels and maps that a kernel makes. What no map can
# describe is said at its point.
# SPDX-License-Identifier: MIT
boxes=$TOP/tests/gpu/boxes.yaml
here=0
for compiler in nvrtc clang; do
    export GPUEXP_COMPILER=$compiler
    "$GPUEXP" "$boxes" -d sim -q --fresh -o r.csv \
        -s 'T=[float, unsigned char]' -s 'swizzle=[0, 128]' -s 'step=[3]' > log 2>&1
    status=$?
    grep -q "nothing here compiles\|GPUEXP_COMPILER" log && continue
    here=1
    [ $status = 0 ] || { cat log; cut -d, -f 6-20 r.csv | grep -v ,ok, | head; }
    [ "$(cells r.csv status | sort -u)" = ok ] || echo "not all are ok, $compiler"
    [ "$(cells r.csv ld_requests | sort -u)" = 0 ] || echo "loads are counted, $compiler"
    by=ptx
    [ $compiler = clang ] || by=sass
    [ "$(cells r.csv counts | sort -u)" = $by ] || echo "not counted by $by, $compiler"
done
[ $here = 1 ] || echo "no compiler was tried"
unset GPUEXP_COMPILER
# A kernel that takes its map by a pointer finds it in memory.
sed 's/const __grid_constant__ CUtensorMap box/const CUtensorMap *box/; s/"l"(&box)/"l"(box)/' \
    "$TOP/tests/gpu/boxes.cu" > boxes.cu
cp "$boxes" by_pointer.yaml
"$GPUEXP" by_pointer.yaml -d sim -q --fresh -o r.csv -s T=float -s swizzle=0 -s step=3 > log 2>&1 || cat log
[ "$(cells r.csv status | sort -u)" = ok ] || echo "not all are ok: by a pointer"
# One within a structure is made by C++, which knows the map by its name.
sed 's/^  box: {tensor: .*}/&\n  held: "holder{7, *box}"/
    s/const __grid_constant__ CUtensorMap box/const __grid_constant__ holder held/; s/"l"(&box)/"l"(\&held.map)/
    s/^constexpr int ROWS/struct holder { int of; CUtensorMap map; };\n&/' \
    "$TOP/tests/gpu/boxes.cu" > boxes.cu
grep -c held boxes.cu
"$GPUEXP" by_pointer.yaml -d sim -q --fresh -o r.csv -s T=float -s swizzle=64 -s W=16 -s step=3 > log 2>&1 || cat log
[ "$(cells r.csv status | sort -u)" = ok ] || echo "not all are ok: in a structure"
sed -i 's/\*box}/CUtensorMap{}}/' boxes.cu
"$GPUEXP" check by_pointer.yaml -d sim 2>&1 | grep ^./boxes.cu
for file in "grouped -s groups=[5]" "pixels -s T=[half] -s swizzle=[32] -s where=C==32"; do
    "$GPUEXP" "$TOP/tests/gpu/${file%% *}.yaml" -d sim -q --fresh -o r.csv ${file#* } > log 2>&1 || cat log
    [ "$(cells r.csv status | sort -u)" = ok ] || echo "not all are ok: $file"
    by=sass
    case "$file $(nvrtc && echo nvrtc)" in grouped*|*[!c]) by=ptx ;; esac # who changes a map stays with PTX
    [ "$(cells r.csv counts | sort -u)" = $by ] || echo "not counted by $by: $file"
done
one() { # what is wrong with one point
    echo "$@"
    "$GPUEXP" check "$boxes" -d sim -s T=float -s swizzle=0 -s step=1 -s 'together=[{x: [0, 1]}]' "$@" 2>&1 | head -3
}
one -s W=30 -s H=8
one -s W=32 -s H=300
one -s W=64 -s H=8 -s swizzle=128 -s where=true
one -s W=32 -s H=8 -s row=101
one -s W=32 -s H=8 -s row=256Gi
one -s W=32 -s H=8 -s w=300
one -s W=32 -s H=8 -s first=3
one -s W=32 -s H=8 -s promote=100
one -s W=32 -s H=8 -s step=9
for memory in symbol constant texture surface; do one -s W=32 -s H=8 -s memory.in=$memory; done
boxes=$TOP/tests/gpu/pixels.yaml
of_pixels() {
    echo "$@"
    "$GPUEXP" check "$boxes" -d sim -s T=half -s swizzle=0 -s 'together=[{C: [32]}]' "$@" 2>&1 | head -3
}
of_pixels -s pad=200
of_pixels -s P=2000
