// The words of GPUs and of measuring that tables, pages and messages use: what each is, why it matters, and what shows
// it.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

struct term_meaning {
    const char *word;    // a bank conflict is `bank_conflict`
    const char *is;      // what it is
    const char *matters; // why somebody should care; "" where that is plain
    const char *shown;   // a command that shows it; "" for none
};
extern const struct term_meaning terms[]; // ends with a NULL word
// Whether somebody who wrote `name` means this word: `Bank conflicts`, `bank-conflict`.
bool terms_means(const struct term_meaning *, const char *name);
