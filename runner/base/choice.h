// Words that mean something, each with its sentence: the reader of a file takes from such a list what is allowed, and
// `describe`, the schema and the manual take from it what there is.
// SPDX-License-Identifier: MIT
#pragma once

struct choice {
    const char *word, *about;
};
// The lists end with a NULL word. The index of `word`, or -1.
int choice_find(const struct choice *, const char *word);

enum { CHOICES_MOST = 64 };
// The words alone, NULL-terminated, for `str_nearest` and for hints.
void choice_words(const struct choice *, const char *words[CHOICES_MOST]);
