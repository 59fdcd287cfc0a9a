# The texts for contributors name files, folders and functions: every one of them exists, and every folder is named.
# SPDX-License-Identifier: MIT
cd "$TOP" || exit 1
bad=0
fail() { echo "$*"; bad=1; }
texts="runner/README.md runner/DESIGN.md runner/sim/RULES.md tests/README.md"

# Names stand in backticks; one with capitals (cases/NAME.sh) is a form, not a file.
names() { grep -o '`[^` ]*`' "$1" | tr -d '`' | sort -u; }
there() { # FROM NAME: seen from the text's own folder, the top, runner/ or tests/
    for place in "$1" . runner tests; do
        [ -e "$place/$2" ] && return 0
        ls "$place/$2"* > /dev/null 2>&1 && [ "${2%_}" != "$2" ] && return 0 # sim/decode_: several files
    done
    return 1
}
known() { # a name in the sources; one that ends in _ is how some begin
    local end='\b'
    case $1 in *_) end= ;; esac
    grep -rqE --include='*.[ch]' --include=CMakeLists.txt --include='*.sh' --include='*.cu' -e "\b$1$end" runner tests
}
for text in $texts; do
    need [ -s "$text" ]
    count=0
    for name in $(names "$text"); do
        case $name in
        *[A-Z\<]* | .* | *build/*) ;; # a form, an ending, what a build makes
        unit/* | fuzz/* | gpu/* | case/*) # a test, as ctest names it, or a file
            name=${name/#case\//cases/}
            ls tests/"$name"* > /dev/null 2>&1 || fail "$text names $name, which does not exist" ;;
        */* | *.c | *.h | *.md | *.sh | *.cu | *.yaml | *.lua)
            count=$((count + 1))
            there "$(dirname "$text")" "$name" || fail "$text names $name, which does not exist" ;;
        smsp__* | l1tex__*) ;; # counters of a GPU
        *_*)
            count=$((count + 1))
            known "$name" || fail "$text names $name, which is nowhere in the sources" ;;
        esac
    done
    [ "$text" = runner/DESIGN.md ] || [ "$count" -ge 3 ] || fail "$text: only $count names were found"
done
for folder in runner/*/; do
    grep -qE "^$(basename "$folder") +[^ ]" runner/README.md || fail "runner/README.md has no line for $folder"
done
order=$(sed -n 's/^order="\(.*\)"$/\1/p' tests/cases/rules.sh)
[ "$(grep -oE '^[a-z]+  +' runner/README.md | tr -s ' \n' ' ')" = "$order " ] ||
    fail "runner/README.md lists the folders in another order than tests/cases/rules.sh checks"
for folder in tests/*/; do
    grep -qE "^\| \`$(basename "$folder")[/\`]" tests/README.md || fail "tests/README.md has no line for $folder"
done
# What the sources cite is there.
cited=$(grep -rhoE '\b(runner|tests)/[A-Za-z_/]*\.md\b' runner tests --include='*.[ch]' --include='*.sh' | sort -u)
for name in $cited; do
    [ -s "$name" ] || fail "a comment cites $name, which does not exist"
done
grep -rnE '\bDESIGN\b' runner tests --include='*.[ch]' --include='*.sh' | grep -v 'DESIGN\.md\|DESIGN\\' &&
    fail "cite it as runner/DESIGN.md"
exit $bad
