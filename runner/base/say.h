// The one way in which the program speaks: everything on standard output and standard error goes through here, and what
// is not fit to be shown (base/text.h) is shown as `?`. So no text of a file, a compiler, a kernel or a script can
// steer the terminal. Colours are the only escapes, and are ours.
//
// While patience is off (a run holds points back) whoever reads standard error slower than it is written misses lines:
// nothing waits for it. What was missed is said when it can be.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

void say(FILE *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void say_bytes(FILE *, const char *bytes, size_t size);
void say_escape(FILE *, const char *escape); // as it is: a colour, "clear the line"
void say_patiently(bool on);                 // at first it is on
