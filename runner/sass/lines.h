// Lines of the source by instruction, from the line program of DWARF that the compiler leaves in a cubin.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>
#include <stdint.h>

// Runs the program that is in `table` around byte `address_at`, where the address of the code stands that it is about.
// Fills the line of each of `count` instructions; what it does not reach stays as it was.
void lines_read(const unsigned char *table, size_t bytes, uint32_t address_at, uint32_t *lines, size_t count);
