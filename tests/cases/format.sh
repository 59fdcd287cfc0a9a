# The C is laid out by the formatter's file (.clang-format); the versions of the formatter differ a little, so only the
# one that CI installs is used.
# SPDX-License-Identifier: MIT
# full: it needs clang-format 14
cd "$TOP" || exit 1
for format in clang-format-14 clang-format none; do
    $format --version 2> /dev/null | grep -q 'version 14\.' && break
done
[ $format != none ] || lacks "clang-format 14"
sources=$(find runner tests -name '*.[ch]' ! -path 'tests/golden/*' ! -path 'runner/compile/text/*')
# shellcheck disable=SC2086
$format --dry-run -Werror $sources 2>&1 | grep -E '(error|warning):' &&
    { echo "clang-format -i FILE mends it"; exit 1; }
exit 0
