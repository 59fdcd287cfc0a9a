// How a point that was looked at is named on the screen, and a line of its kernel's source.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/str.h"
#include "measure/why.h"
#include "study/study.h"

// "stride stride=8: ok", or why it has no numbers.
void point_line(const struct studying *, FILE *);
void point_line_as(const struct studying *, const char *status, const struct why *, FILE *); // the same of another
// A line of the kernel's file, without its indent and cut to `room` columns; nothing where there is none.
void point_line_quote(const char *text, int line, int room, FILE *);

// Of many points, what asks for one of them: "-s stride=8", told at the end.
enum { POINT_CHOICE_MOST = 4 }; // more are many
struct point_choice {
    size_t points;
    struct str one;
};
void point_choice_note(struct point_choice *, const struct studying *);
// `first`: that one alone was looked at. Forgets them.
void point_choice_tell(struct point_choice *, bool first, FILE *);
