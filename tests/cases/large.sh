# A report of many rows: all are counted and compared, and its page stays one that a browser can open, and says that it
# shows some.
# SPDX-License-Identifier: MIT
rows() { # how many, the time of the point in the middle
    awk -v n="$1" -v odd="$2" 'BEGIN {
        print "experiment,point,key,device,kernel,n,status,reason,time_us,time_lo_us,time_hi_us,ld_requests"
        for (i = 1; i <= n; i++) {
            t = i == n / 2 ? odd : 100
            printf "e,%d,%016x,sim,k,%d,%s,,%d,%.1f,%.1f,%d\n", i, i, i, i == 7 ? "failed" : "ok", t, t - 0.1,
                t + 0.1, 2 * i
        } }'
}
rows 30000 100 > old.csv
rows 30000 200 > new.csv
gpuexp status old.csv > out
need [ $? = 1 ]
need grep -q '^old.csv: 30000 of 30000 points, 1 failed' out
gpuexp compare old.csv new.csv > out
need [ $? = 1 ]
need [ "$(tail -1 out)" = '29999 same, 0 faster, 1 slower, 0 unsure, 0 changed, 0 missing, 0 new' ]
need grep -q '^slower   e: n=15000 *100.000 us -> 200.000 us, x2.000' out
need gpuexp report old.csv -o page.html > out
need [ "$(wc -c < page.html)" -le 5000000 ]
need grep -q '<b>30000</b> points' page.html
need grep -q '30000 rows are too many for a page: charts and table show one of every 16' page.html
need grep -q 'class="status failed"' page.html # row 7 is shown though it is none of every 16
need grep -q '<dt>device</dt>' page.html
rows 1000 100 > small.csv
need gpuexp report small.csv -o page.html > out
need [ "$(grep -c '^<tr class="good' page.html)" = 999 ]
