# What stands beside a report is as safe as the report: it is written through no link, what gpuexp did not write or
# cannot read is an error before anything is measured and stays as it is, a changed line is refused, and no name leads
# to a file of another report.
# SPDX-License-Identifier: MIT
export XDG_CACHE_HOME=$PWD/cache
mkdir bin
printf '#!/bin/sh\necho clang version 14.0.6\n' > bin/clang
chmod +x bin/clang
export PATH=$PWD/bin:$PATH GPUEXP_COMPILER=clang
printf 'identity g\nname G\ntime 12\nnoise 0.004 7\ndraws 0.1 3\nplaces 0.05 4\nclock 1980\n' > gpu
cat > k.cu << 'END'
/*
params: {n: 100}
buffers: {out: {type: int, count: n, access: write}}
threads: n
*/
__global__ void k(int *out, int n) { out[threadIdx.x] = 1; }
__device__ bool check(size_t i, const int *out) { return out[i] == 1; }
END
experiment() { # NAME VALUES
    printf 'experiment: %s\nkernel: ./k.cu\nwith: {device: "script:gpu"}\nsweep: {n: [%s]}\n' "$1" "$2"
    printf 'measure: {min_sample: 0, max_samples: 40, contexts: 3}\n'
}
experiment x "10, 20" > x.yaml
experiment x "10, 20, 30" > more.yaml
experiment x "10, 20, 30, 40" > most.yaml
need gpuexp -q x.yaml 2> log
cp -r reports first
every() { cat reports/* precious 2> /dev/null | cksum; ls reports; }
# The run ends with status 2 or 3, and every file is as it was.
refused() { # WHY WORDS...
    local why=$1 status
    shift
    every > before
    gpuexp -q "$@" > out 2> log
    status=$?
    grep -q -- "$why" log || { cat out log; need false "$why"; }
    need [ $status = 2 -o $status = 3 ]
    every > after
    cmp before after || { diff before after; cat out log; need false "$why"; }
}
again() { rm -rf reports && cp -r first reports; }
all_samples() { need [ -z "$(comm -23 <(sort first/x.samples.csv) <(sort reports/x.samples.csv))" ]; }

# Through no link, and over no file of another's.
echo "a line of mine, without an end" > precious
for end in launches samples parts; do
    again
    rm -f reports/x.$end.csv
    ln -s "$PWD/precious" reports/x.$end.csv
    refused "x.$end.csv: is a symbolic link" more.yaml
    rm reports/x.$end.csv
    ln precious reports/x.$end.csv
    refused "x.$end.csv:1:0: is not what gpuexp keeps there" more.yaml
    rm reports/x.$end.csv
    mkdir reports/x.$end.csv
    refused "x.$end.csv: is not a regular file" more.yaml
done
again
cp precious reports/x.run.yaml
refused "x.run.yaml: is not a file that gpuexp wrote there" more.yaml
# A second name of what is ours is left alone.
again
ln reports/x.samples.csv mine.csv
cp mine.csv was.csv
need gpuexp -q more.yaml 2> log
need cmp mine.csv was.csv
all_samples
# Who may read and write a file may do so when another has taken its place.
again
chmod 640 reports/x.samples.csv
cp mine.csv reports/second.csv && ln reports/x.samples.csv reports/third.csv
need gpuexp -q more.yaml 2> log
need [ "$(stat -c %a reports/x.samples.csv) $(stat -c %h reports/x.samples.csv)" = "640 1" ]
# Another header, a changed line; the line's end of another system is no change, and an end that is torn is dropped.
again
sed -i '1s/key/Key/' reports/x.samples.csv
refused "x.samples.csv:1:0: is not what gpuexp keeps there" more.yaml
again
sed -i '3s/,1980/,1234/' reports/x.samples.csv
refused "x.samples.csv:3:0: is not as it was written" more.yaml
again
sed -i 's/$/\r/' reports/x.samples.csv
need gpuexp -q more.yaml 2> log
all_samples
need [ "$(grep -c . reports/x.samples.csv)" = 28 ]
again
printf '37e8964028b6ca97,1,1,2026' >> reports/x.samples.csv
need gpuexp more.yaml > out 2> log
need grep -q 'x.samples.csv: the last line was not written to its end' log
all_samples
# What cannot be opened is not what is not there.
fault_so=$BUILD/tests/libfault.so
if [ -e "$fault_so" ]; then
    for end in samples launches parts; do
        again
        [ $end = samples ] || cp reports/x.samples.csv reports/x.$end.csv
        cp reports/x.$end.csv before.csv
        FAULT_FAMILY=open FAULT_NAME=.$end.csv FAULT_ERRNO=13 FAULT_AT=1 FAULT_IN=main FAULT_COUNT=$PWD/count \
            LD_PRELOAD=$fault_so "$GPUEXP" -q more.yaml > out 2> log
        need [ $? = 3 ]
        need grep -q "cannot open .*x.$end.csv: Permission denied" log
        need cmp before.csv reports/x.$end.csv
        need cmp first/x.csv reports/x.csv
    done
    # Nor is a run file: whether the kernel was edited, or a shard is of another device, would not be known.
    again
    (cat k.cu && echo '// edited') > edited.cu
    sed 's|k.cu|edited.cu|' x.yaml > edited.yaml
    for i in 1 2; do need gpuexp -q more.yaml --shard $i/2 2> log; done
    for words in edited.yaml "merge reports/x.csv"; do
        every > before
        # shellcheck disable=SC2086
        FAULT_FAMILY=open FAULT_NAME=.run.yaml FAULT_ERRNO=13 FAULT_AT=1 FAULT_IN=main FAULT_COUNT=$PWD/count \
            LD_PRELOAD=$fault_so "$GPUEXP" -q $words > out 2> log
        need [ $? = 3 ]
        need grep -q "cannot open.*Permission denied" log
        every > after
        need cmp before after
    done
fi

# Parts: a changed number becomes no row.
again
printf 'for n=40 restores 0.01\n' >> gpu
"$GPUEXP" -q most.yaml > out 2> log &
pid=$!
disown
for _ in $(seq 500); do
    [ -e reports/x.parts.csv ] && [ "$(grep -c . reports/x.parts.csv)" -ge 2 ] && break
    sleep 0.02
done
kill -9 $pid
while kill -0 $pid 2> log; do sleep 0.01; done
sed -i '/^for n=40/d' gpu # as fast as before
need grep -q ',checksum$' reports/x.parts.csv
rm -f reports/x.csv.lock
cp -r reports killed
sed -i '2s/,1[0-9]\.[0-9]*,/,3,/' reports/x.parts.csv
refused "x.parts.csv:2:0: is not as it was written" most.yaml
rm -rf reports && mv killed reports
need gpuexp -q most.yaml 2> log
need [ ! -e reports/x.parts.csv ]
all_samples

# An edited kernel: the rows go, and their samples with them; the user's own file of that name gets none.
again
cp k.cu k.before
echo '// edited' >> k.cu
cp precious reports/x.old.csv
refused "x.old.csv" x.yaml
need grep -q 'a line of mine' reports/x.old.csv
rm reports/x.old.csv
need gpuexp -q x.yaml 2> log
need cmp <(sort first/x.samples.csv) <(sort reports/x.old.samples.csv)
need [ "$(cut -d, -f1 reports/x.samples.csv | sort -u | grep -c .)" = 3 ] # other keys
keys_of() { tail -n +2 "$1" | cut -d, -f1 | sort -u; }
need [ -z "$(comm -12 <(keys_of first/x.samples.csv) <(keys_of reports/x.samples.csv))" ]
echo '// and again' >> k.cu
need gpuexp -q x.yaml 2> log
need [ "$(cut -d, -f1 reports/x.old.samples.csv | sort -u | grep -c .)" = 5 ]
cp k.before k.cu

# No name of an experiment, or of -o, leads to a file beside another report.
again
for end in launches samples parts old facts rows; do
    experiment x.$end "10" > y.yaml
    refused "y.yaml:1:13: .x.$end. cannot be an experiment.s name" y.yaml
    refused "x.$end.csv: cannot be a report" x.yaml -o reports/x.$end.csv
    refused "x.$end.csv: cannot be a report" x.yaml -o reports/x.$end.csv --shard 1/2
done
for end in run.yaml html csv.lock; do refused "x.$end: cannot be a report" x.yaml -o reports/x.$end; done
for i in 1 2; do need gpuexp -q x.yaml --shard $i/2 2> log; done
refused "old.csv: cannot be a report" merge reports/x.csv -o reports/x.old.csv
# A report of another name is not written over by what is made of one, and neither is a page that is none of ours.
again
cp reports/x.csv reports/a.csv
cp reports/x.csv reports/a.rows.csv
refused "a.rows.csv: is a report" report reports/a.csv --format csv
rm reports/a.rows.csv
need gpuexp -q report reports/a.csv --format csv
need gpuexp -q report reports/a.csv --format csv
for form in html svg md json jsonl; do
    echo "my own notes" > reports/a.$form
    refused "a.$form: is not a file that gpuexp wrote there" report reports/a.csv --format $form
    rm reports/a.$form
    need gpuexp -q report reports/a.csv --format $form
    need gpuexp -q report reports/a.csv --format $form
    refused "x.csv: is not a file that gpuexp wrote there\|x.csv: is a report" \
        report reports/a.csv --format $form -o reports/x.csv
    refused "may not end in .samples.csv" report reports/a.csv --format $form -o reports/a.samples.csv
done
echo "my own notes" > reports/a.compare.html
refused "a.compare.html: is not a file that gpuexp wrote there" compare reports/x.csv reports/a.csv --format html
# A script's table takes the place of its own alone.
again
echo 'return {done = function() return {tables = {facts2 = {{a = 1}}}} end}' > s.lua
(cat x.yaml && echo 'script: ./s.lua') > s.yaml
cp precious reports/x.facts2.csv
gpuexp -q s.yaml > out 2> log
need [ $? != 0 ]
need cmp precious reports/x.facts2.csv
cp reports/x.csv reports/x.facts2.csv
gpuexp -q s.yaml > out 2> log
need [ $? = 3 ]
need grep -q 'x.facts2.csv is not a table that gpuexp wrote there' log
need cmp reports/x.csv reports/x.facts2.csv
rm reports/x.facts2.csv
for _ in 1 2; do need gpuexp -q s.yaml 2> log; done
need grep -q '^a,checksum' reports/x.facts2.csv
# Begun anew, what was there is kept: also where only the report itself is gone.
again
rm reports/x.csv
need gpuexp -q x.yaml 2> log
need cmp first/x.samples.csv reports/x.samples.csv.bak
