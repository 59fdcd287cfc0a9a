// `sequence:` in a kernel's description: several launches as one point. And `arguments:`, which a launch has too.
// SPDX-License-Identifier: MIT
#pragma once
#include "spec/describe.h"
#include "spec/known.h"

// The mapping under `arguments`; NULL where there is none.
const struct passed *sequence_passed(const struct describer *, const struct node *map, size_t *count);
void sequence_read(const struct describer *, const struct node *root);
// Every launch of the sequence in turn, with what is to be said of it.
void sequence_each(const struct kernel *, void (*say)(void *context, const struct step *), void *context);

// `{tensor: in, box: [64, 8], swizzle: 128}` under `arguments`: what an argument of type CUtensorMap describes.

// How many directions the tensor has.
int tensor_words_rank(const struct tensor *);
// Whether the names in its expressions exist.
void tensor_words_names(struct sandbox *, const struct passed *, size_t count, const struct known *, struct diags *);
// Whether one of them has this word.
bool tensor_words_use(const struct tensor *, const char *word);
// Is it the type of a tensor map, by value?
bool tensor_words_type(const char *type);
