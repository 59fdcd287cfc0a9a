// What libFuzzer calls; tests/fuzz/main/replay.c calls it too, by another name, with every file of a corpus.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
