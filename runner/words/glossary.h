// Every word that means something to the program, out of the tables that its readers use: what `describe`, the manual,
// the completion and the schema show.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

#include "base/diag.h"
#include "base/embed.h"
#include "base/str.h"
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
// The words of the command line, which its table has: gone through with those of the files.
void glossary_take(void (*each)(entry_fn *, void *context));
#define GLOSSARY_PLAIN \
    { \
        .section = "", .what = "", .place = "", .about = "", .takes = "", .fallback = "", .unit = "", .note = "" \
    }

// manual.c: a page for man(1); NULL: gpuexp. False after diags: there is none of that name.
bool manual_print(const char *page, struct diags *);
// schema.c: of "experiment" files (also for NULL), or of the description in "kernel" files.
bool schema_print(const char *files, struct diags *);

// Whether `name`, as somebody wrote it, means this word: memory.in means memory, max_time measure.max_time.
bool glossary_means(const struct entry *, const char *name);

extern const struct choice glossary_groups[]; // "settings" and what it lists

// The Lua library for scripts: its modules and functions, described by the comments above them in the embedded files.

struct library_function {
    const char *name, *arguments, *about; // "stats.median", "(list)", the comment
};
typedef void library_fn(void *context, const struct library_function *);

// "lua/lib/stats.lua" is module "stats": its name without folder and suffix, in `name`; NULL where the file is not one.
const char *library_module(const struct embedded *, char name[64]);
void library_opening(const char *text, struct str *); // the comment at the top, up to its licence, as one paragraph
void library_functions(const struct embedded *, library_fn *, void *context); // every `function M.name(...)` with `---`

// terms.c: the words of GPUs and of measuring that tables, pages and messages use: what each is, why it matters, and
// what shows it.
struct term_meaning {
    const char *word;    // a bank conflict is `bank_conflict`
    const char *is;      // what it is
    const char *matters; // why somebody should care; "" where that is plain
    const char *shown;   // a command that shows it; "" for none
};
extern const struct term_meaning terms[]; // ends with a NULL word
// Whether somebody who wrote `name` means this word: `Bank conflicts`, `bank-conflict`.
bool terms_means(const struct term_meaning *, const char *name);
