// Every word that means something to the program, out of the tables that its readers use: what `describe`, the manual,
// the completion and the schema show.
// SPDX-License-Identifier: MIT
#ifndef CLI_GLOSSARY_H
#define CLI_GLOSSARY_H
#include <stdbool.h>

#include "spec/words.h"

struct entry {
    const char *group;       // one of glossary_groups
    const char *section;     // within the group: "keys of a range"; "" for none
    const char *word, *what; // "memory", "is a run setting: ..."
    const char *place;       // where a word of a part belongs: "measure.precision"; "" for none
    const char *about, *takes, *fallback, *unit, *note; // "" for none
    const struct choice *choices;                       // the words that it takes; NULL for none
    const struct mapping *keys;                         // those of its mapping; NULL for none
    const char *shown;                                  // a command that shows it; NULL for none
};
typedef void entry_fn(void *context, const struct entry *); // texts last until it returns
void glossary_each(entry_fn *, void *context);

// Whether `name`, as somebody wrote it, means this word: memory.in means memory, max_time measure.max_time.
bool glossary_means(const struct entry *, const char *name);

extern const struct choice glossary_groups[]; // "settings" and what it lists
#endif
