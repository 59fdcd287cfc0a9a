# A signal to the whole group, as Ctrl-C and SLURM send it, stops the run whatever it is doing: exit 75, and the
# report that the next run completes is that of an undisturbed run, keys included. A compiler that hangs ends with the
# run.
# SPDX-License-Identifier: MIT
export XDG_CACHE_HOME=$PWD/cache TMPDIR=$PWD/tmp
mkdir tmp bin
cat > small.yaml <<'END'
kernel: stride
with: {n: 4Ki, device: sim}
sweep: {stride: [1, 2, 4]}
END
keys() { cut -d, -f2,3 reports/small.csv | sort; }
group() { setsid bash -c 'echo $$ > group; exec env --default-signal=INT "$@"' - "$@"; }

# At any time: with a compiler of each kind, and before a compiler was looked for.
for compiler in clang nvrtc; do
    export GPUEXP_COMPILER=$compiler
    rm -rf reports
    gpuexp small.yaml -q 2> /dev/null || continue # not here
    keys > undisturbed
    for delay in 0.02 0.1 0.25; do
        rm -rf reports cache group
        group "$GPUEXP" small.yaml > out 2> log &
        sleep $delay
        while [ ! -s group ]; do sleep 0.01; done
        kill -"$([ $delay = 0.1 ] && echo TERM || echo INT)" -- -"$(cat group)" 2> /dev/null
        wait $!
        status=$?
        # before the program's first line the signal ends it, like any program
        case $status in 0 | 75) ;; 130 | 143) need [ $delay = 0.02 ] ;; *) cat log; need [ $status = 75 ] ;; esac
        need gpuexp small.yaml -q
        need [ "$(keys)" = "$(cat undisturbed)" ]
    done
done

# While the compiler is asked for its name; no other is in PATH, which would be taken in its place.
export GPUEXP_COMPILER=clang
clang=$(command -v clang clang-21 clang-20 clang-19 clang-18 clang-17 clang-16 clang-15 clang-14 | head -1)
cat > bin/clang << END
#!/bin/bash
[ "\$1" != --version ] || kill -INT -- -\$(< $PWD/group)
exec $clang "\$@"
END
chmod +x bin/clang
rm -rf reports cache group
group env PATH="$PWD/bin" "$GPUEXP" small.yaml > out 2> log
need [ $? = 75 ]
need grep -q 'compiler: "clang' reports/small.run.yaml
need gpuexp small.yaml -q
need [ "$(cut -d, -f3 reports/small.csv | sort -u | wc -l)" = 4 ]

# Where the system does not let it be asked nothing is measured under another name.
TMPDIR=$PWD/nowhere gpuexp small.yaml -o other.csv > out 2>&1
need [ $? = 3 ]
need grep -q 'whether clang is here cannot be told: no scratch folder' out
need [ ! -e other.csv ]

# A compiler that hangs ends with the point's time, with the run, and with a run that is killed; so does what it
# started. It is bounded in memory and time too, and its scratch folder is removed by the next that compiles.
cat > bin/clang << END
#!/bin/bash
if [ "\$1" = --version ]; then echo clang version 14.0.6; exit; fi
sleep 1000 &
echo \$\$ \$! >> $PWD/pids
ulimit -v >> $PWD/bounds; ulimit -t >> $PWD/bounds
wait
END
export PATH=$PWD/bin:$PATH
left() {
    for pid in $(< pids); do
        [ ! -e /proc/"$pid" ] || grep -q '^State:.[ZX]' /proc/"$pid"/status || echo "$pid"
    done
}
gone() { for _ in $(seq 100); do [ -z "$(left)" ] && return; sleep 0.05; done; left; return 1; }
rm -rf reports cache tmp/*
gpuexp small.yaml -q -s timeout=0.5 -s 'stride=[1]' > out 2>&1
need [ $? = 1 ]
need grep -q ,timeout, reports/small.csv
need [ -s pids ]
need gone
need [ "$(sort -u bounds | grep -c unlimited)" = 0 ]
rm -rf reports pids
"$GPUEXP" small.yaml -q -s "stride=[1]" > out 2>&1 &
for _ in $(seq 100); do [ -s pids ] && break; sleep 0.05; done
kill -KILL $!
wait $! 2> /dev/null
read -r compiler started < pids # of a program that is killed the compiler ends, not what a compiler has started
echo "$compiler" > pids
need gone
kill -KILL "$started"
export PATH=${PATH#*:}
[ -n "$(ls tmp)" ] || need false "a killed compile left nothing, so that nothing was tried"
need gpuexp small.yaml -q
need [ -z "$(ls tmp)" ]
