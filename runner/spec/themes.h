// The themes of the shipped experiments, in the order in which one should read them, each with one sentence to learn.
// `theme:` of an experiment names one; a user's file may name another, which has no sentence.
// SPDX-License-Identifier: MIT
#pragma once
struct theme {
    const char *name, *teaches;
};
extern const struct theme themes[]; // ends with NULL name
