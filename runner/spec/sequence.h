// `sequence:` in a kernel's description: several launches as one point. And `arguments:`, which a launch has too.
// SPDX-License-Identifier: MIT
#pragma once
#include "spec/describe.h"

// The mapping under `arguments`; NULL where there is none.
const struct passed *sequence_passed(const struct describer *, const struct node *map, size_t *count);
void sequence_read(const struct describer *, const struct node *root);
// Every launch of the sequence in turn, with what is to be said of it.
void sequence_each(const struct kernel *, void (*say)(void *context, const struct step *), void *context);
