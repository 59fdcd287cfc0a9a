# The house rules that a compiler does not check: includes point one way along the data flow, each library has one
# folder, the runner names no kernel, everything at the top has its place, and everything has a test.
# SPDX-License-Identifier: MIT
cd "$TOP" || exit 1
bad=0
fail() { echo "$*"; bad=1; }

# 1. Includes point from later folders to earlier ones.
order="base model lua spec plan ptx sass sim compile device measure store reason page fleet run study cluster words cli"
for folder in runner/*/; do
    case " $order " in *" $(basename "$folder") "*) ;; *) fail "$folder has no place in the order of folders" ;; esac
done
grep -rH --include='*.[ch]' '^ *# *include "' runner/*/ | awk -v order="$order" '
    BEGIN { n = split(order, folders, " "); for (i = 1; i <= n; i++) rank[folders[i]] = i }
    {
        split($0, part, ":"); split(part[1], path, "/"); split(part[2], quoted, "\""); split(quoted[2], other, "/")
        if (!(other[1] in rank)) { print part[1] ": include of an unknown folder: " quoted[2]; bad = 1 }
        else if (rank[other[1]] > rank[path[2]]) {
            print part[1] ": " path[2] " may not include from " other[1]; bad = 1
        }
    }
    END { if (NR < 100) { print "only " NR " includes were looked at"; bad = 1 } exit bad }' || bad=1

# The rooms of the simulator, in the same way: what runs warps knows nothing of PTX. The core asks the watch, whose door
# is one header.
rooms="rules core watch ops compiler decode machine"
for room in runner/sim/*/; do
    case " $rooms " in *" $(basename "$room") "*) ;; *) fail "$room has no place in the order of rooms" ;; esac
done
grep -rHE --include='*.[ch]' '^ *# *include "(sim|ptx)/' runner/sim/*/ | awk -v rooms="$rooms" '
    BEGIN { n = split(rooms, names, " "); for (i = 1; i <= n; i++) rank[names[i]] = i }
    {
        split($0, part, ":"); split(part[1], path, "/"); split(part[2], quoted, "\""); split(quoted[2], other, "/")
        if (quoted[2] == "sim/sim.h" || (path[3] == "core" && quoted[2] == "sim/watch/watch.h")) next
        if (other[1] == "ptx" ? rank[path[3]] < rank["compiler"] : rank[other[2]] > rank[path[3]]) {
            print part[1] ": sim/" path[3] " may not include " quoted[2]; bad = 1
        }
    }
    END { if (NR < 100) { print "only " NR " includes of rooms were looked at"; bad = 1 } exit bad }' || bad=1

# 2. Each library's header is included from one place.
only() { # header, allowed folder
    grep -rlE "^ *# *include [<\"]$1" runner | grep -vE "^runner/$2" | sed "s#\$# includes $1#"
}
found=$(only 'yaml\.h' 'spec/'; only '(lua|lualib|lauxlib)\.h' 'lua/'; only 'csv\.h' 'store/'
    only '(cuda|cupti|nvml|nvrtc)' '(device/cuda|compile/)')
[ -z "$found" ] || fail "$found"
for c in exit abort _exit; do # main and the children of a fork may end a process; nothing else decides that
    grep -rnE "(^|[^_a-z.])$c\(" runner --include='*.c' | sed 's|//.*||' | grep -E "[^_a-z.\"]$c\(" |
        grep -vE '^runner/(main\.c|base/(arena|apart|child|outside)\.c|measure/|device/|compile/|run/|cluster/)' &&
            fail "$c outside its places"
done

