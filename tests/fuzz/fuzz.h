// What libFuzzer calls; tests/fuzz/main/replay.c calls it too, by another name, with every file of a corpus.
// SPDX-License-Identifier: MIT
#ifndef FUZZ_H
#define FUZZ_H
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
#endif
