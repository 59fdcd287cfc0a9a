# The manual: three pages that groff and mandoc read without a complaint, with every word of the glossary.
# SPDX-License-Identifier: MIT
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
    for group; do
        for word in $(words "$group"); do
            need grep -qE -- "^ +$(sed 's/[.*[]/\\&/g' <<< "$word")( |\(|\$)" "$page.txt"
        done
    done
}
all gpuexp commands options columns statuses exit environment
all gpuexp-experiment experiment settings traits expressions scripts library
all gpuexp-kernel kernel types
t gpuexp print manual nosuch
