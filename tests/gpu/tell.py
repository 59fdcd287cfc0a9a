# What tests/gpu/run.sh says about reports: tables, medians beside the reference programs', and the spread over
# processes.
# usage: tell.py table FILE COLUMN… | numbers LOGS RUNS COPY.csv | restored RUNS | coverage RUNS |
# gains REPORTS WANTED
# SPDX-License-Identifier: MIT
import csv, glob, json, math, os, re, sys


def rows(path):
    return list(csv.DictReader(open(path))) if os.path.exists(path) else []


def table(path, *wanted):
    found = rows(path)
    names = [n for n in wanted if found and n in found[0] and any(r[n] for r in found)]
    cells = [names] + [[r[n][:60] for n in names] for r in found]
    width = [max(len(c[i]) for c in cells) for i in range(len(names))]
    for c in cells: print('   ' + '  '.join(v.rjust(w) for v, w in zip(c, width)))


def reports(pattern):
    return [f for f in sorted(glob.glob(pattern)) if not f.endswith('.samples.csv')]


def reference(log):
    lines = open(log).read().split() if os.path.exists(log) else []
    return {l.split(',')[1]: float(l.split(',')[2]) for l in lines if l.startswith('reference,')}


def median(v):
    v = sorted(v)
    return (v[(len(v) - 1) // 2] + v[len(v) // 2]) / 2 if v else float('nan')


def numbers(logs, runs, copies):
    ours, spent = {}, []
    for f in reports(runs + '/[0-9]*.csv'):
        for r in rows(f):
            if r['time_us']: ours.setdefault(r['stride'], []).append(float(r['time_us']))
    before, after = reference(logs + '/reference_stride.log'), reference(logs + '/reference_stride_after.log')
    print('   stride  reference      after       ours   ratio  spread over processes')
    for k, v in sorted(ours.items(), key=lambda kv: int(kv[0])):
        b, a = before.get('stride=' + k, float('nan')), after.get('stride=' + k, float('nan'))
        print(f'   {k:>6} {b:10.3f} {a:10.3f} {median(v):10.3f} {median(v) / ((a + b) / 2):7.4f}'
              f' {max(v) / min(v) - 1:10.4%}  n={len(v)}')
    memcpy = {k: v for k, v in reference(logs + '/reference_copy.log').items() if k.startswith('memcpy')}
    same = memcpy.get('memcpy_d2d_512MiB')
    best = min((r for r in rows(copies) if r['time_us']), key=lambda r: float(r['time_us']), default=None)
    if same and best:
        print(f"   copy: {best['time_us']} us at each {best['each']}, block {best['block']}, hint {best['hint']}; "
              f"cudaMemcpy of the same bytes {same} us: {same / float(best['time_us']):.4f} of its speed")


def restored(runs):
    alone, among = {}, {}
    for kind, into in (('alone', alone), ('among', among)):
        for f in reports(f'{runs}/{kind}*.csv'):
            for r in rows(f):
                plain = r.get('persist', '') in ('', '0') or r.get('window.buffer', 'none') in ('', 'none')
                if plain and r['time_us']: into.setdefault(r['n'], []).append(float(r['time_us']))
    bad = not alone
    for n in sorted(alone, key=int):
        ratio = median(among.get(n, [])) / median(alone[n])
        good = abs(ratio - 1) <= 0.005
        bad = bad or not good
        print(f"   {'ok ' if good else 'BAD'} n {n}: alone {median(alone[n]):.3f} us,"
              f" among persisting points {median(among.get(n, [])):.3f} us, ratio {ratio:.4f}")
    print('   restored:', 'BAD' if bad else 'ok')


def coverage(runs):
    kept = ('status', 'time_us', 'time_lo_us', 'time_hi_us', 'within_pct', 'between_pct', 'samples')
    print('process,experiment,value,' + ','.join(kept))
    for process in sorted(os.listdir(runs), key=int):
        for f in reports(f'{runs}/{process}/reports/cover_*.csv'):
            axis = {'cover_vecadd': 'n', 'cover_stride': 'stride'}.get(os.path.basename(f)[:-4])
            for r in rows(f): print(','.join([process, r['experiment'], r.get(axis, '')] + [r[k] for k in kept]))


# Of reports of two points, a flaw and its twin: what `explain` says of the first, and what it is. WANTED: by report the
# finding that the twin mends.
def gains(folder, wanted):
    rules = dict(line.split() for line in open(wanted))
    told = within = silent = missing = 0
    for f in reports(folder + '/*.csv'):
        both = {r['point']: r for r in rows(f) if r['time_us']}
        beside = f[:-4] + '.json'
        points = json.load(open(beside)) if os.path.exists(beside) and os.path.getsize(beside) else []
        name = os.path.basename(f)[:-4]
        if len(both) < 2 or not points:
            missing += 1
            print(f'   {name:28} not both were timed, or nothing could be told')
            continue
        found = float(both['1']['time_us']) / float(both['2']['time_us'])
        of = {str(p['values'].get('variant')): p for p in points}
        flawed, clean = of[both['1']['variant']], of[both['2']['variant']]
        finds = [x for x in flawed['findings'] if x['rule'] == rules.get(name)]
        gain = finds[0].get('gain') if finds else None
        good = gain is not None and abs(math.log(gain / found)) <= math.log(1.2)
        told, within, silent = told + (gain is not None), within + good, silent + (gain is None)
        print(f"   {name:28} {finds[0]['rule'] if finds else '-':15} said {'%7.2f' % gain if gain else '      -'}"
              f"  found {found:7.2f} {'   ' if good or gain is None else 'OFF'}"
              f"  {float(both['1']['time_us']):9.2f} us, model {flawed['model_us'] or math.nan:9.2f};"
              f"  {float(both['2']['time_us']):9.2f} us, model {clean['model_us'] or math.nan:9.2f}"
              f"  {' '.join('+' + x['rule'] for x in flawed['findings'] if x not in finds)}"
              f"{''.join(' twin:' + x['rule'] for x in clean['findings'])}")
    print(f'   {told} gains said, {within} of them within 20 %; {silent} not said, {missing} without times')


{'table': table, 'numbers': numbers, 'restored': restored, 'coverage': coverage,
 'gains': gains}[sys.argv[1]](*sys.argv[2:])
