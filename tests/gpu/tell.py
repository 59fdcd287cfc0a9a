# What tests/gpu/run.sh says about reports: tables, medians beside the reference programs', and the spread over
# processes.
# usage: tell.py table FILE COLUMN… | numbers LOGS RUNS COPY.csv | restored RUNS | coverage RUNS |
# gains REPORTS WANTED | expected SIM MEASURED [OLD.md [PICTURE.svg]] | apart SIM MEASURED
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
    alone, among, off = {}, {}, {}
    for kind, into in (('alone', alone), ('among', among)):
        for f in reports(f'{runs}/{kind}*.csv'):
            for r in rows(f):
                plain = r.get('persist', '') in ('', '0') or r.get('window.buffer', 'none') in ('', 'none')
                if not plain or not r['time_us']: continue
                into.setdefault(r['n'], []).append(float(r['time_us']))
                off[r['n']] = off.get(r['n'], 0) + float(r['time_hi_us'] or 'nan') - float(r['time_us'])
    bad = not alone
    for n in sorted(alone, key=int):
        ratio = median(among.get(n, [])) / median(alone[n])
        good = abs(median(among.get(n, [])) - median(alone[n])) <= off[n] # the intervals meet
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


def held(expected, measured):
    """Rows that both have, by the point's values: expected (of sim:h200) beside measured."""
    out = []
    for f in reports(expected + '/*.csv'):
        a, b = rows(f), rows(measured + '/' + os.path.basename(f))
        if not a or not b or 'model_us' not in a[0]: continue
        names = list(b[0])
        names = [n for n in names[names.index('kernel') + 1:names.index('status')]
                 if n in a[0] and n not in ('counters', 'timeout')]
        key = lambda r: tuple(r[n] for n in names if n != 'device')
        good = ('ok', 'imprecise', 'unverified')
        times = {key(r): r for r in b if r['time_us'] and r['status'] in good}
        out += [(os.path.basename(f)[:-4], ' '.join(key(r)), r, times[key(r)]) for r in a
                if r['model_us'] and key(r) in times]
    return out


def share(v, part):
    v = sorted(v)
    at = part * (len(v) - 1)
    low = int(at)
    return v[low] + (at - low) * (v[min(low + 1, len(v) - 1)] - v[low]) if v else float('nan')


def apart(sim, measured):
    """A set apart as a table (tests/golden/apart_h200.csv, unseen_h200.csv); what the goals ask of it is said aside."""
    found = [(float(a['model_us']), float(b['time_us']), a, b, e, key) for e, key, a, b in held(sim, measured)]
    print('kernel,point,expected_us,lo_us,hi_us,limit,measured_us,expected_l2_sectors,l2_sectors,expected_read_bytes,'
          'read_bytes,expected_write_bytes,write_bytes')
    for _, us, a, b, e, key in found:
        print(','.join([e.split('_', 1)[-1], key, a['model_us'], a['model_lo_us'], a['model_hi_us'], a['model_limit'],
                        f'{us:.3f}', a['model_l2_read_sectors'], b['l2_read_sectors'], a['model_dram_read_bytes'],
                        b['dram_read_bytes'], a['model_dram_write_bytes'], b['dram_write_bytes']]))
    big = [f for f in found if f[1] >= 5]
    errors = [100 * abs(f[0] / f[1] - 1) for f in big]
    inside = sum(float(f[2]['model_lo_us']) <= f[1] <= float(f[2]['model_hi_us']) for f in found)
    near = sum(max(1 - float(f[2]['model_lo_us']) / f[0], float(f[2]['model_hi_us']) / f[0] - 1) <= 0.305
               for f in found)
    def within(expected, counted, part, least):
        v = [(float(f[2][expected]), float(f[3][counted])) for f in found if f[3][counted]]
        v = [abs(e / c - 1) <= part for e, c in v if c > least]
        return f'{sum(v)} of {len(v)}'
    hits = [100 * abs(float(f[2]['model_l1_hit_sectors']) - float(f[3]['l1_hit_sectors'])) / float(f[3]['ld_sectors'])
            for f in found if f[3].get('l1_hit_sectors') and float(f[3]['ld_sectors'])]
    print(f'{len(found)} launches, {len(big)} of 5 us and more: median error {share(errors, 0.5):.1f} %, ninth decile'
          f' {share(errors, 0.9):.1f} %, within 25 % {100 * sum(e <= 25 for e in errors) / len(big):.0f} %;'
          f' inside the interval {inside}, at most 30 % wide to a side {near};'
          f' L1 hits within 2 points {sum(h <= 2 for h in hits)} of {len(hits)},'
          f' L2 reads within 3 % {within("model_l2_read_sectors", "l2_read_sectors", 0.03, 2000)},'
          f' memory reads within 5 % {within("model_dram_read_bytes", "dram_read_bytes", 0.05, 200000)},'
          f' writes within 10 % {within("model_dram_write_bytes", "dram_write_bytes", 0.1, 3e6)};'
          f' bounds above the time {sum(float(f[2]["bound_us"]) > f[1] for f in found)}', file=sys.stderr)


