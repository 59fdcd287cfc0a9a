// The parameter block of a PTX entry: a kernel's arguments, and where each of them is. Read from the PTX text alone,
// so that every device can pack arguments without asking the compiler twice.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct ptx_param {
    size_t offset, size;
    bool is_float; // .f32 or .f64: the only two that change how a number is packed
    bool untyped;  // .b32 or .b64: a whole number is packed as one, a real number as a float
    size_t align;
};

// The parameters of `.entry name` in `ptx`: returns how many, fills at most `most`; -1 when there is no such entry.
// `total` gets the size of the whole block.
int ptx_params(const char *ptx, const char *entry, struct ptx_param *, int most, size_t *total);
// Names of all entries, separated by ", " into `names` (cut to `size`).
void ptx_entries(const char *ptx, char *names, size_t size);
// Is there an instruction in the body of `.entry name` that has one of these words (NULL-terminated) in its mnemonic:
// "atom" is in `atom.global.add.u32`, and not in `atomic.x`. True where there is no such entry: it cannot be told.
bool ptx_has(const char *ptx, const char *entry, const char *const *words);
// Does this name stand in `ptx` more than once? A variable that is only declared is one that no code reaches.
bool ptx_named_again(const char *ptx, const char *name);
