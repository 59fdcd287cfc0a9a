// What the terminal can do: is it one, how wide, colours or not; and text laid out for its width.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "base/say.h"

enum term_colour { TERM_PLAIN, TERM_BOLD, TERM_DIM, TERM_RED, TERM_GREEN, TERM_YELLOW, TERM_CYAN };

bool term_is_live(FILE *);    // a terminal that can move its cursor
void term_clear_line(FILE *); // of a live one
int term_width(FILE *);       // columns, asked anew at every call; of a pipe, those of the terminal; else 100
// Switches to a colour, unless there must be none (no terminal, NO_COLOR, TERM=dumb).
void term_paint(FILE *, enum term_colour);
void term_say(FILE *, enum term_colour, const char *fmt, ...)
    __attribute__((format(printf, 3, 4))); // then back to plain

// `left`, then `text` wrapped to `width` with every line starting at column `margin`; a left part that is too long has
// its own line.
void term_columns(const char *left, int margin, const char *text, int width, FILE *);
// A text from that column on, and the end of its line; on a terminal no word of it is broken.
void term_paragraph(FILE *, int from, const char *text);
