# `judge`: a kernel beside others that promise the same, measured in turns on one device and verified; what differs in
# promise is refused with its place, and so is a device without a clock.
# SPDX-License-Identifier: MIT
cat > a.cu << 'END'
/*
params:
  n: {default: 1000, min: 1}
buffers:
  in: {type: float, count: n, access: read}
  out: {type: float, count: n, access: write}
threads: n
useful: 8 * n
*/
__global__ void a(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}
__device__ bool check(size_t i, const float *in, const float *out) { return out[i] == 2 * in[i]; }
END
for k in quick slow same wrong unsure broken; do sed "s/void a(/void $k(/" a.cu > $k.cu; done
cat > fake << 'END'
name Fake
draws 0.2
noise 0.001
time 20
for kernel=quick time 18
for kernel=slow time 20.8
for kernel=same time 20.02
for kernel=wrong later 5 7 1000
for kernel=unsure noise 0.3 7
for kernel=broken fail prepare 1 no code for this GPU
END
judge() { gpuexp judge "$@" 2> said | sed 's/[0-9]\.[0-9]*/N/g; s/[0-9]\.[0-9]*e-*[0-9]*/N/g; s/[0-9]*N/N/g'; }
status() { gpuexp judge "$@" > log 2>&1; echo $?; }
judge a.cu quick.cu slow.cu same.cu wrong.cu unsure.cu broken.cu -d script:fake
cut -d, -f1,5,6 reports/judge.csv
need [ "$(cells reports/judge.csv contexts | head -1)" = 2 ]
# What another kernel's source checks is another measurement than what its own does.
printf 'kernel: ./quick.cu\n' > alone.yaml
need gpuexp alone.yaml -d script:fake -q
need [ "$(cells reports/alone.csv key)" != "$(cells reports/judge.csv key | sed -n 2p)" ]
# A run of two contexts would have no interval; what is judged is visited several times in each.
gpuexp alone.yaml -d script:fake -s measure.contexts=2 > log 2>&1
need [ $? = 2 ]
need grep -q 'contexts: 2` gives no interval' log
for k in quick same unsure; do echo "$k: exit $(status a.cu $k.cu -d script:fake)"; done
for k in slow wrong broken; do echo "$k: exit $(status a.cu $k.cu -d script:fake)"; done
echo "a base without a time: exit $(status broken.cu a.cu -d script:fake)"; cat log
echo "--- a threshold, points, a kernel beside itself, JSON"
judge a.cu slow.cu -d script:fake --threshold 5%
judge a.cu a.cu -d script:fake -s 'n=[100, 200]'
gpuexp judge a.cu quick.cu -d script:fake --format json -o other.csv > json
need grep -q '"verdict": "faster"' json
need [ "$(sed -n '/"rounds_us"/,/\]/p' json | grep -c '[0-9]')" = 8 ]
need [ "$(cells other.csv status | sort -u)" = imprecise ]
echo "--- stopped, and on a terminal"
sed 's/^time 20$/time 20\nrestores 0.003/' fake > slow
sed 's/^time 20$/time 20\ninterrupts prepare 1 1/' fake > stops
env --default-signal=INT "$GPUEXP" judge a.cu quick.cu -d script:stops -o stopped.csv > out 2> log
echo "exit $?"
need [ "$(wc -l < stopped.parts.csv)" -ge 3 ]
cat out log
if command -v script > /dev/null; then
    export GPUEXP
    TERM=xterm script -qec '$GPUEXP judge a.cu quick.cu -d script:slow' /dev/null < /dev/null > screen
    need grep -q 'round 7 of 8' screen
    tr '\r' '\n' < screen > drawn
    need grep -qE '^judge \[##+> *\] 0/2,' drawn # rounds fill the bar, not verdicts alone
    need [ "$(grep -c context screen)" = 0 ]
