// What of a kernel file decides the numbers that it gives, as a hash: its code without comments and layout, and what
// its description says but for the words for readers. A comment that is put better leaves it as it is.
// SPDX-License-Identifier: MIT
#pragma once
#include "spec/kernel.h"

void fingerprint(const struct kernel *, char hex[33]);
// The text without comments, and with blanks only where two words, or a directive and what follows it, would meet.
// Caller frees.
char *fingerprint_code(const char *text);
