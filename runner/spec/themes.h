// The themes of the shipped experiments, in the order in which one should read them, each with one sentence to learn.
// `theme:` of an experiment names one; a user's file may name another, which has no sentence.
// SPDX-License-Identifier: MIT
#ifndef SPEC_THEMES_H
#define SPEC_THEMES_H
struct theme {
    const char *name, *teaches;
};
extern const struct theme themes[]; // ends with NULL name
#endif
