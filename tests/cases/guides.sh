# What the README and the guides show works as it stands there. Each text has a folder of its own, with the experiments
# that ship in it, and is read from top to bottom:
#   ```yaml NAME (or cuda, lua)   a file of that name is written
#   ```console                    commands behind `$ ` run in order; the lines below one must be in what it prints, in
#                                 that order. `...` stands for lines left out, and at a line's end for the rest of it.
#   ``` and lines with gpuexp     commands that run; what they print is not shown
# Commands between backticks run too, after these. What needs a GPU or a cluster is only looked at (`instead` below).
# more: what a beginner does not read first
# SPDX-License-Identifier: MIT
texts="README.md experiments/TUTORIAL.md kernels/README.md"
[ -z "$whole" ] || texts="$texts experiments/README.md experiments/FAQ.md lua/README.md reports/README.md
    reports/EVIDENCE.md runner/METHOD.md runner/CLUSTER.md runner/sim/README.md"

# A cluster that has what the texts name, whether or not SLURM is here.
mkdir -p slurm
printf '#!/bin/sh\necho "n1 idle h200,ib"; echo "n2 idle h200"\n' > slurm/sinfo
printf '#!/bin/sh\necho 1\n' > slurm/sbatch
cp slurm/sbatch slurm/scontrol
chmod +x slurm/*
export PATH=$PWD/slurm:$PATH

# The commands that a text gives outside of blocks with a name, one a line.
bare() {
    awk '/^```/ { open = !open; bare = open && $0 == "```"; next } bare' "$1" |
        sed -nE 's/^((build\/)?gpuexp .*|\.\/runner.*)$/\1/p' | sed -E 's/ +#.*//'
    awk '/^```/ { open = !open; next } !open' "$1" | tr '\n' ' ' | grep -o '`[^`]*`' | tr -d '`' |
        grep -E '(^|[ (])gpuexp +[^ ]|^ctest|^cmake|^bash|\.sh( |$)|^\./'
}
# What stands for a command here: nothing where another test tries it; less where it needs a GPU, a clock, a cluster.
instead() {
    local command=${1#build/}
    case $command in
    # .ci/run and this run of the tests try these, case/setup, case/install and case/package
    *setup.sh* | ctest* | cmake* | cpack* | tests/cases/*) return ;;
    *tests/gpu/*.sh* | *tests/slurm/* | *tests/bench/*) bash -n "$TOP/tests/${command#*tests/}" 2> /dev/null; return ;;
    'gpuexp submit health'*) command="gpuexp submit --help" ;; # asks a cluster for its nodes: case/slurm has one
    'gpuexp submit '*) command="${command/ -- / --dry-run -- }" ;; # case/slurm does it in earnest
    'gpuexp saved.yaml') # its machine code is made here, where a Toolkit is
        PATH=$PATH:/usr/local/cuda/bin ptxas -arch=sm_90 scaled.ptx -o saved.cubin 2> /dev/null || return
        cp scaled.cu saved.cu && sed 's/scaled.ptx/saved.cubin/' scaled.yaml > saved.yaml ;;
    'gpuexp judge '*) # needs a clock
        echo 'draws 0.1' > fake
        command="$(sed -E 's/BASE\.cu|NEW\.cu/vecadd/g; s/\.\.\.//' <<< "$command") -d script:fake" ;;
    'gpuexp NAME.cu '*) command="${command/NAME.cu/stride -d sim -s n=64Ki}" ;; # any kernel
    'gpuexp health'*) command="gpuexp health --help" ;; # case/health has devices for it
    'gpuexp calibrate'*) command="gpuexp calibrate --help" ;;
    'gpuexp explain reports/'*) command="gpuexp explain OLD.csv" ;;
    'gpuexp report reports/h200/'*) command="$command -o - -q" ;; # case/pictures draws them
    'gpuexp experiments/'* | 'gpuexp tests/'*) command="gpuexp check ${command#gpuexp }" ;; # the figures are of a GPU
    'gpuexp '*' '* | *.yaml) ;;
    'gpuexp '*) [ "$command" = "gpuexp list" ] || command="$command --help" ;; # only named
    esac
    sed -E 's/\b(WORD|COLUMN|KEY)\b/gbps/g; s/reports\/NAME\.csv|NAME\.csv/OLD.csv/; s/\bFILE\b/small.yaml/
        s/\bNAME\b/mine/g; s/KERNEL\.cu -s \.\.\./stride -s n=64Ki/' <<< "$command"
}
# The lines of SHOWN stand in PRINTED in this order.
shown_in() {
    awk 'function plain(s) { gsub(/^ +| +$/, "", s); return s }
        NR == FNR { line[++n] = plain($0); next }
        { said[++m] = plain($0) }
        END {
            for (i = 1; i <= n; i++) {
                if (line[i] == "..." || line[i] == "") continue
                want = line[i]; open = sub(/ ?\.\.\.$/, "", want)
                for (found = 0; !found && at < m;) {
                    at++
                    found = open ? substr(said[at], 1, length(want)) == want : said[at] == want
                }
                if (!found) { print "not printed: " line[i]; exit 1 }
            }
        }' "$1" "$2"
}
blocks() { # writes the files of a text, and a script of its commands with what they shall print
    awk '/^```/ && !open { open = 1; split(substr($0, 4), word, " "); kind = word[1]; file = word[2]
                if (kind == "console") print "BLOCK"
                next }
        /^```/ { open = 0; next }
        !open { next }
        kind == "console" && /^\$ / { print "RUN " substr($0, 3); next }
        kind == "console" { print "SEE " $0; next }
        file != "" { print "PUT " file " " $0 }' "$1"
}
run_shown() { # COMMAND, what is shown of it in the file `shown`
    eval "$1" > printed 2>&1
    local status=$?
    ! grep -q 'is for nvcc: no nvcc (CUDA Toolkit) is found' printed || return 0
    [ $status -le 1 ] || [ -s shown ] || { cat printed; echo "$text: exit $status of: $1"; return 1; }
    shown_in shown printed || { cat printed; echo "$text: shown otherwise: $1"; return 1; }
}

need gpuexp stride -q -d sim -s n=64Ki -o stride.csv # a report for commands that want one

for text in $texts; do
    need [ -s "$TOP/$text" ]
    mkdir -p "$scratch/all" && cd "$scratch/all" || exit 1
    rm -rf ./* && mkdir experiments kernels tests && cp "$TOP"/experiments/*.yaml experiments/ # commands write there
    ln -s "$TOP/tests/gpu" tests/gpu && ln -s "$TOP/tests/cheats" tests/cheats && ln -s "$TOP/tests/bench" tests/bench
    command= && : > shown
    while IFS= read -r line; do
        case $line in
        'PUT '*)
            line=${line#PUT } && file=${line%% *} && [ -e "$file.begun" ] ||
                { mkdir -p "$(dirname "$file")" && : > "$file" && : > "$file.begun"; }
            line=${line#"$file"} && printf '%s\n' "${line# }" >> "$file"
            continue ;;
        'SEE '*) printf '%s\n' "${line#SEE }" >> shown; continue ;;
        esac
        [ -z "$command" ] || need run_shown "$command"
        command= && : > shown
        case $line in 'RUN '*) command=${line#RUN } && steps=$((${steps:-0} + 1)) ;; esac
    done < <(blocks "$TOP/$text")
    [ -z "$command" ] || need run_shown "$command"

    # then what stands between backticks
    rm -rf reports && sed 's/64Mi/64Ki/' "$TOP/experiments/stride.yaml" > small.yaml
    mkdir reports && cp "$scratch"/stride.{csv,run.yaml} reports/
    cp reports/stride.csv OLD.csv && cp reports/stride.csv NEW.csv && cp reports/stride.run.yaml OLD.run.yaml
    ln -s "$TOP/reports/h200" reports/h200 && rm -f kernels/mine.cu experiments/mine.yaml
    while IFS= read -r given; do
        command=$(instead "$given")
        [ -n "$command" ] || continue
        # Checked where there is no GPU, one whose points all need one has nothing to do: that is told.
        eval "$command" > said 2>&1 || grep -q 'needs a CUDA device; every point is skipped' said ||
            { cat said; echo "$text: this command fails: $given"; exit 1; }
        tried=$((${tried:-0} + 1))
    done < <(bare "$TOP/$text" | awk '!seen[$0]++')
    # The options that it names are there.
    while IFS= read -r option; do
        case $option in --use* | --with* | --gpus*) continue ;; esac # of the compiler, of setup.sh, of sbatch
        need gpuexp describe -- "$option" > /dev/null
    done < <(awk '/^```/ { open = !open; next } !open' "$TOP/$text" | tr '\n' ' ' | grep -o '`--[a-z][a-z-]*' |
        tr -d '`' | sort -u)
    # Its contents name every heading, and each text that it sends to is there.
    while IFS= read -r heading; do
        anchor=$(tr 'A-Z ' 'a-z-' <<< "$heading" | tr -cd 'a-z0-9_\n-')
        grep -q "](#$anchor)" "$TOP/$text" || { ! grep -q '^\**Contents' "$TOP/$text"; } ||
            { echo "$text: its contents lack: $heading"; exit 1; }
    done < <(awk '/^```/ { open = !open } !open && /^## / { print substr($0, 4) }' "$TOP/$text")
    while IFS= read -r other; do
        need [ -e "$TOP/$other" ]
        ! git -C "$TOP" check-ignore -q "$other" 2> /dev/null || { echo "$text: git ignores $other"; exit 1; }
    done < <(grep -oE '`[a-z/]+/[A-Z]+\.md`' "$TOP/$text" | tr -d '`')
done
need [ "$steps" -ge 20 ]
need [ "$tried" -ge $([ -n "$whole" ] && echo 40 || echo 25) ]

# The table of the first run: one of 256 elements is run, and one of 256 of each count comes out. All are run by
# case/evidence, in the full tests, and an H200 counted the same.
cd "$scratch" || exit 1
sed -n '/^\$ build\/gpuexp experiments\/stride.yaml$/,/^```$/p' "$TOP/README.md" |
    grep -E '^ +[0-9]|^ +stride ' | awk '{ print $1, $2, $3, $4, $5 }' > want
need [ "$(wc -l < want)" = 7 ]
(cd "$TOP" && "$GPUEXP" experiments/stride.yaml -d sim -s n=256Ki -o "$scratch/again.csv") 2> /dev/null |
    grep -E '^ +[0-9]|^ +stride ' | awk 'NR > 1 { for (i = 2; i < 5; i++) $i *= 256 }
        { print $1, $2, $3, $4, $5 }' > got
need diff want got
kept=$TOP/reports/h200/stride.csv
paste -d' ' <(cells "$kept" stride) <(cells "$kept" ld_requests) <(cells "$kept" ld_sectors) \
    <(cells "$kept" st_sectors) <(cells "$kept" sectors_per_request | awk '{ printf "%.3f\n", $1 }') > measured
need [ "$(wc -l < measured)" = 6 ]
need diff <(sed 1d want) measured
# What `explain` says in the README is what it says. Without machine code the model has other numbers.
numbers() { if nvrtc; then cat; else sed -E 's/[0-9.]+/#/g'; fi; }
sed -n '/^stride: ok$/,/^```$/p' "$TOP/README.md" | sed '$d' | numbers > want
gpuexp explain stride -d sim -s n=1Mi -s stride=8 | numbers > got
need shown_in want got