# Only a backend or a scheduler itself knows the names of its things: the others ask (device.h, scheduler.h). Texts for
# users are allowed: the two rows that say what `device` takes, and the help of `submit`.
code() { grep -rnE --include='*.[ch]' "$1" runner | sed 's|//.*||' | grep -E "$1"; }
found=$(code '"[^"]*(cuda:|CUDA_)|"cuda"' | grep -vE '^runner/(device|compile)/|X\(DEVICE,')
[ -z "$found" ] || fail "a backend is known by its name: $found"
# A scheduler's own words are those of its file: its name, its variables' first part, and its commands.
for file in $(grep -lE '^const struct scheduler scheduler_[a-z]+ =' runner/cluster/*.c); do
    own=$(basename "$file" .c)
    words=$({
        echo "$own|${own^}|${own^^}"
        grep -oE '"\$?[A-Z][A-Z0-9]+_' "$file" | tr -d '"$'
        sed -n 's/.*\(\.program = \|\.each_node = \|argv\[\] = {\)"\([a-z][a-z]*\)[" ].*/\2/p
            s/.*say(out, "end: *\([a-z]*\) .*/\1/p' "$file"
    } | sort -u | paste -sd'|')
    [ "$(tr '|' '\n' <<< "$words" | wc -l)" -ge 5 ] || fail "only these words of $file are known: $words"
    found=$(code "\b($words)" | grep -vE "^runner/(cluster/$own\.[ch]:|cluster/scheduler\.[ch]:.*\bscheduler_$own\b)" |
        grep -v '^runner/cli/commands\.c:')
    [ -z "$found" ] || fail "a scheduler is known by its name: $found"
done

# 3. The program names no kernel and no file of an experiment, but for the glossary, which sends readers to some
#    (case/terms tries these). These names are ordinary words too, with another meaning in the program:
ordinary=" box copy empty rows stream stride window "
for file in kernels/*.cu; do
    name=${file##*/} name=${name%.cu}
    case $ordinary in *" $name "*) ;; *) echo "\"$name\"" ;; esac
done > "$scratch/kernels"
named=$(grep -rnFf "$scratch/kernels" --include='*.[ch]' --exclude=terms.c runner | sed 's|//.*||' |
    grep -Ff "$scratch/kernels")
[ -z "$named" ] || fail "a kernel is named: $named"
named=$(grep -rnE --include='*.[ch]' --exclude=terms.c '^[^/]*"[^"]*\b(kernels|experiments)/[a-z]' runner |
    grep -vE ':[0-9]+: *(//|X\()|#line')
[ -z "$named" ] || fail "a file of a kernel or an experiment is named: $named"

# 4. The top holds these and nothing else.
for entry in $(git ls-files 2>/dev/null | cut -d/ -f1 | sort -u); do
    case $entry in
    runner | kernels | experiments | lua | reports | tests | CMakeLists.txt | README.md | LICENSE | .*) ;;
    *) fail "$entry does not belong at the top" ;;
    esac
done

# 5. A file holds one idea, and may be as long as a table of it; a function may not. Every source says its licence;
#    nothing is left unfinished.
sources=$(find runner tests -name '*.[ch]' ! -path 'tests/golden/*')
# shellcheck disable=SC2086
awk '
    FNR == 1 { if (licence == 0 && last) miss(last); last = FILENAME; licence = 0 }
    function miss(f) { print f " does not say its licence"; bad = 1 }
    FNR <= 30 && /SPDX-License-Identifier: MIT/ { licence = 1 }
    /^\{/ { from = FNR }
    /^\}/ {
        if (FILENAME ~ /^runner/ && from && FNR - from > 80) { print FILENAME ":" from ": a long function"; bad = 1 }
        from = 0
    }
    END { if (!licence) miss(last); exit bad }' $sources || bad=1
unfinished="TO""DO|FIX""ME"
grep -rnwE "$unfinished" runner kernels experiments tests --include='*.[ch]' --include='*.cu' --include='*.yaml' \
    --include='*.sh' && bad=1

# 6. Each kernel has an experiment, each command a case, each setting, scheduler, opcode and rule of explain a test.
for file in kernels/*.cu; do
    name=$(basename "$file" .cu)
    grep -qE "^kernel: *(kernels/)?$name(\.cu)?\b" experiments/*.yaml || fail "no experiment uses kernel $name"
done
for command in $("$GPUEXP" --help 2>/dev/null | sed -n '/^commands/,/^$/s/^  \([a-z][a-z]*\).*/\1/p'); do
    grep -qE "(gpuexp|\\\$GPUEXP\"?) $command\b" tests/cases/*.sh || fail "no case tries the command $command"
done
while read -r id name; do # by its own name, the last word of that, or as code has it
    grep -rqwE "SETTING_$id|${name##*.}" tests/unit tests/cases tests/gpu || fail "no test tries the setting $name"
done < <(sed -n 's/^ *X(\([A-Z0-9_]*\), *"\([a-z_.]*\)".*/\1 \2/p' runner/spec/settings.h)
schedulers=$(sed -n '/scheduler_table/s/&scheduler_\([a-z]*\)/\n\1\n/gp' runner/cluster/scheduler.c | grep -x '[a-z]*')
for name in $schedulers; do
    [ -e "tests/unit/$name.c" ] || [ -e "tests/cases/$name.sh" ] || fail "no test tries the scheduler $name"
