# The house rules that a compiler does not check: includes point one way along the data flow, each library has one folder, the
# runner names no kernel, everything has its place at the top and a test.
# SPDX-License-Identifier: MIT
cd "$TOP" || exit 1
bad=0
fail() { echo "$*"; bad=1; }

# 1. Includes point from later folders to earlier ones.
order="base lua spec plan ptx sim compile device measure report run cluster cli"
rank() { local i=0 f; for f in $order; do i=$((i + 1)); [ "$f" = "$1" ] && echo $i && return; done; }
checked=0
for folder in runner/*/; do
    folder=$(basename "$folder")
    own=$(rank "$folder")
    [ -n "$own" ] || { fail "runner/$folder has no place in the order of folders"; continue; }
    while IFS=: read -r file include; do
        other=$(sed 's/.*"\([a-z]*\)\/.*/\1/' <<< "$include")
        checked=$((checked + 1))
        [ -n "$(rank "$other")" ] || { fail "$file: include of an unknown folder: $include"; continue; }
        [ "$(rank "$other")" -le "$own" ] || fail "$file: $folder may not include from $other"
    done < <(grep -rH --include='*.[ch]' '^ *# *include "' "runner/$folder")
done
[ $checked -gt 50 ] || fail "only $checked includes were looked at"

# 2. Each library's header is included from one place.
only() { # header, allowed folder
    grep -rlE "^ *# *include [<\"]$1" runner | grep -vE "^runner/$2" | sed "s#\$# includes $1#"
}
found=$(only 'yaml\.h' 'spec/'; only '(lua|lualib|lauxlib)\.h' 'lua/'; only 'csv\.h' 'report/'; only '(cuda|cupti|nvml|nvrtc)' '(device/cuda|compile/)')
[ -z "$found" ] || fail "$found"
for c in exit abort _exit; do # main and the children of a fork may end a process; nothing else decides that
    grep -rnE "(^|[^_a-z.])$c\(" runner --include='*.c' | sed 's|//.*||' | grep -E "[^_a-z.\"]$c\(" |
        grep -vE '^runner/(main\.c|base/arena\.c|measure/|device/|compile/|run/|cluster/)' && fail "$c outside its places"
done

# 3. The program names no kernel and no experiment. (A setting may share its name with one: settings.h is the one exception.)
for file in kernels/*.cu experiments/*.yaml; do
    name=$(basename "${file%.*}")
    while IFS=: read -r source line text; do
        sed 's|//.*||' <<< "$text" | grep -qE "\"$name\"|\b$name\.(cu|yaml)" && fail "$source:$line names $name"
    done < <(grep -rnw --include='*.[ch]' -- "$name" runner | grep -v '^runner/spec/settings.h')
done

# 4. The top holds what DESIGN says and nothing else.
for entry in $(git ls-files 2>/dev/null | cut -d/ -f1 | sort -u); do
    case $entry in
    runner | kernels | experiments | lua | reports | tests | CMakeLists.txt | README.md | LICENSE | .*) ;;
    *) fail "$entry does not belong at the top" ;;
    esac
done

# 5. Files stay short enough to be read in one go, lines too; every source says its licence; nothing is left unfinished.
while read -r file; do
    lines=$(wc -l < "$file")
    [ "$lines" -le 400 ] || fail "$file has $lines lines, over 400"
    awk -v f="$file" 'length($0) > 160 && !/^ *X\(/ { print f ":" NR ": a line of " length($0) " columns"; bad = 1 } END { exit bad }' "$file" || bad=1
    head -30 "$file" | grep -q 'SPDX-License-Identifier: MIT' || fail "$file does not say its licence"
done < <(find runner tests -name '*.[ch]' ! -path 'tests/golden/*')
unfinished="TO""DO|FIX""ME"
grep -rnwE "$unfinished" runner kernels experiments tests --include='*.[ch]' --include='*.cu' --include='*.yaml' --include='*.sh' && bad=1

# 6. Each kernel has an experiment, each command a case.
for file in kernels/*.cu; do
    name=$(basename "$file" .cu)
    grep -qE "^kernel: *(kernels/)?$name(\.cu)?\b" experiments/*.yaml || fail "no experiment uses kernel $name"
done
for command in $("$GPUEXP" --help 2>/dev/null | sed -n '/^commands/,/^$/s/^  \([a-z][a-z]*\).*/\1/p'); do
    grep -qE "(gpuexp|\\\$GPUEXP\"?) $command\b" tests/cases/*.sh || fail "no case tries the command $command"
done
exit $bad
