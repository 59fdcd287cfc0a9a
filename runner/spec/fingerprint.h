// A hash of all in a kernel file that decides its numbers: the code without comments and layout, and the description
// without its words for readers. A better comment does not change it.
// SPDX-License-Identifier: MIT
#pragma once
#include "spec/kernel.h"

void fingerprint(const struct kernel *, char hex[33]);
// The text without comments, and with blanks only where two words, or a directive and what follows it, would meet.
// Caller frees.
char *fingerprint_code(const char *text);
