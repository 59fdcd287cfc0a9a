// A point's findings as a person reads them, or as JSON.
// SPDX-License-Identifier: MIT
#ifndef CLI_FINDINGS_TEXT_H
#define CLI_FINDINGS_TEXT_H
#include "base/json.h"
#include "study/explaining.h"

void findings_text(const struct explaining *, struct json *); // NULL: as text, on standard output
#endif