done

for rule in $(sed -n 's/^ *X(\([a-z_]*\), OF_.*/\1/p' runner/reason/findings.h); do
    grep -qE "(tells|TELLS_BETWEEN|told_of)\(\"$rule\"|\{\"$rule\", WORK_" tests/unit/findings.c ||
        fail "no test tries the rule $rule"
done
while read -r op; do # an opcode of PTX
    grep -rqE "(^|[^a-z0-9_.])${op//./\\.}([.; %]|$)" tests/unit/*.[ch] tests/golden ||
        fail "no test tries the opcode $op"
done < <(sed -n '/define OPS_TABLE/,/define OPS_WORDS/s/^ *X([A-Z0-9_]*, "\([a-z0-9_.]*\)", .*/\1/p' runner/ptx/ops.h)

# 7. The order of the columns decides nothing: no code uses a range of them.
ranges=$(grep -rnE --include='*.[ch]' '([<>]=?|\.\.\.) *COLUMN_[A-Z]|COLUMN_[A-Z_]+ *([<>]|[-+] *[0-9a-z]|\.\.\.)' \
    runner tests | grep -vE '< *COLUMN_COUNT\b|\* COLUMN_COUNT \+')
[ -z "$ranges" ] || fail "a range of columns (ask for a group): $ranges"

# 8. A job's settings are read in one way: plan/asks.h.
read=$(grep -rnE --include='*.[ch]' 'settings\[SETTING_' runner | grep -v '^runner/plan/')
[ -z "$read" ] || fail "a setting is read by hand (plan/asks.h has the readers): $read"

