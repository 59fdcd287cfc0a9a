# The README's examples work unchanged: its experiment, its kernel, its transcript, and the two commands.
# SPDX-License-Identifier: MIT
block() { # language, number: that fenced block of the README
    awk -v want="$1" -v number="$2" '
        /^```/ { open = !open; language = substr($0, 4); inside = open && language == want && ++n == number; next }
        inside' "$TOP/README.md"
}
block yaml 1 > stride.yaml
need [ -s stride.yaml ]
need gpuexp check stride.yaml
need gpuexp stride.yaml -q -d sim -s n=64Ki

block c 1 > my_kernel.cu
need [ -s my_kernel.cu ]
printf 'kernel: ./my_kernel.cu\nwith: {n: 64Ki, device: sim}\nsweep: {stride: [1, 3], T: [float, double]}\n' \
    > my_kernel.yaml
need gpuexp my_kernel.yaml -q
need [ "$(grep -c ',ok,' reports/my_kernel.csv)" = 4 ]

# The transcript, without the first line (is there a GPU?) and the time it took.
sed -n '/^\$ build\/gpuexp experiments\/stride.yaml$/,/^```$/p' "$TOP/README.md" |
    grep -E '^ +[0-9]|sectors_per_request$|^stride: ' |
    grep -v / | sed 's/; [0-9.]* s;.*//' > want
need [ -s want ]
# A sixteenth of its elements is run, which makes a sixteenth of each count; all are run by case/evidence, in the full
# tests, and an H200 counted the same.
(cd "$TOP" && "$GPUEXP" experiments/stride.yaml -d sim -s n=4Mi -o "$scratch/again.csv") 2> /dev/null > got
grep -v '^stride: ' want > want.table
grep -v '^stride: ' got |
    awk 'NR > 1 { for (i = 2; i < 5; i++) $i *= 16 } { print $1, $2, $3, $4, $5 }' > got.table
awk '{ $1 = $1; print }' want.table > wanted.table
need [ "$(wc -l < wanted.table)" = 7 ]
need diff wanted.table got.table
kept=$TOP/reports/h200/stride.csv
paste -d' ' <(cells "$kept" stride) <(cells "$kept" ld_requests) <(cells "$kept" ld_sectors) \
    <(cells "$kept" st_sectors) <(cells "$kept" sectors_per_request | awk '{ printf "%.3f\n", $1 }') > measured.table
need [ "$(wc -l < measured.table)" = 6 ]
need diff <(sed 1d wanted.table) measured.table

# Every command that the README gives, in a line of its own or between backticks, is tried here, or stands among those
# that another test tries or that need a GPU. A command that is neither is an error: nobody would know that it works.
cd "$scratch" && mkdir all && cd all || exit 1
mkdir experiments && cp "$TOP"/experiments/*.yaml experiments/ # a command may write there
mkdir tests && ln -s "$TOP/tests/gpu" tests/gpu && ln -s "$TOP/tests/bench" tests/bench
need gpuexp experiments/stride.yaml -q -d sim -s n=64Ki
ln -s "$TOP/reports/h200" reports/h200
sed 's/64Mi/64Ki/' experiments/stride.yaml > small.yaml
cp reports/stride.csv OLD.csv
cp reports/stride.run.yaml OLD.run.yaml
cp reports/stride.csv NEW.csv
for part in 1/2 2/2; do need gpuexp experiments/stride.yaml -q -d sim -s n=64Ki --shard $part -o reports/part.csv; done
given() {
    awk '/^```/ { open = !open; bare = open && $0 == "```"; next } bare' "$TOP/README.md" |
        sed -nE 's/^(\$ )?((build\/)?gpuexp .*|\.\/runner.*)$/\2/p'
    awk '/^```/ { open = !open; next } !open' "$TOP/README.md" | tr '\n' ' ' | grep -o '`[^`]*`' | tr -d '`' |
        grep -E '(^|[ (])gpuexp +[^ ]|^ctest|^cmake|^bash|\.sh( |$)|^\./'
}
given | sed 's/^build\///' | sort -u > commands
need [ "$(wc -l < commands)" -ge 25 ]
tried=0
while IFS= read -r command; do
    case $command in
    *setup.sh* | ctest* | 'cmake --install'*) continue ;; # .ci/run and this run of the tests; case/setup, case/install
    tests/gpu/*.sh*) command="bash -n $TOP/${command%%.sh*}.sh" ;; # needs a GPU
    'gpuexp submit '*) command="${command/ -- / --dry-run -- }" ;; # case/slurm does it in earnest
    'gpuexp new '*) ;;
    'gpuexp judge '*) # needs a clock
        echo 'draws 0.1' > fake
        command="$(sed -E 's/BASE\.cu|NEW\.cu/vecadd/g; s/\.\.\.//' <<< "$command") -d script:fake" ;;
    'gpuexp health'*) command="gpuexp health --help" ;; # case/health has devices for it
    'gpuexp explain reports/'*) command="gpuexp explain OLD.csv" ;; # the other is 64Mi large
    'gpuexp report reports/h200/'*) command="$command -o - -q" ;; # case/pictures draws them
    'gpuexp experiments/'* | 'gpuexp tests/'*) command="gpuexp check ${command#gpuexp }" ;; # the figures are of a GPU
    esac
    command=$(sed -E 's/\b(WORD|COLUMN)\b/gbps/g; s/\bFILE\b/small.yaml/; s/\bNAME\.csv/part.csv/
        s/\bNAME\b/mine/g' <<< "$command")
    # Checked where there is no GPU, one whose points all need one has nothing to do: that is told.
    eval "$command" > said 2>&1 || grep -q 'needs a CUDA device; every point is skipped' said ||
        { cat said; echo "the README's command fails: $command"; exit 1; }
    tried=$((tried + 1))
done < commands
need [ "$tried" -ge 20 ]

# The options that it names are there.
awk '/^```/ { open = !open; next } !open' "$TOP/README.md" | tr '\n' ' ' | grep -o '`--[a-z][a-z-]*' | tr -d '`' |
    sort -u > options
need [ "$(wc -l < options)" -ge 5 ]
while IFS= read -r option; do
    case $option in --use* | --with*) continue ;; esac # of the compiler, of setup.sh
    need gpuexp describe -- "$option" > /dev/null
done < options
