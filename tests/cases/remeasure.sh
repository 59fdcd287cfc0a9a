# `compare --remeasure`: what two reports leave unsure is measured again, both texts of the kernel in turns, as their
# run files have them; the rest is not. What cannot be measured again says why.
# SPDX-License-Identifier: MIT
mkdir kernels
cat > kernels/k.cu << 'END'
/*
params:
  n: {default: 1000, min: 1}
buffers:
  in: {type: float, count: n, access: read}
  out: {type: float, count: n, access: write}
threads: n
useful: 8 * n
*/
__global__ void k(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}
__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == 2 * in[i]; }
END
cat > fake << END
name Fake
draws 0.6
noise 0.001
time 20
for n=2000 draws 0.01
for kernel=$PWD/kernels/././k.cu time 20.8
for n=1000 time 20
for n=4000 draws 0.6
END
printf 'experiment: e\nkernel: k\nsweep: {n: [1000, 2000, 3000, 4000]}\nmeasure: {contexts: 4}\n' > e.yaml
need gpuexp e.yaml -d script:fake -q -o old.csv
cp kernels/k.cu first.cu
echo '// edited' >> kernels/k.cu
sed -i 's/draws 0.6$/draws 0.6 9/' fake
need gpuexp e.yaml -d script:fake -q -o new.csv
# Whatever has become of the files: the run files have the texts.
rm kernels/k.cu
echo 'not: [yaml' > e.yaml
echo 'for n=4000 later 5 7 1000' >> fake
verdicts() { gpuexp compare "$@" 2> said | sed 's/[0-9]*\.[0-9]*/N/g'; echo "exit ${PIPESTATUS[0]}"; }
verdicts old.csv new.csv
verdicts old.csv new.csv --remeasure
cut -d, -f5,6,7 new.remeasured.csv | sed "s|$PWD|.|; s/,\".*//"
gpuexp compare old.csv new.csv --remeasure --format json > json
need [ "$(grep -c '"again": true' json)" = 3 ]
echo "--- stopped: what was not measured in all rounds is as unsure as before, and nothing has changed"
# In the last round: some have a row, and what they are held against has none.
printf 'for n=2000 draws 0.6\ninterrupts prepare 14 1\n' >> fake
env --default-signal=INT "$GPUEXP" compare old.csv new.csv --remeasure > out 2> log
echo "exit $?"
grep '^changed' out | cut -c1-18 # its timed launches are wrong, in the first round
need [ "$(grep -c '^unsure' out)" -ge 1 ]
need [ "$(tail -n 1 log | grep -c 'stopped with [1-6] of 6 points left, of which there is no verdict')" = 1 ]
echo "--- what cannot be measured again"
t gpuexp compare old.csv old.csv --remeasure --threshold 0.01%
sed -i 's/in: {type: float, count: n, access: read/in: {type: float, count: n, access: both/' new.run.yaml
t gpuexp compare old.csv new.csv --remeasure
rm new.run.yaml
t gpuexp compare old.csv new.csv --remeasure
