// Looks a word up in a list.
// SPDX-License-Identifier: MIT
#include "base/choice.h"

#include <stddef.h>
#include <string.h>

int choice_find(const struct choice *list, const char *word)
{
    for (int i = 0; list[i].word; i++)
        if (strcmp(list[i].word, word) == 0) return i;
    return -1;
}

void choice_words(const struct choice *list, const char *words[CHOICES_MOST])
{
    int n = 0;
    for (; list[n].word && n < CHOICES_MOST - 1; n++) words[n] = list[n].word;
    words[n] = NULL;
}
