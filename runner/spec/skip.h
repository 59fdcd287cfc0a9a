// The pieces of C++ source that every reader must step over as a whole. Each function takes where a piece begins
// and returns where it ends, at the latest the end of the text. A spliced line is one line.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

const char *skip_splices(const char *);   // a backslash, blanks and the end of the line, as often as it is there
const char *skip_comment(const char *);   // from its slash and star
const char *skip_line(const char *);      // to the end of the line, which stays
const char *skip_blank(const char *);     // blanks and comments, but no end of line
const char *skip_directive(const char *); // to the end of its line; a comment in it may go on behind that
const char *skip_quoted(const char *);    // a string or character, from its quote
const char *skip_word(const char *);      // a name or number; a raw string with its prefix
const char *skip_unread(const char *);    // comments and strings in a row: no words of the program
bool skip_is_word(char);                  // may stand in a name

// A copy with blanks in the place of the other arms of an #if whose arms leave different brackets open: braces opened
// in both would never be closed. Offsets and directives stay. For the caller to free.
char *skip_arms(const char *text);
