# An edited kernel is measured again without --fresh; the rows of its earlier texts are in one file, which every command
# reads.
# SPDX-License-Identifier: MIT
cat > k.cu << 'END'
/*
params: {n: 100}
buffers: {out: {type: int, count: n, access: write}}
threads: n
*/
__global__ void k(int *out, int n) { out[threadIdx.x] = 1; }
__device__ bool check(size_t i, const int *out) { return out[i] == 1; }
END
printf 'name F\ntime 50\n' > fake
printf 'kernel: ./k.cu\nsweep: {n: [10, 20]}\nwith: {device: "script:fake"}\n%s\n' \
    'measure: {max_samples: 30, min_sample: 0}' > e.yaml
need "$GPUEXP" e.yaml -q
for i in $(seq 12); do
    echo "// edit $i" >> k.cu
    "$GPUEXP" e.yaml > out 2> log || { cat log; exit 1; }
    need grep -q 'the kernel was edited: 2 rows of its earlier text are now in reports/e.old.csv' log
done
need [ "$(ls reports | tr '\n' ' ')" = "e.csv e.old.csv e.old.samples.csv e.run.yaml e.samples.csv " ]
need [ "$(wc -l < reports/e.csv)" = 3 ]
need [ "$(cut -d, -f3 reports/e.old.csv | sort -u | wc -l)" = 25 ]
for command in report status; do
    need "$GPUEXP" $command reports/e.old.csv > out
done
# Nothing is measured again that has a row, and without an edit nothing moves.
"$GPUEXP" e.yaml 2>&1 | grep -q '2 already in' || echo "it was measured again"
need [ "$(wc -l < reports/e.old.csv)" = 25 ]
# A value that the new text reports is a new column; a helper that is included is part of the text.
sed -i 's/^threads: n/threads: n\nreports: {cycles: {type: int}}/; s/int n)/int n, int *cycles)/' k.cu
need "$GPUEXP" e.yaml -q
head -1 reports/e.csv | grep -q ',cycles,' || echo "no column for what is reported"
echo '#define ONE 1' > one.h
sed -i 's/^__global__/#include "one.h"\n__global__/' k.cu
need "$GPUEXP" e.yaml -q
echo '#define ONE 2' > one.h
need "$GPUEXP" e.yaml -q
need [ "$(wc -l < reports/e.old.csv)" = 31 ]
# On another device nothing is moved: that is refused as before.
cp reports/e.csv before.csv
echo '// once more' >> k.cu
sed 's/name F/name G/' fake > other
"$GPUEXP" e.yaml -d script:other > log 2>&1 && echo "another device was taken"
need cmp reports/e.csv before.csv
need [ "$(wc -l < reports/e.old.csv)" = 31 ]
