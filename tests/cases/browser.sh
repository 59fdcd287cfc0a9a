# Pages in a browser: Chromium, driven through its pipe, opens each at three widths, light and dark, and prints it.
# No message on its console, no two texts of a picture on each other, none beyond its picture, no page wider than its
# window, every mark of a line where its number is on the axis. A pointer over a mark, a finger on it and the keyboard
# show its value and interval at once, inside the picture; rows change places when a column is chosen; printed, nothing
# is cut off. Pages of kept reports, of one point, of 10^4, of none that is well, of hostile names, of a comparison and
# of GPUs side by side.
# full: a browser
# SPDX-License-Identifier: MIT
chromium=$(command -v chromium || command -v chromium-browser) || lacks Chromium
command -v python3 > /dev/null || lacks python3

cat > measure.js <<'JS'
(() => {
  document.querySelectorAll('details').forEach(d => d.open = true);
  const out = [], shown = t => t.textContent && t.getClientRects().length && !t.closest('.tip, title');
  const number = s => {
    const m = /^(-?[\d.]+(?:e[-+]?\d+)?) ?(k|M|G|T|B|KiB|MiB|GiB|Ki|Mi|Gi)?$/.exec(s);
    const by = {k: 1e3, M: 1e6, G: 1e9, T: 1e12, B: 1, KiB: 1024, MiB: 2 ** 20, GiB: 2 ** 30, Ki: 1024, Mi: 2 ** 20,
      Gi: 2 ** 30};
    return m ? m[1] * (m[2] ? by[m[2]] : 1) : NaN;
  };
  let texts = 0, placed = 0;
  for (const svg of document.querySelectorAll('svg')) {
    if (!svg.getClientRects().length) continue;
    const box = svg.getBoundingClientRect(), all = [...svg.querySelectorAll('text')].filter(shown);
    const at = all.map(t => ({r: t.getBoundingClientRect(), s: t.textContent}));
    const letters = 12 * box.width / (svg.viewBox.baseVal.width || box.width);
    if (innerWidth < 500 && all.length && letters < 11.9) out.push('letters of ' + letters.toFixed(1) + ' pixels');
    texts += all.length;
    at.forEach((a, i) => {
      if (a.r.right > box.right + 4 || a.r.left < box.left - 4) out.push('beyond its picture: ' + a.s);
      for (const b of at.slice(0, i)) {
        const w = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left);
        const h = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
        if (w > 1.5 && h > 3.5) out.push('on each other: ' + a.s + ' / ' + b.s);
      }
    });
  }
  for (const facet of document.querySelectorAll('section svg.lines g.facet')) {
    if (!facet.getClientRects().length) continue;
    const ticks = [...facet.querySelectorAll('text.tick[text-anchor=end]')]
      .map(t => [number(t.textContent) * facet.dataset.one, t.getAttribute('y') - 4]).filter(t => !isNaN(t[0]));
    const marks = [...facet.querySelectorAll('.hit')].map(h => {
      const said = h.getAttribute('aria-label') || h.querySelector('title').textContent;
      const m = /: (-?[\d.]+(?:e[-+]?\d+)?) /.exec(said);
      const r = h.querySelector('.touch');
      return m && [+m[1], +r.getAttribute('y') + r.getAttribute('height') / 2];
    }).filter(m => m);
    if (ticks.length < 2 || !marks.length) continue;
    const [a, b] = [ticks[0], ticks[ticks.length - 1]];
    const off = f => Math.max(...marks.map(m => Math.abs(a[1] + (f(m[0]) - f(a[0])) / (f(b[0]) - f(a[0])) *
      (b[1] - a[1]) - m[1])));
    placed += marks.length;
    if (!(Math.min(off(x => x), off(Math.log) || 0) < 1)) out.push('a mark is not where its number is: ' + ticks);
  }
  if (document.documentElement.scrollWidth > innerWidth + 1) out.push('wider than its window');
  return {out, texts, placed};
})()
JS
cat > sorted.js <<'JS'
(() => {
  const down = document.querySelector('.sort input.z0'), top_of = r => r.getBoundingClientRect().top;
  if (!down) return '';
  down.checked = true;
  const rows = [...document.querySelectorAll('.rows tbody tr')], last = rows[rows.length - 1];
  const wrong = rows.some(r => top_of(r) < top_of(last));
  down.checked = false;
  return wrong ? 'falling order does not begin with the last row' : '';
})()
JS
# Marks of each picture that can be touched: the first, the middle one and the last.
cat > marks.js <<'JS'
(() => {
  window.hits = [];
  const charts = [...document.querySelectorAll('main section svg:not(.cells)')];
  for (const svg of charts.filter(s => s.getClientRects().length)) {
    const all = [...svg.querySelectorAll('.hit[tabindex]')];
    if (all.length) hits.push(...new Set([all[0], all[all.length >> 1], all[all.length - 1]]));
    if (hits.length > 11) break;
  }
  return hits.length;
})()
JS
cat > drive.py <<'PY'
import json, os, re, subprocess, sys
chromium, pages = sys.argv[1], sys.argv[2:]
here = os.getcwd()
to_r, to_w = os.pipe()
from_r, from_w = os.pipe()
def pipes():
    low, high = os.dup(to_r), os.dup(from_w)
    os.dup2(low, 3)
    os.dup2(high, 4)
