# `compare`: the worst first; what is the same, faster or slower by more than its interval and a threshold, what nobody
# can tell yet, what changed, what only one report has; and what cannot be compared at all.
# SPDX-License-Identifier: MIT
head=experiment,point,key,device,kernel,n,block,status,time_us,time_lo_us,time_hi_us,contexts,ld_sectors
cat > old.csv <<END
$head
x,1,k1,GPU A,copy,16,256,ok,10,9.99,10.01,8,32
x,2,k2,GPU A,copy,4,256,ok,20,19.9,20.1,8,64
x,3,k3,GPU A,copy,3,256,ok,30,29.9,30.1,8,96
x,4,k4,GPU A,copy,1,256,ok,40,39.9,40.1,8,128
x,5,k5,GPU A,copy,5,256,ok,50,49.9,50.1,8,160
x,6,k6,GPU A,copy,128,256,ok,200,199.8,200.2,8,160
x,7,k7,GPU A,copy,32,256,ok,3.7,3.6,3.8,,1
x,8,k8,GPU A,copy,8,256,imprecise,80,79.5,80.5,8,1
END
cat > new.csv <<END
$head
x,1,k1,GPU B,copy,16,256,ok,10.01,10,10.02,8,32
x,2,k2,GPU B,copy,4,256,ok,10,9.9,10.1,8,64
x,3,k3,GPU B,copy,3,256,wrong,,,,,
x,4,k4,GPU B,copy,1,256,ok,44,43.9,44.1,8,256
x,6,k6,GPU B,copy,6,256,ok,44,43,45,8,
x,7,k7,GPU B,copy,128,256,ok,200.3,200.1,200.5,8,160
x,8,k8,GPU B,copy,32,256,ok,3.8,3.7,3.9,,1
x,9,k9,GPU B,copy,8,256,ok,90,89.5,90.5,8,1
END
t gpuexp compare old.csv new.csv
t gpuexp compare old.csv old.csv -q
t gpuexp compare new.csv old.csv --threshold 15%
t gpuexp compare old.csv old.csv --threshold 2
t gpuexp compare old.csv old.csv --threshold soon
sed 's/GPU B/sim:h200/' new.csv > counted.csv
t gpuexp compare old.csv counted.csv
printf 'a,b\n1,2\n' > other.csv
t gpuexp compare old.csv other.csv
t gpuexp compare old.csv missing.csv

# As a page: a mark with its interval for each ratio, in its place on the axis, in a wide picture and a narrow one; a
# row for each point; no name is markup.
t gpuexp compare old.csv new.csv --format html
need [ "$(grep -o 'class="touch"' new.compare.html | wc -l)" = 12 ]
need [ "$(grep -o '<path class="whisker"' new.compare.html | wc -l)" = 12 ]
need [ "$(grep -c '<tr><td class="status ' new.compare.html)" = 9 ]
need grep -q '>2 slower</span> <span class="status wrong">1 changed</span>' new.compare.html
need grep -q '<td>x: n=4</td><td class="n">20</td><td class="n">10</td><td class="n">0.5000</td>' new.compare.html
need grep -q 'aria-label="x: n=8: slower: 90 us, was 80; x1.1250 (1.1132 to 1.1369)"' new.compare.html
grep -o 'class="tick"[^/]*\|x[0-9.]* ([0-9. to]*)"><rect class="touch"[^/]*' new.compare.html | awk '
    { split($0, q, "\"") }
    /tick/ { if (marks == 6 && !wide) { wide = n; n = 0 }
      split(q[9], t, "[<>]"); value[++n] = t[2]; place[n] = q[6]; next }
    { r = substr($1, 2); d = q[5] + q[9] / 2 - place[1] - (r - value[1]) / (value[n] - value[1]) * (place[n] - place[1])
      marks++; astray += d > 0.5 || d < -0.5 }
    END { exit wide < 3 || n < 3 || marks != 12 || astray }'
need [ $? = 0 ]
sed 's/^x,/<i>x,/' old.csv > '<i>.csv'
need gpuexp compare '<i>.csv' '<i>.csv' -q --format html -o evil.html
need [ -z "$(grep '<i>x\|<i>\.csv' evil.html)" ]
need grep -q '<td>&lt;i&gt;x: n=1</td>' evil.html
t gpuexp compare old.csv new.csv --format html -o old.csv
t gpuexp compare old.csv new.csv -o elsewhere.txt

# Where several GPUs shared the runs it is seen which of them is behind what is slower.
awk -F, 'NR == 1 { print $0 ",gpu"; next } { print $0 "," NR % 2 }' old.csv > two.csv
awk -F, 'NR == 1 { print $0 ",gpu"; next } { print $0 "," (NR > 5) }' new.csv > other_two.csv
t gpuexp compare two.csv other_two.csv
gpuexp compare two.csv other_two.csv --format json | tr -d ' \n' > json
need [ "$(grep -o '"gpu":\[0,1\]' json | wc -l) $(grep -o '"gpu":\[0,null\]' json | wc -l)" = "1 1" ]
# Merged from several hosts, whose GPUs have the same numbers.
awk -F, 'NR == 1 { print $0 ",host"; next } { print $0 ",n" NR % 2 }' two.csv > hosts.csv
awk -F, 'NR == 1 { print $0 ",host"; next } { print $0 ",n" (NR > 4) }' other_two.csv > other_hosts.csv
t gpuexp compare hosts.csv other_hosts.csv
gpuexp compare hosts.csv other_hosts.csv --format json | tr -d '\n' | tr -s ' ' > json
need grep -q '"gpu": \[ "n1 1", "n0 0" \]' json
t gpuexp compare two.csv other_two.csv -q --format html -o two.html
need grep -q '<th>gpu</th>' two.html
need grep -q '<td>0 -&gt; 1</td>' two.html
need [ -z "$(grep '<th>gpu</th>' new.compare.html)" ]

# Of a large report the last row is looked at too: that it is of another kernel makes the kernel an axis.
awk 'BEGIN {
    print "experiment,point,key,device,kernel,n,status,time_us"
    for (i = 1; i < 5000; i++) printf "x,%d,k%d,G,a,%d,ok,10\n", i, i, i
    print "x,5000,k5000,G,b,1,ok,10" }' > large.csv
gpuexp compare large.csv large.csv > large.out
need [ "$(grep -c 'kernel=a n=' large.out)" = 4999 ]
need grep -q 'kernel=b n=1 ' large.out
