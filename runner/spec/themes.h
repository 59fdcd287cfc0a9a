// The themes that the shipped experiments are grouped by, in the order in which they teach, each with the sentence that
// it teaches. `theme:` of an experiment names one; a file of one's own may name another, which has no sentence.
// SPDX-License-Identifier: MIT
#ifndef SPEC_THEMES_H
#define SPEC_THEMES_H
struct theme {
    const char *name, *teaches;
};
extern const struct theme themes[]; // ends with NULL name
#endif
