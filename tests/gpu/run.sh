#!/bin/bash
# Tries the CUDA backend on a machine with a GPU, in bounded time: every operation by itself, then experiments beside reference programs.
# usage: run.sh BUILD OUT [part...]   BUILD has gpuexp and tests/gpu_smoke; logs, reports and a summary go to OUT.
# Parts: smoke reference experiments numbers transfers (default: all). Each step has a time limit of its own.
# SPDX-License-Identifier: MIT
set -u
build=$(readlink -f "$1") out=$2
shift 2
parts=${*:-smoke reference experiments numbers transfers}
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$out" && out=$(readlink -f "$out")
work=$(mktemp -d)
cd "$root" || exit 1
export XDG_CACHE_HOME=$work/cache
summary=$out/summary.txt

# step NAME SECONDS command…: its output to OUT/NAME.log, one line to the summary.
step() {
  local name=$1 limit=$2 began status
  shift 2
  began=${EPOCHREALTIME/./}
  timeout -k 5 "$limit" "$@" >"$out/$name.log" 2>&1
  status=$?
  printf '%-28s exit %-3s %6d ms\n' "$name" "$status" $(((${EPOCHREALTIME/./} - began) / 1000)) | tee -a "$summary"
  return $status
}
has() { case " $parts " in *" $1 "*) return 0 ;; esac; return 1; }
# Experiments into OUT/<name>.csv.
experiment() { step "$1${3:+-$3}" "$2" "$build/gpuexp" "experiments/$1.yaml" -d cuda:0 -q --fresh -o "$out/$1${3:+-$3}.csv" "${@:4}"; }
# table FILE COLUMN…: those columns of a CSV, aligned. The reader knows quotes.
table() {
  python3 - "$@" <<'PY' | tee -a "$summary"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
names = [n for n in sys.argv[2:] if rows and n in rows[0]]
cells = [names] + [[r[n][:60] for n in names] for r in rows]
width = [max(len(c[i]) for c in cells) for i in range(len(names))]
for c in cells: print('   ' + '  '.join(v.rjust(w) for v, w in zip(c, width)))
PY
}

nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,power.draw,temperature.gpu --format=csv,noheader >"$summary" 2>&1
if has smoke; then
  step smoke 240 "$build/tests/gpu_smoke"
  grep -E '^BAD|bad$' "$out/smoke.log" | tee -a "$summary"
  step devices 60 "$build/gpuexp" devices
fi
if has reference; then
  for p in stride copy; do nvcc -O3 -arch=native -o "$work/reference_$p" "tests/bench/reference_$p.cu" || nvcc -O3 -arch=sm_90 -o "$work/reference_$p" "tests/bench/reference_$p.cu"; done
  step reference_stride 60 "$work/reference_stride"
  step reference_copy 60 "$work/reference_copy"
  cat "$out/reference_stride.log" "$out/reference_copy.log" >>"$summary"
fi
if has experiments; then
  for e in stride copy latency vecadd transpose matrix; do
    [ -f "experiments/$e.yaml" ] || continue
    experiment $e 120
    [ -f "$out/$e.csv" ] && table "$out/$e.csv" stride each block n variant status time_us time_lo_us time_hi_us samples discarded clock_mhz gbps peak_gbps cycles reason
  done
  experiment stride 120 counted -s counters=both
  [ -f "$out/stride-counted.csv" ] && table "$out/stride-counted.csv" stride status ld_requests ld_sectors st_sectors sim_ld_requests sim_ld_sectors sim_st_sectors dram_read_bytes l2_read_sectors counts reason
fi
if has numbers; then
  # The reference, the program and the reference again, so that drift between them shows.
  [ -x "$work/reference_stride" ] || nvcc -O3 -arch=native -o "$work/reference_stride" tests/bench/reference_stride.cu
  for i in 1 2 3 4 5 6 7 8 9 10; do experiment stride 60 run$i >/dev/null; done
  step reference_stride_after 60 "$work/reference_stride"
  python3 - "$out" <<'PY' | tee -a "$summary"
import csv, glob, sys
out = sys.argv[1]
ours, ref = {}, {}
for f in glob.glob(out + '/stride-run*.csv'):
    for r in csv.DictReader(open(f)):
        if r['time_us']: ours.setdefault(r['stride'], []).append(float(r['time_us']))
for f in ('reference_stride', 'reference_stride_after'):
    try: lines = open(f'{out}/{f}.log').read().split()
    except OSError: continue
    for line in lines:
        if line.startswith('reference,'): ref.setdefault(line.split(',')[1][7:], []).append(float(line.split(',')[2]))
print('   stride  reference  ours(median of runs)  ratio  spread over processes')
for k, v in sorted(ours.items(), key=lambda kv: int(kv[0])):
    v.sort()
    r = sum(ref.get(k, [float('nan')])) / max(1, len(ref.get(k, [])))
    print(f'   {k:>6} {r:10.3f} {v[len(v)//2]:12.3f} {v[len(v)//2]/r:16.4f} {v[-1]/v[0]-1:12.4%}  n={len(v)}')
PY
fi
if has transfers; then
  for e in transfer overlap batching managed l2_hit_ratio l2_shared_window fetch; do
    [ -f "experiments/$e.yaml" ] || continue
    experiment $e 150
    [ -f "$out/$e.csv" ] && table "$out/$e.csv" n host timed chunks streams memory touch prefetch advise variant persist window hitRatio numBytes fetch status time_us samples gbps dram_read_bytes reason
  done
fi
rm -rf "$work"
# Three files in all, so that few have to travel: summary.txt, all.txt (every log), csv.tgz.
cd "$out" || exit 1
for f in *.log; do echo "=== $f"; tail -c 20000 "$f"; done >all.txt
tar czf csv.tgz ./*.csv ./*.yaml 2>/dev/null
rm -f ./*.log ./*.csv ./*.yaml
exit 0
