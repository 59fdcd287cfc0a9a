#!/bin/bash
# Tries the CUDA backend on a machine with a GPU, in bounded time: every operation by itself, then experiments beside
# reference programs.
# usage: run.sh BUILD OUT [part...]   BUILD has gpuexp and tests/gpu_smoke; logs, reports and a
# summary go to OUT.
# Parts, in this order: smoke reference experiments numbers restored sweeps coverage honest judge transfers catalogue
# scripts (all, where none is named); apart; and cheats, which `honest` has in it.
# All of it takes 9 minutes on an H200. The first experiments are in three contexts, the least for an interval. The
# others are a quick look in one, some at fewer points, and their expectations are tried. CONTEXTS=8 is for reports that
# are kept: all points, in so many. COVERAGE=5 COVERAGE_SECONDS=60: in so many fresh processes, within so long. JUDGE=2:
# so many times each pair.
# Each step has a time limit of its own, and none is begun after SECONDS_MOST seconds (1200), so that the results so far
# are not lost. ONLY="stride copy_small" makes these reports and no other. The reference programs are compiled where
# BUILD has none.
# SPDX-License-Identifier: MIT
set -u
build=$(readlink -f "$1") out=$2
shift 2
parts=${*:-smoke reference experiments numbers restored sweeps coverage honest judge transfers catalogue scripts}
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$out" && out=$(readlink -f "$out")
# Reports keep the folder and the command that made them: a plain place, and paths that begin there.
work=/tmp/gpuexp
rm -rf "$work"
mkdir -p "$work/logs" "$work/h200" "$work/runs"
cp -r "$root/experiments" "$root/kernels" "$root/lua" "$root/tests" "$work"
cd "$work" || exit 1
export XDG_CACHE_HOME=$work/cache GPUEXP_PATH=$work
summary=$out/summary.txt

# step NAME SECONDS command…: its output to a log of that name, one line to the summary. What did not end well is told
# once more at the end.
steps=0 bad=
step() {
  local name=$1 limit=$2 began status left=$((${SECONDS_MOST:-1200} - SECONDS))
  shift 2
  steps=$((steps + 1))
  [ "$left" -gt 5 ] || { echo "$name: no time left" | tee -a "$summary"; bad="$bad $name"; return 1; }
  [ "$limit" -le "$left" ] || limit=$left
  began=${EPOCHREALTIME/./}
  timeout -k 5 "$limit" "$@" >"$work/logs/$name.log" 2>&1
  status=$?
  [ $status = 0 ] || bad="$bad $name"
  printf '%-28s exit %-3s %6d ms\n' "$name" "$status" $(((${EPOCHREALTIME/./} - began) / 1000)) | tee -a "$summary"
  return $status
}
has() { case " $parts " in *" $1 "*) return 0 ;; esac; return 1; }
asked() { [ -z "${ONLY:-}" ] && return 0; case " $ONLY " in *" $1 "*) return 0 ;; esac; return 1; }
# experiment NAME SECONDS [option…]: its report goes among those that are worth keeping.
contexts=${CONTEXTS:-3}
experiment() {
  asked "$1" || return 0
  local few=(-s "measure.contexts=$contexts")
  case $1:${CONTEXTS:-} in # so many points: four contexts of each are enough, or some of the points
  l2_hit_ratio:) few+=(-s 'hot_bytes=[16MiB, 36MiB, 64MiB]') ;;
  bank_conflicts:) few+=(-s 'stride=[0, 1, 2, 4, 8, 16, 31, 32, 33]') ;; # all are counted
  managed_copies:) few+=(-s 'n=[16Ki, 1Mi, 16Mi]') ;;
  l2_hit_ratio:* | l2_shared_window:* | bank_conflicts:* | divergence:* | registers:* | element_size:*)
    [ "$contexts" -le 4 ] || few=(-s measure.contexts=4) ;;
  esac
  step "$1" "$2" "$build/gpuexp" "experiments/$1.yaml" -d cuda:0 --fresh -o "h200/$1.csv" "${@:3}" "${few[@]}"
}
# counted NAME key=value…: the same with less work, a quick look, for its counts: what the simulator is to reproduce
# to the last digit.
counted() {
  local name=$1 args=()
  asked "${name}_small" || return 0
  shift
  for o in "$@"; do args+=(-s "$o"); done
  step "${name}_small" 60 "$build/gpuexp" "experiments/$name.yaml" -d cuda:0 --fresh -o "h200/${name}_small.csv" \
      "${quick[@]}" "${args[@]}"
}
# small NAME: the file with the values that it has on the simulator, counted by the hardware: again for the simulator to
# reproduce. A quick look, for no time of it is kept.
quick=(-s counters=hardware -s measure.contexts=1 -s measure.max_time=5ms)
small() {
  local on
  asked "${1}_small" || return 0
  on=$(sed -n 's/^for: {sim: \(.*\)}$/\1/p' "experiments/$1.yaml" | head -1)
  [ -z "$on" ] || step "${1}_small" 60 "$build/gpuexp" "experiments/$1.yaml" -d cuda:0 --fresh \
      -o "h200/${1}_small.csv" "${quick[@]}" -s "for={cuda: $on}"
}
first() { # DEVICE: how long one waits for the first point's line. Read to the end, for the GPU is busy until then.
  local began=${EPOCHREALTIME/./} line at=0
  while read -r line; do
    case $at$line in 01/*) at=${EPOCHREALTIME/./} ;; esac
  done < <(timeout 20 "$build/gpuexp" tests/gpu/sweeps.yaml -d "$1" --fresh -s measure.contexts=1 2>&1)
  [ "$at" = 0 ] && echo "no line by $1" || echo "first line by $1: $(((at - began) / 1000)) ms"
}
table() { [ ! -f "$1" ] || python3 tests/gpu/tell.py table "$@" | tee -a "$summary"; }

nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,power.draw,temperature.gpu --format=csv,noheader \
    >"$summary" 2>&1
# What is measured later is compiled first, beside the smoke test, by the paths that it will be asked for.
compile() {
  cd "$work/tests" || return
  { ! has catalogue || ls "$work"/experiments/*.yaml "$PWD/gpu/coverage.yaml"
    ! has honest || ls "$PWD"/{kernels/all,gpu/honest,cheats/*,cheats/*/*}.yaml
  } | timeout 60 xargs -P "$(nproc)" -n 1 "$build/gpuexp" check -d sim:h200 -s 'for={}'
}
[ -n "${ONLY:-}" ] || compile >"$work/logs/compile.log" 2>&1 &
! has smoke || step smoke 240 "$build/tests/gpu_smoke"
wait
if has smoke; then
  step promises 60 "$build/tests/gpu_promises"
  grep -hE '^BAD|bad$' "$work/logs/smoke.log" "$work/logs/promises.log" | tee -a "$summary"
  step devices 60 "$build/gpuexp" devices
