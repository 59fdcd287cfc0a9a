# Pages in a browser: headless Chromium opens them at three widths, in light and in dark, and prints one. No message on
# its console, no two texts of a picture on each other, none beyond its picture, no page wider than its window; a value
# shows when its mark has the focus, rows change places when a column is chosen, and the printed table is whole.
# slow: a browser
# timeout: 900
# SPDX-License-Identifier: MIT
chromium=$(command -v chromium || command -v chromium-browser) || lacks Chromium
pages=0

# A page is measured in itself: a copy, into which one script is let, says what it found in a text of its own.
cat > measure.html <<'PAGE'
<script>
const out = [], shown = t => t.textContent && t.getClientRects().length && !t.closest('.tip');
let texts = 0;
for (const svg of document.querySelectorAll('svg')) {
  const box = svg.getBoundingClientRect();
  const all = [...svg.querySelectorAll('text')].filter(shown);
  const at = all.map(t => ({r: t.getBoundingClientRect(), s: t.textContent}));
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
if (document.documentElement.scrollWidth > innerWidth + 1) out.push('wider than its window');
const hit = document.querySelector('.hit[tabindex]');
if (hit) hit.focus();
if (hit && document.activeElement !== hit) out.push('a mark cannot have the focus');
if (hit && hit.matches(':focus') && getComputedStyle(hit.querySelector('.tip')).display === 'none')
  out.push('focus shows no value'); // a window without the focus has no :focus
const down = document.querySelector('.sort input.z0'), top_of = r => r.getBoundingClientRect().top;
if (down) {
  down.checked = true;
  const rows = [...document.querySelectorAll('.rows tbody tr')], last = rows[rows.length - 1];
  if (rows.some(r => top_of(r) < top_of(last))) out.push('falling order does not begin with the last row');
}
const pre = document.createElement('pre');
pre.textContent = '\nMEASURED ' + texts + '\n' + out.map(x => 'WRONG ' + x + '\n').join('');
document.body.append(pre);
</script></body></html>
PAGE
browse() { # ARGUMENTS...
    "$chromium" --headless=new --no-sandbox --disable-gpu --user-data-dir="$PWD/profile" --enable-logging=stderr "$@" \
        2> console
}
# What is wrong with it: PAGE WIDTH ARGUMENTS...
wrong() {
    local page=$1 width=$2
    shift 2
    { grep -v Content-Security-Policy "$page" | sed 's#</body>##; s#</html>##'; cat measure.html; } > copy.html
    browse --window-size="$width,1000" "$@" --dump-dom "file://$PWD/copy.html" > dom
    grep -q '^MEASURED [0-9]' dom || echo "$page was not measured"
    grep CONSOLE console
    grep '^WRONG' dom
    browse --window-size="$width,1000" "$@" --dump-dom "file://$PWD/$page" > dom # with its policy
    grep CONSOLE console
}
try() { # PAGE
    pages=$((pages + 1))
    for how in 500 900 1600 '1200 --blink-settings=preferredColorScheme=0'; do
        wrong "$1" $how > found
        need [ "$1 at $how: $(head -n 3 found)" = "$1 at $how: " ]
    done
}

for name in stride l2_hit_ratio roofline transpose_speedup managed transfer; do
    need gpuexp report -q "$TOP/reports/h200/$name.csv" -o $name.html
    try $name.html
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
for name in one no many hostile; do
    need gpuexp report -q $name.csv -o $name.html
    try $name.html
done
need [ $pages = 10 ]

# Printed, the last column of the last row is there: the key.
browse --no-pdf-header-footer --print-to-pdf=stride.pdf "file://$PWD/stride.html" > dom
need [ -s stride.pdf ]
if command -v pdftotext > /dev/null; then
    pdftotext -layout stride.pdf - | tr -d ' \n' > printed
    need grep -q "$(tail -n 1 "$TOP/reports/h200/stride.csv" | cut -d, -f3)" printed
fi
