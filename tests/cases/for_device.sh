# `for:` gives an experiment other values for one kind of device, says so, and gives way to the command line.
# SPDX-License-Identifier: MIT
cat > e.yaml <<'E'
experiment: e
kernel: stride
with: {n: 64Mi, block: 256}
sweep: {stride: [1, 2]}
for:
  sim: {n: 1Ki, stride: [4, 8, 16], measure.precision: 1%}
  cuda: {n: 2Mi}
E
t gpuexp plan e.yaml -d sim
t gpuexp plan e.yaml -d sim:h200 -s n=2Ki -s stride=3
t gpuexp plan e.yaml -d sim -s 'for={}'
gpuexp run e.yaml -d sim -s model=none -o e.csv --seed 3 2>&1 | grep -vE ' (ms|s); '
grep '^for:' e.run.yaml
gpuexp plan e.yaml -d cuda:0 2> /dev/null | head -1
sed 's/ sim:/ simulator:/' e.yaml > wrong.yaml
t gpuexp check wrong.yaml
t gpuexp check e.yaml -s 'device=[sim, sim:h200]'
t gpuexp check e.yaml -s for=sim
# Settings with one word in front may stand as a mapping, here and on the command line.
t gpuexp plan e.yaml -d sim -s 'memory={in: mapped}' \
    -s 'for={sim: {n: 1Ki, stride: [1], memory: {out: [device, managed]}}}'
t gpuexp check e.yaml -d sim -s 'window={buffer: in, rato: 1}'
