# A process in which NVRTC has been loaded cannot fork workers that use CUDA: the program itself never loads it, its workers do.
# SPDX-License-Identifier: MIT
gpuexp "$root/experiments/stride.yaml" -d sim -q -s n=16Mi -s expect=[] &
pid=$! worker_did=no
while kill -0 $pid 2>/dev/null; do
  if grep -q nvrtc /proc/$pid/maps 2>/dev/null; then kill $pid; fail "the program loaded NVRTC: its workers could not use CUDA"; fi
  for child in $(pgrep -P $pid); do
    if grep -q 'libnvrtc' /proc/$child/maps 2>/dev/null; then worker_did=yes; fi
  done
done
wait $pid
if [ $worker_did = no ]; then echo "skipped: no NVRTC here, so that nothing could load it"; exit 77; fi