fi
if has reference || has numbers; then
  for p in stride copy; do
    cp "$build/reference_$p" "$work" 2> /dev/null ||
        nvcc -O3 -arch=native -o "$work/reference_$p" "tests/bench/reference_$p.cu"
  done
  step reference_copy 60 "$work/reference_copy"
fi
if has experiments; then
  for e in stride copy vecadd transpose matrix tensor_copy; do
    experiment $e 120 -s counters=hardware
    table "$work/h200/$e.csv" stride each block hint n order variant rows status time_us time_lo_us time_hi_us samples \
        discarded gbps peak_gbps cycles reason
  done
  for f in boxes grouped pixels; do # what tensor maps mean; the times are not kept
    ! asked $f || step $f 40 "$build/gpuexp" "tests/gpu/$f.yaml" -d cuda:0 --fresh -q -o "$work/$f.csv" \
        -s measure.contexts=1 -s measure.max_time=5ms
  done
  ! asked stride_sampled || step stride_sampled 60 "$build/gpuexp" experiments/stride.yaml -d cuda:0 --fresh \
      -o h200/stride_sampled.csv -s 'n=[64Ki, 64Mi]' -s 'stride=[1, 32]'
  counted stride n=1Mi
  counted copy n=256Ki
  counted vecadd 'n=[1Ki,32Ki,1Mi]'
  counted transpose n=256 'block=[[32,8]]' rows=8
  counted matrix width=1024 height=1024
  counted layout height=64 depth=4
  counted lookup n=256Ki
  counted l2_hit_ratio n=64Ki workers=8192 hot_bytes=256KiB window.buffer=none persist=0 window.ratio=1
  table "$work/h200/stride.csv" stride ld_requests ld_sectors st_sectors dram_read_bytes l2_read_sectors counts
fi
if has numbers; then
  # The reference, the program in ten processes, and the reference again, so that drift between them shows.
  step reference_stride 60 "$work/reference_stride"
  for i in 1 2 3 4 5 6 7 8 9 10; do
    step "stride-run$i" 60 "$build/gpuexp" experiments/stride.yaml -d cuda:0 --fresh -o "runs/$i.csv" \
        -s measure.contexts=1 -s counters=none >/dev/null
  done
  step reference_stride_after 60 "$work/reference_stride"
  tail -n 3 "$work/logs/stride-run10.log" | tee -a "$summary"
  python3 tests/gpu/tell.py numbers "$work/logs" "$work/runs" "$work/h200/copy.csv" | tee -a "$summary"
fi
if has restored; then
  # The same plain points once alone and once among points that set lines aside and let them persist.
  for e in alone among; do # a quarter of a minute both
    step $e 60 "$build/gpuexp" tests/gpu/$e.yaml -d cuda:0 --fresh -o "runs/$e.csv" >/dev/null
  done
  python3 tests/gpu/tell.py restored "$work/runs" | tee -a "$summary"
  tail -n 1 "$summary" | grep -q ': ok' || bad="$bad restored"
