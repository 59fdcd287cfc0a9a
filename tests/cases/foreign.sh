# Text that others wrote cannot steer the terminal, put a command into a batch script, or hold the run up: kernels,
# compilers, scripts, experiment files, names of files.
# SPDX-License-Identifier: MIT
esc=$(printf '\033') bel=$(printf '\007')
clean() {
    [ "$(LC_ALL=C tr -d '\n\t\040-\176\200-\377' < "$1" | wc -c)" = 0 ] &&
        ! LC_ALL=C grep -q $'\xc2[\x80-\x9f]\|\xe2\x80\xae' "$1"
}
cat > talks.cu <<'END'
/*
params: {n: {default: 32}, wide: {default: 0}}
buffers: {out: {type: int, count: n, access: write}}
threads: n
*/
extern "C" __global__ void talks(int *out, size_t n, size_t wide)
{
    if (threadIdx.x < n) out[threadIdx.x] = 1;
    if (threadIdx.x) return;
    printf("\033[2J\033]0;owned\007 \302\233 \342\200\256 said\r\n");
    if (wide) printf("%999999999d %*d %.999999999f|\n", 1, 999999999, 2, 3.0);
    for (size_t i = 0; wide && i < 4000; i++) printf("a line of thirty-two characters.\n");
}
__device__ bool check(size_t i, const int *out) { return out[i] == 1; }
END
cat > talks.yaml <<END
kernel: ./talks.cu
question: "\e[31mred\a <script>alert(1)</script><img src=x onerror=alert(2)>"
with: {device: sim}
sweep: {wide: [0, 1]}
expect: [{that: "wide == 7 -- \e[31m"}]
END
gpuexp talks.yaml -v > out 2>&1
need clean out
need grep -q said out
# Each conversion is bounded, and so is what is shown of a point; that is said once.
need [ "$(wc -c < out)" -lt 80000 ]
need [ "$(grep -c 'the point prints more than 64 KiB: the rest is not shown' out)" = 1 ]
need grep -q "talks: 2 ok" out

# Commands that look at a kernel run it in their own process.
for words in sites "show --line 9" explain; do
    gpuexp $words ./talks.cu > out 2>&1
    need clean out
    need grep -q said out
done

# Nobody reads standard error: the points are measured all the same.
mkfifo nobody
exec 7<> nobody
need gpuexp talks.yaml --fresh -v -s 'wide=[1, 2, 3, 4]' -s 'expect=[]' -o slow.csv > out 2> nobody
need grep -q 'talks: 4 ok' out
exec 7>&-

# What a compiler quotes, what a file, a script and the command line say.
cat > bad.cu <<END
/*
params: {n: {default: 1}}
buffers: {out: {type: int, count: n, access: write}}
threads: n
*/
#error "$esc[31m$bel"
extern "C" __global__ void bad(int *out, size_t n) {}
END
printf 'kernel: ./bad.cu\nwith: {device: sim}\n' > bad.yaml
printf 'kernel: stride\nwith: {n: 32, device: sim, strid\xc2\x9be%s[2J: 1}\n' "$bel" > key.yaml
cat > talks.lua <<'END'
return {
    done = function() return {lines = {"\027[31m\226\128\174\r"}} end,
    keep = function() print("\027[2J") return true end,
}
END
printf 'kernel: stride\nwith: {n: 32, device: sim}\nscript: ./talks.lua\n' > scripted.yaml
cp talks.yaml "$(printf 'a\033[2J\nb.yaml')"
for file in bad.yaml key.yaml scripted.yaml no$esc[2J.yaml a$esc*b.yaml; do
    for command in check plan run; do
        if [ $command = run ]; then gpuexp "$file" -v > out 2>&1; else gpuexp $command "$file" > out 2>&1; fi
        need clean out
        need [ -s out ]
    done
done
sed "s/talks,/ta${esc}lks,/; s/,[0-9]*,ok/,${esc}[31m,ok/" reports/talks.csv > evil.csv
for command in status report "compare reports/talks.csv"; do
    # shellcheck disable=SC2086
    gpuexp $command evil.csv > out 2>&1
    need clean out
done

# The page of such a report runs and loads nothing: its policy comes before all content, and no element could do either.
need gpuexp report reports/talks.csv -o page.html > out
need [ "$(grep -o '<[a-z][a-z-]*' page.html | head -n 4 | tr '\n' ' ')" = '<html <head <meta <meta ' ]
need [ "$(grep -c '<meta http-equiv="Content-Security-Policy" content="default-src .none.; style-src' page.html)" = 1 ]
need grep -q 'alert(1)' page.html # it is shown
# A report without checksums may hold anything.
sed "s/,[^,]*$//; s/^talks,/$esc[31mtalks,/" reports/talks.csv > bare.csv
need gpuexp report bare.csv --format md -o bare.md
need clean bare.md
need grep -q talks bare.md
active='<(script|img|iframe|object|embed|link|base|form|a)[ >]|<[^>]* (on[a-z]+|src|href)='
# Its links are to the table of the page, beside it, and to a part of the page.
links='s/<a class="file" href="(\.\/)?[^":]*">|<a class="status [a-z]*" href="#claims[0-9]*">//g'
need [ "$(sed -E "$links" page.html | grep -cE "$active")" = 0 ]

# A name with a newline puts no line into a batch script; a partition that is none is refused.
odd=$(printf 'x\ntouch owned\n#SBATCH --uid=0\n.yaml')
printf 'experiment: odd\nkernel: stride\nwith: {n: 32, device: sim}\n' > "$odd"
gpuexp submit "$odd" --shards 2 --dry-run > script 2>&1
need [ "$(grep -c "^touch\|^#SBATCH --uid" script)" = 0 ]
sed "s|^exec .*gpuexp |printf '<%s>' |" script | sed '/^#  sbatch/,$d' > asked
need [ "$(bash asked | head -c 61 | tr '\n' ' ')" = "<x touch owned #SBATCH --uid=0 .yaml><--seed><0><--shard></2>" ]
need [ ! -e owned ]
for partition in "$(printf 'gpu\ntouch owned')" "gpu --uid=0" "" -p; do
    gpuexp submit talks.yaml --shards 2 --dry-run "--partition=$partition" > out 2>&1
    need [ $? = 2 ]
done
