# On a terminal: one status line that is redrawn and removed at the end, colours unless NO_COLOR; elsewhere neither.
# SPDX-License-Identifier: MIT
command -v script > /dev/null || lacks "script(1), to make a terminal with,"
printf 'kernel: stride\nwith: {n: 256Ki, device: sim}\nsweep: {stride: [1, 2, 3, 4, 5, 6]}\n' > x.yaml
terminal() { # columns, command: what it writes to a terminal that wide
    local columns=$1
    shift
    TERM=xterm-256color script -qec "stty cols $columns rows 20; $*" /dev/null < /dev/null | tr -d '\n'
}
export GPUEXP
escape=$(printf '\033')
terminal 100 '$GPUEXP x.yaml --fresh' > wide
need grep -qF "$escape[K" wide          # the line is cleared before it is drawn
need grep -qF "6/6" wide
need grep -qF "$escape[1mx" wide        # bold
need [ "$(tr '\r' '\n' < wide | grep -c '^x \[')" -ge 6 ]
need [ "$(tr '\r' '\n' < wide | tail -n 1 | grep -c '^x \[')" = 0 ]
terminal 40 '$GPUEXP x.yaml --fresh' > narrow
need [ "$(tr '\r' '\n' < narrow | grep -E '^x +[0-9]+/6' | sed "s/$escape.*//" | wc -L)" -le 39 ]
terminal 100 'NO_COLOR=1 $GPUEXP x.yaml --fresh' > plain
need [ "$(grep -cF "$escape[1m" plain)" = 0 ]
need [ "$(grep -cF "$escape[3" plain)" = 0 ]
terminal 100 '$GPUEXP x.yaml --fresh -q' > quiet
need [ ! -s quiet ]
need gpuexp x.yaml --fresh > out 2> log
need [ "$(cat out log | grep -cF "$escape")" = 0 ]
need [ "$(cat out log | grep -c "$(printf '\r')")" = 0 ]
need [ "$(grep -cE '^[1-6]/6  stride=[1-6]: ' log)" = 6 ]
# At 80 columns no word is broken: notes, warnings and hints go on below themselves; a table is as wide as it is.
printf '%s\n' "$(cat x.yaml)" 'expect:' '  - {when: stride == 32, that: ld_sectors == n}' > y.yaml
texts() { TERM=xterm-256color NO_COLOR=1 script -qec "stty cols 80 rows 20; $*" /dev/null < /dev/null | tr -d '\r' |
    sed "s/.*$escape\[K//" | grep -v '^ *[a-z0-9]*  *[0-9a-z_]*  .*  '; }
texts '$GPUEXP y.yaml --fresh' > said
need grep -q 'not checked: ' said
need [ "$(wc -L < said)" -le 80 ]
need grep -q '^y.yaml:[0-9]*: not checked: .*[a-z:0-9`,]$' said
texts '$GPUEXP a_file_with_a_long_name_that_is_nowhere.yaml another_one_with_a_long_name_that_is_nowhere.yaml' > said
need [ -s said ]
need [ "$(wc -L < said)" -le 80 ]
# Why a time is imprecise is told once, in lines that stay, and no word of it is broken.
printf 'time 500\ndraws 10\n' > noisy
printf 'kernel: stride\nwith: {n: 4Ki, device: "script:noisy"}\nsweep: {stride: [1, 2, 3]}\n' > noisy.yaml
terminal 200 '$GPUEXP noisy.yaml' > said
need [ "$(tr '\r' '\n' < said | grep -c 'time known to .* not 0.5 %: 8 contexts differ')" = 1 ]
# What a pager shows is as wide as its terminal; what a file gets is not.
TERM=xterm script -qec "stty cols 80; $GPUEXP list | cat; $GPUEXP list > wide" /dev/null < /dev/null > said
need [ "$(wc -L < said)" -gt 60 ]
need [ "$(wc -L < said)" -le 80 ]
need [ "$(wc -L < wide)" -gt 80 ]
texts '$GPUEXP noisy.yaml --fresh' > said
need grep -q '^  time known to' said
need grep -q 'which more samples$' said
need [ "$(grep -A1 '^  time known' said | wc -L)" -le 80 ]
