# `health`: GPUs are measured each into a report of its own, and judged by their model's reference, by each other, and
# by what they tell of themselves. On devices for tests.
# SPDX-License-Identifier: MIT
gpu() { # bus, then further statements
    printf '%s\n' 'name ACME X9' 'identity ACME X9, driver 1' 'time 250' 'clock 1980' \
        'tells ecc_uncorrected 0' 'tells other_processes 0' \
        "tells pci_bus $1" "${@:2}" > "gpu$1"
}
measure() { need gpuexp health -d "script:gpu$1" -q > said; }
dated() { sed -i "s/^  - started: .*/  - started: \"$2\"/" "reports/health.$here.$1.run.yaml"; } # as if on that day
here=$(uname -n | cut -d. -f1)
shown() { (set -o pipefail; gpuexp health "$@" 2>&1 | sed "s/^$here /HOST /"); }

# One alone: nothing to hold it against, and it is said.
gpu 1
measure 1
need [ ! -s said ]
need [ -s "reports/health.$here.1.csv" ]
need grep -q '^pci_bus,,1,1,' "reports/health.$here.1.facts.csv"
cp "reports/health.$here.1.csv" first.csv
cp "reports/health.$here.1.facts.csv" first.facts.csv
cp "reports/health.$here.1.run.yaml" first.run.yaml
t shown first.csv
# Once more: measured anew, the last night is kept. It is the reference of its model then. Two of one second are two.
dated 1 2026-11-18T20:15:31Z
for i in 1 2; do
    measure 1
    dated 1 2026-11-18T20:15:31Z
done
for end in csv run.yaml facts.csv 2.csv 2.run.yaml 2.facts.csv; do
    need [ -s "reports/health.$here.1.2026-11-18T20-15-31Z.$end" ]
done
mkdir reports/x9
cp "reports/health.$here.1.csv" reports/x9/health.csv
for i in 2 3 4; do gpu $i && measure $i; done
shown reports/health.*.csv > said
need [ $? = 0 ]
need grep -q '^4 GPUs: 4 well, 0 not$' said

# Over the nights: this one gets worse; and another driver does something to a model.
dated 4 2026-11-19T20:00:00Z
dated 2 2026-11-19T20:00:00Z
gpu 2 'identity ACME X9, driver 2' 'for timed=upload time 254'
need gpuexp health -d script:gpu2 -q > said
# What can be wrong, each with one: slower in one test, wrong, throttled, a low clock, errors, others, a narrow link.
gpu 4 'for timed=upload time 258'
gpu 5 'for timed=download wrong 3 7 100'
gpu 6 'for cache=warm throttle 2 40'
gpu 7 'clock 1900'
gpu 8 'tells ecc_uncorrected 2' 'tells rows_due 1' 'tells other_processes 3'
gpu 9 'tells pcie_lanes 8' 'tells pcie_lanes_max 16'
for i in 4 5 6 7 8 9; do
    gpuexp health -d script:gpu$i -q > said
    need [ $? = 1 ]
    need grep -q "^$here $i: " said
    need [ -z "$(grep -v "^$here $i: " said)" ]
done
shown reports/health.*.csv > all
need [ $? = 1 ]
t cat all
# A larger threshold, or no reference.
shown --threshold 10% "reports/health.$here.4.csv" > said
need [ $? = 0 ]
mv reports/x9 elsewhere
shown -q reports/health.*.csv > said
need [ $? = 1 ]
need grep -q '^HOST 4: upload: 3\.. % slower than the others. median' said
need [ -z "$(grep reference said)" ]

# A slice of a GPU is a model of its own: no whole GPU is its measure, whatever its folder is called.
mkdir -p slice/reports
cp -r elsewhere slice/reports/x9
printf '%s\n' 'name ACME X9 MIG 1g.10gb' 'time 900' > slice/gpu
(cd slice && gpuexp health -d script:gpu) > said 2> log
need grep -q '^no reference ships for ACME X9 MIG 1g.10gb: .* as reports/x9-mig-1g-10gb/health.csv, would be one$' said
(cd slice && mkdir reports/x9-mig-1g-10gb && mv reports/health.*u.csv reports/x9-mig-1g-10gb/health.csv)
(cd slice && gpuexp health -d script:gpu) > said 2> log
need grep -q '^reference of ACME X9 MIG 1g.10gb: reports/x9-mig-1g-10gb/health.csv$' said

# Two real GPUs that are well, by the reference that ships; and one whose link is narrow, and whose memory errs.
need gpuexp health "$TOP"/reports/h200/two_gpus/health_?.csv -q > said
need [ ! -s said ]
for end in csv run.yaml facts.csv; do cp "$TOP/reports/h200/two_gpus/health_0.$end" one.$end; done
sed -i 's/^pcie_lanes,,16,16/pcie_lanes,,16,8/; s/^ecc_corrected,,0,0/ecc_corrected,,5,7/' one.facts.csv
sed -i 's/^power,.*/power,W,,/' one.facts.csv
gpuexp health one.csv -q | sed 's/.*: \([a-z_]*:\)/\1/' > said
t cat said