browser = subprocess.Popen([chromium, '--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe',
    '--user-data-dir=' + here + '/profile', 'about:blank'], preexec_fn=pipes, close_fds=False,
    stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
os.close(to_r), os.close(from_w)
rest, number, session, said = b'', 0, None, []
def message():
    global rest
    while b'\0' not in rest:
        more = os.read(from_r, 1 << 20)
        if not more: sys.exit('the browser ended')
        rest += more
    one, rest = rest.split(b'\0', 1)
    m = json.loads(one)
    if m.get('method') == 'Runtime.consoleAPICalled' or m.get('method') == 'Runtime.exceptionThrown':
        said.append(json.dumps(m['params'])[:300])
    if m.get('method') == 'Log.entryAdded': said.append(m['params']['entry'].get('text', '?'))
    return m
def ask(method, **params):
    global number
    number += 1
    line = {'id': number, 'method': method, 'params': params}
    if session: line['sessionId'] = session
    os.write(to_w, json.dumps(line).encode() + b'\0')
    while (m := message()).get('id') != number: pass
    if 'error' in m: sys.exit(f'{method}: {m["error"]}')
    return m['result']
def js(text):
    r = ask('Runtime.evaluate', expression=text, returnByValue=True)
    if 'exceptionDetails' in r: sys.exit(json.dumps(r['exceptionDetails'])[:400])
    return r['result'].get('value')
target = [t for t in ask('Target.getTargets')['targetInfos'] if t['type'] == 'page'][0]['targetId']
session = ask('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
for domain in 'Page', 'Runtime', 'Log': ask(domain + '.enable')
ask('Emulation.setFocusEmulationEnabled', enabled=True)
measure, in_order, marks = (open(n).read() for n in ('measure.js', 'sorted.js', 'marks.js'))
axe = open('axe.js').read() if os.path.exists('axe.js') else None
def readers(page):
    if not axe: return
    js(axe)
    r = ask('Runtime.evaluate', returnByValue=True, awaitPromise=True, expression="""axe.run(document,
        {resultTypes: ['violations']}).then(r => ({held: r.passes.length, broken: r.violations.map(v =>
            v.id + ': ' + v.nodes[0].html.slice(0, 120))}))""")['result']['value']
    if r['held'] < 10: wrong.append(f'{page}: axe tried {r["held"]} rules')
    wrong.extend(f'{page}: axe: {w}' for w in r['broken'])
wrong, seen = [], dict.fromkeys(('texts', 'placed', 'hovered', 'touched', 'intervals'), 0)
def load(page):
    ask('Page.navigate', url=f'file://{here}/{page}')
    while message().get('method') != 'Page.loadEventFired': pass
def media(width, colours='light', printed='', touch=False):
    ask('Emulation.setDeviceMetricsOverride', width=width, height=1000, deviceScaleFactor=1, mobile=False)
    ask('Emulation.setTouchEmulationEnabled', enabled=touch)
    ask('Emulation.setEmulatedMedia', media=printed, features=[{'name': 'prefers-color-scheme', 'value': colours}])
# One value shows, it is the mark's whose label says the same, and it lies inside its window.
tip = '''(() => {
  const all = [...document.querySelectorAll('.tip')].filter(t => getComputedStyle(t).display !== 'none');
  if (all.length !== 1) return [all.length + ' values show', '', ''];
  const [tip] = all, r = tip.querySelector('rect').getBoundingClientRect();
  const label = tip.parentNode.getAttribute('aria-label');
  const lines = [...tip.querySelectorAll('text')], said = lines.map(t => t.lastChild.nodeValue);
  const cut = lines.some(t => t.getBoundingClientRect().right > r.right + 1 && r.width > 40);
  const apart = !label.startsWith(said[said.length - 1].replace('\\u2026', '').slice(0, 40));
  return [cut ? 'beyond its bubble: ' + said : r.right > innerWidth + 1 || r.left < -1 ? 'beyond the window: ' + said :
    apart ? 'another value than its label: ' + said + ' / ' + label : '', label, tip.parentNode === at];
})()'''
def place(i):
    return js(f'''(() => {{ window.at = hits[{i}]; at.scrollIntoView({{block: 'center', inline: 'center'}});
        const r = at.querySelector('.touch').getBoundingClientRect();
        const b = r.left + r.width / 2, c = r.top + r.height / 2;
        return [b, c, b > 0 && b < innerWidth && at.contains(document.elementFromPoint(b, c))]; }})()''')
def point_at(page, touch):
    for i in range(js(marks)):
        x, y, top = place(i)
        if not top: continue # another mark lies on it, which has its own value
        if touch:
            ask('Input.dispatchTouchEvent', type='touchStart', touchPoints=[{'x': x, 'y': y}])
            ask('Input.dispatchTouchEvent', type='touchEnd', touchPoints=[])
            # A tap is what Chromium makes of it a little later.
            ask('Runtime.evaluate', expression='new Promise(done => setTimeout(done, 350))', awaitPromise=True)
        else: ask('Input.dispatchMouseEvent', type='mouseMoved', x=x, y=y)
        why, label, own = js(tip)
        if why or not own: wrong.append(f'{page} {"touch" if touch else "hover"} {i}: {why or "another mark"}')
        seen['touched' if touch else 'hovered'] += 1
        seen['intervals'] += bool(re.search(r'\(\S+ to \S+\)', label))
    ask('Input.dispatchMouseEvent', type='mouseMoved', x=1, y=1)
def keyboard(page):
    if not js(marks): return
    place(0) # a narrow window scrolls its picture sideways
    js('document.activeElement.blur(); at.focus({preventScroll: true})')
    why, label, own = js(tip)
    if why or not own: wrong.append(f'{page} keyboard: {why or "another mark"}')
for page in pages:
    for width in 390, 900, 1600:
        for colours in 'light', 'dark':
            media(width, colours)
            load(page)
            found = js(measure)
            seen['texts'] += found['texts']
            seen['placed'] += found['placed']
            wrong += [f'{page} {width} {colours}: {w}' for w in found['out'][:3]]
            if (width, colours) in ((390, 'dark'), (900, 'light'), (1600, 'dark')): readers(page)
            js("document.querySelectorAll('details').forEach(d => d.open = true)")
            if (width, colours) in ((900, 'light'), (1600, 'dark')): point_at(page, False)
        keyboard(page)
        wrong += [f'{page}: {w}' for w in [js(in_order)] if w]
    media(390, touch=True)
    load(page)
    point_at(page, True)
    media(1047, printed='print') # a sheet of A4 between its margins
    load(page)
    cut = js('''[...document.querySelectorAll('table, svg')]
        .filter(t => t.getBoundingClientRect().right > innerWidth + 1).map(t => t.tagName).join()''')
    if cut: wrong.append(f'{page} printed: cut off: {cut}')
    wrong += [f'{page} says: {w}' for w in said]
    said.clear()
print('\n'.join(wrong))
print('SEEN', json.dumps(seen))
browser.kill()
PY

for name in stride l2_hit_ratio roofline transpose_speedup managed transfer overlap; do
    need gpuexp report -q "$TOP/reports/h200/$name.csv" -o $name.html
done
head='experiment,point,key,device,kernel,n,what,status,reason,time_us,gbps,peak_gbps'
{ echo "$head"; echo 'one,1,a,G,k,1,x,ok,,9,100,400'; } > one.csv
{ echo "$head"; for i in 1 2 3; do echo "no,$i,k$i,G,k,$i,x,failed,an <illegal> access,,,400"; done; } > no.csv
{ echo "$head"; for i in $(seq 10000); do echo "many,$i,k$i,G,k,$i,x,ok,,$((i % 97 + 1)).5,$((i % 89)),400"; done; } \
    > many.csv
long=$(printf 'very_long_name_%.0s' 1 2 3 4 5 6 7 8 9)
{
    echo "$head"
    for i in 1 2 3 4 5 6; do
        echo "<b>evil</b>,$i,a$i,<img src=x onerror=alert(1)>,k,$((1 << i)),</svg>'&$long,ok,,$i,$((i * 50)),400"
        echo "<b>evil</b>,$((i + 6)),b$i,<img src=x onerror=alert(1)>,k,$((1 << i)),mm WW %%,ok,,$i,$((i * 40)),400"
    done
} > hostile.csv
for name in one no many hostile; do need gpuexp report -q $name.csv -o $name.html; done
# Samples: of a GPU, asked for and folded; of a page with one sample, and with 10^4 of them and of another clock.
need gpuexp report -q "$TOP/reports/h200/stride_sampled.csv" -s chart.kind=samples -o sampled.html
need gpuexp report -q "$TOP/reports/h200/stride_sampled.csv" -o sampled_folded.html
printf 'identity g\nname G\ntime 212\nnoise 0.01 7\nclock 1980\nthrottle 50 52\n' > gpu
for count in 1 10000; do
    printf 'experiment: s%s\nkernel: vecadd\nwith: {device: "script:%s/gpu", n: 1Ki}\nmeasure: {%s, %s}\n' \
        $count "$PWD" "min_samples: $count, max_samples: $count, max_time: 100s" 'contexts: 1, min_sample: 0' > s.yaml
    need gpuexp s.yaml -q -o s$count.csv > log 2>&1
    need gpuexp report -q s$count.csv -s chart.kind=samples -o s$count.html
done
need [ "$(grep -o 'class="mark hollow"' s10000.html | wc -l)" = 3 ]
# The same sweep twice, and GPUs that are well, with one whose copies are slow.
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR == 2 { for (c in at) if (c ~ /^time_.*us$/) $at[c] *= 1.05 }
    { print }' "$TOP/reports/h200/stride.csv" | sed 's/,[0-9a-f]*$//; 1s/,checksum$//' > slower.csv
gpuexp compare "$TOP/reports/h200/stride.csv" slower.csv -q --format html -o compare.html
need [ $? = 1 ]
gpuexp compare hostile.csv hostile.csv -q --format html -o compare_hostile.html || exit 1
need gpuexp health -q "$TOP"/reports/h200/two_gpus/health_?.csv --format html -o health.html

# axe-core (npm) looks for what shuts readers out, where it is there.
for axe in "${GPUEXP_AXE:-}" "$TOP/node_modules/axe-core/axe.min.js" \
    "$(npm root -g 2> /dev/null)/axe-core/axe.min.js"; do
    [ ! -s "$axe" ] || { cp "$axe" axe.js; break; }
done
[ -s axe.js ] || echo "NOT TRIED: axe-core is not here (npm install axe-core)"
python3 drive.py "$chromium" *.html > found || { cat found; exit 1; }
cat found
need [ "$(grep -vc '^SEEN' found)" = "$(grep -c '^$' found)" ]
# It saw something: texts, marks in their places, values below a pointer and a finger, some with their intervals.
need python3 -c 'import json, re
s = json.loads(open("found").read().split("SEEN")[1])
assert s["texts"] > 3000 and s["placed"] > 1000 and s["hovered"] > 60 and s["touched"] > 30 and s["intervals"] > 30, s'

# Printed, the last column of the last row is there: the key.
"$chromium" --headless=new --no-sandbox --disable-gpu --user-data-dir="$PWD/profile2" --no-pdf-header-footer \
    --print-to-pdf=stride.pdf "file://$PWD/stride.html" > dom 2> console
need [ -s stride.pdf ]
if command -v pdftotext > /dev/null; then
    pdftotext -layout stride.pdf - | tr -d ' \n' > printed
    need grep -q "$(tail -n 1 "$TOP/reports/h200/stride.csv" | cut -d, -f3)" printed
fi
