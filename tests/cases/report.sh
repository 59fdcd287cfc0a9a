# `report`: one page that is well-formed, needs nothing else and agrees with the rows: nothing in a cell becomes markup,
# an unknown value stays empty, a wrong row is named and has no point on a line.
# SPDX-License-Identifier: MIT

# Every tag is closed, in order; attributes are quoted; & and < stand for nothing else.
well_formed() {
    if command -v xmllint > /dev/null; then xmllint --noout "$1" || return 1; fi
    awk 'BEGIN { RS = "<" }
        function bad(why) { print why " near: <" substr($0, 1, 60); failed = 1; exit 1 }
        NR == 1 { if ($0 != "") bad("text before the doctype"); next }
        NR == 2 { if ($0 != "!DOCTYPE html>\n") bad("no doctype"); next }
        NR == 3 { if ($0 != "!-- written by gpuexp -->\n") bad("nobody says who wrote it"); next }
        {
            if (!match($0, /^(\/[a-z0-9]+|[a-z][a-z0-9]*( [a-zA-Z-]+="[^"]*")*\/?)>/)) bad("no tag")
            tag = substr($0, 1, RLENGTH - 1)
            tags++
            if (tag ~ /^\//) { if (stack[depth--] != substr(tag, 2)) bad("it closes another") }
            else if (tag !~ /\/$/) { sub(/ .*/, "", tag); stack[++depth] = tag }
            gsub(/&(amp|lt|gt|quot|#39);/, "")
            if (/&/) bad("an & that stands for nothing")
        }
        END { if (!failed && (depth || tags < 20)) { print "open at the end: " stack[depth]; exit 1 } }' "$1"
}
# Nothing is fetched and nothing runs.
alone() {
    ! grep -nEi '<(script|link|iframe|img|object)|javascript:|https?:|//[a-z]|@import|url\(|<[^>]* (on[a-z]+|src)=' "$1"
}
page() { need well_formed "$1"; need alone "$1"; }
# Pictures stand twice on a page, for a wide window and for a narrow one: of the wide ones.
broad() { awk '/<svg class="[a-z]* narrow"/ { out = 1 } !out { print } /<\/svg>/ { out = 0 }' "$1"; }
has() { need grep -qF -- "$2" "$1"; }

# 1. Counts of the simulator: no times, so the first count that varies is drawn; a value that is the same everywhere is
#    given once.
cat > small.yaml <<'END'
experiment: small
question: Is 1 < 2 & "so" on?
kernel: vecadd
with: {block: 64}
sweep: {n: [64, 128, 256, 512]}
END
need gpuexp -q small.yaml -d sim
t gpuexp report reports/small.csv
page reports/small.html
has reports/small.html '<p class="question">Is 1 &lt; 2 &amp; &quot;so&quot; on?</p>'
has reports/small.html '<h3>ld_requests <span>over n</span></h3>'
has reports/small.html '<h2 class="answer">ld_requests rises from 4 at n 64 to 32 at n 512, 8 times as much.</h2>'
has reports/small.html '<tr><td>512</td><td class="n">32</td></tr>' # the numbers of the picture, as a table
has reports/small.html '<dt>compiler</dt>'
has reports/small.html '<dt>block</dt><dd>64</dd>'
need [ "$(grep -c "of the plan's" reports/small.html)" = 0 ]
sed '$d' reports/small.csv > reports/less.csv
cp reports/small.run.yaml reports/less.run.yaml
need gpuexp report -q reports/less.csv
has reports/less.html '<b>3</b> points'
has reports/less.html "1 of the plan's 4 missing"
need [ "$(grep -c '<tr class="good' reports/small.html)" = 4 ]
need [ "$(broad reports/small.html | grep -o 'class="mark"' | wc -l)" = 4 ]
need [ "$(grep -o 'class="mark"' reports/small.html | wc -l)" = 8 ]
need grep -q 'Known of no row: .*time_us' reports/small.html
cp reports/small.html again.html
# What is expected of a GPU is drawn as such, where it differs.
need gpuexp stride -q -d sim -s n=256Ki -s 'stride=[1, 2, 4, 8, 16, 32, 64]' -o expected.csv
need gpuexp report -q expected.csv --format svg
has expected.svg 'us, expected of an NVIDIA H200 SXM5 141 GB, not measured'
has expected.svg 'class="line d1"'
has expected.svg 'Expected, not measured'
need gpuexp report -q reports/small.csv
need cmp reports/small.html again.html

# 2. A device with times, on which some points go wrong.
cat > vec.yaml <<'END'
experiment: vec
kernel: vecadd
sweep: {n: [1Ki, 2Ki, 4Ki, 8Ki, 16Ki], memory: [device, managed]}
END
cat > bad <<'END'
name A fake GPU
peak 20
time 10
for n=2048 noise 0.05 3
for n=4096 wrong 3 17 4096
for n=16384 fail submit 4 an illegal <memory> access
END
gpuexp -q vec.yaml -d script:bad -s measure.max_samples=20 -o vec.csv 2> log
need [ $? = 1 ]
t gpuexp report vec.csv -o pages/vec.html
page pages/vec.html
has pages/vec.html '<span class="status imprecise">2 imprecise</span>'
has pages/vec.html '<span class="status wrong">2 wrong</span>'
has pages/vec.html 'aria-label="n 4096, device: wrong: 3 of 4096 elements are wrong'
has pages/vec.html 'an illegal &lt;memory&gt; access'
has pages/vec.html '>peak 20 GB/s</text>'
need [ "$(broad pages/vec.html | grep -c '<g class="missing bad">')" = 4 ]
need [ "$(broad pages/vec.html | grep -o 'class="mark hollow"' | wc -l)" = 2 ]
need [ "$(broad pages/vec.html | grep -o 'class="whisker"' | wc -l)" = 6 ]
wrong='<td class="status wrong">wrong</td><td class="reason">3 of 4096[^<]*</td><td class="n"></td>'
need [ "$(grep -o "$wrong" pages/vec.html | wc -l)" = 2 ]
# A line goes through two numbers, ends there, and begins again behind the one that is not known.
need [ "$(grep -oE 'class="line d0" d="M[0-9. ]+L[0-9. ]+M[0-9. ]+"' <(broad pages/vec.html) | wc -l)" = 2 ]

# 3. Cells, names and paths that look like markup; texts that look like numbers.
cat > 'evil & <b>.csv' <<'END'
experiment,point,key,device,kernel,<i>n</i>,"a""b",status,reason,time_us,gbps,counts,d
<script>alert(1)</script>,1,k1,"<img src=x onerror=alert(1)>",k,1,</svg><script>,ok,,nan,10,sim,1e400
<script>alert(1)</script>,2,k2,"<img src=x onerror=alert(1)>",k,2,"' onload='x",ok,,,20,sim,
<script>alert(1)</script>,3,k3,"<img src=x onerror=alert(1)>",k,4,&amp;,<b>,"]]> --> </title>",,,sim,
END
t gpuexp report 'evil & <b>.csv'
page 'evil & <b>.html'
has 'evil & <b>.html' '<td>&lt;/svg&gt;&lt;script&gt;</td>'
has 'evil & <b>.html' '<td>&amp;amp;</td>'
has 'evil & <b>.html' '<td class="status odd">&lt;b&gt;</td>'
printf 'experiment,point,key,device,kernel,n,status,gbps\nx\001\377,1,k,G,\xc0\xbc,1,ok,5\n' > bytes.csv
need gpuexp report -q bytes.csv
page bytes.html
has bytes.html '<h3>gbps <span>of the one point</span></h3>'

# 4. Columns that are asked for.
t gpuexp report reports/small.csv -s chart.x=memory_bytes -s chart.y=st_sectors -o y.html
page y.html
has y.html '<h3>st_sectors <span>over memory_bytes</span></h3>'
need [ "$(broad y.html | grep -c '<svg class="lines')" = 1 ]
need [ "$(broad y.html | grep -o 'class="mark"' | wc -l)" = 4 ]
t gpuexp report reports/small.csv -s chart.y=ld_sector -s chart.x=m
need gpuexp report -q "$TOP/reports/h200/stride_small.csv" -s chart.y=speedup -s 'chart.against=stride == 1' -o y.html
has y.html '<h3>speedup'
t sed -n '/<dl class="once">/,+4p' y.html # what is the same in every row, and what it is
t gpuexp report -q vec.csv -s chart.x=memory -s chart.y=time_us -o y.html
page y.html
need [ "$(broad y.html | grep -o '<rect class="bar' | wc -l)" = 11 ] # six bars, and five colours beside them

# 5. One thing varied at a time: a bar for each point, named by what differs.
cat > one.yaml <<'END'
experiment: one
kernel: vecadd
with: {n: 1Ki}
together: [{memory: [managed, device, managed, mapped, pool], cache: [cold, cold, warm, cold, cold]}]
include: [{memory: pitched, cache: warm, block: 64}]
END
gpuexp -q one.yaml -d script:bad -o one.csv
need gpuexp report -q one.csv
page one.html
has one.html '<h3>gbps <span>of each memory, cache and block</span></h3>'
has one.html '>mapped, cold</text>'
need [ "$(broad one.html | grep -o '<rect class="bar' | wc -l)" = "$(grep -c '<tr class="good' one.html)" ]

#    On a telephone a long name has a line of its own, and is not cut.
{ echo 'experiment,point,key,device,kernel,way,status,gbps'
  for i in 1 2 3; do echo "named,$i,k$i,G,k,a way with a name of many letters $i,ok,$i"; done; } > named.csv
need gpuexp report -q named.csv
sed -n '/<svg class="bars narrow"/,/<\/svg>/p' named.html > narrow
need [ "$(grep -c 'class="label lone".*>a way with a name of many letters [1-3]</text>' narrow)" = 3 ]

# 6. A file may say how it is drawn; the command line wins. A picture alone, a table for a README.
printf '%s\n' "$(cat small.yaml)" 'chart: {y: [st_sectors, ld_sectors], log: none, kind: bars}' > drawn.yaml
sed -i 's/^experiment: .*/experiment: drawn/' drawn.yaml
need gpuexp -q drawn.yaml -d sim
need gpuexp report -q reports/drawn.csv
page reports/drawn.html
has reports/drawn.html '<h3>st_sectors and ld_sectors <span>of each n</span></h3>'
need [ "$(grep -c 'More charts' reports/drawn.html)" = 0 ] # what is asked for stands in the first picture
need gpuexp report -q reports/drawn.csv -s chart.kind=lines -s chart.y=ld_requests -o y.html
has y.html '<h3>ld_requests <span>over n</span></h3>'
need gpuexp report -q reports/small.csv --format svg
need grep -q '^<svg xmlns="http://www.w3.org/2000/svg" viewBox=' reports/small.svg
need [ "$(grep -o 'class="mark"' reports/small.svg | wc -l)" = 4 ]
if command -v xmllint > /dev/null; then need xmllint --noout reports/small.svg; fi

# 7. A folder as a book: a page for each report, and an index by theme that leads to each.
mkdir book && cp reports/small.csv reports/small.run.yaml vec.csv book/ && printf 'a,b\n1,2\n' > book/other.csv
sed -i 's/^  question:/  theme: caches\n  question:/' book/small.run.yaml
t gpuexp report book
for made in index small vec; do page book/$made.html; done
need [ ! -e book/other.html ]
has book/index.html '<a href="small.html">small</a>'
has book/index.html '<h2>caches</h2>'
has book/index.html '<h2>others</h2>'
has book/index.html '<h1>Questions and answers</h1>'
has book/index.html '<ul class="signs' # what the colours of a small picture mean
need [ -z "$(grep tabindex book/index.html)" ] # what a reader's program does not see takes no focus either
#    From question to question; a report of other values stands on the page of the one that it goes with.
cp book/small.csv book/small_more.csv && cp book/small.run.yaml book/small_more.run.yaml
need gpuexp report book -q
need [ -z "$(grep small_more book/index.html)" ]
has book/small.html '<span>the same question: <a href="small_more.html">small_more</a></span>'
has book/small.html '<span>next: <a href="vec.html">vec</a></span>'
rm book/small_more.*
need gpuexp report book -q -o elsewhere/index.html
need [ -e elsewhere/vec.html ]
has elsewhere/vec.html '<a class="file" href="../book/vec.csv">The report, CSV</a>'

# 8. How it works: points on the simulator, from the texts beside the report, whatever has become of the files. A warp
#    reads 32 words; with them come as many others as the stride makes. Of two reports each has its own kernel.
cp "$TOP"/kernels/stride.cu mine.cu
printf '%s\n' 'experiment: far' 'kernel: ./mine.cu' 'with: {n: 1Mi}' 'sweep: {stride: [1, 2, 8]}' > far.yaml
need gpuexp -q far.yaml -d sim -o far.csv
cp far.csv near.csv
sed 's/= in\[place(i, stride, offset)\]/= in[i]/' far.run.yaml > near.run.yaml
echo gone > mine.cu
need gpuexp report -q far.csv near.csv -o both.html
page both.html
sed '/<section id="r2">/,$d' both.html > one.html
sed -n '/<summary>How it works/,$p' one.html | grep -v 'class="lit"' > far.html
need [ "$(grep -c 'class="used"' far.html)" = $((32 * 3 + 3)) ]
need [ "$(grep -c 'class="wasted"' far.html)" = $((32 + 32 * 7 + 2)) ]
has far.html '<figcaption>stride=8 <code>if (i &lt; n) out[i] = in[place(i, stride, offset)];</code>'
# What limits it: units of the costliest point beside those of the best; its lines; its access, and the same mended.
sed '/<summary>How it works/,$d' one.html > limits.html
has limits.html '<figcaption>stride=8</figcaption>'
has limits.html '>what each line asks of memory, and what it costs</text>'
need [ "$(grep -c '>time that each unit would need alone</text>' limits.html)" = 3 ]
need [ "$(grep -c '>mended (stride=1)</text>' limits.html)" -ge 2 ]
has limits.html '>mended (stride=1): line 37: ld.global.f32 of `in`, 32 lanes of 4 bytes</text>'
sed '1,/<section id="r2">/d' both.html > near.html
need [ -z "$(grep 'class="wasted"' near.html)" ]
has one.html '<dt>chart</dt><dd>chosen because '
#    What limits it, as `explain` says: once for all rows, with the line, and what shows it.
need [ "$(grep -c '<b>overfetch</b>' one.html)" = 1 ]
has one.html '<dt>points</dt><dd>stride=8</dd>'
has one.html '<p class="never">Of 3 rows 3 were looked at on the simulator'
need [ -z "$(grep '<b>overfetch</b>' near.html)" ]
#    Of several rows once, with what they would gain; the finding that gains most is first.
cp "$TOP"/kernels/stride.cu mine.cu
printf '%s\n' 'experiment: wide' 'kernel: ./mine.cu' 'with: {n: 1Mi}' \
    'sweep: {stride: [1, 2, 4, 8, 16, 32], block: [32, 256]}' > wide.yaml
need gpuexp -q wide.yaml -d sim -o wide.csv
need gpuexp report -q wide.csv -o wide.html
need [ "$(grep -o '<li><b>[a-z_]*' wide.html | tr '\n' ' ')" = '<li><b>occupancy <li><b>overfetch <li><b>ceiling ' ]
has wide.html 'block=32; stride=4 block=32; stride=8 block=32 and 2 more</dd>'
need [ -n "$(sed -nE 's/.*some ([0-9.]*) (to [0-9.]* )?times.*/\1/p' wide.html | awk '$1 > 1.05')" ]
has wide.html '<code>-s &#39;block=256&#39;</code>'
has wide.html '<p class="never">Of 12 rows 3 were looked at on the simulator'

# 9. Two reports of one experiment in one picture.
need gpuexp -q vec.yaml -d sim -o sim.csv
need gpuexp report -q vec.csv sim.csv -o both.html -s chart.y=useful_bytes
page both.html
has both.html '<section id="all">'
need grep -q '<h3>useful_bytes <span>over n by [^<]*device' both.html

# 10. Several on one page; mistakes.
t gpuexp report reports/small.csv vec.csv -o both.html
page both.html
has both.html '<a href="#r2">vec</a>'
t gpuexp report vec.csv -o vec.csv
printf 'a,b\n1,2\n' > other.csv
t gpuexp report other.csv
need [ ! -e other.html ]
t gpuexp report missing.csv
need [ ! -e missing.html ]
head -1 vec.csv > empty.csv
t gpuexp report empty.csv
page empty.html

# Two causes of one rule are two findings: small blocks, and blocks whose shared memory leaves no room for others.
# (Buffers a sixteenth as large: they are filled for each look.)
# What is drawn is explained: a setting, a parameter, a derived column.
printf '%s\n' 'kernel: stride' 'with: {n: 1Ki, device: sim}' 'sweep: {stride: [1, 2, 4], block: [64, 128]}' \
    'derive: {each: {is: ld_sectors / n, about: sectors of an element}, twice: 2 * each}' \
    'chart: {x: stride, y: [each, twice], by: block}' > about.yaml
need gpuexp about.yaml -q
need gpuexp report -q reports/about.csv
for about in 'each</b>: sectors of an element' 'twice</b>: 2 \* each' 'stride</b>: distance between' \
    'block</b>: threads'; do
    need grep -q "<p class=\"about\"><b>$about" reports/about.html
done
cp "$TOP"/reports/h200/occupancy.csv .
sed 's/default: 64Mi/default: 4Mi/' "$TOP/reports/h200/occupancy.run.yaml" > occupancy.run.yaml
gpuexp report occupancy.csv -q
need grep -q 'larger blocks' occupancy.html
need grep -q '<p class="answer">At 75' occupancy.html # the heading is the first sentence
need grep -q 'less shared memory a block' occupancy.html
