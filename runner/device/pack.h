// Lays numbers and addresses out as the parameter block of a compiled entry, whatever the widths its signature has.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/diag.h"
#include "base/value.h"
#include "ptx/params.h"

struct pack_value {
    const char *name;
    bool is_address;
    uint64_t address;   // of `bytes` too, where a parameter of another size is a pointer to them
    struct value value; // a list: the elements of a vector
    const char *type;   // as declared, for halves and vectors; NULL: what the PTX says is enough
    const void *bytes;  // the value as it lies in memory; NULL: it is one of the others
    size_t size;        // how many they are; 0: as many as are taken
};

// One number, vector or address into its place of a parameter block; `type` as declared, or NULL. False: the parameter
// takes none such.
bool pack_number(void *block, const struct ptx_param *, const char *type, struct value);
bool pack_address(void *block, const struct ptx_param *, uint64_t);

// A value that the host's code gave (job_argument.words), of `size` bytes: `of` tells where a buffer is (8 bytes), or
// what a tensor map is (PACK_MAP). False: it could not.
enum { PACK_MAP = 128 };
bool pack_words(const char *words, void *to, size_t size, bool (*of)(void *context, bool map, size_t which, void *to),
    void *context);

// The block lives in the arena. False: the entry takes other arguments than these, or one that is no number.
bool pack_params(const char *ptx, const char *entry, const struct pack_value *, size_t count, struct arena *,
    void **block, size_t *bytes, struct diags *);
