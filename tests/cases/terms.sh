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
# Each word of a sentence of `explain` is one that `describe` knows, a name of C or CUDA, or a plain one of these. Who
# needs another word finds a plain one, gives it a term, or adds it here.
cat > plain << 'END'
active add address addresses again alive all an and angle another any anything apart are array ask asked asks at
atan atan2 atomicadd atomicmax average away be because before begin begins behind belong bits bring buffer busy byte
call calls can cannot carries cbrt ceiling change choose comes compute computed copies cos cosf cosine could
counter cudamemprefetchasync different digits distance divide divided divisions do does each element elements empty
end ends enough erf es every everywhere exp exp2 exponentials faster fetched few fewer findings first fit fits flag
front function functions further gap gb give gives go goes had halves hangs has have hides holds how independent
inside instead into issuing it its kb know known large last launched launches launching layout leave less let lie
lies limited little loaded locked log10 longer longest loop loops made make malloc many mask matrices mb meet meets
mib more most move much multiple multiplying narrower near nearly need neighbouring neighbours never nothing number
numbers odd on once only operations or order other others out own pass pieces pitch plain pointer pow power powers
powf problem product products push quicker quotient quotients reach reaches remainders result results roots round
rounds row same scattered seen separate seven several side simple sin since sincosf sine sines sinf sinpif small
smaller so some sort spec speed split sqrtf start starting starts stays stop such sums take takes tan tanf tanh
tell than the their them then these they this through thrown too touched touches tried true two until up use used
uses value values wait waiting waits was way ways what wherever whether which while who whole wider without word
words work works would written wrote
END
sed 's|//.*||' "$TOP"/runner/reason/rules_*.c "$TOP/runner/model/limits.h" | grep -oE '"([^"\\]|\\.)*"' |
    sed -E 's/%[-+.0-9]*(ll|z)?[a-z]//g' | grep -oE '[A-Za-z][A-Za-z]+[0-9]*' | tr A-Z a-z | sort -u > words
need [ "$(wc -l < words)" -gt 300 ]
sed -n 's/^    "word": "\(.*\)",$/\1/p' all | tr 'A-Z_' 'a-z ' | cat - plain | tr ' ' '\n' | sed 'p; s/$/s/' |
    sort -u > known
comm -23 words known | sed 's/^/explain says a word that describe does not know: /' | tee unknown
need [ ! -s unknown ]
# What any sentence of the program tells to write, as `WORD: VALUE`, is a word that `describe` knows.
sed 's|//.*||' "$TOP"/runner/*/*.[ch] "$TOP"/runner/*/*/*.[ch] | grep -oE '"([^"\\]|\\.)*"' |
    grep -oE '`[a-zA-Z_.]+: [^`]*`' | sed 's/^`\([^:]*\):.*/\1/' | sort -u > told
need [ "$(wc -l < told)" -gt 30 ]
sed -n 's/^    "word": "\(.*\)",$/\1/p' all | sort -u > described
comm -23 told described | sed 's/^/a sentence names what no file can hold: /' | tee unknown
need [ ! -s unknown ]
