// Text that is safe inside HTML and SVG, whatever it contains. Every text from a file goes through here.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/str.h"

// In an element or a quoted attribute: < > & " ' are written as entities; what is not UTF-8 or not allowed in XML
// becomes U+FFFD.
void markup_text(struct str *, const char *);
// At most `most` characters of it, the last one an ellipsis where some were left out.
void markup_cut(struct str *, const char *, size_t most);
size_t markup_length(const char *); // characters