fi
if has sweeps; then
  step sweeps 30 "$build/gpuexp" tests/gpu/sweeps.yaml -d cuda:0 --fresh >/dev/null
  grep -h ' a point' "$work/logs/sweeps.log" | tee -a "$summary"
  for d in auto cuda:0; do first "$d" | tee -a "$summary"; done
  # What is felt first: one point as a process, and a quick look at a file with claims.
  step one_point 10 "$build/gpuexp" experiments/stride.yaml -d cuda:0 --fresh -q -s stride=1 -s counters=none \
      -s measure.contexts=1 -o runs/one_point.csv
  step quick_look 10 "$build/gpuexp" experiments/stride.yaml -d cuda:0 --fresh -q -s measure.contexts=1 \
      -o runs/quick_look.csv
fi
if has coverage; then
  step coverage "${COVERAGE_SECONDS:-60}" bash tests/gpu/coverage.sh "$build/gpuexp" h200/processes "${COVERAGE:-5}"
  bash tests/gpu/coverage.sh h200/processes/coverage.csv | tee -a "$summary"
fi
for part in honest cheats; do
  has $part || continue
  step $part 180 bash tests/gpu/cheats.sh "$build/gpuexp" "$work/cheats" $([ $part = honest ] || echo alone)
  grep -v '^reports/[a-z_]*\.csv: .* is skipped' "$work/logs/$part.log" | tail -12 | tee -a "$summary"
  break # the honest ones come with the cheats
done
if has judge; then
  step judge 120 bash tests/gpu/judge.sh "$build/gpuexp" "$work/judge" "${JUDGE:-2}"
  tail -4 "$work/logs/judge.log" | tee -a "$summary"
fi
# What takes longest comes last: where the time is short, some of these reports are not made.
contexts=${CONTEXTS:-1}
if has transfers; then
  for e in transfer mapped overlap batching managed managed_copies fetch l2_hit_ratio l2_shared_window layout lookup; do
    [ -f "experiments/$e.yaml" ] || continue
    case $e in fetch | l2_* | layout | lookup) experiment $e 200 -s counters=hardware ;; *) experiment $e 200 ;; esac
    table "$work/h200/$e.csv" n host timed chunks streams each memory touch prefetch advise variant texture.filter \
        window_bytes stride fetch window.ratio persist status time_us samples gbps dram_read_bytes reason
  done
fi
if has catalogue; then
  for e in barriers distributed_shared read_only image_resize tensor_core allocation page_faults copies \
      copies_both_ways far_latency peer peer_latency coalescing element_size block_shape bank_conflicts registers \
      local_array matmul occupancy occupancy_registers warps_or_loads stream divergence boundary atomics roofline \
      scalability latency_hiding l2_bandwidth l1_bandwidth async_copy launch launch_train; do
    case $e in peer*) [ "$(nvidia-smi -L | wc -l)" -gt 1 ] || continue ;; esac # what is kept of it is of two GPUs
    experiment $e 60
    ! asked $e || grep -vE '^ *[0-9]+/[0-9]+ ' "$work/logs/$e.log" | grep -E 'expected|could not|ok;|failed|skipped' |
        tee -a "$summary"
    # Of these the times are the answer.
    case $e in allocation | page_faults | copies* | far_latency | peer*) ;; *) small $e ;; esac
  done
fi
if has apart; then # what the model expects of launches that it was not shaped by, and what they take
  mkdir -p expected
  for set in apart unseen; do
    step ${set}_expected 300 "$build/gpuexp" tests/gpu/$set.yaml -d sim:h200 -s check=none
    mv reports/${set}_*.csv expected
    step $set 120 "$build/gpuexp" tests/gpu/$set.yaml -d cuda:0 -s check=none -s counters=hardware -s measure.contexts=1
  done
  python3 tests/gpu/tell.py apart expected reports 2>&1 > expected.csv | tee -a "$summary"
fi
if has scripts; then # what each script makes of real measurements
  for e in best_transpose transpose_speedup launch_overhead saturation; do
    asked $e || continue
    experiment $e 100
    grep -vE '^ *[0-9]+/[0-9]+ ' "$work/logs/$e.log" | tail -12 | tee -a "$summary"
  done
fi
if has catalogue; then # what takes longest, for walks from load to load do
  experiment cache_capacity 120
  small cache_capacity
  experiment latency 200 -s counters=hardware
fi
echo "$steps steps in $SECONDS s; not well:${bad:- none}" | tee -a "$summary"
# Few files, because they are copied elsewhere: the summary, all logs in one, all reports in one.
cd "$work/logs" && for f in *.log; do echo "=== $f"; tail -c 20000 "$f"; done >"$out/all.txt"
cd "$work" && tar czf "$out/h200.tgz" h200 runs \
    $(for f in reports cheats/reports judge; do [ ! -d $f ] || echo $f; done)
rm -rf "$work"
exit 0
