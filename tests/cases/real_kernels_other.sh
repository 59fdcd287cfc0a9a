# The same kernels with each compiler that is here, not only the one that is taken by itself.
# full: some sixty kernels compiled twice, and those that need the Toolkit
# SPDX-License-Identifier: MIT
cp -r "$TOP"/tests/kernels/* .
# An H200 has measured these two as they are. string_search finds nothing, and so writes nothing. Of each eight numbers
# that top_of_row writes, seven are told by their order alone. pi_by_curand knows a range, no number.
weak='^(string_search|top_of_row|pi_by_curand): 1 unverified;'
here=0
for compiler in nvrtc clang; do
    for set in . more; do
        (cd $set && GPUEXP_COMPILER=$compiler "$GPUEXP" all.yaml -d sim --fresh > log 2>&1)
        grep -q "nothing here compiles\|GPUEXP_COMPILER" $set/log && continue
        here=1
        [ "$(grep -cE " [0-9]* ok;|$weak" $set/log)" = "$(ls $set/*.cu | wc -l)" ] ||
            { echo "$compiler, $set:"; grep -v ' 1 ok;\|: ok$\|sectors_per_request' $set/log; exit 1; }
    done
done
need [ $here = 1 ]
# Those that include the Toolkit's own headers (CUB, cooperative groups, cuda::std), where NVRTC is.
cd toolkit || exit 1
GPUEXP_COMPILER=nvrtc "$GPUEXP" all.yaml -d sim:h200 > log 2>&1
grep -q "nothing here compiles\|GPUEXP_COMPILER" log ||
    need [ "$(grep -cE " 1 ok;|$weak" log)" = "$(ls ./*.cu | wc -l)" ]
