// Text that was made by others (files, compilers, kernels, scripts, names on the command line), made fit to be shown:
// one classifier of characters for the terminal, the page and the batch script.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/str.h"

#include <stdbool.h>

// The bytes of the character at `p`, which ends in NUL; 0: none that can be shown (broken UTF-8, a control character
// but for tab, newline and carriage return, a mark that turns the direction of the text behind it, a code point that is
// none).
size_t text_character(const char *p);
// In place: bytes of no character that can be shown become `?`. So does the carriage return: it lets a line hide what
// stands before it. `one_line`: newlines and tabs become blanks.
void text_clean(char *text, bool one_line);
void text_add(struct str *, const char *bytes, size_t size); // cleaned; a NUL among them becomes `?` too
void text_add_line(struct str *, const char *text);          // cleaned, on one line
bool text_ends(const char *text, const char *end);           // and has more in front of it
bool text_has_word(const char *text, const char *word);      // a name in an expression, whole
// As bash reads it back, whatever is in it; what cannot be shown is written with its number.
void text_add_word(struct str *, const char *word);
// name="value", escaped as OpenMetrics says.
void text_add_label(struct str *, const char *name, const char *value);
// Columns that UTF-8 `text` takes; bytes of it that fit into `columns`.
int text_width(const char *text);
size_t text_cut(const char *text, int columns);
