// The sentence of a result, for a test to look at: good until the next one is asked for.
// SPDX-License-Identifier: MIT
#pragma once
#include "measure/result.h"

static inline const char *reason_of(const struct result *r)
{
    static char text[WHY_TEXT];
    return why_text(&r->why, text);
}
