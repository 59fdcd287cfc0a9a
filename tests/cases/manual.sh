# The manual: three pages that groff and mandoc read without a complaint, with every word of the glossary.
# SPDX-License-Identifier: MIT
# full: it needs mandoc
command -v mandoc > /dev/null || lacks mandoc
for page in gpuexp gpuexp-experiment gpuexp-kernel; do
    gpuexp print manual $page > $page.man || exit 1
    need mandoc -T lint -W warning $page.man
    need mandoc -T utf8 $page.man > $page.txt
    if command -v groff > /dev/null; then
        groff -ww -z -man -Tutf8 $page.man 2> said
        need [ ! -s said ]
    fi
    sed -i 's/.\x08//g' $page.txt # what mandoc prints twice to be bold
done
words() { gpuexp describe "$1" | sed -n '/ is a group of words:/,$p' | sed -nE 's/^  ([^ ]+)( .*|$)/\1/p' | sort -u; }
all() { # PAGE GROUP...
    local page=$1
    shift
    for group; do words "$group"; done | sort -u > wanted
    need [ "$(wc -l < wanted)" -gt 20 ]
    # A line of the page begins with the word, which a blank, a bracket or its end follows.
    need awk 'NR == FNR { line = $0; sub(/^ +/, "", line); sub(/[ (].*/, "", line); if (/^ /) there[line] = 1; next }
        !($0 in there) { print $0 " is not in the page"; bad = 1 } END { exit bad }' "$page.txt" wanted
}
all gpuexp commands options columns statuses exit environment
all gpuexp-experiment experiment settings traits expressions scripts library
all gpuexp-kernel kernel types
t gpuexp print manual nosuch
