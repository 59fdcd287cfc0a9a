// Reads a cubin: an ELF file with a section of instructions for each kernel, its constants, how much memory it takes,
// and from which lines of the source the instructions are. Nothing in the file is taken on trust. Pure: bytes in,
// pointers into them out.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct cubin_place { // a variable, or a function
    const char *name;
    uint64_t at, bytes;
    uint8_t bank; // of constants; CUBIN_GLOBAL; CUBIN_CODE
};
enum { CUBIN_BANKS = 5, CUBIN_PARAMS = 128, CUBIN_FAR_SHARED = 0x400, CUBIN_GLOBAL = 0xfe, CUBIN_CODE = 0xff };

struct cubin_fix { // what a linker fills in: the address of something
    uint32_t at;   // in the code, or in bank 4
    uint32_t type;
    int64_t addend;
    const struct cubin_place *of; // NULL: not known here
};
enum { CUBIN_64 = 2, CUBIN_LOW = 56, CUBIN_HIGH = 57 }; // types: 8 bytes; the halves of an address in bits 32 to 63

struct cubin_bank {
    const unsigned char *bytes;
    size_t count;
};

struct cubin_param {
    uint32_t offset, size; // in the block of all; size 0: there is none of that number
};

struct cubin_kernel {
    const unsigned char *code;
    uint32_t code_bytes;
    struct cubin_bank banks[CUBIN_BANKS]; // 2, 3, 4; 0: what it holds is the launch's
    uint32_t params_at, param_bytes;      // in bank 0
    struct cubin_param params[CUBIN_PARAMS];
    uint32_t shared_bytes; // static, with what the system keeps below it
    uint32_t stack_bytes;  // of local memory, of a lane
    bool stack_known;
    int registers;
    uint32_t *lines;                  // of each instruction; 0: not known; NULL: of none
    struct cubin_fix *fixes, *fixes4; // of the code, of bank 4
    size_t fix_count, fix4_count;
};

struct cubin {
    int arch; // 90
    const struct cubin_place *places;
    size_t place_count;
    const void *inside;
};

// NULL with a sentence in `error`: it is no cubin, or of a processor whose instructions are not known here. The bytes
// must stay.
struct cubin *cubin_read(struct arena *, const void *bytes, size_t count, char error[256]);
// False, with a sentence: there is no such kernel.
bool cubin_kernel(const struct cubin *, struct arena *, const char *name, struct cubin_kernel *, char error[256]);
// The n-th kernel's name; NULL behind the last.
const char *cubin_name(const struct cubin *, size_t n);