# 9. The files of the CUDA backend call each other in one direction.
circle=$(awk '
    FNR == 1 { pass += FILENAME == ARGV[1] }
    pass == 1 && /^[a-z]/ && !/^static/ && match($0, /cuda_[a-z_0-9]+\(/) {
        of[substr($0, RSTART, RLENGTH - 1)] = FILENAME
    }
    pass == 2 {
        line = $0; sub(/\/\/.*/, "", line)
        while (match(line, /cuda_[a-z_0-9]+/)) {
            name = substr(line, RSTART, RLENGTH); line = substr(line, RSTART + RLENGTH)
            if (name in of && of[name] != FILENAME) { print FILENAME, of[name]; calls++ }
        }
    }
    END { if (calls < 50) print "only few calls were looked at" > "/dev/stderr" }
    ' runner/device/cuda/*.c runner/device/cuda/*.c | tsort 2>&1 > /dev/null)
[ -z "$circle" ] || fail "CUDA files call each other in a circle: $circle"

# 10. One name, one thing: no file name and no struct is there twice, but for the README of a folder.
again=$(find runner -type f ! -name README.md -printf '%f\n' | sort | uniq -d)
[ -z "$again" ] || fail "two files of one name: $again"
again=$(grep -rhoE --include='*.[ch]' '^(static |typedef |const )*struct [a-z_0-9]+ *\{' runner |
    sed -E 's/.*struct ([a-z_0-9]+).*/\1/' | sort | uniq -d)
[ -z "$again" ] || fail "two structs of one name: $again"

# 11. What a person sees goes through base/say, which lets no escape of others pass. (sim/ writes what a
#     kernel prints for the worker's reader; store/, file.c and scratch.c write files.)
grep -rnE --include='*.c' '(^|[^_a-z])v?f?(printf|puts|putc|putchar|fputc|write|perror|psignal)\(' runner |
    sed 's|//.*||' |
    grep -E '[^_a-z](v?f?printf|f?puts|f?putc|putchar|fwrite|perror|psignal)\(|write\((1|2|STD)' |
    grep -vE '^runner/(base/(say|arena|file)|sim/ops/print|store/[a-z_]*|compile/scratch)\.c' &&
    fail "printed without base/say"
grep -rn '\\x1b\|\\033' runner --include='*.[ch]' | grep -vE '^runner/cli/(term|progress)\.c' &&
    fail "an escape outside the terminal's files"

# What studies points prints nothing: whoever asked it to is told.
grep -rnE 'base/(say|json)\.h|\b(stdout|stderr)\b' runner/study && fail "runner/study prints"

words='status_names|"(ok|imprecise|unverified|racy|suspect|impossible|failed)"'
read=$(grep -rnE --include='*.[ch]' "strcmp\(.*($words)" runner |
    grep -v '^runner/measure/result\.c')
[ -z "$read" ] || fail "a status is read by hand (status_find of measure/result.h): $read"

# What the model knows of a device stands in its profile, with a unit and a source. Beside these shares no broken number
# stands in its code; what rules go by are no more than there were.
broken() {
    sed -E 's|//.*||; s/"([^"\\]|\\.)*"//g' "$@" | grep -oE '(^|[^A-Za-z_0-9.])[0-9]+\.[0-9]+' | grep -oE '[0-9.]+'
}
numbers=$(broken runner/model/*.c | grep -vxE '0\.5|1\.5|2\.0|0\.999|1\.01|0\.005|64\.0' | sort -u)
[ -z "$numbers" ] || fail "runner/model knows numbers that no profile has: $numbers"
[ "$(broken runner/reason/*.c | wc -l)" -le 34 ] || fail "runner/reason has more numbers than before"

# 12. Clocks are read in one place. (A holder of a lock also makes its token of one.)
clocks=$(grep -rnE --include='*.c' 'clock_gettime|strftime' runner | grep -vE '^runner/(base/clock|store/lock)\.c')
[ -z "$clocks" ] || fail "a clock is read by hand (base/clock.h has them): $clocks"

# 13. No table without its origin: beside each kept table stands the run file that says what made it. (NAME.what.csv is
#     a script's table of the report NAME.)
while read -r table; do
    name=$(basename "$table" .csv)
    [ -s "$(dirname "$table")/${name%%.*}.run.yaml" ] || fail "$table has no run file beside it"
done < <(find reports -name '*.csv')

# 14. One word, one thing: what is named by a word of runner/README.md stands where that says.
names=$({ grep -roE --include='*.[ch]' '^(static |typedef |const )*(struct|enum) [a-z_0-9]+ *\{' runner |
    sed -E 's/^([^:]*):.*(struct|enum) ([a-z_0-9]+).*/\1 \3/'
    find runner -name '*.[ch]' | sed -E 's#(.*/([^/]*)\.[ch])$#\1 \2#'; } | sort -u)
words=0
while IFS='|' read -r _ word _ folders _; do
    word=${word// /} words=$((words + 1))
    found=$(grep -E " ([a-z0-9]+_)*${word}s?(_[a-z0-9_]+)?$" <<< "$names")
    [ -n "$found" ] || fail "nothing is called by the word $word of runner/README.md"
    other=$(grep -vE "^runner/($(sed 's/[ ]//g; s/,/|/g' <<< "$folders"))/" <<< "$found")
    [ -z "$other" ] || fail "$word is another thing in runner/README.md: $other"
done < <(sed -n '/^## The words/,/^`main/p' runner/README.md | grep '^| [a-z]' | grep -v '^| word')
[ "$words" -ge 15 ] || fail "only $words words of runner/README.md were read"

# 15. Lines are at most 120 columns, in whatever language; but not of what the program printed or measured (reports,
#     transcripts), what was measured on a GPU or is given to the program as input, and the licence.
as_it_is='^(reports/|tests/golden/[^.]*\.(ptx|csv|cu|h)|tests/fuzz/corpus/|tests/messages/|LICENSE)|\.out$'
git ls-files 2> /dev/null | grep -vE "$as_it_is" > "$scratch/texts"
if [ -s "$scratch/texts" ]; then # else this is no clone
    [ "$(wc -l < "$scratch/texts")" -gt 500 ] || fail "too few texts were looked at"
    tr '\n' '\0' < "$scratch/texts" | xargs -0 awk '
        FILENAME ~ /\.md$/ && /^\|/ { next } # a row of a table cannot be parted
        length($0) > 120 { print FILENAME ":" FNR ": a line of " length($0) " columns" }' > "$scratch/long"
    [ ! -s "$scratch/long" ] || fail "$(< "$scratch/long")"
fi

# 16. The tests of the README's command need no more than setup.sh installs by itself. Debian is never without script.
found=$(grep -lE '(^|\|\| |then )lacks ' tests/cases/*.sh | xargs grep -L '^# full: ' | grep -v '/terminal\.sh$')
[ -z "$found" ] || fail "a quick test may be skipped for want of a program: $found"
exit $bad
