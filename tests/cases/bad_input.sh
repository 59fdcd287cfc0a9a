# Files that are not experiments: one sentence for each, nothing is run, exit 2, in little time and memory.
# SPDX-License-Identifier: MIT
mkdir folder
printf '\x7fELF\x02\x01\x01\x00\x00\xff\xfe' > binary.yaml
: > empty.yaml
printf 'experiment: x\n\tkernel: stride\n' > tab.yaml
printf 'a: &a [*a]\n' > cycle.yaml
printf 'kernel: stride\nkernel: stride\n' > twice.yaml
mkfifo pipe.yaml
t gpuexp missing.yaml
t gpuexp folder
t gpuexp binary.yaml
t gpuexp empty.yaml
t gpuexp tab.yaml
t gpuexp cycle.yaml
t gpuexp twice.yaml
t gpuexp pipe.yaml

# Many mistakes, all at once.
cat > many.yaml <<'END'
experiment: many
kernl: stride
kernel: strid
with:
  n: 64Mx
  blok: 256
sweep:
  strid: [1, 2]
  offset: []
where: stride * blok <= 8192
measure: {precison: 0.5%}
expect:
  - that: sectors_per_requst == 4
END
t gpuexp check many.yaml
cat > names.yaml <<'END'
kernel: stride
with: {n: 1Mi, block: 256, T: flaot, order: forwards}
sweep:
  strid: [1, 2]
  stride: [1, -2]
  offset: []
where: stride * blok <= 8192
derive: {x: "gbps /"}
expect:
  - that: sectors_per_requst == 4
END
t gpuexp check names.yaml
printf 'kernel: stride\nwith: {blok: 1}\nscript: nothere.lua\n' > script.yaml
t gpuexp check script.yaml

# 100 MB of nested brackets.
head -c 100000000 /dev/zero | tr '\0' '[' > deep.yaml
(ulimit -v 2000000; t timeout 20 "$GPUEXP" deep.yaml)
head -c 4000000 deep.yaml > less_deep.yaml
(ulimit -v 2000000; timeout 20 "$GPUEXP" less_deep.yaml 2>&1 | cut -c 1-100; echo "[exit ${PIPESTATUS[0]}]")
need [ ! -e reports ]