# For programs and as a page.
gpuexp health reports/health.*.csv --format openmetrics > metrics
need [ $? = 1 ]
need [ "$(tail -1 metrics)" = '# EOF' ]
need grep -q '^gpuexp_health_findings{gpu="[^"]* 8",model="ACME X9",host="[^"]*"} 3$' metrics
need grep -q '^gpuexp_health_best_night_ratio{gpu="[^"]* 4",.*,test="upload"} 0\.9[67]' metrics
need grep -q '^gpuexp_health_fleet_ratio{gpu="[^"]* 4",model="ACME X9",host="[^"]*",test="upload"} 0\.9[67]' metrics
need [ -z "$(grep -v '^#' metrics | grep -vE '^gpuexp_health_[a-z_]+\{([a-z]+="[^"]*",?)+\} -?[0-9.e+-]+$')" ]
gpuexp health reports/health.*.csv --format html > said
need [ "$(cat said)" = reports/health.html ]
need [ "$(grep -o '<circle[^>]*fill="var(--bad)">' reports/health.html | wc -l)" = 1 ] # the last night of GPU 4
# A page is kept whole: five GPUs of a host with a name of its own, their nights, and what is shipped of their model.
mkdir page
for f in reports/health."$here".[12456].*; do cp "$f" "page/health.node${f#reports/health."$here"}"; done
sed -i 's/^\( *host: \)".*/\1"node"/; /2026-11-19T/!s/20[0-9-]*T[0-9:]*Z/2026-11-20T20:00:00Z/' page/*.run.yaml
page() { gpuexp health page/*.csv --format html -o page.html > said; sed '/<style/,/<\/style>/d' page.html; }
cp -r elsewhere reports/x9
t page
rm -r reports/x9
need [ "$(gpuexp health reports/health.*.csv --format json | grep -c '"findings"')" = 9 ]

# Who has no times, or is not there, is refused.
t gpuexp health -d sim
t gpuexp health -d script:nothing
t gpuexp health reports/nothing.csv
t gpuexp health -d script:gpu1 -o here.txt
echo torn > first.facts.csv
t gpuexp health first.csv
# Nodes that should have been tested, and what a scheduler is told of one that is not well: in 60 characters, if asked.
mkdir bin
printf '#!/bin/bash\nprintf "<%%s>" "$@" >> told\n' > bin/scontrol
chmod +x bin/scontrol
gpuexp health reports/health.*.csv --nodes "$here,n7,n8" > said
need [ $? = 1 ]
need grep -qx 'n7: not tested' said
need grep -q '^9 GPUs: .* not; 2 nodes not tested$' said
need [ "$(grep -c "^scontrol update NodeName=$here State=DRAIN 'Reason=gpuexp: " said)" = 1 ]
need [ ! -e told ]
PATH=$PWD/bin:$PATH gpuexp health reports/health.*.csv --drain -q > said
need grep -q "^<update><NodeName=$here><State=DRAIN><Reason=gpuexp: .*>$" told
need [ "$(sed 's/.*<Reason=//; s/>$//' told | wc -m)" -le 61 ]
gpuexp health reports/health.*.csv --nodes n7 --format json > said
need [ "$(grep -A1 not_tested said | tr -d ' \n')" = '"not_tested":["n7"' ]
gpuexp health reports/health.*.csv --nodes n7 --format openmetrics > said
need grep -qx 'gpuexp_health_untested{host="n7"} 1' said
gpuexp health --nodes n7 --format html -o page.html > said
need grep -q '<li class="wrong">n7: not tested</li>' page.html
gpuexp health --nodes n7 > said # nothing is measured
need [ $? = 1 ]
need [ "$(tail -n 1 said)" = '0 GPUs: 0 well, 0 not; 1 node not tested' ]

# A GPU that was tested before, and that its host does not list any more, is not there. So is one that a job was given.
mkdir gone
(cd gone && for i in 1 2 3; do gpu $i; done)
all() { (cd gone && GPUEXP_SCRIPTS=$1 gpuexp health "${@:2}") > said 2> log; }
need all gpu1,gpu2,gpu3
need grep -q '^3 GPUs: 3 well, 0 not$' said
sed -i 's/^  - started: .*/  - started: "2026-11-18T20:00:00Z"/' gone/reports/health.*.run.yaml
mv gone/gpu2 gone/away
all gpu1,gpu2,gpu3 -q
need [ $? = 1 ]
need grep -qE "^$here 2: not there: its host had 2 GPUs on 20[-0-9]*, and not this one$" said
need [ "$(wc -l < said)" = 1 ]
(cd gone && gpuexp health reports/health.*.csv -q) > said # and by the reports alone
need [ $? = 1 ]
need grep -q "^$here 2: not there: " said
cp -r gone/reports broken # the last run was broken off: one of the two that its host lists has not been tested yet
sed -i 's/^  - started: .*/  - started: "2026-11-18T20:00:00Z"/' "$(ls broken/health.*3.run.yaml)"
need gpuexp health broken/health.*.csv -q > said
need [ ! -s said ]
need all gpu1 -q # a job that was given one of them says nothing of the others
need [ ! -s said ]
(cd gone && gpuexp health -d script:gpu1 -q) > said # nor does one that is tested by itself
mv gone/away gone/gpu2
need all gpu1,gpu2,gpu3 -q # it is there again
need [ ! -s said ]
rm -r gone/reports gone/gpu2
all gpu1,gpu2,gpu3 -q
need [ $? = 1 ]
need grep -qx "$here 1: not there: its host was given 3 GPUs, and has 2" said
