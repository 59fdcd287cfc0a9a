// How a worker ended, in one sentence for its row; and what it says until then.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/diag.h"
#include "base/str.h"

// From its wait status and the last of what it wrote: "the worker died of SIGSEGV (a segmentation fault): <last
// lines>".
void worker_words(int status, const struct str *said, char *text, size_t room);
// A kernel may print more than anybody reads: so much of a point is shown. `shown`: bytes of it so far.
void worker_show(const char *text, size_t size, size_t *shown);
// Why its device does not open, as two texts: a sentence, and a hint. False.
bool worker_complaint(const struct str *, struct diags *);
