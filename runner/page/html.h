// Reports as one HTML file that needs nothing else: no script, no font, no picture from outside.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "page/draw.h"
#include "page/insight.h"

// What the run file beside a report says about it, for the page: its question, and what it was measured with.

struct fact {
    const char *name, *text;
};
enum { FACTS_MOST = 16 };
enum { CLAIMS_MOST = 64 }; // expectations that a page tells

struct run_facts {
    struct fact items[FACTS_MOST];
    int count;
    unsigned long points;            // of the plan; 0: not known
    unsigned long broken, unchecked; // expectations, as the last run found them
    const char *claims[CLAIMS_MOST]; // what came of each
    int claim_count;
    const char *lines[CLAIMS_MOST]; // what the script said
    int line_count;
};

struct html_options {
    const char *const *reports;
    size_t count;
    const char *output; // NULL: beside the first of them (x.csv: x.html)
    struct chart_wish wish;
    // A closer look at the points of a report (page/insight.h); NULL: none.
    const struct insight *(*look)(const char *report, void *context, struct arena *);
    void *context;
    void (*page)(size_t number, size_t of, const char *report); // of a book: before each of its pages; NULL: none
    const char *lead; // of a book: the way to the other pages, as HTML; NULL: none
};
bool html_write(const struct html_options *, char output[4096], struct diags *); // `output` gets the path

enum { HTML_SORTED = 40 }; // columns that a table can be sorted by

// A folder's reports as a book: a page for each, and one that leads to them by theme. `output` gets its path.
bool book_write(const char *folder, const struct html_options *, char output[4096], struct diags *);

// One report, and all that its section of the page shows.
struct sheet {
    struct view view;
    struct run_facts facts;
    struct question question;
    struct charts charts;
    const char *answer;            // page/answer.h; NULL: no row has a number
    const struct insight *insight; // NULL: there was no closer look
    size_t number;                 // on the page, from 1
    const char *link;              // to the report's file, from the page; NULL: none
};
bool sheet_read(struct sheet *, const char *path, const struct chart_wish *, struct diags *);
void sheet_release(struct sheet *);
const char *sheet_title(const struct sheet *); // the experiment's name, or the file's

void html_table(const struct sheet *, struct str *);                    // the rows, and what is the same in all of them
void html_counts(const struct sheet *, const char *page, struct str *); // `page`: where its claims stand; "" for here

// Several reports of one experiment in one chart; of several experiments nothing.
void html_overlay(const struct sheet *, size_t count, const struct chart_wish *, struct str *);

// Around them.
void html_head(const char *title, struct str *); // up to <body>
void html_feet(const char *from, struct str *);
void html_fold(const char *title, bool open, struct str *); // <details>; whoever calls it closes it
void html_element(struct str *, const char *name, const char *class, const char *text);
// From a page to a file: relative where one leads there.
const char *html_link(const char *page, const char *file, struct arena *);

// plot.c: a report where there are no pictures: for a terminal, and of a width. What a page would draw first: a bar for
// each point, or where there are many, a line of blocks for each series. Nothing where there is nothing to draw, or no
// room.
struct experiment;
void plot_add(const struct sheet *, int width, struct str *);
// The rows: the axes, what `derive` and `expect` name, time and bandwidth where they are known. `head`: the names
// above. False: of so many rows, or of one, there is no table. `width` 0: as wide as it comes.
bool plot_rows(const struct sheet *, const struct experiment *, int width, struct str *head, struct str *rows);