def picture(pairs, path):
    """Each point: measured along x, expected up, both by decades of microseconds; on the line they are equal."""
    top, size, lo, hi = 16, 480, 0, math.ceil(max(math.log10(float(p[3]['time_us'])) for p in pairs))
    at = lambda us: (math.log10(us) - lo) * size / (hi - lo)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size + 90} {size + 70}" font-family="sans-serif"'
           ' font-size="13" fill="#333">', '<title>Expected and measured times on an H200</title>',
           f'<rect width="{size + 90}" height="{size + 70}" fill="#fff"/>', f'<g transform="translate(64 {top})">']
    for k in range(lo, hi + 1):
        x = at(10 ** k)
        out += [f'<path d="M{x:.1f} 0V{size}M0 {size - x:.1f}H{size}" stroke="#ddd" fill="none"/>',
                f'<text x="{x:.1f}" y="{size + 18}" text-anchor="middle">{10 ** k:,}</text>',
                f'<text x="-8" y="{size - x + 4:.1f}" text-anchor="end">{10 ** k:,}</text>']
    out.append(f'<path d="M0 {size}L{size} 0" stroke="#999" fill="none"/>')
    for p in pairs:
        x, y = at(float(p[3]['time_us'])), size - at(float(p[2]['model_us']))
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#1f6feb" fill-opacity=".5"><title>{p[0]}: {p[1]}'
                   '</title></circle>')
    out += [f'<text x="{size / 2}" y="{size + 42}" text-anchor="middle">measured, us</text>',
            f'<text transform="translate(-50 {size / 2}) rotate(-90)" text-anchor="middle">expected, us</text>',
            '</g>', '</svg>']
    open(path, 'w').write('\n'.join(out) + '\n')


def expected(sim, measured, why=None, svg=None):
    """The tables of reports/h200/expected.md. WHY: such a file, whose reasons for the worst are taken over."""
    all_ = held(sim, measured)
    off = lambda p: float(p[2]['model_us']) / float(p[3]['time_us'])
    big = [p for p in all_ if float(p[3]['time_us']) >= 5]
    errors = [100 * abs(off(p) - 1) for p in big]
    inside = [float(p[2]['model_lo_us']) <= float(p[3]['time_us']) <= float(p[2]['model_hi_us']) for p in all_]
    near = [max(1 - float(p[2]['model_lo_us']) / float(p[2]['model_us']),
                float(p[2]['model_hi_us']) / float(p[2]['model_us']) - 1) <= 0.305 for p in all_]
    above = sum(float(p[2]['bound_us']) > float(p[3]['time_us']) for p in all_)
    print(f'{len(all_)} points of {len({p[0] for p in all_})} experiments;')
    print(f'{len(big)} of 5 us and more: median error {share(errors, 0.5):.1f} %, ninth decile'
          f' {share(errors, 0.9):.1f} %, within 25 % {100 * sum(e <= 25 for e in errors) / len(big):.0f} %;')
    print(f'measured inside the interval {100 * sum(inside) / len(all_):.0f} %, at most 30 % wide to a side'
          f' {100 * sum(near) / len(all_):.0f} %;')
    print(f'bounds above the measured time: {above} of {len(all_)}.\n')
    print('## By what limits them\n\n| limit | points | measured / expected: 5 % | half | 95 % | inside |\n'
          '|---|---|---|---|---|---|')
    for limit in sorted({p[2]['model_limit'] for p in all_}):
        of = [k for k, p in enumerate(all_) if p[2]['model_limit'] == limit]
        v = [1 / off(all_[k]) for k in of]
        print(f'| {limit} | {len(of)} | {share(v, 0.05):.2f} | {share(v, 0.5):.2f} | {share(v, 0.95):.2f} |'
              f' {sum(inside[k] for k in of)} |')
    lines = [[c.strip() for c in l.strip().strip('|').split('|')] for l in (open(why) if why else [])]
    if svg: picture(all_, svg)
    known = {c[0]: c[4] for c in lines if len(c) == 5}
    print('\n## The worst ten, and what is thought to be why\n\n'
          '| experiment | point | expected us | measured us | why |\n|---|---|---|---|---|')
    for p in sorted(big, key=lambda p: -abs(math.log(off(p))))[:10]:
        print(f"| {p[0]} | {p[1]} | {float(p[2]['model_us']):.1f} | {float(p[3]['time_us']):.1f} |"
              f" {known.get(p[0], 'not known')} |")
    print('\n## All points\n\n'
          '| experiment | point | expected us | from | to | limit | measured us | expected / measured |\n'
          '|---|---|---|---|---|---|---|---|')
    for p in all_:
        e = p[2]
        print(f"| {p[0]} | {p[1]} | {float(e['model_us']):.2f} | {float(e['model_lo_us']):.2f} |"
              f" {float(e['model_hi_us']):.2f} | {e['model_limit']} | {float(p[3]['time_us']):.2f} | {off(p):.2f} |")


{'table': table, 'numbers': numbers, 'restored': restored, 'coverage': coverage,
 'gains': gains, 'expected': expected, 'apart': apart}[sys.argv[1]](*sys.argv[2:])
