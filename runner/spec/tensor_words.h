// `{tensor: in, box: [64, 8], swizzle: 128}` under `arguments`: what an argument of type CUtensorMap describes.
// SPDX-License-Identifier: MIT
#pragma once
#include "spec/describe.h"
#include "spec/known.h"

// As described; what is wrong is complained of.
const struct tensor *tensor_words_read(const struct describer *, const struct node *);
// How many directions the tensor has.
int tensor_words_rank(const struct tensor *);
// Whether the names in its expressions exist.
void tensor_words_names(struct sandbox *, const struct passed *, size_t count, const struct known *, struct diags *);
// Whether one of them has this word.
bool tensor_words_use(const struct tensor *, const char *word);
// Is it the type of a tensor map, by value?
bool tensor_words_type(const char *type);
