// The themes of the shipped experiments, in the order in which one should read them, each with one sentence to learn.
// `theme:` of an experiment names one; a user's file may name another, which has no sentence.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

struct theme {
    const char *name, *teaches;
    const char *order; // its experiments, each behind those that it builds on
};
extern const struct theme themes[]; // ends with NULL name

size_t theme_place(const char *theme);                        // behind all others: there is no such theme
size_t theme_step(const char *theme, const char *experiment); // its place within; SIZE_MAX: it has none
