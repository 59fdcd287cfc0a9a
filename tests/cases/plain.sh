# The texts for users are plain. In each, half the sentences have at most 15 words, and of 100 at most 5 have more than
# 30. Tables, blocks and pictures are not counted; what stands between backticks is one word.
# SPDX-License-Identifier: MIT
cd "$TOP" || exit 1
lengths() { # words of each sentence of a text, one a line
    awk '/^```/ { open = !open; next } open || /^\|/ || /^!\[/ || /^Contents:|^\*\*Contents/ { skip = /ontents/; next }
        skip && NF { next } { skip = 0 }
        /^$/ || /^#/ { print "."; next }
        /^ *([-*]|[0-9]+\.) / { print "."; sub(/^ *([-*]|[0-9]+\.) /, "") }
        { print }' "$1" | tr '\n' ' ' |
        sed -E 's/`[^`]*`/x/g; s/\[([^]]*)\]\([^)]*\)/\1/g; s/([.!?])[")*]* /\1\n/g' |
        awk '{ n = 0; for (i = 1; i <= NF; i++) if ($i ~ /[A-Za-z0-9]/) n++; if (n) print n }' | sort -n
}
plain() { # NAME, and the words of each of its sentences in the file `words`
    awk -v text="$1" '{ n[NR] = $1; long += $1 > 30 }
        END {
            middle = n[int((NR + 1) / 2)]
            if (ENVIRON["SHOW"]) printf "%s: %d sentences, median %d, %d of more than 30\n", text, NR, middle, long
            if (NR < 10) { print text ": only " NR " sentences were found"; exit 1 }
            if (middle > 15) { print text ": half its sentences have more than " middle - 1 " words"; exit 1 }
            if (long > 0.05 * NR) { print text ": " long " of " NR " sentences have more than 30 words"; exit 1 }
        }' "$scratch/words" || bad=1
}
for text in README.md experiments/*.md kernels/*.md lua/*.md reports/*.md runner/*.md \
    runner/sim/README.md tests/README.md; do
    lengths "$text" > "$scratch/words"
    plain "$text"
done
# So are the comments, of headers and of sources, and what is printed as transcripts keep it.
comments() { # as paragraphs
    awk '/^ *\/\/ ?SPDX/ { next }
        /^ *\/\/ / { sub(/^ *\/\/ /, ""); print; next }
        /[;{,)] +\/\/ / { sub(/.*[;{,)] +\/\/ /, ""); print "\n" $0 "\n"; next }
        { print "" }' "$@"
}
for folder in runner/*/; do
    for kind in h c; do
        find "$folder" -name "*.$kind" -exec cat {} + > "$scratch/all.$kind"
        comments "$scratch/all.$kind" > "$scratch/comments"
        [ -s "$scratch/comments" ] || continue
        lengths "$scratch/comments" > "$scratch/words"
        [ "$(wc -l < "$scratch/words")" -lt 10 ] || plain "comments of $folder*.$kind"
    done
done
grep -hE '^  [^ |]|^gpuexp: ' tests/messages/*.txt tests/messages/*/*.txt tests/cases/mistakes.out 2> /dev/null |
    sed 'G' > "$scratch/said"
lengths "$scratch/said" > "$scratch/words"
plain "hints of messages"
# A README is read in one go.
[ "$(wc -l < README.md)" -le 150 ] || { echo "README.md has more than 150 lines"; bad=1; }
exit ${bad:-0}
