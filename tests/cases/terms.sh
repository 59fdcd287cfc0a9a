# A reader who does not know a word of a page can ask for it: every term has a sentence, and the command that shows it
# works. Words are found as people write them.
# SPDX-License-Identifier: MIT
cp -r "$TOP/experiments" "$TOP/kernels" .
for word in warp lane sector line wavefront request bank 'bank conflict' 'Bank conflicts' coalescing spill occupancy \
    wave tail latency pinned pageable managed set-aside window 'hit ratio' roofline context place interval overfetch \
    in-flight; do
    need gpuexp describe "$word" > said
    need grep -q ' is a term$' said
done
gpuexp describe --format json > all
need [ "$(grep -c '"group": "terms"' all)" -ge 60 ]
need [ "$(grep -c '"group": "columns"' all)" -ge 40 ]
grep -o '"try": ".*"' all | sed 's/^"try": "//; s/"$//' | sort -u > tries
need [ "$(wc -l < tries)" -ge 40 ]
while IFS= read -r command; do
    case $command in 'gpuexp experiments/'*) command="gpuexp check ${command#gpuexp }" ;; esac # or case/catalogue
    eval "$command" > said 2>&1 || { cat said; echo "fails: $command"; exit 1; }
    need [ -s said ]
done < tries
