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