fi
echo "--- what is refused"
kept=$(ls reports | wc -l)
t gpuexp judge a.cu quick.cu -d sim
t gpuexp judge a.cu quick.cu -d cuda:all
sed 's/default: 1000/default: 2000/' a.cu > b.cu
t gpuexp judge a.cu b.cu -d script:fake
sed 's/count: n, access: write/count: n + 1, access: write/' a.cu > b.cu
t gpuexp judge a.cu b.cu -d script:fake
sed 's/^useful: 8/useful: 4/' a.cu > b.cu
t gpuexp judge a.cu b.cu -d script:fake
sed 's/^  n: .*/&\n  more: 1/; s/^threads: n/& * more/' a.cu > b.cu
t gpuexp judge a.cu b.cu -d script:fake
t gpuexp judge b.cu a.cu -d script:fake
sed '/bool check/d' a.cu > b.cu
t gpuexp judge b.cu a.cu -d script:fake
t gpuexp judge a.cu missing.cu -d script:fake
need [ "$(ls reports | wc -l)" = "$kept" ] # nothing of that has put the last report aside
# What the device does not see the simulator does, where the first kernel is right: a store beyond the end.
sed 's/i < n/i <= n/; s/void a(/void beyond(/' a.cu > beyond.cu
judge a.cu beyond.cu -d script:fake
judge beyond.cu a.cu -d script:fake
for k in a beyond; do
    sed "s/default: 1000/default: 4096000/; s/void $k(/void ${k}_of_many(/" $k.cu > ${k}_of_many.cu
done
judge a_of_many.cu beyond_of_many.cu -d script:fake # too many for the simulator: fewer are tried
# What is as long with fewer threads stays as long: a kernel may be made for rows of that length.
sed 's/^  n: .*/  rows: {default: 4096, min: 1}\n  n: {default: 1024, min: 1}/; s/count: n/count: rows * n/
    s/^threads: n/block: 256\ngrid: rows/; s/8 \* n/8 * rows * n/; s/void a(/void of_any(/
    s/int i = .*/in += blockIdx.x * n, out += blockIdx.x * n;/
    s/if (i < n)/for (int i = threadIdx.x; i < n; i += 256)/' a.cu > of_any.cu
sed 's/void of_any(/void of_1024(/; s/i < n; /i < 1024; /' of_any.cu > of_1024.cu
judge of_any.cu of_1024.cu -d script:fake
# Inputs that are a formula begin at another place there, where the first kernel is right then too: what does not read
# them is not. Where the first is not, their order matters, and the other one may know them.
sed 's/access: read}/access: read, fill: index}/; s/void a(/void reads(/' a.cu > reads.cu
sed 's/void reads(/void knows(/; s/2 \* in\[i\];$/2 * i;/' reads.cu > knows.cu
judge reads.cu knows.cu -d script:fake
# The largest of so many random numbers is known, where these are spread evenly.
cat > largest.cu << 'END'
/*
params: {rows: {default: 64, min: 1}}
buffers:
  in: {type: int, count: rows * 4096, access: read, fill: random}
  out: {type: int, count: rows, access: write}
block: 32
grid: rows
useful: rows * 16384
*/
__global__ void largest(const int *in, int *out)
{
    int most = 0;
    for (int i = threadIdx.x; i < 4096; i += 32) most = max(most, in[blockIdx.x * 4096 + i]);
    for (int o = 16; o; o /= 2) most = max(most, __shfl_xor_sync(~0u, most, o));
    if (!threadIdx.x) out[blockIdx.x] = most;
}
__device__ bool check(size_t r, const int *in, const int *out)
{
    int most = 0;
    for (int i = 0; i < 4096; i++) most = in[r * 4096 + i] > most ? in[r * 4096 + i] : most;
    return out[r] == most;
}
END
sed 's/void largest(/void hundred(/; s/in\[blockIdx.x \* 4096 + i\])/100)/' largest.cu > hundred.cu
judge largest.cu hundred.cu -d script:fake
# What makes all of them of the first is not right when they lie in another order.
sed 's/void knows(/void first(/; s/2 \* i;$/2 * (((int)in[0] + i) % n);/' knows.cu > first.cu
judge reads.cu first.cu -d script:fake
for k in reads knows; do sed "s/return out.*/return out[i] == 2 * i; }/; s/void $k(/void o$k(/" $k.cu > o$k.cu; done
judge oreads.cu oknows.cu -d script:fake
