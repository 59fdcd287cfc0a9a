# Lines are at most 120 columns, in whatever language. The C is laid out by the formatter's file (.clang-format);
# the versions of the formatter differ a little, so only the one that CI installs is used.
# SPDX-License-Identifier: MIT
cd "$TOP" || exit 1

# As they are: what the program printed or measured (reports, transcripts), what was measured on a GPU or is given to
# the program as input, the licence.
as_it_is='^(reports/|tests/golden/[^.]*\.(ptx|csv|cu|h)|tests/fuzz/corpus/|tests/messages/|LICENSE)|\.out$'
git ls-files 2> /dev/null | grep -vE "$as_it_is" > "$scratch/texts"
if [ -s "$scratch/texts" ]; then # else this is no clone
    need [ "$(wc -l < "$scratch/texts")" -gt 500 ]
    tr '\n' '\0' < "$scratch/texts" | xargs -0 awk '
        FILENAME ~ /\.md$/ && /^\|/ { next } # a row of a table cannot be parted
        length($0) > 120 { print FILENAME ":" FNR ": a line of " length($0) " columns" }' > "$scratch/long"
    [ ! -s "$scratch/long" ] || { cat "$scratch/long"; exit 1; }
fi

for format in clang-format-14 clang-format none; do
    $format --version 2> /dev/null | grep -q 'version 14\.' && break
done
[ $format != none ] || lacks "clang-format 14"
sources=$(find runner tests -name '*.[ch]' ! -path 'tests/golden/*' ! -path 'runner/compile/text/*')
# shellcheck disable=SC2086
$format --dry-run -Werror $sources 2>&1 | grep -E '(error|warning):' &&
    { echo "clang-format -i FILE mends it"; exit 1; }
exit 0
